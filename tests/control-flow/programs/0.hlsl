//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 0
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v2 & 1u) != 0u)) {
        v2 = (v3 & (v2 + 37u));
        uint c0 = 0;
        while (WaveActiveAllTrue(((c0 < 4u) && (((v2 + 11u) & 7u) == 3u)))) {
            ++c0;
            v1 = c0;
            switch (((inputs[0] >> 1) & 3u)) {
            default: case 0: case 1: {
                v2 = WaveActiveMax(((min(v3, WaveGetLaneIndex()) + (v1 + 23u)) + 12u)); trace(12, v2);
                if ((c0 < (v2 & 3u))) {
                    break;
                }
                switch ((WaveGetLaneIndex() & 3u)) {
                case 0: {
                    uint c1 = 0u;
                    for (uint c2 = 0; c2 < 3u; ++c2) {
                        for (uint c3 = 0; c3 < 3u; ++c3) {
                            if ((((c1 & 7u) >= 3u) || (c0 == (v2 & 3u)))) {
                                c1 = 1u;
                                break;
                            }
                            mark(13, min(v3, (v3 * c3)));
                            v0 = (inputs[2] >> 26);
                            trace(14, ((inputs[1] >> 23) & 22u));
                        }
                        if ((c1 != 0u)) {
                            break;
                        }
                        mark(15, (v1 - (v2 | WaveGetLaneIndex())));
                    }
                    v2 = WaveReadLaneFirst(((v2 - 1u) + 16u)); trace(16, v2);
                    break;
                }
                default: {
                    mark(17, min(min(v1, 13u), v1));
                    break;
                }
                case 1: {
                    trace(18, v2);
                    v2 = WaveActiveBitXor((v2 + 19u)); trace(19, v2);
                    break;
                }
                case 2: {
                    v0 = WaveReadLaneFirst((v2 + 20u)); trace(20, v0);
                    break;
                }
                }
                continue;
            }
            }
        }
    } else {
        trace(21, (min(v0, 20u) & (v2 * v1)));
    }
    v1 = v2;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
