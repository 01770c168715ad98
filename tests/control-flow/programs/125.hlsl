//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 125
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
    if (((((inputs[0] >> 26) & 3u) < 3u) || ((v3 & 1u) == 0u))) {
        v1 = ((v3 + v3) + 8u);
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                if (WaveActiveAllTrue((((v0 + 18u) & 7u) >= 3u))) {
                    trace(19, 1u);
                    v1 = min(WaveGetLaneIndex(), 14u);
                    break;
                }
                [loop] for (uint c2 = 0; c2 < ((WaveGetLaneIndex() & 3u) + 2u); ++c2) {
                    v3 = v3;
                    mark(20, v0);
                    v0 = v3;
                }
                mark(21, (v0 | 14u));
            }
            v1 = WaveActiveSum(((v0 + (v0 & v1)) + 22u)); trace(22, v1);
        }
        v3 = WaveGetLaneIndex();
    }
    trace(23, max(v2, 23u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
