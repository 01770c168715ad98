//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 121
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
    for (uint c0 = 0; c0 < 4u; ++c0) {
        if (((c0 == (v2 & 3u)) && ((v2 & 7u) >= 3u))) {
            uint c1 = 0;
            do {
                ++c1;
                v0 = WaveActiveSum(((inputs[1] >> 25) + 1u)); trace(1, v0);
                trace(2, (max(v3, c0) | 27u));
                trace(3, v1);
            } while (c1 < 3 && (c0 < (inputs[1] >> 1)));
        } else {
            trace(4, ((v1 ^ 18u) * 12u));
            trace(5, v1);
            v3 = max((c0 + v1), 12u);
            break;
        }
        v2 = (min(c0, v1) - 30u);
    }
    v1 = WaveActiveCountBits((((((inputs[1] >> 14) ^ 24u) & 22u) + 6u) & 1u) != 0u); trace(6, v1);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (!((v0 & 7u) != 3u)) {
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                if (WaveActiveAllTrue((((c0 + 7u) & 7u) == 3u))) {
                    if (((c0 & 3u) != 0u)) {
                        trace(8, v2);
                        break;
                    } else {
                        mark(9, ((c0 - 8u) + (v1 & v1)));
                        v0 = ((c1 | c1) + (v3 ^ 30u));
                    }
                    v0 = f0(v1, ((inputs[2] >> 21) + c0));
                    break;
                }
            }
            trace(10, WaveGetLaneIndex());
        }
        v2 = WavePrefixSum((v0 + 11u)); trace(11, v2);
        continue;
    }
    trace(12, v3);
    if (((v1 < v2) || ((v2 & 3u) < 3u))) {
        trace(13, min(min(WaveGetLaneIndex(), v2), 32u));
    } else {
        mark(14, (inputs[0] >> 9));
    }
    v3 = WaveGetLaneIndex();
    for (uint c2 = 0; c2 < 4u; ++c2) {
        if (((v2 & 3u) != 0u)) {
            continue;
        }
        trace(15, ((inputs[2] >> 1) ^ min(v2, 28u)));
    }
    trace(16, max(v3, 12u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
