//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 2
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
    v0 = WaveReadLaneFirst((v2 + 1u)); trace(1, v0);
    [branch] if (!((v3 & 7u) == 6u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            v0 = WaveActiveBallot(((min((v1 + 35u), ((inputs[0] >> 7) + 37u)) + 2u) & 1u) != 0u).x; trace(2, v0);
            if (((v3 & 3u) != 1u)) {
                trace(3, v0);
                continue;
            }
            uint c1 = 0;
            for (;;) {
                if (++c1 > 5) break;
                if (((v2 & 7u) >= 4u)) {
                    break;
                }
                trace(4, (inputs[1] >> 1));
                if (((c1 & 3u) == 2u)) {
                    break;
                }
                [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
                    v1 = min((v3 ^ v1), 2u);
                }
            }
        }
        mark(5, v0);
    }
    trace(6, (v1 & (v3 | v3)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
