//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 152
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    v1 = v2;
    [loop] for (uint c0 = 0; c0 < 3u; ++c0) {
        trace(1, ((v3 + 0u) - (c0 - (inputs[0] >> 14))));
        trace(2, (max(v0, 8u) + 39u));
    }
    trace(3, max(v2, v0));
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    uint c0 = 0;
    do {
        ++c0;
        v1 = (min((inputs[1] >> 26), (inputs[3] >> 5)) - (v3 & 13u));
    } while (c0 < 3 && ((((inputs[1] >> 9) & 3u) == 0u) || ((v2 & 7u) < 4u)));
    uint c1 = 0;
    for (;;) {
        if (++c1 > 5) break;
        if (!((v1 & 3u) < 2u)) {
            break;
        }
        if (((c1 == ((inputs[1] >> 13) & 3u)) || ((c1 & 7u) != 1u))) {
            v0 = ((v1 + c1) | v1);
            continue;
        }
        trace(4, (v2 + min(c1, 17u)));
    }
    trace(5, v3);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if ((c0 >= (v0 & 3u))) {
                c0 = 1u;
                break;
            }
            if (((v2 & 3u) < 3u)) {
                [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
                    trace(6, (max(v1, v3) * 34u));
                    switch ((v3 & 3u)) {
                    case 0: case 1: {
                        trace(7, (max(v3, v0) ^ 4u));
                        trace(8, ((v0 + 32u) ^ v3));
                        continue;
                    }
                    }
                    trace(9, v0);
                }
                trace(10, ((v3 - v2) ^ (v3 ^ v0)));
            } else {
                v2 = max(v1, (v2 + 24u));
                uint c4 = 0;
                for (;;) {
                    if (++c4 > 3) break;
                    v0 = f0((inputs[0] >> 27), min(v2, 9u));
                    if (!((c0 & 3u) >= 2u)) {
                        v1 = (v2 & 4u);
                        break;
                    }
                }
                continue;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(11, ((v3 + 25u) - 1u));
    }
    v2 = f1(v3, v0);
    if (((v3 & 3u) == 1u)) {
        trace(12, (v1 ^ v2));
        v2 = max(v1, (v1 ^ v1));
    }
    mark(13, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
