//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 46
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
    trace(14, (min(v3, (inputs[0] >> 7)) + 18u));
    switch (((inputs[3] >> 0) & 3u)) {
    case 0: {
        [branch] if (WaveActiveAllTrue(((((inputs[0] >> 1) + 15u) & 7u) < 3u))) {
            trace(29, 1u);
            if (((v1 & 1u) < 1u)) {
                uint c0 = 0;
                for (;;) {
                    if (++c0 > 4) break;
                    if (((v3 & 1u) < 1u)) {
                        break;
                    }
                    if (((v3 & 7u) < 5u)) {
                        v0 = c0;
                        v1 = WaveActiveSum((max((v1 & v0), (WaveGetLaneIndex() + c0)) + 16u)); trace(16, v1);
                        mark(17, (c0 & 0u));
                    } else {
                        mark(18, v3);
                        v0 = min((v0 & v2), 12u);
                    }
                    mark(19, (c0 | (v0 - v3)));
                }
                trace(20, v0);
                switch ((WaveGetLaneIndex() & 3u)) {
                case 0: default: {
                    mark(21, ((v3 + v2) | (v2 - 13u)));
                    break;
                }
                case 1: {
                    v3 = ((v1 | 7u) * v0);
                    break;
                }
                case 2: {
                    trace(22, v0);
                    trace(23, v0);
                    trace(24, v1);
                    break;
                }
                }
            } else {
                v2 = WavePrefixSum((min((WaveGetLaneIndex() * v3), min(v1, v1)) + 25u)); trace(25, v2);
                mark(26, ((v3 * 23u) | 10u));
                v2 = WaveActiveBitOr((v2 + 27u)); trace(27, v2);
            }
            trace(28, (max(WaveGetLaneIndex(), v2) & 14u));
        }
        trace(30, max(v3, WaveGetLaneIndex()));
        break;
    }
    default: {
        v3 = WavePrefixCountBits(((((v0 + 7u) * (inputs[1] >> 28)) + 31u) & 1u) != 0u); trace(31, v3);
        break;
    }
    case 1: {
        v2 = (v1 | (v2 + v2));
        break;
    }
    case 2: case 3: {
        v0 = (min(v1, 36u) | 19u);
        trace(32, min((v1 | v1), 3u));
        break;
    }
    }
    v1 = (max(WaveGetLaneIndex(), v3) + v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
