//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 117
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
    trace(1, v1);
    v0 = min((v0 - 23u), 17u);
    v2 = WaveActiveBitAnd((v2 + 2u)); trace(2, v2);
    if (WaveActiveAllTrue((((v2 + 3u) & 7u) >= 3u))) {
        [loop] for (uint c0 = 0; c0 < 4u; ++c0) {
            uint c1 = 0;
            do {
                ++c1;
                trace(4, (v0 + (v1 + 15u)));
                trace(5, v0);
                mark(6, c1);
            } while (c1 < 3 && ((c0 < (v1 & 3u)) && ((v0 & 3u) == 0u)));
            v0 = WaveActiveSum((((v0 + v1) + WaveGetLaneIndex()) + 7u)); trace(7, v0);
            v1 = (v1 | 6u);
        }
    } else {
        trace(8, max((v3 + v2), (inputs[1] >> 5)));
    }
    trace(9, v3);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(21, v2);
    v3 = f0(WaveGetLaneIndex(), v1);
    if (((WaveGetLaneIndex() & 1u) != 0u)) {
        v2 = (max(v1, v2) | 20u);
        if (WaveIsFirstLane()) {
            [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
                v0 = WaveActiveBitOr((v2 + 23u)); trace(23, v0);
                [loop] for (uint c1 = 0; c1 < 4u; ++c1) {
                    if ((((inputs[1] >> 16) & 3u) == 1u)) {
                        trace(24, min(v2, WaveGetLaneIndex()));
                    } else {
                        trace(25, v1);
                        break;
                    }
                }
                if (((v0 < v0) && ((c0 & 3u) == 1u))) {
                    break;
                }
            }
            if (((v0 & 1u) != 0u)) {
                uint c2 = 0;
                for (;;) {
                    if (++c2 > 4) break;
                    if ((((v1 & 3u) < 1u) || (v0 < c2))) {
                        v0 = ((v1 * c2) & (v3 + v2));
                        break;
                    }
                    switch ((v0 & 7u)) {
                    case 0: {
                        mark(26, ((v0 ^ 16u) + 5u));
                        continue;
                    }
                    default: case 1: {
                        v0 = (c2 & v2);
                        continue;
                    }
                    case 2: {
                        v2 = WaveActiveMin(((((inputs[1] >> 16) ^ 11u) + ((inputs[2] >> 5) + v2)) + 27u)); trace(27, v2);
                        v2 = WaveReadLaneFirst((max(v1, max(v0, c2)) + 28u)); trace(28, v2);
                        continue;
                    }
                    case 3: {
                        v0 = WaveActiveBallot((((max(v1, c2) ^ 7u) + 29u) & 1u) != 0u).x; trace(29, v0);
                        v3 = (v0 ^ 14u);
                        v0 = WaveActiveCountBits(((max((v2 | v2), 28u) + 30u) & 1u) != 0u); trace(30, v0);
                        break;
                    }
                    case 4: {
                        mark(31, v2);
                        trace(32, (((inputs[3] >> 26) & v3) + (v2 & (inputs[2] >> 21))));
                        mark(33, (v1 & 8u));
                        break;
                    }
                    }
                    v0 = WaveActiveMin(((inputs[3] >> 24) + 34u)); trace(34, v0);
                }
                v2 = WaveActiveCountBits(((((v1 - 4u) ^ (v0 & v3)) + 35u) & 1u) != 0u); trace(35, v2);
                trace(36, (WaveGetLaneIndex() - 10u));
            }
        } else {
            trace(37, (min(v3, v2) * 16u));
        }
        v2 = WaveActiveBitAnd((v3 + 38u)); trace(38, v2);
    } else {
        trace(39, (v1 & 28u));
        mark(40, ((v3 | v2) ^ 9u));
        trace(41, (v0 ^ (v3 | 24u)));
    }
    v3 = ((v0 + 28u) * v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
