//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 134
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
    trace(1, (max(v2, v0) & v1));
    if (!((v2 & 3u) < 1u)) {
        trace(2, (v2 | v2));
        return v0;
    } else {
        trace(3, (inputs[0] >> 26));
    }
    trace(4, min((v1 * v3), 3u));
    trace(5, ((v0 - v1) | v2));
    mark(6, max(v2, (v1 + (inputs[2] >> 20))));
    v3 = v3;
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            if (((v0 & 3u) == 2u)) {
                if ((((v3 & 1u) >= 1u) || (v0 < v1))) {
                    uint c3 = 0;
                    for (;;) {
                        if (++c3 > 4) break;
                        mark(11, (c3 | c3));
                        if ((c1 < (v3 & 3u))) {
                            v2 = (inputs[1] >> 19);
                            break;
                        }
                        trace(12, ((c1 - v2) ^ 21u));
                    }
                    [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
                        trace(13, v0);
                        v3 = max(v0, min(v0, v0));
                    }
                }
                if (((v0 & 7u) >= 4u)) {
                    mark(14, v1);
                }
                [unroll] for (uint c5 = 0; c5 < 3u; ++c5) {
                    v3 = f0((v3 + v1), (c0 ^ 16u));
                    if (((v3 & 1u) >= 1u)) {
                        v3 = max((v3 + v1), 4u);
                        trace(15, (c1 & max(v2, v2)));
                        trace(16, (v3 + max(v0, v2)));
                        break;
                    }
                    trace(17, (max(v3, 29u) + 16u));
                }
            } else {
                v2 = (max(v0, 11u) | (v1 & v1));
                trace(18, v0);
                trace(19, v3);
            }
            if ((((inputs[0] >> 22) & 7u) != 3u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(20, max(v1, c1));
    }
    trace(21, max(min(v0, 2u), v2));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
