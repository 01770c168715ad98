//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 198
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
    mark(5, v3);
    if (((v3 & 3u) == 2u)) {
        if (!((v2 & 1u) != 0u)) {
            trace(6, v2);
        }
    } else {
        if (((v3 & 3u) >= 1u)) {
            mark(7, (v2 ^ 5u));
            if (((inputs[0] >> 14) < v1)) {
                switch ((((v0 & 3u) * 4096u) + 5u)) {
                case 5: {
                    if (((v1 & 1u) >= 1u)) {
                        trace(8, (v0 + (v1 ^ v2)));
                        trace(9, v2);
                        trace(10, ((v2 + 5u) & 7u));
                    } else {
                        mark(11, v3);
                        trace(12, ((v3 * 24u) + max(v1, 39u)));
                    }
                    v2 = ((v3 | 5u) ^ 11u);
                    break;
                }
                default: {
                    uint c0 = 0;
                    for (;;) {
                        if (++c0 > 6) break;
                        trace(13, v1);
                        if (!(v3 < v0)) {
                            trace(15, (v1 - max(v3, v0)));
                            break;
                        }
                        trace(14, ((v3 + 28u) | (v3 + 32u)));
                    }
                    trace(16, ((v0 | 32u) + 12u));
                    break;
                }
                case 4101: {
                    mark(17, ((v2 + v3) & 7u));
                    trace(18, (v0 & 33u));
                    trace(19, (v1 | (v2 & v0)));
                    break;
                }
                case 8197: {
                    trace(20, (inputs[0] >> 17));
                    break;
                }
                }
                trace(21, (inputs[2] >> 5));
                mark(22, v2);
            }
        }
        trace(23, (min(v3, 19u) | 25u));
        mark(24, v2);
    }
    v3 = (v1 ^ v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
