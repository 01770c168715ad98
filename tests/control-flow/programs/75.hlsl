//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 75
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
    [branch] if (((v0 & 3u) >= 2u)) {
        trace(1, v2);
        if (((v0 & 1u) == 0u)) {
            if (((v0 & 3u) < 1u)) {
                mark(2, (((inputs[1] >> 6) + v3) ^ min(v1, v1)));
                if (((v0 < v2) || ((v3 & 7u) < 3u))) {
                    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
                        v2 = WaveActiveBitOr((((v1 - WaveGetLaneIndex()) | (WaveGetLaneIndex() + 30u)) + 3u)); trace(3, v2);
                    }
                    mark(4, min(v2, WaveGetLaneIndex()));
                    trace(5, min((v1 + v0), 4u));
                } else {
                    v2 = ((WaveGetLaneIndex() | 14u) + 7u);
                }
                mark(6, max(min(v1, v1), 22u));
            }
            trace(7, v3);
        } else {
            v0 = WaveReadLaneFirst((max((inputs[0] >> 21), 20u) + 8u)); trace(8, v0);
        }
    } else {
        v1 = ((WaveGetLaneIndex() & (inputs[0] >> 10)) + v0);
        trace(9, (inputs[0] >> 7));
        trace(10, min((v0 & v3), v1));
    }
    v1 = WaveActiveBitAnd((v1 + 11u)); trace(11, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
