//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 83
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [branch] if (((v0 & 7u) < 1u)) {
        trace(5, ((v0 ^ 12u) * ((inputs[1] >> 19) ^ v1)));
        if ((((inputs[0] >> 8) & 1u) >= 1u)) {
            [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
                if (((((inputs[3] >> 10) & 1u) == 0u) || (c0 == (v1 & 3u)))) {
                    switch ((v0 & 3u)) {
                    default: {
                        v2 = v2;
                        break;
                    }
                    case 0: {
                        v1 = c0;
                        break;
                    }
                    case 1: case 2: {
                        trace(6, ((v1 - v2) + v3));
                        v0 = ((v2 * 9u) + 15u);
                        break;
                    }
                    }
                    mark(7, ((v2 ^ v0) & (v0 + 31u)));
                    trace(8, min(max(c0, v2), max(v3, 4u)));
                } else {
                    uint c1 = 0;
                    for (;;) {
                        if (++c1 > 5) break;
                        mark(9, v0);
                        trace(10, v1);
                        if (((c1 & 3u) < 1u)) {
                            mark(11, v0);
                            break;
                        }
                        v1 = c0;
                    }
                }
            }
        } else {
            v2 = min(max(v2, 19u), 34u);
        }
    }
    trace(12, max(min(v3, v0), 30u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
