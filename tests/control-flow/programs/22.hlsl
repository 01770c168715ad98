//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 22
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
    for (uint c0 = 0; c0 < ((v3 & 3u) + 0u); ++c0) {
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            trace(1, v3);
        }
        trace(2, ((v1 ^ (inputs[3] >> 4)) & 3u));
        return v0;
    }
    mark(3, ((v3 ^ 26u) - (v2 & 18u)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v3 & 7u) >= 2u)) {
        v1 = f0((v2 + v2), (v3 | v1));
        v1 = (v0 ^ 26u);
    } else {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 2u; ++c2) {
                if (((v2 & 1u) == 0u)) {
                    trace(4, (max(c2, v1) - min(v1, 7u)));
                    if (!(((inputs[0] >> 12) & 3u) != 1u)) {
                        v0 = ((v3 * c2) + 15u);
                    }
                }
                if ((((v2 & 3u) == 2u) || ((v2 & 3u) != 2u))) {
                    c0 = 1u;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            trace(5, ((v1 | (inputs[2] >> 9)) + 27u));
        }
        v2 = max((v3 - 23u), (v0 + 8u));
    }
    for (uint c3 = 0; c3 < 3u; ++c3) {
        v3 = f0((v3 + v3), (v1 ^ 38u));
    }
    uint c4 = 0;
    for (;;) {
        if (++c4 > 6) break;
        trace(6, ((v2 | (inputs[1] >> 14)) & 16u));
        v2 = v0;
        if ((c4 < v3)) {
            trace(7, v3);
            break;
        }
        break;
    }
    mark(8, max((v3 & 16u), max(v0, v3)));
    v1 = (v2 | v2);
    switch ((v0 & 3u)) {
    default: {
        trace(9, (v2 ^ 9u));
        for (uint c5 = 0; c5 < 4u; ++c5) {
            v3 = ((c5 ^ (inputs[2] >> 25)) + v2);
            v2 = ((v3 & c5) - (v1 | 11u));
        }
        break;
    }
    case 0: case 1: {
        mark(10, (((inputs[0] >> 4) * v2) - 2u));
        break;
    }
    }
    v0 = (min(v3, v3) & (v0 - (inputs[2] >> 14)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
