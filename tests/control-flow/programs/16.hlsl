//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 16
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            if (((v3 & 3u) == 2u)) {
                c0 = 1u;
                break;
            }
            if (!((v3 & 3u) < 2u)) {
                switch ((v2 & 7u)) {
                case 0: {
                    if (((v2 & 3u) < 1u)) {
                        trace(11, v2);
                        trace(12, v0);
                        return;
                    }
                    if (((v3 & 7u) != 0u)) {
                        mark(13, c0);
                    } else {
                        mark(14, v2);
                        trace(15, (min(v3, v2) + ((inputs[2] >> 18) - c2)));
                    }
                    break;
                }
                case 1: {
                    uint c3 = 0;
                    while (c3 < 3 && ((c2 & 7u) != 0u)) {
                        ++c3;
                        v1 = v1;
                        v2 = min(v3, min(v2, v3));
                    }
                    mark(16, (inputs[0] >> 10));
                    trace(17, ((c0 | 0u) - v3));
                    break;
                }
                case 2: {
                    v2 = c2;
                    break;
                }
                default: {
                    trace(18, ((v3 + 37u) * 31u));
                    trace(19, v3);
                    break;
                }
                case 3: {
                    v2 = (v0 & 6u);
                    trace(20, (min(v3, c2) & 28u));
                    break;
                }
                case 4: {
                    trace(21, (max(v2, v2) + 34u));
                    trace(22, ((v1 & 1u) + 29u));
                    break;
                }
                }
                mark(23, ((v3 & 24u) ^ c2));
                v3 = v0;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v3 = v1;
    }
    v1 = ((inputs[1] >> 17) & v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
