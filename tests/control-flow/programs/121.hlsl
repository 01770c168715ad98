//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 121
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
    if (((WaveGetLaneIndex() & 3u) < 1u)) {
        [branch] if (((WaveGetLaneIndex() & 7u) != 3u)) {
            trace(6, ((v3 - 30u) - v3));
            [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                v3 = WaveActiveCountBits(((((WaveGetLaneIndex() - v2) | (WaveGetLaneIndex() * v2)) + 7u) & 1u) != 0u); trace(7, v3);
                if ((c0 >= (c0 & 3u))) {
                    if ((((v3 & 3u) == 0u) && (c0 == ((inputs[2] >> 7) & 3u)))) {
                        trace(8, c0);
                    } else {
                        trace(9, (((inputs[2] >> 19) + v0) & 0u));
                        mark(10, v1);
                    }
                }
            }
        } else {
            if ((((inputs[0] >> 7) < v3) || ((v2 & 7u) != 5u))) {
                uint c1 = 0;
                while (WaveActiveAnyTrue(((c1 < 4u) && (((v0 + 11u) & 7u) < 3u)))) {
                    ++c1;
                    if (((c1 & 7u) != 4u)) {
                        break;
                    }
                }
                trace(12, (v2 | 1u));
                trace(13, WaveGetLaneIndex());
            }
            v2 = WavePrefixSum((v0 + 14u)); trace(14, v2);
        }
        trace(15, v3);
        v2 = WaveActiveBallot(((((v2 | v2) - 27u) + 16u) & 1u) != 0u).x; trace(16, v2);
    } else {
        mark(17, (((inputs[0] >> 9) | (inputs[0] >> 10)) - min(WaveGetLaneIndex(), v2)));
        v2 = ((v0 + v2) * 0u);
    }
    v2 = WaveActiveBitXor(((v2 ^ v3) + 18u)); trace(18, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
