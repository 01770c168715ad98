//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 146
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    do {
        ++c0;
        if ((((v3 & 1u) != 0u) && ((c0 & 7u) == 2u))) {
            trace(10, (max((inputs[2] >> 3), v3) - 33u));
            trace(11, (v3 ^ v0));
        }
        uint c1 = 0;
        while (c1 < 3 && (c0 == ((inputs[1] >> 16) & 3u))) {
            ++c1;
            if ((((c0 & 3u) < 1u) && (((inputs[3] >> 7) & 3u) == 0u))) {
                [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                    [branch] if ((c1 < (v2 & 3u))) {
                        v0 = min((v1 - v1), (v3 + (inputs[0] >> 25)));
                        break;
                    }
                }
                [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                    v1 = ((c1 & c0) & 0u);
                    trace(12, v3);
                    mark(13, ((c0 * v1) ^ v1));
                }
            }
            mark(14, v3);
        }
    } while (c0 < 5 && (((c0 & 3u) < 3u) && (c0 >= (v0 & 3u))));
    mark(15, max(v0, (v3 | v3)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
