//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 26
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if (((v0 & 3u) < 1u)) {
                trace(17, v2);
                trace(18, ((v0 ^ v1) * (c0 - v2)));
            }
            if (((((inputs[3] >> 20) & 3u) < 3u) && ((v3 & 7u) < 6u))) {
                c0 = 1u;
                break;
            }
            if (((v3 & 3u) < 3u)) {
                if ((c2 < v0)) {
                    continue;
                }
                if ((c1 < WaveGetLaneIndex())) {
                    v1 = (v3 - (v0 & 17u));
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                }
            } else {
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 6) break;
                    mark(19, ((v3 | v2) ^ 1u));
                    switch ((v1 & 7u)) {
                    default: {
                        mark(20, ((v1 | v2) + min(c2, 10u)));
                        break;
                    }
                    case 0: {
                        v2 = WaveActiveBitAnd((c1 + 21u)); trace(21, v2);
                        v0 = WaveActiveBitOr((((WaveGetLaneIndex() + 10u) * 38u) + 22u)); trace(22, v0);
                        break;
                    }
                    case 1: case 2: case 3: case 4: {
                        trace(23, v3);
                        trace(24, ((inputs[2] >> 11) + 8u));
                        trace(25, WaveGetLaneIndex());
                        break;
                    }
                    }
                    trace(26, ((v1 * 11u) - v3));
                    if (((v0 & 3u) != 0u)) {
                        v0 = v1;
                        break;
                    }
                }
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v2 = (inputs[0] >> 19);
    }
    mark(27, min((WaveGetLaneIndex() | v1), v0));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
