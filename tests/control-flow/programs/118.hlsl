//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 118
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
    uint c0 = 0;
    while (c0 < 4 && (((v3 & 1u) < 1u) && ((v2 & 3u) != 0u))) {
        ++c0;
        trace(1, (max(v2, v2) | (v3 - 25u)));
    }
    v1 = (inputs[1] >> 18);
    mark(2, (v2 + 14u));
    v1 = v2;
    v0 = (min(v2, v2) ^ 22u);
    v1 = max((v2 * v2), (v2 + (inputs[0] >> 18)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [loop] for (uint c0 = 0; c0 < ((v2 & 3u) + 2u); ++c0) {
        if ((((inputs[1] >> 1) & 3u) != 2u)) {
            if ((c0 == (v2 & 3u))) {
                continue;
            }
        }
        v0 = v1;
        mark(3, (v2 + v1));
    }
    [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
        v2 = f0(v3, v0);
        trace(4, ((c1 - v1) | 14u));
    }
    trace(5, v1);
    v3 = f0((v3 + v3), min((inputs[0] >> 17), v3));
    [loop] for (uint c2 = 0; c2 < (((inputs[1] >> 25) & 3u) + 2u); ++c2) {
        [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
            v2 = f0(((inputs[3] >> 7) | 7u), (inputs[2] >> 18));
        }
        if (!(v3 < v1)) {
            v3 = min(((inputs[1] >> 12) ^ c2), v0);
        } else {
            uint c4 = 0u;
            for (uint c5 = 0; c5 < 3u; ++c5) {
                for (uint c6 = 0; c6 < 4u; ++c6) {
                    if ((v2 < v0)) {
                        trace(6, ((v2 ^ 23u) + 19u));
                    }
                    mark(7, v1);
                    if (((v0 & 3u) != 2u)) {
                        c4 = 1u;
                        break;
                    }
                }
                if ((c4 != 0u)) {
                    break;
                }
                trace(8, (min(v0, 31u) & (v0 | c2)));
            }
            trace(9, ((v0 | 31u) + (v2 * 7u)));
        }
    }
    trace(10, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
