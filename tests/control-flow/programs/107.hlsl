//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 107
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    switch ((v2 & 3u)) {
    case 0: {
        mark(6, ((v2 + 32u) ^ v1));
        trace(7, ((inputs[1] >> 10) - (v1 * v1)));
        break;
    }
    case 1: case 2: {
        [branch] if (((v1 & 1u) == 0u)) {
            uint c0 = 0;
            do {
                ++c0;
                trace(8, ((v1 ^ v0) | (v3 + 12u)));
            } while (c0 < 2 && ((v0 & 7u) < 2u));
        } else {
            if (((v2 & 3u) >= 3u)) {
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    mark(9, min((v0 + 31u), (c1 | v3)));
                }
                v3 = ((v1 + v0) + v3);
                v3 = (v0 + (v2 * v0));
            } else {
                mark(10, ((inputs[2] >> 19) + v0));
            }
        }
        trace(11, max(v2, v2));
        break;
    }
    }
    mark(12, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
