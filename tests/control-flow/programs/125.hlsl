//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 125
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v1 & 3u)) {
    case 0: {
        [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
            v1 = v2;
        }
        if ((v1 < v0)) {
            if ((((v2 & 3u) >= 3u) && ((v3 & 3u) >= 1u))) {
                if ((((inputs[0] >> 7) & 3u) != 0u)) {
                    [loop] for (uint c1 = 0; c1 < ((v3 & 3u) + 0u); ++c1) {
                        v3 = c1;
                    }
                    [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                        v3 = ((v0 + 12u) | 24u);
                    }
                    uint c3 = 0;
                    for (;;) {
                        if (++c3 > 6) break;
                        v0 = WaveActiveBitOr((c3 + 1u)); trace(1, v0);
                        v1 = max((v1 & 7u), 10u);
                        if (((v2 & 7u) != 2u)) {
                            trace(2, (v1 * v3));
                            break;
                        }
                        v3 = ((v0 ^ 35u) + c3);
                    }
                }
                break;
            }
            [loop] for (uint c4 = 0; c4 < ((WaveGetLaneIndex() & 3u) + 2u); ++c4) {
                switch ((v0 & 3u)) {
                case 0: {
                    v2 = (v3 - 14u);
                    v1 = max(v1, (v2 & 8u));
                    break;
                }
                default: {
                    mark(3, v0);
                    break;
                }
                case 1: {
                    mark(4, (inputs[1] >> 28));
                    v3 = WaveReadLaneFirst((WaveGetLaneIndex() + 5u)); trace(5, v3);
                    break;
                }
                case 2: {
                    v2 = (v3 * (v1 - v1));
                    continue;
                }
                case 3: {
                    trace(6, min((v2 | 11u), 35u));
                    v0 = ((v3 ^ v2) + 29u);
                    break;
                }
                }
                v1 = (max((inputs[2] >> 18), v1) | max(v1, c4));
                trace(7, ((WaveGetLaneIndex() + c4) + min(v2, 18u)));
            }
            trace(8, v2);
        }
        trace(9, (((inputs[2] >> 10) + 7u) * 38u));
        break;
    }
    case 1: {
        mark(10, v1);
        trace(11, min(v0, max(v2, WaveGetLaneIndex())));
        v3 = v1;
        break;
    }
    default: {
        trace(12, ((v2 - 37u) ^ 36u));
        break;
    }
    case 2: {
        v3 = v3;
        v1 = (inputs[0] >> 13);
        v0 = WaveActiveBitXor((max((v0 - 35u), (v2 + v3)) + 13u)); trace(13, v0);
        break;
    }
    }
    v1 = min(WaveGetLaneIndex(), 14u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
