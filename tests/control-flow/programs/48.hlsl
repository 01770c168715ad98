//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 48
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
    if (((v1 & 3u) < 2u)) {
        trace(4, ((v2 | WaveGetLaneIndex()) * 8u));
    } else {
        [branch] if (((v2 & 3u) >= 3u)) {
            uint c0 = 0u;
            for (uint c1 = 0; c1 < 2u; ++c1) {
                for (uint c2 = 0; c2 < 2u; ++c2) {
                    if (((v1 & 3u) == 2u)) {
                        c0 = 1u;
                        break;
                    }
                    uint c3 = 0;
                    while (WaveActiveAnyTrue(((c3 < 3u) && (((c2 + 5u) & 7u) == 3u)))) {
                        ++c3;
                        trace(6, v1);
                    }
                    mark(7, ((c1 ^ (inputs[1] >> 23)) ^ ((inputs[0] >> 19) | v2)));
                }
                if ((c0 != 0u)) {
                    break;
                }
                v1 = ((v2 + 22u) * v2);
            }
            mark(8, ((v0 * 32u) * WaveGetLaneIndex()));
            switch ((v1 & 3u)) {
            case 0: case 1: {
                mark(9, ((inputs[2] >> 15) & 1u));
                v1 = (min((inputs[0] >> 1), WaveGetLaneIndex()) + 12u);
                [unroll] for (uint c4 = 0; c4 < 2u; ++c4) {
                    [unroll] for (uint c5 = 0; c5 < 2u; ++c5) {
                        v1 = (v3 | 7u);
                        trace(10, (max((inputs[0] >> 19), 20u) & max(v2, v1)));
                        v3 = max((v2 + WaveGetLaneIndex()), ((inputs[0] >> 8) * v1));
                    }
                    trace(11, min((v0 + c0), 22u));
                }
                break;
            }
            default: {
                trace(12, WaveGetLaneIndex());
                trace(13, v1);
                break;
            }
            case 2: {
                v0 = WaveActiveBitXor((c0 + 14u)); trace(14, v0);
                v2 = WaveGetLaneIndex();
                break;
            }
            }
        } else {
            v1 = WaveActiveBallot((((max(v1, v0) & (v3 | v2)) + 15u) & 1u) != 0u).x; trace(15, v1);
            mark(16, v3);
        }
    }
    v0 = WavePrefixCountBits(((((WaveGetLaneIndex() - 13u) * (v1 + 1u)) + 17u) & 1u) != 0u); trace(17, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
