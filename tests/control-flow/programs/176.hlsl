//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 176
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
    if (WaveActiveAnyTrue((((v3 + 1u) & 7u) >= 3u))) {
        trace(6, 1u);
        [loop] for (uint c0 = 0; c0 < 5u; ++c0) {
            v3 = WaveGetLaneIndex();
            if ((((c0 & 7u) != 4u) && ((v3 & 1u) != 0u))) {
                if (((v3 & 3u) == 0u)) {
                    continue;
                }
                v2 = WaveActiveSum((((v0 ^ 24u) ^ 36u) + 2u)); trace(2, v2);
                if (((v1 & 3u) == 1u)) {
                    [flatten] if (((v0 & 7u) == 5u)) {
                        v1 = (max(c0, v0) ^ max(v1, c0));
                    }
                } else {
                    v0 = (v3 + 15u);
                    v3 = WaveActiveBitXor((c0 + 3u)); trace(3, v3);
                    v2 = (v3 + (v2 & v2));
                }
            }
            trace(4, min((inputs[1] >> 8), max(v1, 4u)));
        }
        trace(5, v3);
    } else {
        v2 = (((inputs[2] >> 21) * (inputs[3] >> 14)) - (v0 ^ 13u));
        trace(7, ((v3 | v0) * (v3 ^ 16u)));
        v3 = WaveReadLaneFirst((((v0 + v3) & (v3 * (inputs[2] >> 5))) + 8u)); trace(8, v3);
    }
    v1 = ((v0 | 12u) * v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
