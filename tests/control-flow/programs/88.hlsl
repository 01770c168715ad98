//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 88
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v3 & 3u)) {
    case 0: {
        if (((v1 & 3u) < 1u)) {
            if (((v3 & 3u) >= 3u)) {
                trace(1, min((v3 | 27u), 12u));
                break;
            }
            if ((((v0 & 3u) == 2u) && ((v0 & 3u) >= 2u))) {
                break;
            }
        } else {
            [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                if (((v1 & 1u) < 1u)) {
                    trace(2, ((v1 | v1) | 7u));
                    uint c1 = 0;
                    for (;;) {
                        if (++c1 > 6) break;
                        trace(3, (c1 | 35u));
                        if (((c1 & 1u) < 1u)) {
                            trace(4, v1);
                            break;
                        }
                    }
                    trace(5, (v3 * 26u));
                    break;
                }
                mark(6, ((c0 | (inputs[0] >> 9)) * 32u));
            }
            v1 = min(v2, v2);
            mark(7, ((v0 ^ 7u) * 4u));
        }
        break;
    }
    case 1: {
        mark(8, v3);
        v0 = v2;
        trace(9, min((v0 * 34u), 28u));
        break;
    }
    case 2: {
        mark(10, ((v0 + 21u) | 24u));
        v3 = v2;
        break;
    }
    default: {
        trace(11, (inputs[1] >> 19));
        v2 = v3;
        mark(12, v3);
        break;
    }
    case 3: {
        v1 = v0;
        mark(13, v3);
        trace(14, min((v0 | v0), 26u));
        break;
    }
    }
    trace(15, (min(v2, v3) + (v3 & v0)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
