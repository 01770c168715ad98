//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 153
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
    mark(1, ((WaveGetLaneIndex() & v0) * (WaveGetLaneIndex() ^ 39u)));
    for (uint c0 = 0; c0 < 3u; ++c0) {
        trace(2, ((v1 - 4u) | v1));
    }
    trace(3, max((v2 + 7u), 7u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    switch (((inputs[2] >> 10) & 3u)) {
    default: case 0: {
        trace(4, (max(v3, 13u) + 1u));
        trace(5, v2);
        mark(6, min(v1, (v3 - 13u)));
        break;
    }
    case 1: {
        [branch] if ((((inputs[2] >> 25) & 3u) < 3u)) {
            trace(7, min((v1 & 0u), v2));
        }
        v0 = f0((inputs[1] >> 26), WaveGetLaneIndex());
        uint c0 = 0;
        for (;;) {
            if (++c0 > 6) break;
            v1 = f0(c0, v3);
            v2 = max(v1, 19u);
            switch ((v2 & 3u)) {
            case 0: case 1: {
                uint c1 = 0;
                while (WaveActiveAllTrue(((c1 < 5u) && (((v3 + 8u) & 7u) == 3u)))) {
                    ++c1;
                    v1 = WavePrefixCountBits(((((WaveGetLaneIndex() - 28u) + v0) + 9u) & 1u) != 0u); trace(9, v1);
                }
                break;
            }
            case 2: {
                mark(10, WaveGetLaneIndex());
                v2 = WavePrefixCountBits(((v2 + 11u) & 1u) != 0u); trace(11, v2);
                break;
            }
            default: {
                mark(12, v2);
                mark(13, (v1 * max(v0, 21u)));
                trace(14, (inputs[3] >> 24));
                break;
            }
            }
            if ((c0 < (c0 & 3u))) {
                trace(15, v0);
                break;
            }
        }
        break;
    }
    case 2: {
        v2 = WaveActiveBitAnd((WaveGetLaneIndex() + 16u)); trace(16, v2);
        break;
    }
    }
    v2 = WavePrefixCountBits(((((v0 - v3) ^ (v2 | v2)) + 17u) & 1u) != 0u); trace(17, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
