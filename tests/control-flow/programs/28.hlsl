//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 28
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
    if (((v1 & 7u) != 0u)) {
        if (((v0 & 1u) == 0u)) {
            trace(1, v0);
        }
    }
    mark(2, v2);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if ((c0 >= (v0 & 3u))) {
            break;
        }
        if ((((v2 & 3u) < 2u) && ((c0 & 1u) != 0u))) {
            v3 = (((inputs[3] >> 22) & v2) * (v3 ^ 24u));
            continue;
        } else {
            v1 = c0;
            trace(3, v2);
            trace(4, min((v2 | v0), 4u));
        }
    }
    mark(5, ((v1 + 25u) * 35u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if ((((v2 & 3u) != 1u) && ((v0 & 3u) != 2u))) {
        v3 = (min(v3, 16u) ^ 37u);
        v3 = f0((v3 * v0), (v1 + 38u));
    }
    if (((v1 & 3u) < 2u)) {
        if (((v3 & 1u) == 0u)) {
            trace(6, v3);
            uint c0 = 0;
            while (c0 < 3 && (((v2 & 7u) != 4u) || ((v2 & 7u) != 6u))) {
                ++c0;
                if (((v3 & 3u) != 0u)) {
                    if ((c0 < (v2 & 3u))) {
                        trace(7, (c0 ^ (v1 + 30u)));
                        break;
                    }
                    mark(8, v3);
                    mark(9, ((v2 + 23u) ^ v3));
                }
                v2 = f0(v2, v2);
            }
        } else {
            trace(10, ((v3 + v1) - 15u));
            v0 = v3;
            mark(11, v0);
        }
    } else {
        trace(12, (((inputs[1] >> 9) & 1u) + max(v0, v0)));
        trace(13, (min(v2, v3) * (v2 + v0)));
        trace(14, (inputs[2] >> 11));
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    }
    trace(15, ((inputs[2] >> 22) | v2));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
