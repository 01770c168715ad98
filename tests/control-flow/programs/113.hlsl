//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 113
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
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            [branch] if ((((v0 & 7u) != 1u) || (c0 >= (v3 & 3u)))) {
                [branch] if ((((v3 & 3u) == 1u) || (c2 < (v2 & 3u)))) {
                    mark(4, min(v1, 16u));
                    mark(5, v1);
                    if ((c0 < v1)) {
                        v1 = (v3 | (WaveGetLaneIndex() ^ v1));
                        v1 = WavePrefixCountBits(((c2 + 6u) & 1u) != 0u); trace(6, v1);
                        trace(7, max(c0, 9u));
                        continue;
                    }
                } else {
                    if ((v0 < v0)) {
                        v1 = WaveReadLaneFirst((c0 + 8u)); trace(8, v1);
                    }
                    if ((c1 < (v2 & 3u))) {
                        mark(9, ((WaveGetLaneIndex() - c1) + 2u));
                        break;
                    }
                }
                switch ((v1 & 7u)) {
                case 0: {
                    v0 = WaveActiveBitOr(((v3 - 35u) + 10u)); trace(10, v0);
                    break;
                }
                case 1: {
                    [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
                        trace(11, v0);
                        v3 = (v3 * (c2 + 25u));
                        trace(12, v1);
                    }
                    v1 = c2;
                    continue;
                }
                case 2: {
                    v3 = WavePrefixSum((v1 + 13u)); trace(13, v3);
                    v0 = WaveActiveBallot(((c2 + 14u) & 1u) != 0u).x; trace(14, v0);
                    break;
                }
                case 3: {
                    v2 = (min(v1, 19u) + (v2 ^ 11u));
                    break;
                }
                default: {
                    trace(15, min(v0, (v2 + v3)));
                    break;
                }
                case 4: {
                    trace(16, WaveGetLaneIndex());
                    continue;
                }
                }
            } else {
                v0 = WaveActiveMin((((v3 ^ 35u) * (v1 * 22u)) + 17u)); trace(17, v0);
                trace(18, ((c2 + v3) + 10u));
                v1 = min((v0 & 16u), 37u);
            }
            if ((c0 < WaveGetLaneIndex())) {
                c0 = 1u;
                break;
            }
            trace(19, min((c2 + 39u), (v0 | (inputs[0] >> 3))));
            mark(20, max(((inputs[0] >> 26) ^ 19u), (v0 & v2)));
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(21, ((v0 - 12u) + 38u));
    }
    v3 = v1;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
