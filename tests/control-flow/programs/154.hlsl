//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 154
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
    trace(8, (v0 + 24u));
    v3 = (max(v1, 3u) - v0);
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            switch ((((v1 & 3u) * 4096u) + 5u)) {
            default: {
                switch ((v2 & 3u)) {
                case 0: {
                    uint c3 = 0;
                    for (;;) {
                        if (++c3 > 3) break;
                        if (((c0 == (c2 & 3u)) && (((inputs[3] >> 13) & 3u) == 0u))) {
                            break;
                        }
                        mark(9, (v2 | v3));
                    }
                    [unroll] for (uint c4 = 0; c4 < 2u; ++c4) {
                        v3 = (min(v1, (inputs[2] >> 12)) | v2);
                        trace(10, (min((inputs[0] >> 1), 11u) ^ v3));
                        continue;
                    }
                    break;
                }
                case 1: {
                    v1 = (c2 - 11u);
                    mark(11, max(v3, 15u));
                    mark(12, v1);
                    break;
                }
                case 2: {
                    mark(13, ((v0 | v1) * v1));
                    mark(14, v2);
                    break;
                }
                default: {
                    trace(15, max((v3 * v2), 13u));
                    mark(16, (v3 + 25u));
                    break;
                }
                }
                break;
            }
            case 5: {
                trace(17, (((inputs[2] >> 21) & v1) | 6u));
                trace(18, ((v1 + 9u) - v2));
                break;
            }
            case 4101: {
                trace(19, (v2 ^ v3));
                break;
            }
            }
            if (((v1 & 3u) != 2u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(20, (((inputs[2] >> 18) ^ v0) * 14u));
    }
    trace(21, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
