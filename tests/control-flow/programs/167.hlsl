//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 167
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
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (!((v3 & 3u) >= 1u)) {
            uint c1 = 0;
            for (;;) {
                if (++c1 > 6) break;
                [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                    mark(1, v3);
                }
                mark(2, (max(v1, v1) - c0));
                trace(3, (inputs[3] >> 16));
                if (((c0 & 3u) < 2u)) {
                    break;
                }
            }
        } else {
            v3 = (v0 | 31u);
        }
        mark(4, max((v0 | v3), 15u));
        trace(5, (max(v0, 5u) ^ 34u));
    }
    trace(6, (v1 | (v2 | v0)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(7, max((v1 * v0), v2));
    switch ((((v3 & 3u) * 4096u) + 5u)) {
    case 5: {
        v3 = (v2 + 19u);
        trace(8, max(v3, v1));
        break;
    }
    default: {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            switch ((v1 & 3u)) {
            case 0: {
                trace(9, ((v1 | 13u) ^ ((inputs[3] >> 17) & c0)));
                trace(10, v1);
                break;
            }
            case 1: {
                trace(11, v2);
                if (((c0 < (v1 & 3u)) || ((c0 & 3u) < 3u))) {
                    v0 = f0(v2, (v0 * v0));
                    uint c1 = 0u;
                    for (uint c2 = 0; c2 < 2u; ++c2) {
                        for (uint c3 = 0; c3 < 3u; ++c3) {
                            mark(12, ((v0 | v3) + 28u));
                            trace(13, max(c0, min(v0, 37u)));
                            if ((((v0 & 1u) < 1u) || ((v0 & 1u) == 0u))) {
                                c1 = 1u;
                                break;
                            }
                            trace(14, (((inputs[2] >> 8) + 26u) & 24u));
                        }
                        if ((c1 != 0u)) {
                            break;
                        }
                        trace(15, ((inputs[3] >> 6) ^ v1));
                    }
                    continue;
                }
                v0 = ((v1 * v2) | (v3 + 28u));
                break;
            }
            case 2: case 3: {
                [loop] for (uint c4 = 0; c4 < ((v3 & 3u) + 1u); ++c4) {
                    trace(16, v2);
                    trace(17, (c0 + (v1 | 5u)));
                    break;
                }
                trace(18, (v2 + 24u));
                v1 = (inputs[1] >> 20);
                break;
            }
            }
            mark(19, (v0 * v0));
        }
        trace(20, ((v3 - 25u) * 39u));
        break;
    }
    case 4101: {
        trace(21, v2);
        trace(22, ((v3 + 26u) + (v3 | 32u)));
        v1 = ((v1 - v3) | 7u);
        break;
    }
    }
    v1 = v2;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
