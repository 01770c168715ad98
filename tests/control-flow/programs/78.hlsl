//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 78
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(7, (v1 ^ 7u));
    uint c0 = 0;
    while (c0 < 2 && (((v3 & 3u) != 1u) || ((v3 & 7u) != 5u))) {
        ++c0;
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            switch ((v1 & 3u)) {
            case 0: {
                v3 = (v0 * 24u);
                break;
            }
            case 1: {
                if (((WaveGetLaneIndex() & 3u) != 2u)) {
                    trace(8, (c1 ^ min(v2, v0)));
                    continue;
                }
                switch ((v1 & 3u)) {
                default: {
                    [loop] for (uint c2 = 0; c2 < ((c1 & 3u) + 1u); ++c2) {
                        mark(9, ((c0 & v1) + v1));
                        v2 = WaveActiveBitXor(((c2 ^ 15u) + 10u)); trace(10, v2);
                        v3 = WavePrefixSum(((v1 ^ WaveGetLaneIndex()) + 11u)); trace(11, v3);
                    }
                    if (((v1 & 1u) >= 1u)) {
                        v2 = WaveActiveBitXor(((min(v1, WaveGetLaneIndex()) + max(v3, v2)) + 12u)); trace(12, v2);
                    }
                    break;
                }
                case 0: {
                    switch (((inputs[0] >> 4) & 3u)) {
                    default: case 0: case 1: {
                        mark(13, (v0 * (c0 + 17u)));
                        break;
                    }
                    }
                    trace(14, (v2 - (v0 & 33u)));
                    trace(15, min(c1, (WaveGetLaneIndex() & v1)));
                    continue;
                }
                case 1: {
                    v3 = ((v1 - 20u) ^ 2u);
                    break;
                }
                case 2: {
                    v0 = WaveActiveBitAnd(((v0 ^ (v3 & 1u)) + 16u)); trace(16, v0);
                    v1 = WavePrefixCountBits(((v0 + 17u) & 1u) != 0u); trace(17, v1);
                    break;
                }
                }
                break;
            }
            case 2: {
                v3 = (min(v3, (inputs[2] >> 14)) - WaveGetLaneIndex());
                v2 = min((v0 | (inputs[0] >> 21)), 31u);
                mark(18, (inputs[0] >> 22));
                break;
            }
            case 3: {
                v3 = WavePrefixSum((min((WaveGetLaneIndex() + c1), min((inputs[3] >> 2), 7u)) + 19u)); trace(19, v3);
                mark(20, (c1 ^ min(c1, 31u)));
                v3 = v0;
                break;
            }
            }
        }
        trace(21, max(v0, (inputs[3] >> 23)));
    }
    mark(22, (v3 ^ 10u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
