//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 110
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(1, ((inputs[3] >> 18) | max(v0, v2)));
    v2 = (v2 * v1);
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if (((v3 & 1u) != 0u)) {
                c0 = 1u;
                break;
            }
            [branch] if ((((v0 & 3u) == 2u) && ((WaveGetLaneIndex() & 1u) >= 1u))) {
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 5) break;
                    if ((c3 < (v3 & 3u))) {
                        v3 = ((WaveGetLaneIndex() * 11u) + ((inputs[0] >> 19) ^ v1));
                        break;
                    }
                    trace(2, ((v1 + 5u) - (c0 + v2)));
                    trace(3, max(v3, c0));
                    continue;
                }
                break;
            } else {
                v2 = WaveActiveBitOr((v2 + 4u)); trace(4, v2);
                switch ((c0 & 7u)) {
                case 0: {
                    v1 = WaveReadLaneFirst((WaveGetLaneIndex() + 5u)); trace(5, v1);
                    v2 = WaveActiveBallot(((((v1 * WaveGetLaneIndex()) ^ 36u) + 6u) & 1u) != 0u).x; trace(6, v2);
                    if (((c2 & 3u) == 2u)) {
                        v2 = v3;
                    }
                    break;
                }
                case 1: {
                    v3 = WaveActiveBitAnd(((inputs[1] >> 11) + 7u)); trace(7, v3);
                    v1 = WaveActiveMax((((v3 + 2u) | (c0 & 1u)) + 8u)); trace(8, v1);
                    break;
                }
                case 2: {
                    mark(9, ((v0 + v3) + 12u));
                    v2 = ((c0 + 33u) | 24u);
                    break;
                }
                case 3: {
                    trace(10, v0);
                    v0 = v1;
                    continue;
                }
                case 4: {
                    v0 = ((v2 + (inputs[2] >> 4)) | (v1 ^ c2));
                    trace(11, (max(v3, (inputs[3] >> 8)) & 5u));
                    continue;
                }
                }
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v1 = WaveActiveBitXor((((v2 ^ v3) | 36u) + 12u)); trace(12, v1);
    }
    v0 = WaveActiveCountBits(((v3 + 13u) & 1u) != 0u); trace(13, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
