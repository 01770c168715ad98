//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 56
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        uint c1 = 0;
        do {
            ++c1;
            v2 = (c1 | (c0 ^ 16u));
        } while (c1 < 3 && !(((inputs[0] >> 17) & 3u) != 0u));
    }
    trace(1, ((v2 & v1) - 0u));
    switch ((v3 & 3u)) {
    case 0: {
        switch ((v1 & 3u)) {
        case 0: {
            if (!((v1 & 7u) != 0u)) {
                v1 = WaveActiveBitAnd(((v3 & max(WaveGetLaneIndex(), v3)) + 2u)); trace(2, v1);
                trace(3, ((v2 & 23u) + 1u));
                switch ((v3 & 3u)) {
                case 0: {
                    uint c2 = 0;
                    for (;;) {
                        if (++c2 > 6) break;
                        v1 = min(WaveGetLaneIndex(), (c2 * 2u));
                        if (((v1 & 3u) == 1u)) {
                            mark(5, v1);
                            break;
                        }
                        v0 = WaveActiveMax(((inputs[3] >> 2) + 4u)); trace(4, v0);
                    }
                    if (((v2 & 1u) >= 1u)) {
                        mark(6, ((v1 ^ v3) - 2u));
                    } else {
                        trace(7, min(v1, 35u));
                    }
                    break;
                }
                case 1: {
                    v3 = v1;
                    break;
                }
                case 2: {
                    trace(8, ((v1 - (inputs[0] >> 12)) - min(v3, 38u)));
                    break;
                }
                }
                break;
            } else {
                trace(9, v1);
                trace(10, v2);
            }
            break;
        }
        case 1: {
            v2 = ((v0 | v0) * 7u);
            break;
        }
        case 2: {
            v0 = v3;
            break;
        }
        case 3: {
            v3 = WaveActiveSum(((WaveGetLaneIndex() ^ max(v3, 39u)) + 11u)); trace(11, v3);
            trace(12, (v1 - 25u));
            break;
        }
        default: {
            mark(13, v0);
            return;
        }
        }
        break;
    }
    default: {
        v0 = WaveGetLaneIndex();
        trace(14, ((v3 + v1) + max(WaveGetLaneIndex(), WaveGetLaneIndex())));
        trace(15, WaveGetLaneIndex());
        break;
    }
    case 1: {
        v3 = WaveActiveBitAnd((((v0 & v1) | v1) + 16u)); trace(16, v3);
        v0 = (((inputs[0] >> 14) ^ v0) * 11u);
        trace(17, (v2 * (v1 | 34u)));
        break;
    }
    case 2: {
        v0 = (min(v2, 39u) & 1u);
        v0 = ((v1 * v0) - 32u);
        break;
    }
    case 3: {
        trace(18, v0);
        trace(19, (WaveGetLaneIndex() ^ (inputs[3] >> 23)));
        break;
    }
    }
    v1 = WaveActiveBallot((((v3 & 36u) + 20u) & 1u) != 0u).x; trace(20, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
