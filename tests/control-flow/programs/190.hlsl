//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 190
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
    trace(1, (v3 + 12u));
    uint c0 = 0;
    do {
        ++c0;
        for (uint c1 = 0; c1 < ((v1 & 3u) + 2u); ++c1) {
            mark(3, ((c0 & v2) * 36u));
        }
    } while (WaveActiveAnyTrue(((c0 < 3u) && ((((inputs[2] >> 0) + 2u) & 7u) >= 3u))));
    v3 = WaveGetLaneIndex();
    uint c2 = 0;
    for (;;) {
        if (++c2 > 3) break;
        trace(4, (max(v2, v3) ^ c2));
        if ((c2 < v2)) {
            break;
        }
        break;
    }
    trace(5, (v0 * v1));
    v0 = WaveActiveMin(((WaveGetLaneIndex() * (v2 + 0u)) + 6u)); trace(6, v0);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = WaveGetLaneIndex();
    v1 = f0((v1 & v2), v3);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        trace(7, (v0 ^ 37u));
        v0 = ((v3 & 28u) + 19u);
        v2 = min((c0 + v1), (v3 | 32u));
    }
    v0 = WaveActiveBallot(((min((v1 * v2), 20u) + 8u) & 1u) != 0u).x; trace(8, v0);
    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
        mark(9, v2);
    }
    if (!((v2 & 3u) == 0u)) {
        trace(10, ((v2 + v1) | 2u));
        mark(11, (v2 + (v2 + 14u)));
        trace(12, min(v0, max(v2, 26u)));
    } else {
        v1 = ((v3 & 9u) | 19u);
        v1 = WavePrefixSum((v1 + 13u)); trace(13, v1);
    }
    v3 = WavePrefixSum(((v0 * 0u) + 14u)); trace(14, v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
