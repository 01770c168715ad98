//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 112
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
    trace(1, min(v0, 10u));
    if (((v2 & 1u) != 0u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            switch ((v2 & 3u)) {
            case 0: case 1: {
                uint c1 = 0;
                for (;;) {
                    if (++c1 > 6) break;
                    mark(2, (inputs[1] >> 15));
                    if ((c0 >= (v1 & 3u))) {
                        break;
                    }
                }
                if ((((c0 & 3u) >= 3u) || (c0 == ((inputs[2] >> 7) & 3u)))) {
                    break;
                }
                break;
            }
            }
        }
        [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
            uint c3 = 0;
            while (c3 < 3 && !((v3 & 1u) < 1u)) {
                ++c3;
                if ((((v2 & 1u) != 0u) && ((v3 & 3u) != 0u))) {
                    v2 = (((inputs[0] >> 23) | 38u) * 9u);
                    trace(3, (v0 & 1u));
                }
                trace(4, min((v2 ^ v2), (c2 + 8u)));
                trace(5, min(((inputs[2] >> 20) + 10u), (v3 - 20u)));
            }
            mark(6, (max(v1, v1) ^ 31u));
        }
    } else {
        trace(7, ((v1 - 37u) | v0));
        trace(8, (v2 ^ v3));
    }
    trace(9, (inputs[2] >> 25));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
