//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 55
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v1 = min((v3 | v1), (v1 ^ v1));
    v1 = (((inputs[3] >> 6) ^ 35u) + 5u);
    trace(1, min(WaveGetLaneIndex(), 9u));
    trace(2, ((v0 + 12u) * ((inputs[1] >> 26) + 33u)));
    if (!((v1 & 1u) != 0u)) {
        if ((((v1 & 7u) == 2u) || ((v2 & 3u) >= 2u))) {
            v1 = WaveActiveSum((v3 + 3u)); trace(3, v1);
        }
    }
    switch ((v0 & 3u)) {
    case 0: {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                mark(4, (inputs[2] >> 26));
                if ((c2 < (c0 & 3u))) {
                    c0 = 1u;
                    break;
                }
                v2 = ((v3 & WaveGetLaneIndex()) * (c0 * 18u));
            }
            if ((c0 != 0u)) {
                break;
            }
            v3 = v0;
        }
        [loop] for (uint c3 = 0; c3 < 4u; ++c3) {
            v2 = ((WaveGetLaneIndex() ^ (inputs[0] >> 14)) + (c0 + 36u));
        }
        break;
    }
    case 1: {
        v2 = ((v1 | 38u) - (inputs[1] >> 0));
        [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
            switch ((v0 & 3u)) {
            case 0: case 1: {
                uint c5 = 0u;
                for (uint c6 = 0; c6 < 2u; ++c6) {
                    for (uint c7 = 0; c7 < 2u; ++c7) {
                        if ((v3 < WaveGetLaneIndex())) {
                            c5 = 1u;
                            break;
                        }
                        mark(5, (((inputs[2] >> 28) * c5) ^ 0u));
                    }
                    if ((c5 != 0u)) {
                        break;
                    }
                    mark(6, WaveGetLaneIndex());
                }
                v2 = v0;
                break;
            }
            default: {
                v1 = WaveActiveSum((((v1 + v0) - (v2 - 25u)) + 7u)); trace(7, v1);
                trace(8, (c4 | min(v0, v0)));
                break;
            }
            case 2: case 3: {
                v0 = WaveActiveBallot(((v2 + 9u) & 1u) != 0u).x; trace(9, v0);
                break;
            }
            }
        }
        v0 = WaveActiveCountBits((((((inputs[3] >> 11) * v1) ^ 15u) + 10u) & 1u) != 0u); trace(10, v0);
        break;
    }
    default: case 2: case 3: {
        v0 = WaveActiveMin((max(v2, 20u) + 11u)); trace(11, v0);
        v1 = WaveActiveSum((((inputs[3] >> 17) * 38u) + 12u)); trace(12, v1);
        trace(13, ((v3 | v0) + v3));
        break;
    }
    }
    trace(14, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
