//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 166
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
    if (!((v3 & 1u) < 1u)) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                if ((((v2 & 7u) < 7u) && (((inputs[2] >> 26) & 3u) != 2u))) {
                    c0 = 1u;
                    break;
                }
                v0 = (max(v2, v0) ^ (v1 ^ 7u));
                trace(1, (v2 & 30u));
            }
            if ((c0 != 0u)) {
                break;
            }
            trace(2, (v1 * (v3 + c0)));
        }
        v3 = (v3 | (v1 ^ v0));
    } else {
        v0 = v3;
        v2 = v3;
        trace(3, ((v0 ^ v3) + 35u));
    }
    mark(4, max((v1 | v0), 8u));
    return v0;
}

NOINLINE uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    v0 = v2;
    if (((v1 & 1u) >= 1u)) {
        if (((v2 & 3u) < 1u)) {
            v0 = ((v2 ^ 31u) * 13u);
            trace(5, ((v1 ^ 12u) * 15u));
        }
        trace(6, (v2 ^ 37u));
        mark(7, ((inputs[3] >> 4) | (v2 | v1)));
    }
    trace(8, max((v2 + 36u), ((inputs[1] >> 13) * v0)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            switch ((v3 & 7u)) {
            case 0: {
                trace(9, v1);
                uint c3 = 0;
                while (c3 < 3 && (v0 < c2)) {
                    ++c3;
                    trace(10, max((c2 - c3), 28u));
                    trace(11, (c0 - c1));
                }
                return;
            }
            case 1: {
                if ((c1 == (v1 & 3u))) {
                    v3 = f1(v2, ((inputs[0] >> 22) * 23u));
                    if ((c1 < (v0 & 3u))) {
                        trace(12, v0);
                        mark(13, ((c0 - v1) & (v2 - 1u)));
                    }
                    mark(14, (v3 ^ 12u));
                }
                trace(15, (max(c0, v0) | max(v0, v3)));
                break;
            }
            case 2: case 3: case 4: {
                trace(16, min((c1 * 20u), ((inputs[3] >> 3) ^ v0)));
                break;
            }
            default: {
                trace(17, (c0 ^ (v2 & 20u)));
                trace(18, ((v1 * 39u) & v1));
                trace(19, v2);
                return;
            }
            }
            mark(20, (inputs[1] >> 5));
            mark(21, ((v0 - c1) ^ (v3 | v1)));
            if (!((v1 & 3u) != 1u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(22, ((v2 * 5u) + (v0 + 25u)));
    }
    v1 = (v1 & v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
