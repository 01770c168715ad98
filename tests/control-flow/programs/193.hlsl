//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 193
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if (!((v1 & 1u) != 0u)) {
                trace(5, ((v3 - v1) * (WaveGetLaneIndex() + v3)));
                continue;
            }
            if (((v0 & 7u) >= 2u)) {
                c0 = 1u;
                break;
            }
            switch ((((v2 & 3u) * 4096u) + 5u)) {
            default: {
                trace(6, (c1 * v2));
                break;
            }
            case 5: {
                v1 = WaveActiveMin((c1 + 7u)); trace(7, v1);
                [loop] for (uint c3 = 0; c3 < 3u; ++c3) {
                    v3 = WavePrefixCountBits(((v3 + 8u) & 1u) != 0u); trace(8, v3);
                    switch ((c1 & 3u)) {
                    case 0: {
                        v3 = v2;
                        v2 = v1;
                        trace(9, min(min(c0, v2), (v3 ^ 9u)));
                        break;
                    }
                    default: {
                        v2 = WaveActiveBitAnd(((c1 * max(c2, 36u)) + 10u)); trace(10, v2);
                        trace(11, v1);
                        break;
                    }
                    case 1: {
                        trace(12, ((inputs[1] >> 22) ^ v0));
                        v3 = WaveActiveBitXor((v3 + 13u)); trace(13, v3);
                        mark(14, v2);
                        break;
                    }
                    }
                }
                if (((c2 & 3u) < 2u)) {
                    break;
                }
                break;
            }
            case 4101: {
                if (WaveIsFirstLane()) {
                    v2 = ((v1 + c1) * v1);
                    mark(16, v1);
                }
                v3 = WavePrefixCountBits(((c1 + 17u) & 1u) != 0u); trace(17, v3);
                v1 = v1;
                break;
            }
            case 8197: case 12293: {
                mark(18, ((v3 - 10u) * 26u));
                mark(19, max(v3, c0));
                break;
            }
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v3 = max(v3, 29u);
    }
    v1 = ((v2 | 31u) & (v0 + 16u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
