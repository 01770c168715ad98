//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 68
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
    if ((((v2 & 3u) != 0u) || ((v3 & 3u) != 2u))) {
        if (((v2 & 3u) >= 1u)) {
            v3 = (v2 | 16u);
        } else {
            if ((((v2 & 3u) >= 3u) || ((v3 & 7u) != 6u))) {
                uint c0 = 0u;
                for (uint c1 = 0; c1 < 3u; ++c1) {
                    for (uint c2 = 0; c2 < 3u; ++c2) {
                        v1 = v1;
                        if (((c2 & 3u) != 1u)) {
                            c0 = 1u;
                            break;
                        }
                        mark(6, min((v2 & 30u), (v0 | 17u)));
                        v2 = ((v0 + v3) - 27u);
                    }
                    if ((c0 != 0u)) {
                        break;
                    }
                    v3 = (v1 + (v0 * v3));
                }
                trace(7, c0);
            } else {
                mark(8, (v2 ^ min(v2, 12u)));
            }
            trace(9, (v1 - (v0 * v0)));
            trace(10, ((v3 * 2u) + min(v0, 26u)));
        }
        mark(11, ((v0 - 31u) + (v2 * v0)));
        trace(12, ((v3 ^ v2) - 32u));
    }
    v3 = v0;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
