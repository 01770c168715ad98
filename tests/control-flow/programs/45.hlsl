//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 45
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v1 = WavePrefixSum((((v3 * v1) & (v1 ^ (inputs[2] >> 14))) + 1u)); trace(1, v1);
    if ((((inputs[1] >> 4) & 3u) != 0u)) {
        v1 = min((v3 - v3), (v2 - (inputs[1] >> 0)));
        [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
            trace(2, v3);
        }
    } else {
        v3 = WaveGetLaneIndex();
        v1 = WaveActiveSum((((v2 ^ 15u) - 7u) + 3u)); trace(3, v1);
        mark(4, v2);
    }
    trace(5, min(WaveGetLaneIndex(), (v1 & 27u)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
