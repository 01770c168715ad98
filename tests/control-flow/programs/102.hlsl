//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 102
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
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        trace(7, (inputs[0] >> 10));
        trace(8, v1);
        v0 = (v0 ^ 1u);
    }
    trace(9, ((v0 - 9u) + 5u));
    if (((v0 & 3u) < 1u)) {
        trace(10, ((v1 ^ 1u) + (v0 ^ v3)));
    } else {
        v1 = v0;
    }
    if ((((inputs[3] >> 0) & 3u) != 0u)) {
        for (uint c1 = 0; c1 < ((v2 & 3u) + 1u); ++c1) {
            v2 = ((v0 ^ c1) | v0);
            [branch] if ((v2 < c1)) {
                v1 = v3;
                mark(11, ((v2 ^ 21u) & v1));
            }
            trace(12, ((inputs[1] >> 26) + (v2 + c1)));
        }
        trace(13, min(v3, max(v1, v2)));
    }
    trace(14, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
