//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 18
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
    if (((v3 & 3u) == 1u)) {
        trace(1, v0);
        trace(2, min(min(v2, v3), min(v1, v2)));
    }
    v2 = ((v2 & v3) + (v2 + 0u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v3 = f0((v3 & 12u), (v2 + (inputs[1] >> 19)));
    if (WaveActiveAnyTrue((((v2 + 3u) & 7u) >= 3u))) {
        trace(12, 1u);
        if (((v3 & 3u) >= 1u)) {
            if (((v0 & 3u) != 2u)) {
                v2 = ((v3 | 17u) * v1);
            }
        }
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            uint c1 = 0;
            while (c1 < 2 && ((v3 & 7u) != 0u)) {
                ++c1;
                if ((c1 >= (v0 & 3u))) {
                    if ((((v0 & 3u) != 1u) || (c0 < v1))) {
                        break;
                    }
                    if ((((WaveGetLaneIndex() + 4u) & 7u) == 3u)) {
                        trace(8, 1u);
                        mark(5, (v2 + 21u));
                        trace(6, (v0 + 26u));
                        trace(7, v2);
                        break;
                    }
                    if (((v1 & 3u) != 0u)) {
                        trace(9, (((v3 + 27u) & 7u) + 9u));
                    }
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                }
                if (((WaveGetLaneIndex() & 3u) != 1u)) {
                    v3 = f0(min(WaveGetLaneIndex(), 16u), (v0 + c0));
                    break;
                }
            }
            if (WaveIsFirstLane()) {
                trace(11, 1u);
                break;
            }
        }
    }
    if (WaveActiveAnyTrue((((v1 + 13u) & 7u) < 3u))) {
        trace(15, 1u);
        trace(14, (inputs[2] >> 20));
    }
    v2 = max(v2, (v2 | v0));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
