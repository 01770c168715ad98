//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 169
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v0 = ((v1 - 24u) - v2);
    mark(1, (v2 + 38u));
    switch ((v2 & 3u)) {
    default: case 0: {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                trace(2, v0);
                if (!((v3 & 3u) != 1u)) {
                    c0 = 1u;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            trace(3, (((inputs[1] >> 24) & 18u) * (inputs[3] >> 19)));
        }
        uint c3 = 0;
        for (;;) {
            if (++c3 > 6) break;
            if ((((v0 & 7u) == 3u) && ((v3 & 7u) < 5u))) {
                v0 = (min(c3, v2) | 28u);
            }
            if ((((inputs[3] >> 25) & 3u) >= 2u)) {
                break;
            }
        }
        if (((v3 & 3u) < 3u)) {
            trace(4, (((inputs[1] >> 2) + c0) ^ c0));
            break;
        }
        break;
    }
    case 1: {
        [loop] for (uint c4 = 0; c4 < 3u; ++c4) {
            if ((v3 < v2)) {
                uint c5 = 0u;
                for (uint c6 = 0; c6 < 3u; ++c6) {
                    for (uint c7 = 0; c7 < 2u; ++c7) {
                        v2 = (max((inputs[1] >> 0), 30u) & 26u);
                        if ((c4 == (c5 & 3u))) {
                            c5 = 1u;
                            break;
                        }
                    }
                    if ((c5 != 0u)) {
                        break;
                    }
                    trace(5, ((c5 ^ c4) * (v3 * v2)));
                }
            } else {
                if (((v0 & 3u) == 1u)) {
                    if ((c4 == (v1 & 3u))) {
                        trace(6, ((v0 * 19u) ^ 36u));
                    }
                    trace(7, min((c4 ^ c4), (v3 & (inputs[1] >> 13))));
                    mark(8, v0);
                }
                break;
            }
        }
        trace(9, (max(v1, (inputs[1] >> 28)) - (v0 | v3)));
        trace(10, (min(v3, v0) * max(v3, v2)));
        break;
    }
    case 2: {
        trace(11, (v1 + (v0 * v0)));
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    }
    }
    trace(12, min(((inputs[0] >> 14) & v0), (v1 ^ (inputs[1] >> 17))));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
