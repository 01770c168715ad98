//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 191
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
    if (((v2 & 3u) != 0u)) {
        mark(1, (min(v3, v1) - (v0 + v3)));
        mark(2, (max(v2, 19u) + (v2 * 10u)));
    } else {
        trace(3, v0);
        trace(4, ((v0 ^ 35u) & 27u));
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            trace(5, ((v1 + 9u) ^ 33u));
            trace(6, (inputs[3] >> 24));
        }
    }
    mark(7, ((v3 & v0) * 25u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v3 = f0((v1 - 8u), v1);
    uint c0 = 0;
    while (c0 < 3 && (((inputs[2] >> 14) & 3u) < 1u)) {
        ++c0;
        if (((v2 & 1u) >= 1u)) {
            trace(8, max(min((inputs[0] >> 24), v3), (c0 | v2)));
        }
        if (((v2 & 3u) != 2u)) {
            if (((v3 < v1) && (c0 < (c0 & 3u)))) {
                trace(9, c0);
                break;
            }
            v2 = v0;
            if (((v0 & 7u) < 1u)) {
                v0 = (c0 + 35u);
                trace(10, ((v2 & 0u) * (v2 | 15u)));
            }
        } else {
            switch ((v2 & 7u)) {
            case 0: {
                mark(11, v3);
                break;
            }
            default: case 1: case 2: {
                trace(12, (min(c0, c0) + 27u));
                v0 = max(v3, 17u);
                trace(13, (((inputs[1] >> 0) * 17u) & max(v2, 10u)));
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            case 3: {
                v3 = ((v2 & v2) | v3);
                trace(14, ((v3 + v0) & (v2 & 22u)));
                break;
            }
            case 4: {
                v0 = (c0 & v1);
                break;
            }
            }
        }
    }
    v3 = max((v1 - v0), min(v2, 25u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
