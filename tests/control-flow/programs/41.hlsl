//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 41
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v1 & 1u) < 1u)) {
        if (((v2 & 7u) == 5u)) {
            if (((v1 & 7u) == 0u)) {
                switch ((v0 & 3u)) {
                default: case 0: {
                    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
                        trace(1, v1);
                        trace(2, c0);
                        v2 = c0;
                    }
                    switch ((v2 & 3u)) {
                    case 0: {
                        v1 = ((v0 | v2) + 17u);
                        trace(3, v0);
                        break;
                    }
                    case 1: {
                        v0 = WaveActiveMax(((v3 - v1) + 4u)); trace(4, v0);
                        break;
                    }
                    default: {
                        trace(5, v0);
                        break;
                    }
                    }
                    v1 = v2;
                    return;
                }
                case 1: {
                    trace(6, max((v0 & 14u), max(v0, 27u)));
                    break;
                }
                }
                v1 = ((v0 * 32u) | v3);
            } else {
                trace(7, ((v3 + 6u) | (v3 | (inputs[1] >> 26))));
                trace(8, ((WaveGetLaneIndex() + 20u) ^ (v0 ^ 11u)));
            }
            trace(9, v3);
            v1 = (min(v3, v1) - 6u);
        }
        mark(10, ((v3 ^ (inputs[1] >> 25)) * v2));
        trace(11, max((inputs[3] >> 12), v2));
    } else {
        trace(12, min(v1, 17u));
        v1 = WaveActiveCountBits(((((WaveGetLaneIndex() & v0) * 2u) + 13u) & 1u) != 0u); trace(13, v1);
        v0 = v0;
    }
    v3 = WaveActiveBitXor((((v1 * 8u) + (v3 | 32u)) + 14u)); trace(14, v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
