//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 65
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch (((((inputs[2] >> 12) & 7u) * 4096u) + 5u)) {
    case 5: {
        switch ((v3 & 3u)) {
        case 0: {
            switch ((v1 & 7u)) {
            case 0: {
                v0 = WaveActiveSum(((WaveGetLaneIndex() | 6u) + 1u)); trace(1, v0);
                [loop] for (uint c0 = 0; c0 < ((WaveGetLaneIndex() & 3u) + 0u); ++c0) {
                    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                        trace(2, v1);
                        trace(3, v3);
                    }
                    switch ((v1 & 3u)) {
                    case 0: {
                        trace(4, (v3 * (inputs[1] >> 10)));
                        v2 = v0;
                        v1 = WaveGetLaneIndex();
                        break;
                    }
                    case 1: {
                        v1 = WaveReadLaneFirst((((v2 ^ 20u) - (c0 ^ 21u)) + 5u)); trace(5, v1);
                        trace(6, min(v1, 3u));
                        v3 = ((c0 + v2) | (v3 ^ 30u));
                        break;
                    }
                    case 2: {
                        v3 = max((c0 + 22u), 10u);
                        trace(7, v2);
                        v1 = (v2 ^ v0);
                        break;
                    }
                    default: {
                        v2 = v2;
                        v3 = WaveActiveBitAnd((((v1 - v0) ^ 29u) + 8u)); trace(8, v3);
                        v2 = ((v1 & 35u) - v0);
                        break;
                    }
                    case 3: {
                        v2 = WaveActiveSum((max(v2, 25u) + 9u)); trace(9, v2);
                        trace(10, ((v0 * (inputs[3] >> 12)) * 27u));
                        v3 = ((WaveGetLaneIndex() + WaveGetLaneIndex()) * (v0 + v1));
                        break;
                    }
                    }
                }
                v0 = v1;
                break;
            }
            case 1: case 2: {
                trace(11, v0);
                mark(12, (max(v0, v0) & v1));
                break;
            }
            case 3: {
                mark(13, (max(v3, 17u) + 38u));
                break;
            }
            default: {
                trace(14, (((inputs[3] >> 20) + 14u) - 28u));
                trace(15, (v2 - (v0 | v2)));
                trace(16, v1);
                break;
            }
            case 4: {
                v3 = v0;
                break;
            }
            }
            v1 = WaveActiveCountBits((((v0 * v3) + 17u) & 1u) != 0u); trace(17, v1);
            break;
        }
        case 1: {
            trace(18, ((v2 + v2) * 39u));
            break;
        }
        case 2: {
            v0 = WaveGetLaneIndex();
            v3 = ((v1 & v0) | (v0 * v3));
            break;
        }
        }
        v1 = WaveActiveBallot((((v3 * 29u) + 19u) & 1u) != 0u).x; trace(19, v1);
        break;
    }
    case 4101: {
        v0 = WavePrefixCountBits(((v2 + 20u) & 1u) != 0u); trace(20, v0);
        trace(21, (v0 + (v0 + 10u)));
        v1 = WaveActiveSum((v1 + 22u)); trace(22, v1);
        break;
    }
    case 8197: {
        trace(23, ((v3 + v1) + (v0 & 35u)));
        v0 = v0;
        break;
    }
    case 12293: default: case 16389: {
        trace(24, v0);
        break;
    }
    }
    mark(25, ((v3 + v0) + (v0 - 5u)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
