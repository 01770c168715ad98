//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 122
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((WaveGetLaneIndex() & 7u) >= 4u)) {
        v3 = ((v3 & v0) + 8u);
        if (((v1 & 3u) >= 2u)) {
            switch ((v3 & 3u)) {
            default: case 0: {
                v0 = ((v2 ^ 10u) - ((inputs[3] >> 0) ^ 32u));
                trace(1, (v2 | v1));
                [loop] for (uint c0 = 0; c0 < 3u; ++c0) {
                    [loop] for (uint c1 = 0; c1 < ((c0 & 3u) + 1u); ++c1) {
                        trace(2, (v1 ^ 9u));
                    }
                    trace(3, (c0 ^ v2));
                }
                break;
            }
            case 1: {
                v2 = WaveActiveBitAnd(((v1 - (v0 + 8u)) + 4u)); trace(4, v2);
                v2 = WaveActiveBitOr(((((inputs[0] >> 12) + 32u) & 4u) + 5u)); trace(5, v2);
                v3 = (((inputs[2] >> 19) + v2) - 32u);
                break;
            }
            }
        } else {
            mark(6, v2);
            mark(7, (v0 & WaveGetLaneIndex()));
        }
    } else {
        v2 = (min(v2, WaveGetLaneIndex()) + (WaveGetLaneIndex() * 19u));
        v1 = WaveActiveSum((((v3 + 16u) - (v3 + 15u)) + 8u)); trace(8, v1);
        v0 = WaveActiveBitOr((v1 + 9u)); trace(9, v0);
    }
    v1 = (((inputs[2] >> 2) & v1) * 37u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
