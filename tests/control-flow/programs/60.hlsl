//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 60
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v0 & 3u)) {
    case 0: {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                if (((v2 & 3u) != 1u)) {
                    [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
                        v0 = max(v0, (v3 * v3));
                        mark(11, c0);
                        v2 = v3;
                    }
                    v3 = WaveActiveBallot((((max(v1, 27u) + ((inputs[0] >> 15) & v0)) + 12u) & 1u) != 0u).x; trace(12, v3);
                    trace(13, (v1 * (v2 + c1)));
                }
                if ((((inputs[0] >> 18) & 3u) == 0u)) {
                    c0 = 1u;
                    break;
                }
                mark(14, v0);
                trace(15, ((v1 * 31u) ^ c1));
            }
            if ((c0 != 0u)) {
                break;
            }
            v1 = max(c1, 3u);
        }
        break;
    }
    case 1: {
        v2 = max((v1 | 22u), 27u);
        v0 = WaveActiveBallot((((inputs[0] >> 26) + 16u) & 1u) != 0u).x; trace(16, v0);
        v1 = (((inputs[3] >> 14) + v2) - 15u);
        break;
    }
    default: {
        trace(17, v3);
        break;
    }
    case 2: {
        trace(18, v0);
        v0 = WaveActiveBitOr(((max(WaveGetLaneIndex(), 11u) * (inputs[2] >> 9)) + 19u)); trace(19, v0);
        break;
    }
    case 3: {
        trace(20, ((v1 + v2) - (v0 - v0)));
        v0 = (inputs[2] >> 13);
        mark(21, max(min(v3, 31u), min(v0, v2)));
        break;
    }
    }
    v3 = v1;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
