//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 145
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
    trace(1, v1);
    if (((v3 & 7u) < 1u)) {
        if (((v3 & 3u) < 3u)) {
            trace(2, min(max(v3, (inputs[3] >> 22)), 38u));
        } else {
            v2 = ((inputs[0] >> 22) + (v1 - v3));
        }
    }
    [branch] if ((((v2 & 1u) >= 1u) || ((v0 & 7u) >= 2u))) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            trace(3, ((inputs[2] >> 28) + v0));
        }
        v1 = ((v3 * v1) + ((inputs[2] >> 27) - (inputs[0] >> 25)));
    }
    v3 = (v3 - min(v2, v2));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v3 = f0((v3 * 8u), v2);
    if ((((v2 & 3u) < 1u) && ((v0 & 7u) < 7u))) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            trace(4, ((v3 + c0) * (inputs[0] >> 7)));
        }
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                for (uint c3 = 0; c3 < ((v1 & 3u) + 2u); ++c3) {
                    if (!((v3 & 1u) == 0u)) {
                        trace(5, v2);
                        break;
                    }
                    mark(6, (v2 + 30u));
                    trace(7, min(c1, 21u));
                }
            }
        }
    }
    trace(8, ((v2 * 3u) + (v2 & 11u)));
    trace(9, (v0 * 7u));
    uint c4 = 0;
    while (c4 < 2 && ((v1 & 3u) >= 1u)) {
        ++c4;
        trace(10, max((v3 - v3), 23u));
        trace(11, min((v2 + 26u), v1));
    }
    trace(12, (v1 + (v2 * v3)));
    trace(13, ((v3 * v2) | 25u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
