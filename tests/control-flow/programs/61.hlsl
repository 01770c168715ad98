//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 61
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
    v0 = WaveActiveMax((max(v0, 7u) + 1u)); trace(1, v0);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        [loop] for (uint c1 = 0; c1 < 3u; ++c1) {
            trace(2, (inputs[1] >> 25));
            mark(3, min(v0, 10u));
            mark(4, min((v3 | 7u), ((inputs[1] >> 3) & v3)));
        }
        trace(5, (max(v1, c0) | 4u));
        break;
    }
    v2 = WaveActiveBitOr(((((inputs[2] >> 18) ^ WaveGetLaneIndex()) ^ 13u) + 6u)); trace(6, v2);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    mark(7, (((inputs[2] >> 5) + v0) + 15u));
    trace(8, max(max(v0, 31u), max(v0, v2)));
    v0 = f0((WaveGetLaneIndex() ^ 17u), max(v3, 4u));
    if (WaveActiveAnyTrue((((WaveGetLaneIndex() + 9u) & 7u) >= 3u))) {
        trace(11, 1u);
        mark(10, (v0 * 26u));
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    } else {
        uint c0 = 0;
        while (c0 < 2 && ((WaveGetLaneIndex() & 3u) >= 2u)) {
            ++c0;
            v2 = WaveActiveSum((((inputs[1] >> 4) - v3) + 12u)); trace(12, v2);
            v3 = f0(c0, (v3 ^ WaveGetLaneIndex()));
        }
        mark(13, ((v0 + v2) & v0));
        if ((((inputs[3] >> 2) & 3u) == 1u)) {
            trace(14, (v1 ^ (v2 * v3)));
        }
    }
    v0 = f0((v1 - 5u), v2);
    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
        if ((v0 < (inputs[3] >> 18))) {
            if ((c1 == (v3 & 3u))) {
                if (WaveActiveAllTrue((((c1 + 15u) & 7u) >= 3u))) {
                    trace(17, 1u);
                    trace(16, max((inputs[1] >> 10), 16u));
                    break;
                }
            }
            trace(18, ((v3 - v1) * min(v2, (inputs[2] >> 25))));
            if ((v2 < WaveGetLaneIndex())) {
                v3 = WaveActiveBitAnd(((max(v1, v3) * ((inputs[1] >> 4) & WaveGetLaneIndex())) + 19u)); trace(19, v3);
                v0 = ((v3 | 30u) + 28u);
                v1 = WaveActiveBallot(((((c1 & v3) | 22u) + 20u) & 1u) != 0u).x; trace(20, v1);
            }
        } else {
            trace(21, (v1 ^ ((inputs[0] >> 0) + 3u)));
        }
        mark(22, ((v2 ^ v3) + v1));
        v3 = ((v0 | 21u) + 7u);
    }
    mark(23, (v3 | 39u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
