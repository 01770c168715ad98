//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 104
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v1 = WaveActiveBallot(((min(v1, 28u) + 9u) & 1u) != 0u).x; trace(9, v1);
    uint c0 = 0;
    while (c0 < 5 && (v2 < v3)) {
        ++c0;
        uint c1 = 0;
        while (c1 < 5 && !(c0 >= (WaveGetLaneIndex() & 3u))) {
            ++c1;
            [loop] for (uint c2 = 0; c2 < 2u; ++c2) {
                v1 = WavePrefixCountBits(((c0 + 10u) & 1u) != 0u); trace(10, v1);
            }
            mark(11, (v0 - min(v2, WaveGetLaneIndex())));
            v3 = v0;
        }
        mark(12, c0);
    }
    trace(13, (v2 + 32u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
