//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 175
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
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        switch ((v3 & 3u)) {
        case 0: case 1: {
            switch ((WaveGetLaneIndex() & 3u)) {
            default: case 0: case 1: {
                v2 = v3;
                v3 = WavePrefixCountBits(((min((v0 | 19u), 3u) + 1u) & 1u) != 0u); trace(1, v3);
                mark(2, (v1 & (v2 + WaveGetLaneIndex())));
                break;
            }
            case 2: {
                trace(3, (min(v2, v0) + WaveGetLaneIndex()));
                trace(4, min(min(c0, v1), 22u));
                v2 = c0;
                break;
            }
            }
            trace(5, v0);
            trace(6, v1);
            break;
        }
        }
        trace(7, ((c0 + v0) ^ (v1 - 26u)));
        trace(8, (v2 ^ ((inputs[2] >> 16) * 24u)));
    }
    trace(9, ((WaveGetLaneIndex() + 32u) & 17u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v0 = WaveActiveBitXor((((v0 ^ v0) - 12u) + 10u)); trace(10, v0);
    v2 = WaveGetLaneIndex();
    if ((((v1 & 3u) >= 2u) || ((v1 & 7u) != 3u))) {
        if ((((v1 & 7u) < 5u) && ((v0 & 7u) != 6u))) {
            mark(11, (v1 + WaveGetLaneIndex()));
        }
        [branch] if ((((v1 & 1u) == 0u) && ((v1 & 3u) >= 2u))) {
            v0 = WaveGetLaneIndex();
            v3 = f0(v1, v2);
            v1 = f0((v1 | v3), (WaveGetLaneIndex() ^ 1u));
        } else {
            v0 = WavePrefixSum((min((v0 + 2u), (v1 * v3)) + 12u)); trace(12, v0);
            if (!((v1 & 3u) < 1u)) {
                uint c0 = 0;
                while (WaveActiveAnyTrue(((c0 < 2u) && (((v2 + 13u) & 7u) == 3u)))) {
                    ++c0;
                    mark(14, (min(v2, 16u) & 9u));
                    mark(15, (min(v2, 8u) + 16u));
                    trace(16, ((v1 & 21u) ^ (v3 | 5u)));
                }
            } else {
                trace(17, min((v2 + 8u), v3));
            }
            v3 = ((v2 - 39u) | (v0 & (inputs[0] >> 4)));
        }
        v0 = WavePrefixCountBits((((v1 - 39u) + 18u) & 1u) != 0u); trace(18, v0);
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    } else {
        v3 = v0;
        trace(19, WaveGetLaneIndex());
    }
    trace(20, WaveGetLaneIndex());
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
