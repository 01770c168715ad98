//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 12
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
    if (((v0 & 7u) != 6u)) {
        [branch] if (!((WaveGetLaneIndex() & 7u) == 0u)) {
            if (((v2 & 1u) != 0u)) {
                [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                    uint c1 = 0;
                    while (c1 < 5 && ((c0 & 3u) < 2u)) {
                        ++c1;
                        v2 = ((v3 | v2) + 35u);
                        mark(1, (max(WaveGetLaneIndex(), v2) + 2u));
                        trace(2, (min(v2, 4u) - 16u));
                    }
                }
            }
        }
        mark(3, v1);
    } else {
        v2 = max(v3, (v0 * 6u));
        mark(4, v2);
    }
    mark(5, max((inputs[0] >> 10), (v2 ^ v2)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = f0((v1 - 38u), v1);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        [loop] for (uint c1 = 0; c1 < 5u; ++c1) {
            mark(6, WaveGetLaneIndex());
        }
    }
    switch ((v3 & 3u)) {
    case 0: {
        v2 = min(min(WaveGetLaneIndex(), 33u), 26u);
        break;
    }
    default: {
        if (((v2 & 1u) < 1u)) {
            uint c2 = 0;
            while (c2 < 4 && ((v0 & 1u) != 0u)) {
                ++c2;
                if (!((v1 & 1u) != 0u)) {
                    return;
                }
            }
            [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                trace(7, (c3 + 4u));
            }
            if (((WaveGetLaneIndex() & 3u) < 3u)) {
                if (((v1 & 3u) != 1u)) {
                    if (WaveIsFirstLane()) {
                        trace(9, ((inputs[3] >> 22) & min(WaveGetLaneIndex(), v3)));
                    }
                    v1 = ((v0 | 34u) - max(v2, 8u));
                }
                switch ((v0 & 7u)) {
                case 0: {
                    uint c4 = 0;
                    do {
                        ++c4;
                        trace(10, (v2 + max(v0, v3)));
                        v0 = min(v3, (v3 - 23u));
                        break;
                    } while (c4 < 5 && (v2 < (inputs[1] >> 25)));
                    v3 = WaveActiveMin((((v3 - 38u) * (v2 & v2)) + 11u)); trace(11, v3);
                    trace(12, ((v3 | 25u) * 9u));
                    break;
                }
                case 1: case 2: {
                    mark(13, ((v0 + v2) | 1u));
                    mark(14, v3);
                    break;
                }
                case 3: case 4: {
                    mark(15, max((v0 ^ 29u), (WaveGetLaneIndex() - v0)));
                    v1 = WavePrefixCountBits((((((inputs[2] >> 2) * v2) * 19u) + 16u) & 1u) != 0u); trace(16, v1);
                    mark(17, (inputs[3] >> 23));
                    break;
                }
                default: {
                    mark(18, max((v3 - 2u), v3));
                    mark(19, (v3 - (WaveGetLaneIndex() & 16u)));
                    break;
                }
                }
                v1 = WavePrefixSum(((v3 - max(v1, 6u)) + 20u)); trace(20, v1);
                break;
            } else {
                trace(21, (inputs[0] >> 13));
                mark(22, v0);
                v1 = WaveReadLaneFirst((((v2 * v3) * WaveGetLaneIndex()) + 23u)); trace(23, v1);
            }
            break;
        }
        break;
    }
    case 1: {
        v2 = WaveActiveMin((max(max((inputs[2] >> 5), 15u), v0) + 24u)); trace(24, v2);
        trace(25, (((inputs[2] >> 23) + (inputs[2] >> 16)) * 11u));
        trace(26, ((v3 * 2u) * 8u));
        break;
    }
    }
    trace(27, min(((inputs[3] >> 4) + v0), 14u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
