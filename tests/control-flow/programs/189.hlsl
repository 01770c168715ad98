//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 189
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
    mark(1, max((v3 | 31u), (v3 + 22u)));
    if (!((WaveGetLaneIndex() & 1u) >= 1u)) {
        v2 = WavePrefixCountBits(((max(v3, max((inputs[0] >> 4), 35u)) + 2u) & 1u) != 0u); trace(2, v2);
        mark(3, (v1 + ((inputs[3] >> 26) + v3)));
    }
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            if ((((v3 & 1u) != 0u) && (c0 >= (WaveGetLaneIndex() & 3u)))) {
                mark(4, v3);
                if (WaveActiveAllTrue((((v3 + 5u) & 7u) < 3u))) {
                    if (WaveActiveAnyTrue((((v3 + 6u) & 7u) < 3u))) {
                        break;
                    }
                }
                if (((WaveGetLaneIndex() & 3u) == 2u)) {
                    switch (((inputs[1] >> 11) & 3u)) {
                    case 0: case 1: {
                        v2 = ((v1 + 21u) & max((inputs[3] >> 18), 20u));
                        break;
                    }
                    default: {
                        v3 = ((v2 & c1) - v2);
                        break;
                    }
                    }
                    [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                        trace(7, min(((inputs[0] >> 5) - 35u), max(WaveGetLaneIndex(), 16u)));
                        trace(8, (v2 + (v1 & v3)));
                        mark(9, c2);
                        break;
                    }
                } else {
                    v0 = min((v2 + 21u), ((inputs[1] >> 22) & v1));
                }
            } else {
                trace(10, v1);
                mark(11, ((WaveGetLaneIndex() + 9u) & 32u));
                trace(12, min(min(c2, v3), ((inputs[2] >> 21) * 3u)));
            }
            if (((v2 & 3u) != 2u)) {
                c0 = 1u;
                break;
            }
            trace(13, ((WaveGetLaneIndex() & 14u) * max(c2, 23u)));
            trace(14, (WaveGetLaneIndex() + (v2 | 23u)));
        }
        if ((c0 != 0u)) {
            break;
        }
        v3 = WaveActiveCountBits(((((v1 ^ 17u) | v2) + 15u) & 1u) != 0u); trace(15, v3);
    }
    trace(16, (v3 * 33u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
