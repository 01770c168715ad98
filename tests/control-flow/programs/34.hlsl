//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 34
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if ((v1 < v3)) {
        if (WaveActiveAnyTrue((((v1 + 11u) & 7u) == 3u))) {
            if (((v2 & 7u) >= 3u)) {
                if (((((inputs[2] >> 20) & 1u) != 0u) && (((inputs[2] >> 11) & 3u) < 2u))) {
                    if (WaveActiveAnyTrue((((v3 + 12u) & 7u) < 3u))) {
                        trace(13, v1);
                    }
                    uint c0 = 0;
                    for (;;) {
                        if (++c0 > 3) break;
                        v3 = (inputs[2] >> 11);
                        v3 = max((inputs[1] >> 12), 7u);
                        if ((((c0 & 1u) != 0u) || ((v1 & 3u) >= 2u))) {
                            mark(14, ((v0 | 16u) | max(v1, v1)));
                            break;
                        }
                    }
                } else {
                    [loop] for (uint c1 = 0; c1 < 5u; ++c1) {
                        v3 = ((v3 * v3) * (v3 | 17u));
                        v2 = ((c1 * WaveGetLaneIndex()) & (v0 + 17u));
                        v2 = max((WaveGetLaneIndex() & 8u), max((inputs[3] >> 15), 39u));
                    }
                    uint c2 = 0u;
                    for (uint c3 = 0; c3 < 3u; ++c3) {
                        for (uint c4 = 0; c4 < 4u; ++c4) {
                            v3 = WaveActiveBitXor(((c2 ^ v2) + 15u)); trace(15, v3);
                            if ((((WaveGetLaneIndex() & 7u) == 0u) && ((v0 & 3u) != 0u))) {
                                c2 = 1u;
                                break;
                            }
                            v2 = WaveActiveSum((c3 + 16u)); trace(16, v2);
                        }
                        if ((c2 != 0u)) {
                            break;
                        }
                        v3 = min(WaveGetLaneIndex(), v1);
                    }
                    trace(17, (max(v2, WaveGetLaneIndex()) & 28u));
                }
                trace(18, max(v2, v2));
                trace(19, v0);
            }
            trace(20, max(v0, min(v1, 23u)));
            mark(21, (v2 - v2));
        } else {
            trace(22, ((v0 * 0u) + 4u));
        }
        trace(23, (min(v1, 21u) ^ 2u));
        v2 = WaveActiveBitAnd(((max(v2, 17u) ^ (WaveGetLaneIndex() - v0)) + 24u)); trace(24, v2);
    } else {
        trace(25, ((v2 & 39u) - 20u));
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
