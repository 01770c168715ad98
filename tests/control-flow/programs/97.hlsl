//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 97
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
    v2 = (v3 ^ (v3 ^ 3u));
    if (((v3 & 3u) >= 1u)) {
        if (((v0 & 3u) < 3u)) {
            trace(6, v3);
        }
        v0 = (min(v3, 28u) | 2u);
    }
    v2 = ((v1 - 39u) | 38u);
    if (((v3 & 1u) != 0u)) {
        [loop] for (uint c0 = 0; c0 < 3u; ++c0) {
            for (uint c1 = 0; c1 < ((c0 & 3u) + 0u); ++c1) {
                v0 = ((c0 ^ v1) ^ ((inputs[1] >> 2) | v3));
                mark(7, (v1 - (v2 * c0)));
            }
            trace(8, ((v1 | (inputs[1] >> 24)) | (inputs[0] >> 19)));
        }
        mark(9, min((v1 + v1), (v1 - v3)));
        mark(10, v0);
    } else {
        trace(11, ((v2 + v0) + (v1 + 21u)));
    }
    v3 = v2;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
