//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 148
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    for (uint c0 = 0; c0 < 5u; ++c0) {
        if (((c0 & 3u) == 0u)) {
            mark(1, (max(v2, 2u) + v0));
        } else {
            trace(2, c0);
            switch ((((c0 & 3u) * 4096u) + 5u)) {
            case 5: {
                trace(3, ((c0 + v3) + (v0 & 15u)));
                trace(4, ((v2 * 18u) ^ v2));
                break;
            }
            case 4101: {
                trace(5, ((v0 - v1) | 3u));
                continue;
            }
            case 8197: {
                mark(6, v3);
                switch ((((c0 & 7u) * 4096u) + 5u)) {
                case 5: {
                    if (!((v0 & 3u) >= 3u)) {
                        v3 = ((v3 ^ v0) ^ 39u);
                        break;
                    }
                    break;
                }
                case 4101: {
                    switch (((inputs[3] >> 14) & 3u)) {
                    case 0: case 1: {
                        mark(7, (v2 + 29u));
                        break;
                    }
                    case 2: {
                        trace(8, v1);
                        v1 = max((v0 + 35u), (c0 - 6u));
                        break;
                    }
                    default: {
                        trace(9, (v3 | 3u));
                        break;
                    }
                    }
                    break;
                }
                case 8197: {
                    v0 = min(((inputs[3] >> 18) + 25u), 27u);
                    trace(10, min((v2 + 15u), (c0 ^ v1)));
                    trace(11, c0);
                    break;
                }
                case 12293: {
                    trace(12, v1);
                    trace(13, min(c0, 10u));
                    break;
                }
                default: {
                    trace(14, ((v0 & 26u) ^ (inputs[1] >> 3)));
                    trace(15, (v0 | 36u));
                    trace(16, max(v3, (v3 - v2)));
                    break;
                }
                case 16389: {
                    mark(17, ((v0 + 22u) & (v2 + c0)));
                    trace(18, min((v0 - 39u), (v1 + v3)));
                    break;
                }
                }
                v2 = (min(c0, v3) & (v1 * 14u));
                break;
            }
            case 12293: {
                trace(19, max((v1 & v1), v0));
                break;
            }
            }
        }
        trace(20, min((v3 + 37u), v1));
    }
    mark(21, (inputs[0] >> 26));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
