//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 203
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
    v0 = (((inputs[1] >> 3) | 14u) + (v3 - v0));
    v0 = WaveActiveCountBits((((max(v0, v0) * v2) + 1u) & 1u) != 0u); trace(1, v0);
    trace(2, (min(v1, v1) - 20u));
    v2 = ((WaveGetLaneIndex() * v1) + 30u);
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    v1 = WavePrefixSum((v1 + 3u)); trace(3, v1);
    if (((v0 & 3u) >= 1u)) {
        mark(4, v2);
    }
    v0 = ((v0 + 10u) * (v2 - 18u));
    mark(5, ((v2 * 15u) + (inputs[2] >> 26)));
    trace(6, ((WaveGetLaneIndex() & v2) ^ (v2 ^ 16u)));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v2 = f1((v2 ^ 2u), (WaveGetLaneIndex() + 33u));
    v2 = (v3 ^ min(v0, v3));
    v2 = ((v3 + v3) + v3);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        uint c1 = 0;
        for (;;) {
            if (++c1 > 6) break;
            v0 = (v3 & (c0 | WaveGetLaneIndex()));
            [loop] for (uint c2 = 0; c2 < 3u; ++c2) {
                mark(7, ((WaveGetLaneIndex() ^ c1) + 21u));
                v3 = WaveActiveSum(((WaveGetLaneIndex() * 29u) + 8u)); trace(8, v3);
                v1 = WavePrefixSum((v0 + 9u)); trace(9, v1);
            }
            if (((c0 & 7u) >= 3u)) {
                break;
            }
            mark(10, (c1 * c1));
        }
        if (WaveIsFirstLane()) {
            trace(14, 1u);
            trace(12, (min(WaveGetLaneIndex(), v3) & v3));
            trace(13, ((WaveGetLaneIndex() & 2u) ^ (v3 + v1)));
        } else {
            uint c3 = 0;
            while (c3 < 2 && (c0 >= ((inputs[0] >> 3) & 3u))) {
                ++c3;
                trace(15, max((v0 - 24u), v0));
                trace(16, min((WaveGetLaneIndex() * 15u), 33u));
                mark(17, (v3 + v1));
            }
        }
    }
    mark(18, ((v1 ^ 5u) + (v3 - v3)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
