//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 10
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if (((v1 & 3u) == 1u)) {
        [branch] if (((v3 & 3u) != 0u)) {
            if ((((v2 & 3u) != 2u) || (((inputs[3] >> 8) & 7u) != 6u))) {
                v2 = v0;
            }
        }
    } else {
        trace(1, max((v2 + v1), (inputs[3] >> 12)));
    }
    v1 = WaveActiveSum(((((inputs[0] >> 24) - 31u) * (v3 + v0)) + 2u)); trace(2, v1);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v1 & 3u) == 1u)) {
        v2 = v3;
        if (((v0 & 3u) == 0u)) {
            uint c0 = 0u;
            for (uint c1 = 0; c1 < 3u; ++c1) {
                for (uint c2 = 0; c2 < 2u; ++c2) {
                    if (((v0 & 1u) < 1u)) {
                        trace(3, (v3 & (c0 | 21u)));
                        break;
                    }
                    if (((v1 & 7u) == 6u)) {
                        v0 = WaveActiveMin(((v3 + 27u) + 4u)); trace(4, v0);
                    } else {
                        trace(5, v2);
                        v0 = v0;
                    }
                    if ((((WaveGetLaneIndex() & 3u) == 2u) || (v2 < v3))) {
                        c0 = 1u;
                        break;
                    }
                }
                if ((c0 != 0u)) {
                    break;
                }
                trace(6, (max(v3, 8u) ^ v1));
            }
            mark(7, v2);
            v3 = f0((c0 ^ 12u), (inputs[0] >> 4));
        }
    } else {
        if ((((v0 & 7u) < 6u) || ((v1 & 1u) >= 1u))) {
            v2 = f0((v2 * 18u), v2);
            switch ((v1 & 3u)) {
            case 0: {
                switch ((v2 & 7u)) {
                case 0: case 1: {
                    trace(8, (max(v3, 12u) ^ (v1 + 37u)));
                    if ((v2 < v3)) {
                        v1 = ((v0 & v3) - 1u);
                        mark(9, (max((inputs[3] >> 25), 31u) + ((inputs[1] >> 3) + v0)));
                        v0 = max(v1, (v3 * v0));
                    }
                    break;
                }
                case 2: case 3: case 4: {
                    mark(10, ((v3 & v2) - 0u));
                    break;
                }
                default: {
                    v2 = ((v0 | 37u) + 4u);
                    v2 = v2;
                    break;
                }
                }
                break;
            }
            case 1: case 2: {
                v0 = v3;
                break;
            }
            }
        } else {
            mark(11, ((v1 + 36u) ^ 1u));
            trace(12, (v0 + (WaveGetLaneIndex() | v1)));
        }
        v0 = ((v0 & v3) - (inputs[1] >> 3));
    }
    mark(13, (v0 + (v1 * v2)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
