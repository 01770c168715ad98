//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 117
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
    trace(1, v1);
    v0 = min((v0 - 23u), 17u);
    v2 = WaveActiveBitAnd((v2 + 2u)); trace(2, v2);
    if (((v0 & 7u) == 4u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            if (((c0 >= (v1 & 3u)) || ((v2 & 3u) != 1u))) {
                [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                    trace(3, max(c0, v2));
                }
                return v0;
            } else {
                trace(4, v0);
                mark(5, c0);
                trace(6, v0);
            }
            mark(7, ((c0 | 6u) + (c0 * c0)));
        }
        v0 = WaveActiveMax(((v3 & 15u) + 8u)); trace(8, v0);
    } else {
        v3 = WavePrefixSum((v1 + 9u)); trace(9, v3);
        v1 = min((v1 & v3), v3);
        v3 = (max(v3, 27u) ^ 6u);
    }
    trace(10, max((v2 & WaveGetLaneIndex()), v1));
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    trace(11, (min(v1, 33u) ^ 33u));
    v0 = WavePrefixCountBits(((v0 + 12u) & 1u) != 0u); trace(12, v0);
    trace(13, ((v2 + v2) ^ max(v2, v0)));
    v3 = f0((WaveGetLaneIndex() ^ (inputs[0] >> 4)), (inputs[1] >> 28));
    v0 = f0((v3 - v3), (v2 | 32u));
    if (((v2 & 1u) != 0u)) {
        v0 = v3;
        trace(14, v2);
    } else {
        trace(15, ((v1 & WaveGetLaneIndex()) + ((inputs[3] >> 21) ^ WaveGetLaneIndex())));
        v1 = (v1 - 7u);
    }
    mark(16, v2);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((WaveGetLaneIndex() & 3u) == 0u)) {
        if (((v3 & 1u) >= 1u)) {
            if (!(((inputs[1] >> 19) & 3u) != 1u)) {
                v1 = f1(v0, (v2 - v0));
            } else {
                if (WaveActiveAnyTrue((((v2 + 17u) & 7u) < 3u))) {
                    trace(20, 1u);
                    v0 = ((v0 - 13u) & 27u);
                    if (((v1 & 1u) == 0u)) {
                        v2 = ((v2 * v0) ^ 14u);
                        v3 = max((inputs[2] >> 14), v2);
                        v2 = WaveActiveBitOr((WaveGetLaneIndex() + 18u)); trace(18, v2);
                    } else {
                        trace(19, (inputs[0] >> 16));
                    }
                }
            }
        } else {
            v0 = WaveActiveBitOr(((inputs[2] >> 16) + 21u)); trace(21, v0);
            v2 = (v2 & min(v2, 14u));
            trace(22, (((inputs[2] >> 18) ^ 12u) * 16u));
        }
        trace(23, (inputs[1] >> 10));
    }
    v2 = (v0 + 34u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
