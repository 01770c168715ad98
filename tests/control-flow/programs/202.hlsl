//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 202
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
    switch (((inputs[0] >> 24) & 3u)) {
    case 0: case 1: default: {
        v3 = (inputs[2] >> 19);
        v1 = ((v1 + (inputs[0] >> 13)) - WaveGetLaneIndex());
        mark(1, (v1 | 9u));
        break;
    }
    case 2: {
        trace(2, v3);
        break;
    }
    }
    switch ((v0 & 3u)) {
    case 0: {
        v1 = (min(v0, v0) - (v3 * v2));
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            v2 = WaveActiveSum((c0 + 3u)); trace(3, v2);
        }
        break;
    }
    case 1: {
        v0 = max(v3, (v1 + 25u));
        trace(4, ((v2 - 8u) | 38u));
        break;
    }
    default: {
        v3 = WaveActiveSum((min((v3 ^ 32u), (inputs[0] >> 0)) + 5u)); trace(5, v3);
        v0 = ((v3 ^ WaveGetLaneIndex()) & max(v1, v0));
        v0 = WaveActiveCountBits(((v0 + 6u) & 1u) != 0u); trace(6, v0);
        break;
    }
    case 2: {
        v0 = WaveActiveBitOr((v1 + 7u)); trace(7, v0);
        break;
    }
    case 3: {
        v2 = (v3 | (v0 ^ 31u));
        trace(8, v1);
        v3 = WaveActiveBitAnd((((v3 - v2) - (v2 * v0)) + 9u)); trace(9, v3);
        break;
    }
    }
    trace(10, (WaveGetLaneIndex() - 24u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
