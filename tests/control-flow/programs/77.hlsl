//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 77
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
    v0 = max((v1 - 38u), 27u);
    trace(1, (((inputs[0] >> 1) - (inputs[1] >> 15)) + 0u));
    trace(2, ((v0 & v1) | 31u));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            uint c3 = 0;
            while (c3 < 2 && (((inputs[1] >> 15) & 7u) < 5u)) {
                ++c3;
                v0 = min((v0 + 35u), v3);
                v0 = v1;
            }
            if (((c2 & 1u) >= 1u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(3, WaveGetLaneIndex());
    }
    if (((v3 & 3u) != 2u)) {
        trace(4, v2);
    } else {
        v3 = (inputs[2] >> 13);
        if (((v3 & 1u) < 1u)) {
            v1 = ((v1 | v1) + (v2 | v0));
            v2 = max((WaveGetLaneIndex() & v2), (WaveGetLaneIndex() + v0));
        }
    }
    v2 = WaveActiveBitAnd((v1 + 5u)); trace(5, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
