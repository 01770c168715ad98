//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 57
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
    if (((((inputs[2] >> 26) & 3u) == 0u) && ((v1 & 3u) < 2u))) {
        v0 = (v2 | (v0 + v2));
        uint c0 = 0;
        do {
            ++c0;
            uint c1 = 0;
            do {
                ++c1;
                v1 = min((v0 - 13u), 0u);
                for (uint c2 = 0; c2 < ((c1 & 3u) + 0u); ++c2) {
                    mark(1, (v2 & (v3 ^ 38u)));
                    v0 = c1;
                    trace(2, min(min(v0, 38u), 33u));
                }
                uint c3 = 0;
                while (c3 < 3 && (v0 < (inputs[3] >> 10))) {
                    ++c3;
                    mark(3, ((v2 + 24u) & (v1 & 29u)));
                    trace(4, ((v3 - v2) * (c1 ^ c3)));
                    break;
                }
            } while (c1 < 5 && (v1 < v0));
            [loop] for (uint c4 = 0; c4 < ((v2 & 3u) + 0u); ++c4) {
                trace(5, (((inputs[2] >> 3) + v3) & 19u));
                uint c5 = 0;
                for (;;) {
                    if (++c5 > 6) break;
                    if ((((v2 & 1u) == 0u) && ((v3 & 1u) >= 1u))) {
                        mark(8, min(v1, 22u));
                        break;
                    }
                    trace(6, c5);
                    v2 = max(v0, v1);
                    trace(7, ((v0 | 12u) + c0));
                }
                trace(9, ((inputs[3] >> 23) + (inputs[2] >> 2)));
            }
        } while (c0 < 2 && (v3 < v1));
    } else {
        trace(10, v2);
    }
    v0 = (v0 * max(v3, 6u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
