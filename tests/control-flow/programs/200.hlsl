//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 200
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
    for (;;) {
        if (++c0 > 4) break;
        if (((v1 & 3u) < 1u)) {
            break;
        }
        if (((v0 & 3u) != 0u)) {
            uint c1 = 0;
            for (;;) {
                if (++c1 > 5) break;
                if ((c0 < (v1 & 3u))) {
                    v3 = c0;
                    break;
                }
                if (WaveIsFirstLane()) {
                    uint c2 = 0;
                    do {
                        ++c2;
                        v0 = min(min(v3, v1), ((inputs[0] >> 19) | v3));
                        mark(17, v2);
                        mark(18, min((c1 * 34u), (v0 & 25u)));
                    } while (c2 < 4 && ((v0 < v3) && (v2 < c1)));
                    trace(19, (min(c1, v2) ^ 2u));
                } else {
                    v2 = WavePrefixCountBits((((max(WaveGetLaneIndex(), 20u) + (v2 * v2)) + 20u) & 1u) != 0u); trace(20, v2);
                    if ((c1 >= (v0 & 3u))) {
                        v1 = WaveActiveBitOr(((c0 + 10u) + 21u)); trace(21, v1);
                        v3 = WaveReadLaneFirst((((v0 + 34u) + 1u) + 22u)); trace(22, v3);
                        trace(23, ((v0 + WaveGetLaneIndex()) & min(v1, 37u)));
                    } else {
                        trace(24, (((inputs[1] >> 15) * 39u) + c1));
                        v1 = ((v2 - v0) - 14u);
                        v3 = WaveActiveBitOr((max((v0 - 21u), 21u) + 25u)); trace(25, v3);
                        break;
                    }
                    break;
                }
            }
            continue;
        } else {
            v0 = WaveActiveCountBits((((min(v0, 38u) * (WaveGetLaneIndex() + v1)) + 26u) & 1u) != 0u); trace(26, v0);
            v0 = ((inputs[1] >> 14) + 18u);
        }
        v3 = WavePrefixCountBits(((max((WaveGetLaneIndex() & v2), min(c0, 7u)) + 27u) & 1u) != 0u); trace(27, v3);
    }
    v2 = WaveReadLaneFirst((min((v0 * WaveGetLaneIndex()), v3) + 28u)); trace(28, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
