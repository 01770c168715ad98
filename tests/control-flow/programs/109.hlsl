//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 109
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
    uint c0 = 0;
    for (;;) {
        if (++c0 > 3) break;
        uint c1 = 0;
        while (c1 < 2 && (v1 < c0)) {
            ++c1;
            trace(1, (max(c0, v1) + 16u));
            trace(2, (v2 + c0));
            trace(3, ((v1 ^ v3) - 36u));
        }
        if (((c0 & 3u) != 1u)) {
            break;
        }
        trace(4, c0);
    }
    v1 = v3;
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (((v3 < v1) && ((v1 & 3u) >= 2u))) {
        if ((((v3 & 3u) != 1u) && ((v0 & 3u) >= 2u))) {
            trace(8, ((v3 + v3) + 30u));
            v0 = f0((v0 & v1), (v3 ^ 34u));
        }
        trace(9, ((v0 & v2) * (v1 + 9u)));
    } else {
        trace(10, v1);
        trace(11, min(max(v3, v0), ((inputs[0] >> 11) + v1)));
        trace(12, ((v3 + 7u) & (v3 ^ v2)));
    }
    uint c0 = 0;
    while (c0 < 5 && ((v0 & 7u) >= 1u)) {
        ++c0;
        uint c1 = 0;
        for (;;) {
            if (++c1 > 5) break;
            if (((c1 & 1u) >= 1u)) {
                mark(17, ((c0 ^ v0) + 8u));
                break;
            }
            if (((((inputs[3] >> 21) & 7u) != 3u) || ((v1 & 1u) >= 1u))) {
                if (((v3 < v2) && (c1 == (c1 & 3u)))) {
                    continue;
                }
                [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
                    trace(13, (inputs[3] >> 14));
                }
            }
            [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
                trace(14, max(v3, min(c3, c1)));
                mark(15, v0);
                mark(16, v2);
            }
        }
    }
    trace(18, ((v3 | v3) ^ (v3 * v2)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
