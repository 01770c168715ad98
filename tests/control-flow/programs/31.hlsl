//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 31
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
    trace(8, ((v0 & v2) ^ min(v3, v2)));
    uint c0 = 0;
    for (;;) {
        if (++c0 > 3) break;
        if ((c0 < (v2 & 3u))) {
            break;
        }
        for (uint c1 = 0; c1 < 4u; ++c1) {
            if ((((c1 & 1u) != 0u) && ((v1 & 7u) < 5u))) {
                if (((((inputs[0] >> 22) + 9u) & 7u) < 3u)) {
                    mark(10, (inputs[0] >> 7));
                }
                mark(11, (WaveGetLaneIndex() + 36u));
                trace(12, min((v1 | (inputs[0] >> 10)), 32u));
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
        }
    }
    v2 = ((v0 * 21u) + (v2 * (inputs[0] >> 21)));
    if (WaveActiveAllTrue((((v2 + 13u) & 7u) < 3u))) {
        v0 = WaveGetLaneIndex();
        trace(14, v2);
    } else {
        trace(15, min(v3, 14u));
    }
    for (uint c2 = 0; c2 < 4u; ++c2) {
        v3 = ((v3 ^ v3) ^ v0);
    }
    v3 = WaveActiveSum((v0 + 16u)); trace(16, v3);
    v3 = WaveActiveMin(((v3 + (v3 + 25u)) + 17u)); trace(17, v3);
    v3 = max(v2, ((inputs[3] >> 4) - 32u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
