//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 102
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
    trace(1, v2);
    [branch] if ((((v3 & 7u) == 4u) || ((v3 & 3u) == 1u))) {
        v1 = max((v0 ^ v0), (v0 ^ (inputs[0] >> 9)));
        uint c0 = 0;
        for (;;) {
            if (++c0 > 4) break;
            if (((v0 & 7u) < 7u)) {
                mark(5, v3);
                break;
            }
            uint c1 = 0;
            do {
                ++c1;
                trace(2, ((c1 ^ 25u) + (v2 ^ 13u)));
                if (!(c0 >= (c1 & 3u))) {
                    v2 = (v1 * 2u);
                    mark(3, v3);
                }
            } while (c1 < 4 && ((v1 & 3u) < 3u));
            trace(4, (v2 | v2));
            v2 = (((inputs[3] >> 16) - 30u) ^ 25u);
        }
    } else {
        mark(6, ((v1 | 9u) + v3));
        v3 = v1;
        return v0;
    }
    v3 = min((v2 + 13u), (v3 ^ v2));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v1 = v0;
    v0 = min((v1 * v1), 1u);
    if ((((v1 & 1u) < 1u) && ((v1 & 1u) == 0u))) {
        mark(7, (v0 & max(v0, 21u)));
        v1 = f0((v2 & v0), v3);
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            v1 = v0;
        }
    }
    if (((v0 & 1u) != 0u)) {
        for (uint c1 = 0; c1 < ((v2 & 3u) + 1u); ++c1) {
            v2 = ((v0 ^ c1) | v0);
            if ((v2 < c1)) {
                trace(8, min((v2 & v2), 17u));
                v0 = ((v2 + c1) & min(c1, c1));
            }
            trace(9, min(v3, max(v1, v2)));
        }
        switch ((((v0 & 3u) * 4096u) + 5u)) {
        case 5: default: case 4101: {
            uint c2 = 0u;
            for (uint c3 = 0; c3 < 3u; ++c3) {
                for (uint c4 = 0; c4 < 4u; ++c4) {
                    mark(10, (min(c4, c4) - 10u));
                    if ((c3 >= (v2 & 3u))) {
                        c2 = 1u;
                        break;
                    }
                }
                if ((c2 != 0u)) {
                    break;
                }
                trace(11, ((v3 ^ 4u) - 4u));
            }
            mark(12, (v2 * 24u));
            trace(13, (inputs[2] >> 23));
            break;
        }
        }
    }
    v2 = v0;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
