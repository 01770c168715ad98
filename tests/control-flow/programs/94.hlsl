//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 94
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
    trace(1, (inputs[0] >> 5));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            if ((((inputs[2] >> 8) & 3u) < 3u)) {
                c0 = 1u;
                break;
            }
            if (((v3 & 3u) >= 1u)) {
                switch ((((c2 & 7u) * 4096u) + 5u)) {
                case 5: case 4101: {
                    trace(2, max(v0, min((inputs[3] >> 1), 38u)));
                    v1 = min(((inputs[1] >> 6) - 9u), 33u);
                    v2 = (v1 + v1);
                    break;
                }
                case 8197: {
                    v2 = v1;
                    mark(3, ((c1 + c1) + v3));
                    break;
                }
                case 12293: {
                    trace(4, v2);
                    mark(5, v0);
                    trace(6, (max(v0, c2) | 7u));
                    break;
                }
                case 16389: {
                    trace(7, v0);
                    break;
                }
                default: {
                    v2 = ((v1 & v2) ^ (inputs[1] >> 17));
                    v1 = v2;
                    break;
                }
                }
                trace(8, v1);
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(9, (c1 * 19u));
    }
    v1 = (v0 - (v2 + v0));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    while (c0 < 5 && (v2 < v0)) {
        ++c0;
        trace(10, (c0 ^ (v3 ^ 36u)));
        v2 = f0(c0, min((inputs[0] >> 5), v3));
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            [loop] for (uint c2 = 0; c2 < ((v3 & 3u) + 1u); ++c2) {
                if ((((c2 & 3u) >= 2u) || ((v3 & 1u) != 0u))) {
                    break;
                }
            }
        }
    }
    uint c3 = 0;
    while (c3 < 4 && ((v1 & 3u) == 2u)) {
        ++c3;
        [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
            [unroll] for (uint c5 = 0; c5 < 3u; ++c5) {
                trace(11, v3);
                if ((((inputs[3] >> 2) & 1u) == 0u)) {
                    trace(12, (min(v0, v0) + c3));
                    v3 = max((v3 * c4), (c3 & v1));
                } else {
                    trace(13, min(v2, (v3 + v1)));
                }
            }
            trace(14, ((v3 | v2) * min(c3, v0)));
        }
        v0 = (c3 - (c3 + 5u));
    }
    trace(15, (v2 & v2));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
