//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 132
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
    uint c0 = 0;
    do {
        ++c0;
        v3 = WaveActiveBitAnd(((inputs[1] >> 27) + 1u)); trace(1, v3);
        uint c1 = 0;
        while (WaveActiveAllTrue(((c1 < 3u) && (((v1 + 2u) & 7u) == 3u)))) {
            ++c1;
            v3 = WaveActiveSum((c0 + 3u)); trace(3, v3);
        }
    } while (c0 < 2 && (((inputs[1] >> 9) & 1u) != 0u));
    v3 = (max(v2, 0u) | 2u);
    v3 = ((v2 + v2) + (inputs[2] >> 15));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    trace(4, v0);
    switch ((WaveGetLaneIndex() & 3u)) {
    case 0: case 1: case 2: {
        trace(5, (inputs[1] >> 26));
        break;
    }
    default: {
        trace(6, (v0 * 16u));
        break;
    }
    }
    v3 = v1;
    trace(7, (((inputs[1] >> 21) + v1) | 10u));
    if ((((v0 & 1u) != 0u) && (v2 < v0))) {
        for (uint c0 = 0; c0 < ((v2 & 3u) + 0u); ++c0) {
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                if (((v0 & 7u) < 5u)) {
                    for (uint c2 = 0; c2 < 2u; ++c2) {
                        v3 = WavePrefixSum((v0 + 8u)); trace(8, v3);
                    }
                } else {
                    v2 = f0(v1, min((inputs[0] >> 4), c0));
                    switch ((v1 & 3u)) {
                    case 0: default: {
                        v2 = WaveActiveBitXor(((max(c0, 29u) + c0) + 9u)); trace(9, v2);
                        break;
                    }
                    case 1: {
                        v0 = ((c0 | 7u) & min(v2, 38u));
                        break;
                    }
                    }
                    v2 = (v1 + v1);
                }
                v1 = f0((v3 & 26u), (v0 ^ 25u));
            }
            v0 = (c0 * ((inputs[3] >> 16) - 29u));
        }
        mark(10, v1);
        v1 = WaveActiveMin(((v0 + v2) + 11u)); trace(11, v1);
    }
    v0 = (((inputs[2] >> 18) + v3) - 0u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
