//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 152
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [branch] if (((v3 & 1u) != 0u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            v1 = max((v3 ^ v1), (v0 - c0));
            uint c1 = 0u;
            for (uint c2 = 0; c2 < 3u; ++c2) {
                for (uint c3 = 0; c3 < 2u; ++c3) {
                    if ((v0 < (inputs[1] >> 21))) {
                        c1 = 1u;
                        break;
                    }
                    trace(12, (max((inputs[2] >> 12), v0) & max(v0, v0)));
                    v0 = ((c0 + c3) * 28u);
                }
                if ((c1 != 0u)) {
                    break;
                }
                v1 = ((c0 * (inputs[3] >> 19)) - 14u);
            }
        }
    } else {
        if (((v3 & 3u) == 2u)) {
            uint c4 = 0u;
            for (uint c5 = 0; c5 < 2u; ++c5) {
                for (uint c6 = 0; c6 < 4u; ++c6) {
                    if (((v1 & 1u) >= 1u)) {
                        c4 = 1u;
                        break;
                    }
                    v0 = c6;
                    uint c7 = 0;
                    for (;;) {
                        if (++c7 > 5) break;
                        trace(13, min((v2 - 9u), 38u));
                        if ((v1 < c4)) {
                            v2 = c4;
                            break;
                        }
                        trace(14, ((v0 ^ c6) | v2));
                        trace(15, v2);
                    }
                    trace(16, min(v3, 3u));
                }
                if ((c4 != 0u)) {
                    break;
                }
                mark(17, ((v1 & 18u) + v2));
            }
            trace(18, v2);
        }
        trace(19, v0);
        trace(20, ((v2 | 37u) + v0));
    }
    trace(21, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
