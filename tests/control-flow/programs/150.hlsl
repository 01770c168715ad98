//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 150
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
    if ((((inputs[0] >> 13) & 3u) != 2u)) {
        mark(1, (max(v1, 26u) | (WaveGetLaneIndex() & (inputs[0] >> 25))));
        v0 = (v3 | 8u);
        uint c0 = 0;
        for (;;) {
            if (++c0 > 6) break;
            trace(2, ((v2 + 32u) + (v0 ^ 36u)));
            v2 = (v0 | (c0 - 31u));
            if ((v2 < (inputs[3] >> 11))) {
                trace(3, (v1 + (v3 + 13u)));
                break;
            }
            v0 = ((v3 ^ (inputs[1] >> 2)) - (c0 - v3));
        }
    } else {
        v3 = WaveActiveBitOr((v3 + 4u)); trace(4, v3);
        trace(5, v2);
        trace(6, ((v3 - (inputs[2] >> 14)) & 1u));
    }
    mark(7, v2);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    mark(8, (v2 * 5u));
    if (((v3 & 3u) == 1u)) {
        v0 = f0((v0 - v0), (v3 | v0));
    } else {
        for (uint c0 = 0; c0 < ((v1 & 3u) + 1u); ++c0) {
            if ((((inputs[3] >> 7) & 1u) != 0u)) {
                for (uint c1 = 0; c1 < 4u; ++c1) {
                    v2 = (v1 + 17u);
                }
                trace(9, (((inputs[1] >> 0) - v2) & v2));
                continue;
            } else {
                v0 = ((v1 + 37u) + (v0 - 38u));
            }
        }
    }
    v3 = min((v1 - 27u), (v3 * v1));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
