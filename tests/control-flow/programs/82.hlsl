//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 82
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((((inputs[0] >> 17) & 3u) >= 1u) || (((inputs[3] >> 27) & 1u) < 1u))) {
        uint c0 = 0;
        while (c0 < 5 && ((v3 & 3u) == 1u)) {
            ++c0;
            if ((c0 == ((inputs[2] >> 18) & 3u))) {
                mark(8, ((inputs[0] >> 14) - (v2 | c0)));
                break;
            }
        }
        if ((v1 < v2)) {
            trace(9, (v0 + v1));
        }
    }
    v0 = (((inputs[1] >> 15) ^ 21u) ^ v1);
    trace(10, v2);
    if (((v2 & 3u) < 1u)) {
        if ((((v3 & 1u) == 0u) && ((v0 & 1u) != 0u))) {
            if (((v1 & 1u) == 0u)) {
                trace(11, v1);
            }
            mark(12, (v1 ^ 25u));
            mark(13, v2);
        } else {
            uint c1 = 0;
            while (c1 < 4 && ((v2 & 3u) < 2u)) {
                ++c1;
                uint c2 = 0;
                for (;;) {
                    if (++c2 > 6) break;
                    [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
                        trace(14, v1);
                        trace(15, (v2 * 30u));
                        trace(16, (c3 & 31u));
                    }
                    v3 = c1;
                    if (((c1 == (v2 & 3u)) && ((c2 & 1u) >= 1u))) {
                        break;
                    }
                }
            }
            mark(17, max(v2, (v0 + 13u)));
        }
        trace(18, ((v3 & v1) & 7u));
    } else {
        mark(19, ((v2 + 14u) | 22u));
        mark(20, (((inputs[2] >> 16) + v2) * 16u));
    }
    trace(21, v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
