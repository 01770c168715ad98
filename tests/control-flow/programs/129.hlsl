//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 129
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    trace(1, v3);
    if ((v0 < v2)) {
        mark(2, min(v3, (v0 + v2)));
    }
    trace(3, v3);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (((c0 >= (c0 & 3u)) && ((c0 & 3u) != 0u))) {
            [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                trace(4, ((v1 & v0) ^ (c1 * v3)));
                mark(5, max(max(v1, 15u), c0));
                trace(6, (((inputs[1] >> 22) + v3) + 32u));
            }
            v3 = v3;
            trace(7, max((v3 & c0), (v1 - v3)));
        }
        v3 = (v3 | v2);
    }
    v0 = (v0 | 21u);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    while (c0 < 3 && ((v0 & 7u) >= 2u)) {
        ++c0;
        if ((v1 < v2)) {
            switch ((v3 & 3u)) {
            case 0: {
                trace(8, ((c0 - 26u) & ((inputs[3] >> 21) * (inputs[2] >> 13))));
                break;
            }
            default: {
                if ((c0 >= (v2 & 3u))) {
                    v0 = (min(v0, 24u) * v3);
                    uint c1 = 0;
                    for (;;) {
                        if (++c1 > 5) break;
                        v3 = ((v2 + 23u) - v0);
                        mark(9, v2);
                        if (((v2 & 3u) == 0u)) {
                            v1 = v0;
                            break;
                        }
                        v1 = ((inputs[1] >> 24) - ((inputs[1] >> 27) | 37u));
                    }
                } else {
                    trace(10, ((v2 + c0) ^ (v1 ^ c0)));
                }
                break;
            }
            case 1: {
                v0 = v1;
                break;
            }
            }
            v0 = f0((v1 * 34u), v0);
            if (((v2 & 3u) == 2u)) {
                v0 = ((c0 + 4u) * (v3 | 9u));
                continue;
            }
        }
        v0 = c0;
    }
    trace(11, (v3 + ((inputs[0] >> 5) | v2)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
