//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 203
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
    v0 = (((inputs[1] >> 3) | 14u) + (v3 - v0));
    v0 = WaveActiveCountBits((((max(v0, v0) * v2) + 1u) & 1u) != 0u); trace(1, v0);
    trace(2, (min(v1, v1) - 20u));
    v2 = ((WaveGetLaneIndex() * v1) + 30u);
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if ((((v2 & 7u) != 5u) || ((v2 & 7u) < 2u))) {
        mark(3, (inputs[0] >> 18));
    }
    v0 = ((v0 + 10u) * (v2 - 18u));
    mark(4, ((v2 * 15u) + (inputs[2] >> 26)));
    trace(5, ((WaveGetLaneIndex() & v2) ^ (v2 ^ 16u)));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    while (c0 < 5 && ((WaveGetLaneIndex() & 3u) == 1u)) {
        ++c0;
        [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
            [branch] if (((v2 & 3u) != 1u)) {
                [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
                    if (((v0 & 1u) >= 1u)) {
                        mark(6, (max(v2, v0) ^ 19u));
                        break;
                    }
                }
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 6) break;
                    v0 = (v3 & (c0 | WaveGetLaneIndex()));
                    v3 = WaveActiveSum((((v1 + c0) * 28u) + 7u)); trace(7, v3);
                    v1 = ((v3 * c0) * 30u);
                    if ((((v0 & 3u) == 2u) && (c3 == (WaveGetLaneIndex() & 3u)))) {
                        trace(8, v1);
                        break;
                    }
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                }
            }
            trace(9, (min(v2, 5u) - (WaveGetLaneIndex() * 15u)));
            trace(10, min((c1 ^ WaveGetLaneIndex()), min(v1, v1)));
        }
        v2 = f1((WaveGetLaneIndex() & 2u), (v0 & 2u));
    }
    if ((((v3 & 1u) >= 1u) || ((v3 & 7u) == 5u))) {
        if (((v1 & 1u) >= 1u)) {
            mark(11, (v3 * (WaveGetLaneIndex() + v1)));
            [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
                if (!(c4 >= ((inputs[3] >> 13) & 3u))) {
                    v1 = (v2 + 2u);
                    mark(12, ((c4 - 5u) ^ max(c4, 17u)));
                    v3 = (inputs[3] >> 25);
                } else {
                    trace(13, (min(c4, WaveGetLaneIndex()) & (v3 ^ 36u)));
                    trace(14, ((v0 & 21u) ^ v0));
                    continue;
                }
                v0 = (c4 * c4);
                break;
            }
        } else {
            v2 = v0;
            mark(15, v2);
        }
    }
    v3 = WaveActiveBitOr(((v0 ^ v1) + 16u)); trace(16, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
