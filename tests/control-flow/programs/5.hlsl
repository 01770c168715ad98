//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 5
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (!(c0 < (v1 & 3u))) {
            v2 = (c0 | (v1 + v2));
        } else {
            uint c1 = 0;
            while (c1 < 2 && !(c0 < v0)) {
                ++c1;
                if (((v0 & 3u) >= 3u)) {
                    uint c2 = 0;
                    do {
                        ++c2;
                        v3 = (c0 + (v3 - v3));
                        trace(1, v1);
                    } while (c2 < 2 && ((v0 & 3u) != 2u));
                    uint c3 = 0;
                    while (c3 < 2 && ((c1 & 3u) != 0u)) {
                        ++c3;
                        mark(2, min(max(v3, v1), 10u));
                        trace(3, v1);
                        v2 = ((v0 - v1) | ((inputs[0] >> 11) - v1));
                    }
                }
                [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
                    trace(4, v1);
                }
            }
        }
        v1 = (max(v2, 37u) ^ ((inputs[1] >> 19) + 36u));
    }
    v2 = ((v0 ^ v1) * v2);
    trace(5, (v1 + v1));
    mark(6, (v0 | 30u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
