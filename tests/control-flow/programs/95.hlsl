//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 95
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
    if (((v3 & 3u) != 1u)) {
        uint c0 = 0;
        do {
            ++c0;
            uint c1 = 0;
            do {
                ++c1;
                v2 = (v3 * (v0 + v2));
                mark(1, ((v1 + v0) * (inputs[0] >> 3)));
            } while (c1 < 4 && ((c1 == (v1 & 3u)) || ((v1 & 3u) != 1u)));
            if ((c0 < (c0 & 3u))) {
                trace(2, v3);
            } else {
                v3 = ((v1 + 3u) | 0u);
            }
            v2 = v3;
        } while (c0 < 3 && !((v1 & 3u) < 2u));
        trace(3, min(v0, v0));
    } else {
        trace(4, ((v2 + v0) & 0u));
    }
    mark(5, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
