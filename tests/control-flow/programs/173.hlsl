//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 173
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
    if (!((v1 & 3u) != 2u)) {
        mark(3, ((v1 + v2) & (v3 - v3)));
        v1 = v2;
        trace(4, ((v3 + v2) | 22u));
    }
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        for (uint c1 = 0; c1 < 3u; ++c1) {
            if ((c1 == ((inputs[0] >> 1) & 3u))) {
                v3 = ((c1 * 37u) * v1);
                if ((v3 < v3)) {
                    trace(5, v0);
                    trace(6, min(v2, (v1 | 19u)));
                }
                v0 = ((v2 + 36u) * 38u);
            }
            trace(7, (inputs[1] >> 25));
            trace(8, c0);
        }
    }
    v2 = (v1 + 8u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
