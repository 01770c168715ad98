//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 43
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
    trace(7, v0);
    v3 = ((v3 + v3) ^ v1);
    uint c0 = 0;
    do {
        ++c0;
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            [flatten] if ((c1 == (c0 & 3u))) {
                v3 = v2;
            }
            mark(8, ((c1 ^ v3) + (v2 ^ v0)));
            [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                if (((c0 >= ((inputs[3] >> 9) & 3u)) && ((v1 & 7u) >= 6u))) {
                    trace(9, (max(v3, v1) + 19u));
                }
            }
        }
    } while (c0 < 2 && !(c0 == (v3 & 3u)));
    mark(10, ((v3 | 39u) & max(v3, v1)));
    if ((((inputs[2] >> 9) & 3u) < 3u)) {
        trace(11, (min(v1, 37u) - 4u));
        if (((v3 & 1u) < 1u)) {
            v0 = max(v2, 11u);
        }
    }
    v2 = v0;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
