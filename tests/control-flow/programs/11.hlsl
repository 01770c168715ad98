//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 11
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
    mark(1, v0);
    v2 = v1;
    if ((v0 < (inputs[1] >> 24))) {
        v1 = ((v3 | v0) + (v0 * 15u));
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                trace(2, ((v0 & v1) | (c1 ^ c0)));
                v3 = v2;
                mark(3, c1);
                if (((v0 & 3u) != 1u)) {
                    c0 = 1u;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            trace(4, c1);
        }
    } else {
        v0 = min((v3 - v3), (v0 & 14u));
        trace(5, ((v1 + v0) * (v2 + v2)));
        mark(6, min(((inputs[0] >> 10) + 14u), 25u));
    }
    mark(7, ((v2 * v0) ^ v0));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [branch] if ((((v2 & 3u) == 2u) || ((v2 & 3u) == 0u))) {
        mark(8, v2);
        if (((v0 & 3u) < 3u)) {
            if (((v0 & 3u) == 1u)) {
                v1 = f0((v3 & (inputs[0] >> 15)), (v0 + 28u));
                v1 = f0((v1 & 24u), max(v2, 13u));
                v0 = f0((v0 & v1), v3);
            } else {
                mark(9, ((v2 * 22u) + (v3 * 34u)));
            }
        } else {
            mark(10, v0);
            mark(11, ((v3 ^ (inputs[2] >> 7)) & 39u));
        }
    } else {
        v2 = ((v2 * (inputs[2] >> 23)) + min(v2, 4u));
        [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
            uint c1 = 0;
            do {
                ++c1;
                [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                    v1 = ((v1 & v0) - max(c2, v0));
                    v2 = (((inputs[2] >> 7) | 4u) + ((inputs[1] >> 14) | c0));
                    mark(12, c0);
                }
                mark(13, (v1 + 32u));
            } while (c1 < 3 && (((v0 & 3u) >= 3u) || ((c1 & 7u) == 2u)));
            trace(14, c0);
            trace(15, c0);
        }
        v2 = (v0 | v1);
    }
    v2 = ((v0 | 14u) + v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
