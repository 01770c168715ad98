//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 8
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
    switch ((v2 & 3u)) {
    default: {
        v1 = (v1 * (WaveGetLaneIndex() + v3));
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                v2 = (max(v1, v3) & 39u);
                switch ((v0 & 3u)) {
                case 0: {
                    trace(1, v1);
                    v3 = ((WaveGetLaneIndex() * v1) ^ 27u);
                    trace(2, (inputs[0] >> 10));
                    break;
                }
                case 1: {
                    v0 = max((v3 | v2), min(WaveGetLaneIndex(), 16u));
                    trace(3, c1);
                    break;
                }
                case 2: {
                    v0 = (inputs[2] >> 25);
                    trace(4, v1);
                    break;
                }
                }
            }
            mark(5, ((v0 & v0) | 2u));
            v1 = WaveActiveBitXor((((v2 + c0) + (v3 + c0)) + 6u)); trace(6, v1);
        }
        break;
    }
    case 0: case 1: {
        v1 = max((v3 + 38u), 23u);
        v0 = WaveGetLaneIndex();
        break;
    }
    }
    mark(7, (v2 + v0));
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    v3 = WaveActiveBitAnd(((((inputs[2] >> 4) & 34u) * (v0 - 32u)) + 8u)); trace(8, v3);
    switch ((v2 & 3u)) {
    case 0: case 1: {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            if (((v0 & 7u) != 4u)) {
                continue;
            }
            if ((c0 == (v0 & 3u))) {
                v3 = WaveActiveBitOr((c0 + 9u)); trace(9, v3);
            }
        }
        v2 = (inputs[3] >> 19);
        trace(10, v2);
        break;
    }
    case 2: {
        mark(11, (max(WaveGetLaneIndex(), 22u) + 3u));
        break;
    }
    case 3: {
        v3 = WaveActiveBitAnd((v0 + 12u)); trace(12, v3);
        v1 = (min(WaveGetLaneIndex(), v0) + 5u);
        break;
    }
    }
    v1 = v2;
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    for (;;) {
        if (++c0 > 4) break;
        v3 = f0(max((inputs[0] >> 20), 36u), c0);
        if ((v3 < v0)) {
            trace(13, (max(v3, 12u) * v1));
        } else {
            v2 = f1((v0 | 18u), WaveGetLaneIndex());
            v0 = (inputs[3] >> 17);
            if (!((v0 & 1u) == 0u)) {
                uint c1 = 0;
                for (;;) {
                    if (++c1 > 5) break;
                    if (((c0 < v2) || ((v3 & 3u) == 0u))) {
                        break;
                    }
                    switch ((v2 & 7u)) {
                    case 0: {
                        v0 = WaveActiveBallot(((((inputs[2] >> 15) + 0u) + 14u) & 1u) != 0u).x; trace(14, v0);
                        v2 = (min(c0, c0) * (c1 + 1u));
                        break;
                    }
                    case 1: {
                        trace(15, WaveGetLaneIndex());
                        v3 = WaveActiveBitXor((WaveGetLaneIndex() + 16u)); trace(16, v3);
                        break;
                    }
                    default: {
                        v0 = WaveActiveBitXor((v2 + 17u)); trace(17, v0);
                        break;
                    }
                    case 2: {
                        trace(18, min((v0 * v0), 31u));
                        v3 = WaveActiveCountBits(((v3 + 19u) & 1u) != 0u); trace(19, v3);
                        break;
                    }
                    case 3: {
                        v2 = max(max(v1, 1u), v0);
                        mark(20, v0);
                        trace(21, v0);
                        break;
                    }
                    case 4: {
                        v1 = (c1 & c0);
                        break;
                    }
                    }
                }
            } else {
                trace(22, (v0 ^ 3u));
                mark(23, v2);
                trace(24, ((v2 & v3) * 4u));
                break;
            }
        }
        trace(25, (v0 - max(v2, 10u)));
        if (!((v1 & 7u) == 3u)) {
            break;
        }
    }
    trace(26, ((v2 ^ (inputs[1] >> 4)) * 10u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
