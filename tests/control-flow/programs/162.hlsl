//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 162
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
    [branch] if (((v3 & 1u) != 0u)) {
        if (((v2 & 1u) == 0u)) {
            if ((((v1 & 7u) >= 3u) || ((v3 & 7u) < 7u))) {
                switch ((v3 & 3u)) {
                default: {
                    v1 = ((inputs[3] >> 20) & 31u);
                    break;
                }
                case 0: {
                    uint c0 = 0u;
                    for (uint c1 = 0; c1 < 2u; ++c1) {
                        for (uint c2 = 0; c2 < 3u; ++c2) {
                            v1 = v2;
                            if (((v3 & 3u) >= 3u)) {
                                c0 = 1u;
                                break;
                            }
                            v3 = ((v0 + v1) | (v2 ^ 28u));
                            trace(1, min(min(v3, 36u), ((inputs[3] >> 20) - 37u)));
                        }
                        if ((c0 != 0u)) {
                            break;
                        }
                        v0 = min((v1 - 25u), min(v0, 7u));
                    }
                    trace(2, (v1 ^ (v1 ^ 2u)));
                    break;
                }
                case 1: {
                    if (((v0 & 7u) < 2u)) {
                        trace(3, v1);
                    } else {
                        trace(4, max((v2 + 37u), ((inputs[2] >> 17) * 1u)));
                        v2 = v3;
                    }
                    break;
                }
                case 2: {
                    trace(5, ((v3 - v3) & 24u));
                    trace(6, v3);
                    break;
                }
                }
            } else {
                trace(7, v1);
                v3 = max((v2 + v1), v2);
            }
            trace(8, (min(v3, 37u) + (v3 - 26u)));
            mark(9, v3);
        } else {
            mark(10, v2);
            v3 = (min(v2, v2) ^ (v1 + v2));
        }
        v3 = (v0 ^ (v2 | v0));
        v2 = v1;
    }
    v1 = ((v1 * 8u) ^ 35u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
