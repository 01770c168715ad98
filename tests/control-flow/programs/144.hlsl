//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 144
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
    trace(1, (v1 & 16u));
    if (!((v0 & 3u) == 2u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            v2 = WaveActiveMax((((WaveGetLaneIndex() - WaveGetLaneIndex()) ^ (v1 * c0)) + 2u)); trace(2, v2);
            v1 = WaveActiveMin(((min(v3, v3) | 22u) + 3u)); trace(3, v1);
        }
        v3 = v0;
    } else {
        trace(4, v0);
        trace(5, v0);
    }
    trace(6, (v3 + 31u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (!((WaveGetLaneIndex() & 7u) >= 2u)) {
        if (((v0 & 1u) != 0u)) {
            uint c0 = 0;
            for (;;) {
                if (++c0 > 4) break;
                for (uint c1 = 0; c1 < 5u; ++c1) {
                    v1 = (min(v3, 13u) & min(v2, c0));
                }
                if ((c0 < (v2 & 3u))) {
                    break;
                }
                v2 = f0((v2 * 13u), (c0 & WaveGetLaneIndex()));
                if ((c0 < v3)) {
                    uint c2 = 0u;
                    for (uint c3 = 0; c3 < 3u; ++c3) {
                        for (uint c4 = 0; c4 < 4u; ++c4) {
                            mark(7, ((c3 * 18u) + ((inputs[1] >> 24) + (inputs[1] >> 25))));
                            if (((c3 & 7u) >= 2u)) {
                                c2 = 1u;
                                break;
                            }
                        }
                        if ((c2 != 0u)) {
                            break;
                        }
                        v0 = ((c3 + v2) ^ 1u);
                    }
                    v0 = WaveActiveBitAnd((v2 + 8u)); trace(8, v0);
                }
            }
        }
    } else {
        trace(9, (((inputs[2] >> 23) | 7u) * (v0 & v0)));
    }
    v2 = WavePrefixSum(((inputs[3] >> 10) + 10u)); trace(10, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
