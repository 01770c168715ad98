//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 123
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (!((v3 & 3u) != 1u)) {
        uint c0 = 0;
        do {
            ++c0;
            uint c1 = 0u;
            for (uint c2 = 0; c2 < 3u; ++c2) {
                for (uint c3 = 0; c3 < 3u; ++c3) {
                    if (!((v1 & 3u) != 1u)) {
                        c1 = 1u;
                        break;
                    }
                    v3 = min(max(v2, c2), (v1 * c0));
                }
                if ((c1 != 0u)) {
                    break;
                }
                trace(1, max((v2 ^ (inputs[0] >> 19)), (c2 - 26u)));
            }
            uint c4 = 0u;
            for (uint c5 = 0; c5 < 3u; ++c5) {
                for (uint c6 = 0; c6 < 4u; ++c6) {
                    trace(2, max(v3, ((inputs[3] >> 3) * v1)));
                    if ((c5 >= (v3 & 3u))) {
                        c4 = 1u;
                        break;
                    }
                    v0 = v1;
                }
                if ((c4 != 0u)) {
                    break;
                }
                trace(3, (v2 & (c0 & 37u)));
            }
            v2 = c0;
        } while (c0 < 5 && ((v2 & 7u) < 4u));
    } else {
        if (((v1 & 3u) != 1u)) {
            uint c7 = 0;
            for (;;) {
                if (++c7 > 6) break;
                if ((c7 < (v3 & 3u))) {
                    trace(5, v3);
                    break;
                }
                mark(4, max((c7 - 36u), 13u));
            }
        }
    }
    v0 = (inputs[0] >> 5);
    mark(6, (((inputs[1] >> 18) | v3) + 18u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
