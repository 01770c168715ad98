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

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    trace(1, ((inputs[3] >> 18) | max(v0, v2)));
    v2 = (v2 * v1);
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            if ((v1 < v1)) {
                c0 = 1u;
                break;
            }
            if (WaveActiveAnyTrue((((c0 + 2u) & 7u) < 3u))) {
                trace(3, 1u);
                continue;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v3 = (((inputs[0] >> 25) + v0) ^ (v1 - v0));
    }
    trace(4, max(v3, v1));
    v0 = ((WaveGetLaneIndex() & v2) & min(v0, v1));
    for (uint c3 = 0; c3 < 4u; ++c3) {
        v2 = WaveActiveBitOr(((v2 + v1) + 5u)); trace(5, v2);
    }
    switch (((inputs[2] >> 5) & 7u)) {
    case 0: {
        if ((v3 < v1)) {
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
        break;
    }
    case 1: case 2: {
        v2 = ((v3 | 1u) & (v3 & v3));
        trace(6, ((inputs[1] >> 17) ^ v0));
        trace(7, max((inputs[0] >> 24), min(v2, (inputs[0] >> 2))));
        break;
    }
    case 3: {
        trace(8, ((v3 ^ v0) | (v0 + 12u)));
        break;
    }
    case 4: {
        v2 = WaveActiveSum((min(v2, 16u) + 9u)); trace(9, v2);
        break;
    }
    default: {
        trace(10, ((v0 | v1) + (v2 - 9u)));
        break;
    }
    }
    v0 = WaveActiveSum(((v3 - v2) + 11u)); trace(11, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
