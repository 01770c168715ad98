//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 140
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
    mark(1, (v3 & (v1 * 1u)));
    [branch] if ((((v2 & 3u) == 1u) || ((v3 & 7u) == 4u))) {
        v3 = min(v3, (v3 ^ v3));
    } else {
        trace(2, (inputs[0] >> 21));
    }
    mark(3, (((inputs[1] >> 6) - 32u) ^ 0u));
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if (WaveActiveAllTrue((((v1 + 4u) & 7u) >= 3u))) {
        trace(9, 1u);
        uint c0 = 0;
        while (c0 < 2 && (((v3 & 3u) == 2u) && ((v3 & 1u) == 0u))) {
            ++c0;
            v3 = WavePrefixSum((v3 + 5u)); trace(5, v3);
            trace(6, ((c0 ^ 5u) + min(v2, (inputs[2] >> 20))));
            v0 = f0((v1 | c0), c0);
        }
        if (((v1 & 7u) == 5u)) {
            if (((v3 & 7u) >= 3u)) {
                v1 = WaveReadLaneFirst(((max(v2, v3) - min(v2, 1u)) + 7u)); trace(7, v1);
                mark(8, ((v1 - 10u) + 5u));
            }
            v3 = ((v3 ^ v1) | v3);
        }
    }
    trace(10, ((v3 * v1) | 5u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(11, v0);
    trace(12, ((v2 - 0u) * 3u));
    if (((v0 & 3u) == 1u)) {
        if (WaveActiveAnyTrue((((v3 + 13u) & 7u) < 3u))) {
            trace(15, 1u);
            v3 = f1(((inputs[2] >> 17) * WaveGetLaneIndex()), (v1 + 19u));
            trace(14, ((WaveGetLaneIndex() | 1u) | 23u));
            v0 = (((inputs[3] >> 21) * 37u) * 26u);
        } else {
            switch ((((v1 & 3u) * 4096u) + 5u)) {
            case 5: {
                [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                    v2 = v1;
                    v2 = v0;
                }
                v2 = WaveActiveBallot(((((v1 * v1) - 16u) + 16u) & 1u) != 0u).x; trace(16, v2);
                mark(17, v0);
                break;
            }
            case 4101: {
                v0 = WaveActiveMax((((v3 | 11u) - 29u) + 18u)); trace(18, v0);
                trace(19, v1);
                break;
            }
            }
        }
    }
    v0 = WavePrefixSum(((min(v0, 8u) & 33u) + 20u)); trace(20, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
