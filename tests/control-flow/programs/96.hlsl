//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 96
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(11, ((inputs[3] >> 24) - 26u));
    v2 = max((v3 + v0), (v2 * v3));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            if (((c2 < (v3 & 3u)) && (c2 == (v0 & 3u)))) {
                c0 = 1u;
                break;
            }
            [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                mark(12, ((v1 * 1u) & 39u));
                if ((((v1 & 3u) == 1u) || (v0 < c3))) {
                    [branch] if (((v2 & 3u) != 1u)) {
                        mark(13, max(v1, 29u));
                    } else {
                        mark(14, ((v1 + (inputs[0] >> 26)) - 32u));
                        trace(15, (v0 - 35u));
                    }
                }
            }
            [unroll] for (uint c4 = 0; c4 < 2u; ++c4) {
                trace(16, v3);
            }
            mark(17, (max(v0, 12u) * 18u));
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(18, v0);
    }
    mark(19, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
