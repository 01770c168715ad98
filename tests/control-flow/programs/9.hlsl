//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 9
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        v3 = v1;
        break;
    }
    if (((v3 & 3u) != 1u)) {
        v1 = v0;
        uint c1 = 0;
        for (;;) {
            if (++c1 > 5) break;
            if (((v3 & 1u) < 1u)) {
                trace(21, min((inputs[2] >> 3), max(v2, v0)));
                break;
            }
            switch ((v0 & 7u)) {
            case 0: {
                if (WaveIsFirstLane()) {
                    trace(13, 1u);
                    if (((v1 & 7u) != 6u)) {
                        v3 = WaveActiveBallot(((max(((inputs[2] >> 11) ^ v3), (v3 * v2)) + 6u) & 1u) != 0u).x; trace(6, v3);
                        trace(7, c1);
                        trace(8, ((v2 + v3) + v2));
                    } else {
                        v1 = WavePrefixCountBits(((v2 + 9u) & 1u) != 0u); trace(9, v1);
                        v1 = WaveActiveMin((v1 + 10u)); trace(10, v1);
                        v2 = WaveActiveBitXor((c1 + 11u)); trace(11, v2);
                    }
                    v1 = max(c1, ((inputs[0] >> 4) * v1));
                    trace(12, v2);
                }
                v2 = ((v1 | 16u) * v1);
                v1 = WavePrefixCountBits(((c1 + 14u) & 1u) != 0u); trace(14, v1);
                break;
            }
            case 1: {
                trace(15, v2);
                break;
            }
            case 2: {
                v2 = ((c1 + v3) ^ 28u);
                trace(16, c1);
                break;
            }
            default: {
                v3 = ((v3 ^ v1) - 16u);
                break;
            }
            case 3: {
                v1 = WaveActiveBallot(((WaveGetLaneIndex() + 17u) & 1u) != 0u).x; trace(17, v1);
                v3 = c1;
                break;
            }
            case 4: {
                mark(18, min(v0, 2u));
                mark(19, (inputs[2] >> 21));
                v3 = (WaveGetLaneIndex() ^ 0u);
                break;
            }
            }
            v0 = (c1 & (v3 + (inputs[3] >> 16)));
            mark(20, ((inputs[3] >> 5) & 2u));
        }
        return;
    }
    v1 = (v3 - (v1 | v1));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
