//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 107
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }
#ifdef SPIRV
#define NOINLINE
#else
#define NOINLINE [noinline]
#endif

NOINLINE uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    trace(1, (inputs[1] >> 2));
    mark(2, (inputs[3] >> 23));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            trace(3, ((v0 + 18u) + 24u));
            mark(4, (c1 - (c0 + 38u)));
            if (((v3 & 1u) != 0u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v0 = v1;
    }
    trace(5, (v1 * 16u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if ((((v0 & 3u) >= 2u) && ((v1 & 3u) >= 1u))) {
        uint c0 = 0;
        while (c0 < 3 && ((v1 & 3u) < 2u)) {
            ++c0;
            if (((c0 & 3u) != 0u)) {
                v0 = f0((v1 * v0), c0);
                uint c1 = 0;
                do {
                    ++c1;
                    trace(6, ((v1 ^ v0) | (v3 + 12u)));
                } while (c1 < 2 && ((v0 & 7u) < 2u));
            } else {
                if ((c0 >= (v2 & 3u))) {
                    v3 = f0((v3 - 5u), (v0 ^ v3));
                    if (!((v0 & 7u) != 5u)) {
                        break;
                    }
                    [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
                        v2 = (v1 + (inputs[1] >> 13));
                        trace(7, (v0 * (v0 + v0)));
                        trace(8, (((inputs[0] >> 18) - 7u) + 7u));
                    }
                }
                break;
            }
            v2 = f0((v2 & 14u), v3);
        }
    }
    [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
        [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
            trace(9, ((v3 * c4) + 11u));
            v2 = (v3 | 28u);
        }
    }
    trace(10, max(max(v1, v0), (v2 + v3)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
