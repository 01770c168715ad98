//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 143
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
    if (((v3 & 7u) == 2u)) {
        mark(8, ((v1 | v0) + (v2 & v1)));
    }
    trace(9, v1);
    if ((((inputs[0] >> 0) & 3u) != 1u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            v1 = min((v1 & v3), 27u);
            if ((c0 == (v1 & 3u))) {
                break;
            }
        }
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 2u; ++c2) {
            for (uint c3 = 0; c3 < 3u; ++c3) {
                v3 = ((c2 ^ 18u) | 18u);
                if (!((c1 & 3u) < 1u)) {
                    c1 = 1u;
                    break;
                }
                [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
                    mark(10, ((v2 - 2u) * 35u));
                    if ((c3 >= ((inputs[3] >> 17) & 3u))) {
                        v3 = v3;
                        trace(11, (((inputs[2] >> 7) & v2) + c2));
                        trace(12, max((v2 - v3), (c4 + c2)));
                    } else {
                        mark(13, v1);
                    }
                    mark(14, ((v2 & v1) * 20u));
                }
            }
            if ((c1 != 0u)) {
                break;
            }
            trace(15, ((v2 | (inputs[0] >> 25)) ^ 12u));
        }
        trace(16, (v0 + (v0 + v0)));
    } else {
        trace(17, min((v2 ^ 6u), 1u));
    }
    trace(18, ((v1 + 32u) & (v1 | v2)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
