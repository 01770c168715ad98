//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 46
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
    if ((v1 < v1)) {
        v1 = WaveActiveSum((min(v1, (v1 & 2u)) + 1u)); trace(1, v1);
        [loop] for (uint c0 = 0; c0 < 4u; ++c0) {
            if ((v0 < v3)) {
                if (WaveActiveAnyTrue((((c0 + 2u) & 7u) == 3u))) {
                    trace(3, max((v1 + v2), max(v3, 37u)));
                    v2 = (v1 ^ (WaveGetLaneIndex() + 23u));
                    trace(4, v1);
                } else {
                    v1 = WaveActiveBitAnd((((v1 | v1) & v3) + 5u)); trace(5, v1);
                    mark(6, min((v2 & c0), 18u));
                }
                mark(7, ((v0 + c0) + 23u));
            } else {
                trace(8, WaveGetLaneIndex());
                trace(9, v1);
                trace(10, min((v3 + v1), WaveGetLaneIndex()));
            }
        }
        v2 = min((v3 | 22u), (WaveGetLaneIndex() | v1));
    }
    trace(11, ((v1 * v3) | WaveGetLaneIndex()));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
