//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 147
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    uint c0 = 0;
    do {
        ++c0;
        v3 = (inputs[0] >> 17);
    } while (c0 < 3 && ((((inputs[0] >> 27) & 3u) >= 3u) || ((v2 & 7u) == 4u)));
    trace(1, (max(v1, v1) | min(WaveGetLaneIndex(), 16u)));
    trace(2, (inputs[3] >> 19));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    trace(3, (inputs[3] >> 20));
    trace(4, v1);
    if (((v2 & 3u) == 1u)) {
        if (((v2 & 3u) < 1u)) {
            switch ((v3 & 3u)) {
            case 0: case 1: {
                uint c0 = 0u;
                for (uint c1 = 0; c1 < 3u; ++c1) {
                    for (uint c2 = 0; c2 < 2u; ++c2) {
                        mark(5, ((v0 - 10u) + 27u));
                        v0 = WaveActiveSum(((min(v3, v1) ^ (c2 * 27u)) + 6u)); trace(6, v0);
                        if ((((v2 & 1u) >= 1u) || ((v0 & 3u) < 3u))) {
                            c0 = 1u;
                            break;
                        }
                        mark(7, c1);
                    }
                    if ((c0 != 0u)) {
                        break;
                    }
                    v0 = WaveActiveCountBits(((v0 + 8u) & 1u) != 0u); trace(8, v0);
                }
                break;
            }
            case 2: {
                if (((v0 & 1u) == 0u)) {
                    v2 = f0(v3, v1);
                    if (((v3 & 3u) < 1u)) {
                        trace(9, v1);
                        break;
                    }
                    v3 = WaveActiveSum(((v1 * (v2 | v3)) + 10u)); trace(10, v3);
                } else {
                    if (((WaveGetLaneIndex() & 7u) != 6u)) {
                        trace(11, v3);
                    }
                    v0 = WaveActiveBitXor((((v2 ^ WaveGetLaneIndex()) & (v0 | v2)) + 12u)); trace(12, v0);
                    break;
                }
                mark(13, ((v1 + v1) | (v0 + 16u)));
                break;
            }
            default: {
                v1 = WaveActiveBitXor((v2 + 14u)); trace(14, v1);
                v1 = max((v3 ^ v2), (inputs[0] >> 6));
                v1 = WavePrefixCountBits(((((v2 + v0) | 18u) + 15u) & 1u) != 0u); trace(15, v1);
                break;
            }
            case 3: {
                trace(16, (v2 ^ min(v3, v2)));
                break;
            }
            }
        }
        v0 = (inputs[1] >> 4);
    }
    mark(17, min(WaveGetLaneIndex(), v2));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
