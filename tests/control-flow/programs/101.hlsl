//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 101
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            [branch] if ((c1 >= (v0 & 3u))) {
                v2 = WaveActiveSum((v1 + 1u)); trace(1, v2);
                if ((c2 >= (v2 & 3u))) {
                    mark(2, v0);
                    uint c3 = 0;
                    while (c3 < 3 && ((v0 & 1u) < 1u)) {
                        ++c3;
                        trace(3, v2);
                    }
                    trace(4, v0);
                } else {
                    v2 = WaveActiveBitAnd((((WaveGetLaneIndex() * v1) | (v3 + v1)) + 5u)); trace(5, v2);
                    trace(6, (((inputs[0] >> 20) ^ 8u) + (c2 ^ 37u)));
                    v0 = v0;
                }
            }
            if (((v2 & 3u) >= 1u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v1 = min((v0 + 33u), (v2 | (inputs[3] >> 22)));
    }
    v3 = WavePrefixCountBits((((v3 | 26u) + 7u) & 1u) != 0u); trace(7, v3);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    [loop] for (uint c0 = 0; c0 < 5u; ++c0) {
        v1 = WaveActiveBallot(((WaveGetLaneIndex() + 8u) & 1u) != 0u).x; trace(8, v1);
        if (((c0 & 1u) < 1u)) {
            v0 = ((v1 | c0) | 5u);
            break;
        }
    }
    uint c1 = 0;
    for (;;) {
        if (++c1 > 6) break;
        if (WaveIsFirstLane()) {
            trace(10, v2);
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
        mark(11, v0);
        if (((c1 == (v0 & 3u)) && ((c1 & 3u) < 1u))) {
            v1 = WaveActiveSum(((max((inputs[0] >> 10), 2u) + (c1 & v1)) + 12u)); trace(12, v1);
            break;
        }
    }
    v0 = f0((v1 & 16u), min(v2, (inputs[2] >> 28)));
    uint c2 = 0u;
    for (uint c3 = 0; c3 < 2u; ++c3) {
        for (uint c4 = 0; c4 < 4u; ++c4) {
            if (((v2 & 1u) < 1u)) {
                c2 = 1u;
                break;
            }
            if (WaveActiveAllTrue((((v0 + 13u) & 7u) >= 3u))) {
                if (((WaveGetLaneIndex() & 7u) >= 7u)) {
                    mark(14, max((c3 * 25u), (v1 & c2)));
                }
                trace(15, (min(WaveGetLaneIndex(), v3) + (v3 ^ 35u)));
                trace(16, v2);
            }
        }
        if ((c2 != 0u)) {
            break;
        }
        trace(17, ((v3 * WaveGetLaneIndex()) - v0));
    }
    v0 = v0;
    mark(18, min((v0 + v2), (v3 & 26u)));
    if ((((inputs[3] >> 18) & 7u) == 6u)) {
        trace(19, (v0 ^ (v3 - 24u)));
        v3 = ((inputs[2] >> 27) + (v2 ^ v0));
    }
    mark(20, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
