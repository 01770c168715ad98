//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 52
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
    uint c0 = 0;
    while (c0 < 5 && ((v0 & 1u) >= 1u)) {
        ++c0;
        v2 = min((v1 - c0), 31u);
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            if (((WaveGetLaneIndex() & 3u) == 1u)) {
                mark(1, (inputs[2] >> 27));
                for (uint c2 = 0; c2 < 2u; ++c2) {
                    if (WaveActiveAnyTrue((((c2 + 2u) & 7u) >= 3u))) {
                        trace(3, 1u);
                        v2 = (inputs[3] >> 19);
                        continue;
                    }
                    if (((v2 & 7u) != 3u)) {
                        v2 = WaveActiveBitOr((min(v2, 4u) + 4u)); trace(4, v2);
                        trace(5, ((v3 - 30u) + 33u));
                        v1 = ((v3 ^ 25u) + (c2 ^ 24u));
                    }
                    v0 = WaveGetLaneIndex();
                }
            }
            trace(6, (v1 | min(v2, v0)));
            v2 = WaveGetLaneIndex();
        }
        mark(7, v2);
    }
    v3 = WaveReadLaneFirst((max((v3 & WaveGetLaneIndex()), max((inputs[0] >> 4), 25u)) + 8u)); trace(8, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
