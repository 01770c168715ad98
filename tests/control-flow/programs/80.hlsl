//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 80
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

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    trace(1, v0);
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        if (WaveIsFirstLane()) {
            trace(6, 1u);
            trace(3, c0);
            mark(4, WaveGetLaneIndex());
            mark(5, min(max(v2, v1), 28u));
        }
        mark(7, v1);
        v2 = ((inputs[1] >> 7) & (WaveGetLaneIndex() & WaveGetLaneIndex()));
    }
    mark(8, WaveGetLaneIndex());
    return v0;
}

NOINLINE uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            if ((v0 < v3)) {
                c0 = 1u;
                break;
            }
            for (uint c3 = 0; c3 < 3u; ++c3) {
                if ((((c3 & 1u) < 1u) && ((v2 & 1u) >= 1u))) {
                    v3 = f0(v0, (WaveGetLaneIndex() + v1));
                    break;
                } else {
                    v0 = (v2 * 24u);
                    trace(9, ((c1 * 9u) + 9u));
                    trace(10, c2);
                    return v0;
                }
                trace(11, (WaveGetLaneIndex() | (v2 & 17u)));
                v0 = min((v3 & v2), 39u);
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v1 = (v2 | (v0 * v1));
    }
    trace(12, ((v2 + v0) * (v1 & 36u)));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v1 = WaveActiveCountBits(((v1 + 13u) & 1u) != 0u); trace(13, v1);
    if (!((v3 & 3u) != 0u)) {
        [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
            v0 = f1((c0 & (inputs[2] >> 20)), c0);
            mark(14, (v2 & v3));
            v0 = min((c0 ^ 11u), WaveGetLaneIndex());
        }
    }
    if (((v0 & 3u) != 2u)) {
        [loop] for (uint c1 = 0; c1 < 5u; ++c1) {
            if (!(c1 < (v0 & 3u))) {
                [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                    [loop] for (uint c3 = 0; c3 < 4u; ++c3) {
                        v2 = (WaveGetLaneIndex() | 25u);
                        v2 = WaveActiveBitXor(((max(v0, 29u) | v2) + 15u)); trace(15, v2);
                        v1 = WaveActiveMin((((v0 * 31u) | (c3 & v3)) + 16u)); trace(16, v1);
                    }
                }
            }
        }
        trace(17, WaveGetLaneIndex());
        v1 = (v0 & 9u);
    }
    v0 = v2;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
