//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 180
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v1 & 7u)) {
    case 0: default: {
        uint c0 = 0;
        for (;;) {
            if (++c0 > 6) break;
            v0 = WaveActiveSum((max((v0 | v2), 18u) + 1u)); trace(1, v0);
            for (uint c1 = 0; c1 < 2u; ++c1) {
                v2 = max((v2 * 21u), min(v2, 10u));
            }
            if (((inputs[1] >> 22) < WaveGetLaneIndex())) {
                break;
            }
        }
        break;
    }
    case 1: case 2: case 3: {
        trace(2, min((v2 & v3), 34u));
        switch ((v0 & 3u)) {
        case 0: {
            [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
                v1 = (c2 ^ v3);
                if (((c2 >= (v2 & 3u)) && ((v1 & 1u) == 0u))) {
                    trace(3, v3);
                    if (((c2 & 3u) < 2u)) {
                        trace(4, ((min(c2, 17u) & 5u) + 4u));
                    }
                    break;
                } else {
                    v2 = WaveActiveMin((v3 + 5u)); trace(5, v2);
                    trace(6, v0);
                    mark(7, v2);
                }
                v0 = (inputs[1] >> 18);
            }
            mark(8, ((v3 & 34u) | v0));
            break;
        }
        case 1: case 2: case 3: {
            trace(9, ((v2 + WaveGetLaneIndex()) ^ (v3 ^ 36u)));
            v0 = (inputs[3] >> 1);
            break;
        }
        default: {
            v2 = WaveActiveBitAnd((((v0 - v2) + v3) + 10u)); trace(10, v2);
            trace(11, v2);
            v1 = ((v3 + v0) - 38u);
            break;
        }
        }
        break;
    }
    case 4: {
        v0 = WaveActiveSum(((WaveGetLaneIndex() + (v2 ^ v1)) + 12u)); trace(12, v0);
        trace(13, min(v1, (WaveGetLaneIndex() ^ 30u)));
        trace(14, v1);
        break;
    }
    }
    v3 = v2;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
