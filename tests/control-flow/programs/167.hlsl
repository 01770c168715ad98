//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 167
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            uint c3 = 0;
            do {
                ++c3;
                v0 = min(((inputs[0] >> 13) + c3), c2);
            } while (c3 < 5 && !((v1 & 3u) != 0u));
            if (((v3 & 1u) >= 1u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(7, max((v1 & (inputs[1] >> 25)), v0));
    }
    trace(8, (v2 + max(v3, v3)));
    for (uint c4 = 0; c4 < ((v3 & 3u) + 0u); ++c4) {
        if (((v3 & 7u) == 0u)) {
            [unroll] for (uint c5 = 0; c5 < 3u; ++c5) {
                if ((c4 < (v1 & 3u))) {
                    v3 = ((v0 * v0) | max(v2, 4u));
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                }
                if (((v2 < v2) && ((v0 & 7u) != 6u))) {
                    if (((v2 & 1u) == 0u)) {
                        trace(9, ((inputs[2] >> 8) ^ v3));
                        break;
                    }
                    if ((((c4 & 1u) == 0u) || ((c5 & 3u) == 0u))) {
                        mark(10, v2);
                        v0 = (min(v3, (inputs[2] >> 21)) - ((inputs[3] >> 4) + 38u));
                        trace(11, min((inputs[0] >> 9), (v1 * v2)));
                    }
                    v0 = ((v2 & 36u) | ((inputs[2] >> 20) * v1));
                } else {
                    v1 = c5;
                }
                continue;
            }
            trace(12, v2);
            v1 = (inputs[1] >> 20);
        }
        mark(13, (v0 * v0));
        trace(14, min(c4, v2));
    }
    v3 = ((v2 * 28u) ^ v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
