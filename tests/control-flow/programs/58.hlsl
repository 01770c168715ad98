//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 58
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
    for (;;) {
        if (++c0 > 5) break;
        if (((v3 & 7u) >= 6u)) {
            if ((c0 == (v0 & 3u))) {
                trace(1, ((v0 - v1) * 24u));
                continue;
            }
            mark(2, (((inputs[1] >> 1) - v3) & v2));
            trace(3, ((v1 & v0) | 11u));
        }
        if ((v3 < v0)) {
            v2 = v2;
            break;
        }
    }
    trace(4, ((v2 + 39u) - (v3 + 15u)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        if (((v3 & 3u) == 2u)) {
            v2 = (v2 - 21u);
            break;
        }
        switch ((c0 & 7u)) {
        case 0: {
            if (((v3 & 3u) == 2u)) {
                v2 = f0(c0, (v0 ^ v2));
            } else {
                if ((v0 < (inputs[0] >> 20))) {
                    if (((v1 & 1u) < 1u)) {
                        trace(5, ((v3 | 26u) | 23u));
                        mark(6, ((c0 + 37u) ^ (v1 ^ v3)));
                        break;
                    } else {
                        v2 = ((v2 & 2u) | 2u);
                    }
                    if ((c0 >= (v1 & 3u))) {
                        v3 = v0;
                        continue;
                    }
                }
            }
            if ((c0 < v1)) {
                switch ((v0 & 3u)) {
                case 0: case 1: case 2: {
                    v2 = (((inputs[0] >> 11) & 3u) | 8u);
                    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                        mark(7, v2);
                        v0 = min(v0, (v2 & c1));
                    }
                    break;
                }
                }
                v3 = f0(v0, v0);
            }
            break;
        }
        case 1: case 2: {
            trace(8, v0);
            v1 = v3;
            break;
        }
        case 3: {
            mark(9, ((v2 - 36u) + (inputs[2] >> 11)));
            v3 = v1;
            break;
        }
        default: {
            trace(10, v1);
            trace(11, min((c0 * v3), max(v2, 35u)));
            mark(12, (inputs[1] >> 27));
            continue;
        }
        case 4: {
            v1 = (v0 + 17u);
            mark(13, (c0 + 37u));
            trace(14, ((c0 - 38u) | (v0 | v1)));
            break;
        }
        }
    }
    v3 = max((v0 + v2), 6u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
