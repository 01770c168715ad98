//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 27
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
    v2 = v1;
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 4u; ++c2) {
            v2 = ((v3 | v0) ^ (v2 | v2));
            if (((v3 & 3u) < 2u)) {
                c0 = 1u;
                break;
            }
            switch ((((v2 & 3u) * 4096u) + 5u)) {
            case 5: {
                [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                    v0 = ((v0 - v3) + 20u);
                    v2 = (v0 | 3u);
                    v3 = (v0 + (c1 + (inputs[1] >> 27)));
                }
                trace(1, (v1 | 12u));
                v3 = c2;
                break;
            }
            default: {
                trace(2, ((v1 * v0) + 19u));
                trace(3, v0);
                trace(4, max((v1 + 8u), 23u));
                continue;
            }
            case 4101: {
                trace(5, (inputs[1] >> 9));
                v2 = ((v0 ^ v0) + (v1 + 1u));
                break;
            }
            case 8197: {
                trace(6, c0);
                v0 = ((v1 | 25u) & max(v2, v0));
                break;
            }
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(7, ((c1 + c1) & 2u));
    }
    trace(8, v2);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    while (c0 < 4 && ((v1 < v2) || (((inputs[3] >> 27) & 3u) < 3u))) {
        ++c0;
        v0 = f0((inputs[2] >> 10), (v3 ^ (inputs[0] >> 3)));
    }
    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
        [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
            v3 = (((inputs[0] >> 16) | 15u) - 16u);
            if ((v0 < v2)) {
                trace(9, (inputs[2] >> 20));
            } else {
                if (((inputs[2] >> 4) < v2)) {
                    mark(10, v2);
                    trace(11, max(v3, 20u));
                    trace(12, (((inputs[3] >> 27) - v3) ^ v1));
                    break;
                }
            }
            mark(13, v3);
        }
    }
    trace(14, v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
