//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 0
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
    trace(9, (max(v3, 15u) + 25u));
    if (((v2 & 7u) != 2u)) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                if ((((c1 & 3u) == 0u) || ((v0 & 3u) >= 2u))) {
                    c0 = 1u;
                    break;
                }
                mark(10, ((v0 - 26u) + 34u));
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 4) break;
                    if (((v2 & 1u) < 1u)) {
                        break;
                    }
                    v3 = WaveActiveSum((v2 + 11u)); trace(11, v3);
                    trace(12, v0);
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            trace(13, (c0 + v3));
        }
        v2 = max((v1 * v2), (v1 * v2));
    }
    mark(14, (max(v3, v3) - 15u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
