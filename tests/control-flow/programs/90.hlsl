//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 90
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
    [branch] if (((WaveGetLaneIndex() & 1u) >= 1u)) {
        mark(1, (v2 & (v0 & v1)));
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            uint c1 = 0u;
            for (uint c2 = 0; c2 < 2u; ++c2) {
                for (uint c3 = 0; c3 < 4u; ++c3) {
                    if ((c3 >= (v1 & 3u))) {
                        c1 = 1u;
                        break;
                    }
                    trace(2, v1);
                    trace(3, max(v1, (v1 | v0)));
                }
                if ((c1 != 0u)) {
                    break;
                }
                trace(4, v0);
            }
        }
    }
    trace(5, (max(v3, v0) + 24u));
    v2 = WaveActiveBallot((((inputs[2] >> 28) + 6u) & 1u) != 0u).x; trace(6, v2);
    v1 = ((v2 & v3) - (v1 + 0u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(17, max(v2, v1));
    v2 = min((v2 | v1), 7u);
    [loop] for (uint c0 = 0; c0 < ((v1 & 3u) + 1u); ++c0) {
        if ((WaveGetLaneIndex() < v1)) {
            continue;
        }
        trace(18, (c0 + (inputs[0] >> 23)));
    }
    v0 = WaveActiveBallot(((min(WaveGetLaneIndex(), 37u) + 19u) & 1u) != 0u).x; trace(19, v0);
    if (!((v2 & 3u) == 2u)) {
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 2u; ++c2) {
            for (uint c3 = 0; c3 < 2u; ++c3) {
                mark(20, v3);
                v2 = f0(c3, ((inputs[0] >> 20) - v2));
                v2 = WaveGetLaneIndex();
                if (((c1 == (v0 & 3u)) && (((inputs[2] >> 24) & 3u) >= 2u))) {
                    c1 = 1u;
                    break;
                }
            }
            if ((c1 != 0u)) {
                break;
            }
            v2 = v3;
        }
    } else {
        v0 = (v2 - (v2 ^ 18u));
        [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
            trace(21, (((inputs[1] >> 17) ^ 25u) & v0));
            if (((v0 & 1u) >= 1u)) {
                if ((((v3 & 1u) == 0u) || (c4 >= ((inputs[1] >> 8) & 3u)))) {
                    trace(22, (v3 ^ 4u));
                    break;
                }
            } else {
                uint c5 = 0;
                for (;;) {
                    if (++c5 > 5) break;
                    if (!((v2 & 1u) == 0u)) {
                        break;
                    }
                    mark(23, v1);
                }
                mark(24, min(WaveGetLaneIndex(), c4));
                trace(25, (min(v0, c4) * (v1 + 34u)));
            }
            continue;
        }
    }
    trace(26, ((v0 + v2) - 11u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
