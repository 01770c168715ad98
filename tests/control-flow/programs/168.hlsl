//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 168
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
    switch ((v3 & 3u)) {
    case 0: case 1: {
        uint c0 = 0;
        for (;;) {
            if (++c0 > 6) break;
            if (((v0 & 3u) >= 3u)) {
                v3 = WaveActiveCountBits(((((v2 + v3) + 38u) + 6u) & 1u) != 0u); trace(6, v3);
                break;
            }
            [loop] for (uint c1 = 0; c1 < 5u; ++c1) {
                mark(1, ((v3 - 6u) & max(c1, c1)));
                if (((v1 & 7u) != 6u)) {
                    trace(2, min(WaveGetLaneIndex(), (v3 ^ 12u)));
                    if ((((v3 & 1u) < 1u) && ((c0 & 7u) != 5u))) {
                        v1 = ((v0 & v0) & 36u);
                        mark(3, ((c1 + v2) + v2));
                        mark(4, (inputs[2] >> 11));
                    }
                } else {
                    trace(5, ((inputs[3] >> 13) - WaveGetLaneIndex()));
                    v0 = v0;
                    continue;
                }
                v1 = (inputs[3] >> 18);
            }
        }
        break;
    }
    default: {
        mark(7, ((v3 & v2) * (v0 * 10u)));
        v3 = ((WaveGetLaneIndex() + (inputs[0] >> 21)) - v3);
        break;
    }
    case 2: {
        v3 = WavePrefixSum((((v2 + v2) ^ v1) + 8u)); trace(8, v3);
        v2 = ((v0 & 9u) - max(WaveGetLaneIndex(), v1));
        mark(9, v0);
        break;
    }
    }
    trace(10, min((WaveGetLaneIndex() ^ (inputs[2] >> 4)), (v2 * 23u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
