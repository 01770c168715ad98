//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 170
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
    if ((((v0 & 3u) == 2u) && ((v1 & 3u) >= 1u))) {
        if (((v3 & 3u) != 2u)) {
            if (((v2 & 3u) != 2u)) {
                [branch] if ((((inputs[1] >> 6) & 3u) != 2u)) {
                    uint c0 = 0u;
                    for (uint c1 = 0; c1 < 3u; ++c1) {
                        for (uint c2 = 0; c2 < 2u; ++c2) {
                            trace(1, ((v2 & v0) & 17u));
                            if ((((v2 & 1u) != 0u) || ((WaveGetLaneIndex() & 3u) == 2u))) {
                                c0 = 1u;
                                break;
                            }
                            trace(2, ((v0 - 37u) + 33u));
                        }
                        if ((c0 != 0u)) {
                            break;
                        }
                        v1 = (((inputs[3] >> 20) + v2) + 6u);
                    }
                }
            } else {
                if (((v1 & 7u) < 4u)) {
                    v2 = WaveActiveBitOr((min((v0 + v1), v3) + 3u)); trace(3, v2);
                } else {
                    mark(4, min(min(v0, v0), (v0 | v2)));
                    mark(5, v0);
                }
                v3 = ((v3 * v3) ^ (v1 + v0));
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            mark(6, v0);
            v3 = min(v3, (v0 & v1));
        }
        v3 = WaveActiveBitAnd(((((inputs[2] >> 9) - 8u) - (v3 - (inputs[0] >> 28))) + 7u)); trace(7, v3);
        v0 = (v3 + (v3 + v2));
    }
    trace(8, ((v1 - 27u) + (v0 * 13u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
