//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 65
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((((v0 & 7u) * 4096u) + 5u)) {
    case 5: {
        mark(1, ((v1 + v1) - ((inputs[3] >> 19) ^ v1)));
        [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
            trace(2, ((v0 * v0) ^ 0u));
            [branch] if (!((v1 & 7u) >= 6u)) {
                uint c1 = 0;
                for (;;) {
                    if (++c1 > 4) break;
                    if (((v0 & 3u) < 1u)) {
                        v3 = WaveActiveBitXor((((v0 | 24u) + 33u) + 7u)); trace(7, v3);
                        break;
                    }
                    if ((((WaveGetLaneIndex() & 3u) != 2u) && ((c1 & 7u) == 1u))) {
                        v0 = WavePrefixSum(((max(v1, (inputs[2] >> 26)) + 28u) + 3u)); trace(3, v0);
                    }
                    if ((c1 >= (WaveGetLaneIndex() & 3u))) {
                        trace(4, (v1 + 35u));
                        v3 = (max(v2, 37u) ^ v2);
                        v2 = WavePrefixSum((v1 + 5u)); trace(5, v2);
                    } else {
                        trace(6, (v0 + 22u));
                        break;
                    }
                }
                mark(8, ((v1 + v2) & 30u));
            }
            trace(9, ((WaveGetLaneIndex() | c0) + ((inputs[2] >> 23) + v1)));
        }
        break;
    }
    case 4101: {
        trace(10, ((v0 * (inputs[3] >> 12)) * 27u));
        break;
    }
    case 8197: {
        mark(11, (v3 + (v1 * (inputs[1] >> 5))));
        trace(12, (v3 - v1));
        v3 = WaveActiveSum(((v3 ^ 16u) + 13u)); trace(13, v3);
        break;
    }
    case 12293: {
        v1 = ((v2 - 23u) | v0);
        trace(14, ((v3 * 2u) * v1));
        v0 = WaveActiveBitAnd((v2 + 15u)); trace(15, v0);
        break;
    }
    default: {
        v2 = WavePrefixSum((((v0 | v0) | v1) + 16u)); trace(16, v2);
        trace(17, v1);
        trace(18, (v3 - 32u));
        break;
    }
    case 16389: {
        v1 = WaveActiveCountBits((((v0 * v3) + 19u) & 1u) != 0u); trace(19, v1);
        trace(20, (((inputs[1] >> 1) + WaveGetLaneIndex()) - 24u));
        break;
    }
    }
    trace(21, (v3 & 12u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
