//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 197
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
    trace(1, (inputs[0] >> 10));
    if (((v1 & 7u) >= 6u)) {
        uint c0 = 0;
        while (c0 < 5 && ((v2 & 1u) == 0u)) {
            ++c0;
            v0 = v0;
            v1 = WavePrefixCountBits((((c0 ^ (c0 * v2)) + 2u) & 1u) != 0u); trace(2, v1);
            v3 = WaveReadLaneFirst((max((WaveGetLaneIndex() * 5u), ((inputs[0] >> 16) + 18u)) + 3u)); trace(3, v3);
        }
        v3 = v0;
    } else {
        v2 = WaveActiveBitAnd((((v0 | (inputs[0] >> 20)) - (v2 | v2)) + 4u)); trace(4, v2);
    }
    trace(5, ((v2 + v2) & 10u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = WaveActiveSum(((inputs[2] >> 12) + 6u)); trace(6, v2);
    v2 = f0(v3, min(v2, v0));
    for (uint c0 = 0; c0 < 5u; ++c0) {
        switch ((v0 & 3u)) {
        case 0: {
            trace(7, (v2 + 7u));
            trace(8, v2);
            v3 = ((c0 * 20u) & 9u);
            break;
        }
        case 1: {
            mark(9, (v0 * 24u));
            [loop] for (uint c1 = 0; c1 < 5u; ++c1) {
                trace(10, v1);
            }
            [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                trace(11, v0);
                trace(12, ((c0 + (inputs[1] >> 17)) + 12u));
                [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                    v2 = (v3 - v0);
                    trace(13, ((c3 - v0) & 27u));
                    v0 = min(v3, max(c3, v3));
                }
            }
            break;
        }
        default: {
            uint c4 = 0;
            while (c4 < 5 && ((v3 & 7u) < 2u)) {
                ++c4;
                trace(14, min((v2 & 9u), 18u));
                trace(15, (((v0 | 17u) + v2) + 15u));
            }
            break;
        }
        case 2: case 3: {
            trace(16, (min(c0, WaveGetLaneIndex()) & max(WaveGetLaneIndex(), v3)));
            v0 = ((WaveGetLaneIndex() * 39u) & ((inputs[0] >> 7) + 12u));
            v1 = (max(v0, 30u) + 1u);
            break;
        }
        }
        break;
    }
    mark(17, min(v3, (v3 ^ v1)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
