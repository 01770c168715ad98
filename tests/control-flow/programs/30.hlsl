//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 30
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if ((((v3 & 7u) == 5u) || ((v2 & 3u) != 0u))) {
        if (((v2 & 7u) != 5u)) {
            if (!((v3 & 7u) < 4u)) {
                if (((v2 & 1u) >= 1u)) {
                    if ((((v3 & 3u) >= 1u) && ((v0 & 1u) >= 1u))) {
                        trace(2, (inputs[1] >> 12));
                        return;
                    }
                    mark(3, ((v1 + v3) - (v0 + 6u)));
                } else {
                    [branch] if (!((v3 & 7u) < 5u)) {
                        trace(4, (((inputs[2] >> 6) | 32u) + ((inputs[1] >> 4) | v0)));
                    }
                }
                if ((((v0 & 7u) != 3u) || ((v1 & 3u) != 1u))) {
                    trace(5, v3);
                    uint c0 = 0;
                    while (c0 < 2 && ((v1 & 7u) < 7u)) {
                        ++c0;
                        trace(6, (v0 - 8u));
                    }
                } else {
                    trace(7, v3);
                    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                        mark(8, min((v0 & 10u), (c1 | 7u)));
                        v2 = v0;
                    }
                }
            } else {
                trace(9, ((v0 * v1) + v1));
                v3 = (v2 * 18u);
                v1 = max(v0, 8u);
            }
            trace(10, max(v3, (v1 + v1)));
            return;
        }
        trace(11, max((v3 + v1), min(v3, v2)));
    }
    v0 = max((v0 + 23u), v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
