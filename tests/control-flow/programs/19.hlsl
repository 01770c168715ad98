//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 19
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
    if ((((v2 & 3u) == 0u) && ((v1 & 3u) < 3u))) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                mark(6, min(min((inputs[1] >> 19), WaveGetLaneIndex()), 8u));
                v2 = WaveActiveMax(((v3 ^ 9u) + 7u)); trace(7, v2);
                mark(8, v1);
            }
            [branch] if (((WaveGetLaneIndex() & 1u) != 0u)) {
                uint c2 = 0;
                for (;;) {
                    if (++c2 > 5) break;
                    if (WaveActiveAnyTrue((((v3 + 9u) & 7u) >= 3u))) {
                        trace(10, 1u);
                        continue;
                    }
                    if (!((v0 & 3u) >= 3u)) {
                        break;
                    }
                }
            }
            [loop] for (uint c3 = 0; c3 < ((c0 & 3u) + 1u); ++c3) {
                v2 = max((v2 - v1), 29u);
            }
        }
        trace(11, min((v3 | WaveGetLaneIndex()), (WaveGetLaneIndex() & v3)));
        v2 = v2;
    }
    v3 = WaveActiveSum((v1 + 12u)); trace(12, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
