//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 47
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v0 & 1u) == 0u)) {
        if (WaveActiveAllTrue((((v0 + 7u) & 7u) == 3u))) {
            if (((v2 & 3u) == 0u)) {
                if ((((v2 & 7u) >= 3u) && ((v3 & 3u) != 0u))) {
                    if (((v1 & 3u) >= 2u)) {
                        v0 = ((v2 - v1) & 15u);
                        mark(8, (v0 | 28u));
                        mark(9, (max(v2, v1) ^ v3));
                    }
                    if (((v3 & 1u) == 0u)) {
                        mark(10, v1);
                    }
                    switch ((v0 & 3u)) {
                    case 0: {
                        v3 = WavePrefixCountBits((((v1 ^ max(v2, v3)) + 11u) & 1u) != 0u); trace(11, v3);
                        break;
                    }
                    case 1: {
                        mark(12, (((inputs[2] >> 4) ^ v3) & 25u));
                        break;
                    }
                    default: {
                        trace(13, ((v1 + v2) + min(v3, WaveGetLaneIndex())));
                        v2 = WaveActiveSum((v3 + 14u)); trace(14, v2);
                        v0 = WavePrefixCountBits(((min((v3 ^ v3), max(v1, v3)) + 15u) & 1u) != 0u); trace(15, v0);
                        break;
                    }
                    case 2: {
                        v2 = WaveActiveCountBits((((inputs[1] >> 10) + 16u) & 1u) != 0u); trace(16, v2);
                        trace(17, v0);
                        v2 = ((v1 + 37u) - (v0 | 19u));
                        break;
                    }
                    case 3: {
                        trace(18, (inputs[1] >> 27));
                        break;
                    }
                    }
                } else {
                    v1 = WaveReadLaneFirst((WaveGetLaneIndex() + 19u)); trace(19, v1);
                    trace(20, min((WaveGetLaneIndex() ^ v1), (v0 + 12u)));
                    v2 = WavePrefixCountBits(((v3 + 21u) & 1u) != 0u); trace(21, v2);
                }
                mark(22, ((inputs[3] >> 15) & 6u));
                mark(23, ((v0 - v3) ^ (v1 | v1)));
            } else {
                v3 = v1;
                trace(24, (min(v1, 37u) ^ min(v2, 19u)));
                v1 = ((v3 | 38u) ^ v3);
            }
            trace(25, min((v3 + v1), 18u));
        }
        v3 = v3;
    }
    trace(26, (((inputs[1] >> 4) + WaveGetLaneIndex()) + 9u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
