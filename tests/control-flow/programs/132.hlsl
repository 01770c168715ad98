//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 132
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
    mark(7, v1);
    if (!((v3 & 1u) != 0u)) {
        trace(8, v0);
    } else {
        uint c0 = 0;
        for (;;) {
            if (++c0 > 3) break;
            if (((c0 < (v2 & 3u)) || (((inputs[0] >> 5) & 7u) != 2u))) {
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            trace(9, ((v3 + c0) & 18u));
            mark(10, (v0 ^ min(v3, c0)));
            if ((((c0 & 7u) >= 7u) && (((inputs[3] >> 27) & 3u) == 0u))) {
                v3 = WaveActiveSum((min(c0, WaveGetLaneIndex()) + 11u)); trace(11, v3);
                break;
            }
            break;
        }
    }
    if (WaveIsFirstLane()) {
        [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
            if ((c1 < (c1 & 3u))) {
                if (((v3 & 7u) < 3u)) {
                    trace(13, c1);
                    break;
                }
                v2 = (v1 + v1);
                switch ((v3 & 3u)) {
                case 0: {
                    mark(14, max(v2, (v0 ^ 25u)));
                    [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                        mark(15, (v1 - ((inputs[0] >> 12) + 23u)));
                    }
                    break;
                }
                case 1: {
                    [loop] for (uint c3 = 0; c3 < 3u; ++c3) {
                        v3 = v2;
                        trace(16, c1);
                    }
                    break;
                }
                case 2: case 3: {
                    trace(17, (max(c1, v1) & 2u));
                    break;
                }
                }
            }
            v0 = WaveActiveBallot((((v1 | 39u) + 18u) & 1u) != 0u).x; trace(18, v0);
        }
    }
    v2 = ((v0 - 0u) ^ 14u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
