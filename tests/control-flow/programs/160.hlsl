//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 160
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            if ((((v2 & 3u) >= 2u) || ((v1 & 3u) < 3u))) {
                trace(1, v1);
                continue;
            }
            if (((v2 & 3u) == 0u)) {
                c0 = 1u;
                break;
            }
            [loop] for (uint c3 = 0; c3 < ((v1 & 3u) + 2u); ++c3) {
                switch ((((c0 & 3u) * 4096u) + 5u)) {
                case 5: {
                    switch ((v1 & 3u)) {
                    default: {
                        mark(2, ((v0 + v0) + (c2 | 39u)));
                        break;
                    }
                    case 0: case 1: {
                        v2 = ((v2 * 6u) & v2);
                        trace(3, (min(c1, 14u) & c1));
                        mark(4, v2);
                        break;
                    }
                    case 2: {
                        trace(5, ((v3 + c1) + (inputs[2] >> 26)));
                        break;
                    }
                    }
                    break;
                }
                case 4101: {
                    mark(6, min(min(v3, v3), 33u));
                    v1 = v1;
                    v3 = (c2 * 6u);
                    break;
                }
                case 8197: {
                    trace(7, (((inputs[3] >> 6) * v2) | (v2 ^ c3)));
                    trace(8, min((v3 ^ c3), 33u));
                    if (((v3 & 1u) == 0u)) {
                        trace(9, (((inputs[0] >> 8) & v2) & v2));
                        trace(10, (v3 + (c2 + (inputs[2] >> 12))));
                        trace(11, max(v3, (v1 + (inputs[3] >> 10))));
                    }
                    break;
                }
                case 12293: {
                    v1 = (v2 - 17u);
                    break;
                }
                }
                v2 = (v3 + 1u);
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(12, (c0 + ((inputs[2] >> 25) + v0)));
    }
    mark(13, ((v3 & v1) ^ (v1 - v2)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
