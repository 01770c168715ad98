//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 149
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
    if (!((v2 & 3u) == 1u)) {
        uint c0 = 0;
        while (c0 < 2 && (v3 < v2)) {
            ++c0;
            if ((((inputs[3] >> 1) & 7u) < 2u)) {
                if ((((v0 & 1u) < 1u) && ((v2 & 3u) >= 1u))) {
                    v1 = WaveActiveCountBits(((c0 + 1u) & 1u) != 0u); trace(1, v1);
                    [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                        v1 = (min(v1, v1) | WaveGetLaneIndex());
                        trace(2, (c1 | (v0 & v1)));
                    }
                }
                v3 = WaveActiveSum(((max(WaveGetLaneIndex(), v3) + (v3 & WaveGetLaneIndex())) + 3u)); trace(3, v3);
            }
            v2 = (min(v0, v1) ^ v0);
        }
    } else {
        mark(4, v0);
        trace(5, v3);
    }
    v0 = WaveReadLaneFirst((((inputs[3] >> 6) + v1) + 6u)); trace(6, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
