//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 97
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
    if (((v0 & 7u) < 7u)) {
        if (((v3 & 3u) >= 2u)) {
            if ((v1 < v0)) {
                if ((((v1 & 3u) >= 1u) || ((v0 & 1u) < 1u))) {
                    mark(1, v2);
                }
            } else {
                uint c0 = 0;
                while (c0 < 5 && (((v2 & 3u) < 1u) && ((v3 & 3u) < 2u))) {
                    ++c0;
                    trace(2, v1);
                }
                trace(3, min(max(v2, v1), 0u));
            }
            trace(4, (min(v2, v2) & v2));
            trace(5, (max(v1, 19u) - (v0 + v0)));
            return v0;
        } else {
            v1 = ((v2 | 38u) | (v3 * v1));
        }
        v1 = (v3 | 7u);
        v2 = ((v2 - v2) ^ v2);
    }
    v0 = ((v0 + 24u) + 33u);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    trace(6, v2);
    v2 = f0(v2, (v2 - v0));
    [branch] if (((v1 & 7u) != 3u)) {
        if (((v3 & 1u) != 0u)) {
            v0 = v2;
            [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                v3 = ((v2 | 11u) + 6u);
                if (((v0 < v0) || (c0 < (v0 & 3u)))) {
                    if (((v1 & 3u) != 2u)) {
                        v2 = v2;
                        v3 = v2;
                        trace(7, max((v1 & (inputs[1] >> 2)), 30u));
                    } else {
                        mark(8, c0);
                    }
                } else {
                    mark(9, v2);
                    for (uint c1 = 0; c1 < ((v2 & 3u) + 1u); ++c1) {
                        trace(10, v2);
                    }
                    trace(11, v3);
                }
                trace(12, v3);
            }
            trace(13, v2);
        } else {
            mark(14, v3);
            trace(15, (v1 - 13u));
        }
        trace(16, ((v2 + v0) + (v1 + 21u)));
    }
    trace(17, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
