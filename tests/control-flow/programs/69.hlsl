//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 69
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        if ((c0 >= (v1 & 3u))) {
            uint c1 = 0u;
            for (uint c2 = 0; c2 < 3u; ++c2) {
                for (uint c3 = 0; c3 < 4u; ++c3) {
                    trace(1, c1);
                    if (((v2 & 1u) < 1u)) {
                        c1 = 1u;
                        break;
                    }
                }
                if ((c1 != 0u)) {
                    break;
                }
                mark(2, (v0 ^ 17u));
            }
            if (!((v1 & 1u) >= 1u)) {
                v1 = c0;
                break;
            }
            if ((((v2 & 3u) < 2u) && ((v0 & 3u) < 1u))) {
                [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
                    trace(3, ((WaveGetLaneIndex() * v3) + (v1 - v1)));
                    mark(4, ((WaveGetLaneIndex() | v2) + 33u));
                    [loop] for (uint c5 = 0; c5 < 2u; ++c5) {
                        v0 = WaveReadLaneFirst((((v0 + c5) + (v1 * (inputs[1] >> 25))) + 5u)); trace(5, v0);
                        v2 = WaveActiveCountBits(((min(v1, c1) + 6u) & 1u) != 0u); trace(6, v2);
                    }
                }
                [branch] if ((((v0 & 3u) == 0u) && ((v1 & 3u) < 2u))) {
                    [unroll] for (uint c6 = 0; c6 < 2u; ++c6) {
                        mark(7, (v0 - ((inputs[2] >> 28) | v1)));
                        mark(8, v1);
                    }
                    [unroll] for (uint c7 = 0; c7 < 3u; ++c7) {
                        mark(9, v3);
                        mark(10, (inputs[3] >> 26));
                        v0 = ((c0 - v1) | v1);
                    }
                    v1 = max((inputs[2] >> 25), 10u);
                    continue;
                }
                v2 = WaveActiveBitOr((min((v0 & v1), WaveGetLaneIndex()) + 11u)); trace(11, v2);
            } else {
                trace(12, ((v0 - (inputs[0] >> 10)) + 21u));
            }
        } else {
            v3 = WavePrefixSum((((v3 | v2) | max(v0, 37u)) + 13u)); trace(13, v3);
            v1 = WaveActiveMin((v3 + 14u)); trace(14, v1);
        }
        trace(15, ((v2 | v0) ^ 0u));
        v1 = c0;
    }
    v0 = WavePrefixCountBits(((min(((inputs[1] >> 24) & v0), 14u) + 16u) & 1u) != 0u); trace(16, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
