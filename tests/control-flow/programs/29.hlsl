//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 29
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
    v1 = WaveActiveSum((((v1 & 0u) | 8u) + 1u)); trace(1, v1);
    trace(2, v1);
    if (((v2 & 7u) == 6u)) {
        if (((WaveGetLaneIndex() & 1u) >= 1u)) {
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
        [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
            if (WaveIsFirstLane()) {
                break;
            }
            [loop] for (uint c1 = 0; c1 < 5u; ++c1) {
                trace(4, min(min(v2, v2), (WaveGetLaneIndex() * (inputs[0] >> 3))));
                trace(5, ((v0 - c0) ^ 27u));
                v2 = min(((inputs[3] >> 7) | 28u), v1);
            }
            trace(6, max((inputs[1] >> 20), 23u));
        }
    }
    trace(7, v0);
    v3 = (v1 * 39u);
    v3 = WaveActiveBitXor((v0 + 8u)); trace(8, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
