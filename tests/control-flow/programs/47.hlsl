//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 47
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }
#ifdef SPIRV
#define NOINLINE
#else
#define NOINLINE [noinline]
#endif

NOINLINE uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if ((((v3 & 3u) == 2u) && (v0 < v2))) {
        if (((v1 & 1u) == 0u)) {
            v0 = ((v1 | (inputs[3] >> 3)) * ((inputs[0] >> 25) & v1));
            [loop] for (uint c0 = 0; c0 < ((v3 & 3u) + 1u); ++c0) {
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    if ((((v2 & 3u) >= 1u) || ((v2 & 3u) < 2u))) {
                        trace(1, ((v1 * v2) ^ c0));
                        trace(2, v0);
                        v1 = (inputs[2] >> 1);
                    } else {
                        trace(3, v3);
                        break;
                    }
                    v1 = (WaveGetLaneIndex() ^ 28u);
                }
            }
        } else {
            mark(4, (v2 | v1));
        }
    } else {
        v1 = (v1 & 10u);
        mark(5, (inputs[3] >> 17));
    }
    v0 = WaveActiveBitAnd((v2 + 6u)); trace(6, v0);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (((((inputs[2] >> 5) & 1u) < 1u) || (c0 < (v0 & 3u)))) {
            trace(7, WaveGetLaneIndex());
        }
        if ((c0 == (v0 & 3u))) {
            if (((c0 & 3u) >= 3u)) {
                if ((v3 < WaveGetLaneIndex())) {
                    continue;
                }
                uint c1 = 0;
                for (;;) {
                    if (++c1 > 5) break;
                    if ((c1 == ((inputs[3] >> 27) & 3u))) {
                        break;
                    }
                    if (((v3 & 3u) >= 2u)) {
                        mark(8, (((inputs[3] >> 22) - v0) | 21u));
                    } else {
                        mark(9, WaveGetLaneIndex());
                    }
                    trace(10, min(c1, max(v2, WaveGetLaneIndex())));
                }
                [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
                    mark(11, max((v2 + v0), v2));
                }
            }
        }
        continue;
    }
    if (((v1 & 7u) == 5u)) {
        mark(12, (min(v1, (inputs[2] >> 25)) * (v3 + (inputs[2] >> 4))));
        v1 = f0((v1 + v2), (v0 + v2));
    }
    uint c3 = 0u;
    for (uint c4 = 0; c4 < 3u; ++c4) {
        for (uint c5 = 0; c5 < 4u; ++c5) {
            uint c6 = 0;
            for (;;) {
                if (++c6 > 6) break;
                trace(13, (c3 ^ min(c6, v2)));
                trace(14, ((inputs[1] >> 10) + 14u));
                if (!((WaveGetLaneIndex() & 3u) < 3u)) {
                    mark(15, (c6 + 36u));
                    break;
                }
                break;
            }
            v1 = (((inputs[1] >> 22) + v0) - (v3 + 11u));
            trace(16, (v0 - min(WaveGetLaneIndex(), v0)));
            if ((((inputs[1] >> 22) & 3u) == 2u)) {
                c3 = 1u;
                break;
            }
        }
        if ((c3 != 0u)) {
            break;
        }
        mark(17, (v2 + (c4 | WaveGetLaneIndex())));
    }
    mark(18, ((v0 - v3) ^ (v1 | v1)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
