//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 19
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
    if ((v0 < v1)) {
        trace(6, v1);
        trace(7, min(v0, min(v1, 38u)));
        switch ((v3 & 3u)) {
        case 0: case 1: {
            if (((v1 < v2) || (((inputs[1] >> 14) & 1u) >= 1u))) {
                mark(8, v1);
                break;
            }
            if (WaveActiveAnyTrue((((v2 + 9u) & 7u) < 3u))) {
                switch ((v2 & 7u)) {
                default: {
                    uint c0 = 0;
                    while (c0 < 2 && (((inputs[3] >> 19) & 3u) < 3u)) {
                        ++c0;
                        v2 = ((v2 - v1) + (WaveGetLaneIndex() - c0));
                        v2 = WaveActiveBallot(((((v1 & v0) * (v3 + c0)) + 10u) & 1u) != 0u).x; trace(10, v2);
                        trace(11, v3);
                    }
                    uint c1 = 0u;
                    for (uint c2 = 0; c2 < 2u; ++c2) {
                        for (uint c3 = 0; c3 < 3u; ++c3) {
                            v3 = WaveActiveSum((v1 + 12u)); trace(12, v3);
                            v3 = ((v1 * 19u) * (c3 + (inputs[0] >> 24)));
                            if ((c3 < (c2 & 3u))) {
                                c1 = 1u;
                                break;
                            }
                        }
                        if ((c1 != 0u)) {
                            break;
                        }
                        v3 = (inputs[3] >> 10);
                    }
                    uint c4 = 0u;
                    for (uint c5 = 0; c5 < 2u; ++c5) {
                        for (uint c6 = 0; c6 < 3u; ++c6) {
                            if ((c4 < (v1 & 3u))) {
                                c4 = 1u;
                                break;
                            }
                            mark(13, v0);
                        }
                        if ((c4 != 0u)) {
                            break;
                        }
                        v0 = ((v1 - 22u) | (v1 & c1));
                    }
                    break;
                }
                case 0: {
                    trace(14, min((WaveGetLaneIndex() ^ 23u), v2));
                    break;
                }
                case 1: {
                    mark(15, v2);
                    v3 = WaveActiveBallot(((v0 + 16u) & 1u) != 0u).x; trace(16, v3);
                    trace(17, (v2 + min(v3, (inputs[2] >> 26))));
                    break;
                }
                case 2: {
                    v2 = (min(v2, v0) ^ 31u);
                    break;
                }
                case 3: {
                    v2 = ((v1 | v3) + (v2 - v3));
                    break;
                }
                case 4: {
                    v0 = (min(v0, 37u) * 27u);
                    v2 = v2;
                    break;
                }
                }
            }
            break;
        }
        }
    } else {
        mark(18, v1);
        v0 = (((inputs[2] >> 3) + v0) ^ (v3 | v2));
    }
    v3 = (max((inputs[2] >> 27), v0) * 29u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
