//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 190
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
    v3 = WaveActiveBitOr((((inputs[3] >> 11) - ((inputs[3] >> 2) - v0)) + 10u)); trace(10, v3);
    if (((v0 & 3u) != 2u)) {
        switch ((v1 & 3u)) {
        case 0: {
            v2 = WaveActiveMax(((v3 ^ min(v0, v3)) + 11u)); trace(11, v2);
            if (((WaveGetLaneIndex() & 7u) == 4u)) {
                v2 = ((v3 - 22u) ^ 32u);
            }
            break;
        }
        case 1: {
            if (!(((inputs[3] >> 4) & 3u) != 2u)) {
                mark(12, (v2 + 20u));
            }
            break;
        }
        default: {
            trace(13, ((v2 & v1) ^ v3));
            v0 = v1;
            break;
        }
        }
        if ((((v3 & 1u) < 1u) && ((v3 & 3u) < 3u))) {
            v3 = WavePrefixSum((max((WaveGetLaneIndex() * v3), 22u) + 14u)); trace(14, v3);
        }
    }
    switch ((v3 & 3u)) {
    case 0: {
        if (((v3 & 3u) == 0u)) {
            if (((v1 & 3u) < 3u)) {
                switch ((((v2 & 3u) * 4096u) + 5u)) {
                case 5: {
                    uint c0 = 0;
                    for (;;) {
                        if (++c0 > 6) break;
                        if ((((c0 & 3u) != 2u) && ((v0 & 3u) == 0u))) {
                            v3 = ((v0 + v0) + 19u);
                            break;
                        }
                        mark(15, ((v0 + 39u) + min(v2, c0)));
                        v3 = ((v0 + v1) | c0);
                    }
                    break;
                }
                case 4101: {
                    v3 = WaveActiveBitXor((v1 + 16u)); trace(16, v3);
                    v1 = max(WaveGetLaneIndex(), 31u);
                    break;
                }
                case 8197: {
                    trace(17, (min(v3, v0) + v1));
                    trace(18, (((inputs[2] >> 27) ^ v1) | WaveGetLaneIndex()));
                    break;
                }
                case 12293: {
                    v2 = ((v2 + 26u) & v0);
                    v0 = v2;
                    v3 = (WaveGetLaneIndex() * (v3 & v3));
                    break;
                }
                }
                trace(19, v3);
                v1 = v1;
            }
            mark(20, max(min(v3, (inputs[2] >> 25)), ((inputs[1] >> 25) ^ v0)));
            trace(21, ((v1 + v2) & (v0 ^ v2)));
        } else {
            v2 = min(v0, 18u);
            v2 = WaveActiveMax(((v0 | (WaveGetLaneIndex() & v1)) + 22u)); trace(22, v2);
            trace(23, (v0 - (v2 | 15u)));
        }
        trace(24, v3);
        break;
    }
    case 1: {
        trace(25, (v0 * v3));
        mark(26, v1);
        break;
    }
    default: {
        mark(27, ((v3 & v0) | 3u));
        v1 = ((v2 * 32u) ^ 14u);
        break;
    }
    case 2: case 3: {
        trace(28, v1);
        v3 = WavePrefixSum((v0 + 29u)); trace(29, v3);
        break;
    }
    }
    trace(30, ((v1 | 2u) ^ min(v3, v2)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
