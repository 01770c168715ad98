//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 48
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
    switch ((v2 & 3u)) {
    case 0: {
        if ((((inputs[3] >> 15) & 3u) >= 1u)) {
            trace(7, ((v2 | WaveGetLaneIndex()) * 8u));
        } else {
            if (((v0 & 3u) < 3u)) {
                uint c0 = 0u;
                for (uint c1 = 0; c1 < 2u; ++c1) {
                    for (uint c2 = 0; c2 < 2u; ++c2) {
                        if ((((c1 & 7u) != 0u) || ((v1 & 3u) == 2u))) {
                            c0 = 1u;
                            break;
                        }
                        mark(8, (c1 * c2));
                        mark(9, (min(WaveGetLaneIndex(), (inputs[0] >> 19)) * (v2 - v3)));
                    }
                    if ((c0 != 0u)) {
                        break;
                    }
                    v1 = ((v2 + 22u) * v2);
                }
                mark(10, ((v0 * 32u) * WaveGetLaneIndex()));
                switch ((v0 & 3u)) {
                case 0: case 1: {
                    mark(11, ((inputs[2] >> 15) & 1u));
                    v1 = (min((inputs[0] >> 1), WaveGetLaneIndex()) + 12u);
                    [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
                        trace(12, ((WaveGetLaneIndex() | 7u) - 37u));
                        trace(13, ((v1 & v3) + 22u));
                    }
                    break;
                }
                default: case 2: {
                    if ((((v2 & 3u) >= 2u) || (WaveGetLaneIndex() < v2))) {
                        trace(14, v0);
                        break;
                    }
                    trace(15, (max(v0, c0) & 35u));
                    break;
                }
                }
            } else {
                mark(16, v1);
                v0 = WaveActiveBitAnd(((v0 + min(v0, WaveGetLaneIndex())) + 17u)); trace(17, v0);
                mark(18, v0);
            }
        }
        mark(19, min((v2 ^ v2), (v0 ^ v2)));
        mark(20, ((v3 * 11u) - v3));
        break;
    }
    case 1: {
        mark(21, v2);
        break;
    }
    case 2: {
        v0 = WavePrefixCountBits(((WaveGetLaneIndex() + 22u) & 1u) != 0u); trace(22, v0);
        break;
    }
    default: {
        v2 = (((inputs[1] >> 20) + 38u) * 21u);
        v3 = ((WaveGetLaneIndex() ^ (inputs[1] >> 18)) - 9u);
        mark(23, (v1 * max(v1, v0)));
        break;
    }
    case 3: {
        mark(24, v2);
        v2 = max((v2 ^ v0), (v3 | v0));
        v2 = WaveActiveBitXor((((v2 | 3u) + 7u) + 25u)); trace(25, v2);
        break;
    }
    }
    v2 = ((v0 - (inputs[3] >> 20)) | ((inputs[0] >> 15) * (inputs[2] >> 25)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
