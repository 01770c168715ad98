//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 26
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
        if (++c0 > 3) break;
        for (uint c1 = 0; c1 < 4u; ++c1) {
            if ((((WaveGetLaneIndex() & 3u) >= 3u) && (c0 == (v2 & 3u)))) {
                [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
                    if ((v3 < v2)) {
                        break;
                    }
                    mark(14, v2);
                    trace(15, (v0 ^ min(c1, v2)));
                }
                switch ((c1 & 3u)) {
                case 0: case 1: {
                    uint c3 = 0;
                    while (c3 < 4 && (c1 == ((inputs[2] >> 3) & 3u))) {
                        ++c3;
                        v1 = ((inputs[3] >> 17) ^ 29u);
                    }
                    if (!(c1 >= (v3 & 3u))) {
                        trace(16, min(min(v2, 13u), ((inputs[0] >> 14) + 8u)));
                    }
                    break;
                }
                default: {
                    v1 = ((v3 * c1) * 11u);
                    v0 = ((v0 + 31u) * 18u);
                    if (((v3 & 3u) >= 3u)) {
                        trace(17, (v3 | min(c1, 9u)));
                        mark(18, ((WaveGetLaneIndex() | v1) * 3u));
                        v0 = WaveActiveMax((((v2 ^ 27u) * (c1 * c1)) + 19u)); trace(19, v0);
                    } else {
                        v0 = min(v3, 22u);
                        trace(20, ((v1 + v2) ^ 22u));
                    }
                    break;
                }
                case 2: {
                    trace(21, v1);
                    break;
                }
                }
            } else {
                v1 = (v0 & 7u);
            }
        }
        if ((v1 < v2)) {
            break;
        }
    }
    mark(22, max(WaveGetLaneIndex(), max(v1, 9u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
