//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 165
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
    trace(1, (v0 + v2));
    if (((WaveGetLaneIndex() & 3u) == 2u)) {
        mark(2, (v2 - 35u));
        switch ((v2 & 3u)) {
        case 0: {
            mark(3, (v0 ^ 28u));
            v2 = WavePrefixSum((v3 + 4u)); trace(4, v2);
            if (((((inputs[3] >> 14) & 3u) >= 2u) && ((v2 & 3u) >= 1u))) {
                v1 = max((v3 - 11u), v1);
                [branch] if (!((v1 & 3u) >= 1u)) {
                    trace(5, v3);
                }
                break;
            } else {
                [branch] if (((v3 & 3u) != 0u)) {
                    trace(6, v2);
                    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
                        trace(7, (v3 + v3));
                        v2 = WaveActiveCountBits(((min(WaveGetLaneIndex(), 13u) + 8u) & 1u) != 0u); trace(8, v2);
                        continue;
                    }
                    trace(9, (min(WaveGetLaneIndex(), 8u) ^ 32u));
                }
            }
            break;
        }
        case 1: {
            v0 = WaveReadLaneFirst((WaveGetLaneIndex() + 10u)); trace(10, v0);
            break;
        }
        }
        mark(11, ((v0 ^ WaveGetLaneIndex()) + 13u));
    } else {
        mark(12, max(max(v2, v2), 12u));
    }
    v3 = WaveActiveBitOr((((v3 + 30u) + 15u) + 13u)); trace(13, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
