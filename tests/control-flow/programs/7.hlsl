//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 7
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    for (uint c0 = 0; c0 < ((v1 & 3u) + 2u); ++c0) {
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 2u; ++c2) {
            for (uint c3 = 0; c3 < 4u; ++c3) {
                if (((v1 & 3u) < 2u)) {
                    c1 = 1u;
                    break;
                }
                v1 = WaveActiveSum((max((v2 ^ 10u), 15u) + 14u)); trace(14, v1);
            }
            if ((c1 != 0u)) {
                break;
            }
            v2 = v2;
        }
        for (uint c4 = 0; c4 < ((v3 & 3u) + 0u); ++c4) {
            [loop] for (uint c5 = 0; c5 < 3u; ++c5) {
                v0 = WaveActiveSum((((v1 * v3) & (v1 - c0)) + 15u)); trace(15, v0);
                v2 = (max(v2, c1) ^ (v2 & v2));
                mark(16, ((WaveGetLaneIndex() + v0) * 20u));
            }
            v1 = WaveActiveBallot((((v2 + 37u) + 17u) & 1u) != 0u).x; trace(17, v1);
        }
        if (((v2 & 7u) == 1u)) {
            trace(18, (inputs[1] >> 20));
            v1 = ((v3 + 16u) + max(c1, (inputs[2] >> 0)));
        }
    }
    v0 = (((inputs[0] >> 8) & 2u) - 28u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
