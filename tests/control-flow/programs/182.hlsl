//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 182
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
    v0 = (v0 + 31u);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        mark(1, ((v3 & (inputs[0] >> 2)) - 15u));
        v0 = WaveActiveSum((min((v2 ^ 32u), max(v2, v2)) + 2u)); trace(2, v0);
        v2 = (min(v2, v0) + 19u);
    }
    mark(3, (v3 + v1));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    [branch] if ((((v3 & 1u) != 0u) || (((inputs[1] >> 6) & 3u) == 0u))) {
        for (uint c0 = 0; c0 < 2u; ++c0) {
            trace(8, ((v0 + 38u) + v1));
        }
    }
    mark(9, ((v1 | v2) | 20u));
    v2 = WavePrefixCountBits(((v3 + 10u) & 1u) != 0u); trace(10, v2);
    v0 = f0((WaveGetLaneIndex() + v3), (v3 & 29u));
    uint c1 = 0;
    while (c1 < 4 && !((v0 & 3u) == 2u)) {
        ++c1;
        if ((v3 < v3)) {
            mark(11, (max(WaveGetLaneIndex(), 9u) - c1));
            continue;
        } else {
            uint c2 = 0;
            for (;;) {
                if (++c2 > 3) break;
                if (((v3 & 1u) < 1u)) {
                    break;
                }
                mark(12, max((c2 + c2), 0u));
                trace(13, v1);
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 5) break;
                    switch ((v0 & 3u)) {
                    case 0: {
                        v0 = ((v2 & (inputs[3] >> 26)) * 31u);
                        v0 = (((inputs[3] >> 19) * 33u) - 19u);
                        break;
                    }
                    case 1: {
                        v3 = WaveActiveBitAnd((min((v3 | c2), min(c2, v3)) + 14u)); trace(14, v3);
                        break;
                    }
                    default: {
                        mark(15, ((v1 * v0) + (v1 * c2)));
                        break;
                    }
                    }
                    mark(16, (c2 & max(v1, c2)));
                    if ((c2 == (c3 & 3u))) {
                        break;
                    }
                    v1 = max(v2, 32u);
                }
            }
            v1 = (v2 ^ v2);
            v1 = ((v3 - v1) + 39u);
            continue;
        }
        v2 = WaveActiveSum((min((c1 | 37u), 16u) + 17u)); trace(17, v2);
    }
    v2 = WavePrefixSum((((v3 ^ v0) - ((inputs[2] >> 28) + 24u)) + 18u)); trace(18, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
