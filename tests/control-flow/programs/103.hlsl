//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 103
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
    v1 = (v2 * v0);
    if (((v0 & 3u) == 0u)) {
        trace(1, v0);
        trace(2, (min(v2, 3u) + 2u));
        if (((v2 & 7u) != 2u)) {
            trace(3, min(((inputs[0] >> 13) | v1), 30u));
        }
    } else {
        v2 = v3;
        trace(4, min(min((inputs[3] >> 4), v2), 6u));
    }
    if ((((v2 & 3u) >= 1u) || ((v1 & 3u) >= 1u))) {
        v0 = v3;
    } else {
        if (((v0 & 3u) < 1u)) {
            [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    v2 = v2;
                    if ((c1 == (v2 & 3u))) {
                        mark(5, v3);
                        continue;
                    }
                    if (((c0 & 1u) < 1u)) {
                        trace(6, max((c1 | v3), (v1 | 36u)));
                        trace(7, v1);
                        v1 = v1;
                        break;
                    }
                }
                trace(8, min((c0 + v2), (c0 ^ v2)));
            }
            trace(9, ((v2 + 32u) ^ v2));
            v2 = (min((inputs[1] >> 4), 20u) + 24u);
        } else {
            v1 = (v3 * 10u);
            trace(10, min(v0, (v2 | v0)));
        }
        mark(11, ((inputs[3] >> 15) - 13u));
    }
    mark(12, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
