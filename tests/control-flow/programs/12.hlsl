//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 12
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
    if (((v1 & 1u) >= 1u)) {
        if (WaveActiveAnyTrue(((((inputs[3] >> 11) + 1u) & 7u) == 3u))) {
            trace(6, 1u);
            uint c0 = 0;
            for (;;) {
                if (++c0 > 3) break;
                trace(2, min(c0, v1));
                if ((c0 < (c0 & 3u))) {
                    trace(3, max(max(c0, 5u), (v0 & v1)));
                    trace(4, (min(v2, 4u) | (c0 - 12u)));
                }
                if (((c0 >= (c0 & 3u)) || (c0 < (v1 & 3u)))) {
                    break;
                }
            }
            mark(5, max(v0, 3u));
        }
        v0 = WaveActiveMin((((v0 | v2) * (v3 * WaveGetLaneIndex())) + 7u)); trace(7, v0);
    } else {
        trace(8, max((v1 + 2u), WaveGetLaneIndex()));
        v1 = (min(v0, v3) * 12u);
        trace(9, (v1 + (v1 + 4u)));
    }
    v1 = WaveReadLaneFirst(((v2 + ((inputs[2] >> 26) - v0)) + 10u)); trace(10, v1);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    while (c0 < 4 && ((((inputs[0] >> 2) & 1u) != 0u) && ((v1 & 1u) != 0u))) {
        ++c0;
        v0 = min((v0 + 1u), 32u);
        break;
    }
    if (((v1 & 3u) != 2u)) {
        v0 = min((v0 * 22u), (v2 ^ WaveGetLaneIndex()));
        trace(11, ((v1 + 39u) + 32u));
        switch ((v0 & 7u)) {
        case 0: {
            trace(12, min((v2 * 17u), (v1 + WaveGetLaneIndex())));
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
        case 1: {
            trace(13, (v3 & min(v3, WaveGetLaneIndex())));
            break;
        }
        case 2: {
            if ((v1 < v0)) {
                v0 = f0((v2 | v1), min(WaveGetLaneIndex(), v1));
                if (((v3 & 1u) == 0u)) {
                    v3 = WaveActiveMin((((v3 - 38u) * (v2 & v2)) + 14u)); trace(14, v3);
                }
                if (WaveActiveAllTrue(((((inputs[3] >> 20) + 15u) & 7u) == 3u))) {
                    trace(17, 1u);
                    v2 = f0(min(v2, 20u), (v2 + v3));
                    v1 = (max((inputs[1] >> 15), v2) + (v1 ^ 3u));
                    if ((((v1 & 3u) < 2u) || ((v1 & 3u) >= 3u))) {
                        mark(16, (min(v1, 29u) + max(v3, 8u)));
                    }
                } else {
                    mark(18, v1);
                }
            }
            trace(19, ((v1 * v0) - 36u));
            mark(20, max((v2 * 26u), 6u));
            break;
        }
        case 3: {
            mark(21, max(v3, 10u));
            break;
        }
        case 4: {
            trace(22, ((v1 + v2) & (WaveGetLaneIndex() + 16u)));
            break;
        }
        }
    }
    v2 = WaveActiveMin((max((v0 + 10u), max(v1, 17u)) + 23u)); trace(23, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
