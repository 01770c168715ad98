//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 178
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
    if ((v3 < v2)) {
        trace(1, v3);
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    }
    trace(2, ((v2 & v2) | (v3 * 10u)));
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        uint c1 = 0;
        while (c1 < 5 && (c0 < (v0 & 3u))) {
            ++c1;
            [branch] if ((((c1 & 7u) != 3u) || ((c1 & 3u) >= 2u))) {
                if (((((inputs[1] >> 15) & 7u) == 3u) && ((v2 & 3u) < 1u))) {
                    trace(3, ((c1 & v1) * (v2 * (inputs[3] >> 7))));
                    v3 = (v3 - (v2 ^ 27u));
                }
                v0 = max((v1 - 17u), 27u);
            } else {
                trace(4, (min((inputs[3] >> 24), v2) + (v3 + 20u)));
                mark(5, v1);
            }
        }
        v3 = ((inputs[1] >> 11) * (c0 + v1));
        v3 = min(v1, 11u);
    }
    v2 = min(v1, 5u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
