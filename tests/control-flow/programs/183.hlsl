//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 183
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(19, v2);
    trace(20, v0);
    mark(21, ((v3 - v3) - (v2 + 4u)));
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        if ((((v1 & 3u) < 1u) || (c0 == (c0 & 3u)))) {
            if (((c0 < (v1 & 3u)) || ((v2 & 7u) >= 7u))) {
                switch ((v1 & 7u)) {
                case 0: {
                    trace(22, ((v1 * c0) + (c0 ^ 36u)));
                    uint c1 = 0u;
                    for (uint c2 = 0; c2 < 2u; ++c2) {
                        for (uint c3 = 0; c3 < 4u; ++c3) {
                            trace(23, min(v3, v3));
                            if ((((v3 & 3u) >= 3u) || ((v2 & 3u) >= 1u))) {
                                c1 = 1u;
                                break;
                            }
                            trace(24, ((c1 | v3) | 35u));
                        }
                        if ((c1 != 0u)) {
                            break;
                        }
                        trace(25, c1);
                    }
                    break;
                }
                case 1: case 2: {
                    trace(26, min((v0 + 25u), 37u));
                    trace(27, min((v2 ^ c0), (v3 & v3)));
                    break;
                }
                case 3: {
                    v2 = v1;
                    trace(28, ((c0 ^ v0) & ((inputs[2] >> 19) | v3)));
                    if ((((v0 & 3u) >= 3u) || (((inputs[0] >> 27) & 1u) == 0u))) {
                        break;
                    }
                    continue;
                }
                case 4: {
                    uint c4 = 0;
                    do {
                        ++c4;
                        mark(29, v2);
                        trace(30, v1);
                        v1 = max((v2 + (inputs[0] >> 20)), ((inputs[1] >> 13) & 36u));
                    } while (c4 < 4 && ((v3 & 3u) >= 2u));
                    mark(31, min(v0, min(c0, 16u)));
                    continue;
                }
                }
                mark(32, max((v0 + 2u), (v1 * v3)));
                break;
            }
            mark(33, (min(v3, v3) ^ (inputs[3] >> 11)));
        } else {
            v0 = (v2 + 38u);
        }
        mark(34, v0);
        if ((((v3 & 3u) < 2u) && (c0 == (v2 & 3u)))) {
            v2 = v2;
            break;
        }
        v3 = (v1 & 33u);
    }
    trace(35, min((v1 | 31u), (v1 - 21u)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
