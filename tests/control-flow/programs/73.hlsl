//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 73
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
    v1 = WaveActiveMax((v2 + 1u)); trace(1, v1);
    trace(2, ((v2 & (inputs[3] >> 24)) - 36u));
    mark(3, ((inputs[1] >> 2) & max(v2, v1)));
    if (((v3 & 3u) >= 2u)) {
        v2 = max(v0, 0u);
    } else {
        v1 = WaveReadLaneFirst((v1 + 4u)); trace(4, v1);
    }
    v0 = WaveActiveBallot((((max(v3, (inputs[2] >> 26)) ^ v0) + 5u) & 1u) != 0u).x; trace(5, v0);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v2 = f0((v0 & v3), (v3 ^ 0u));
    if ((((v1 & 1u) < 1u) && ((v1 & 7u) >= 7u))) {
        trace(6, v2);
        v3 = f0(v1, v1);
    }
    uint c0 = 0;
    do {
        ++c0;
        if (((v3 & 7u) != 5u)) {
            break;
        }
        for (uint c1 = 0; c1 < (((inputs[1] >> 13) & 3u) + 2u); ++c1) {
            if (((v0 < v1) || ((v0 & 3u) < 3u))) {
                trace(7, v1);
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            [loop] for (uint c2 = 0; c2 < ((WaveGetLaneIndex() & 3u) + 1u); ++c2) {
                mark(8, ((v0 * v0) | (c0 + v1)));
            }
            if ((c1 < (WaveGetLaneIndex() & 3u))) {
                v2 = WavePrefixCountBits(((((v0 + 0u) & 15u) + 9u) & 1u) != 0u); trace(9, v2);
                break;
            }
        }
    } while (c0 < 2 && ((v2 & 7u) != 1u));
    mark(10, (inputs[0] >> 4));
    trace(11, ((v3 - v0) | (v3 ^ v0)));
    mark(12, WaveGetLaneIndex());
    v2 = (min(v0, 14u) & max(v0, v2));
    trace(13, (min(v0, v1) + 34u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
