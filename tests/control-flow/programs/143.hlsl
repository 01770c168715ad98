//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 143
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v3 & 3u) < 3u)) {
        v1 = min(v1, 17u);
    }
    v2 = (v1 & max(v0, v0));
    if (!((v1 & 1u) != 0u)) {
        mark(1, ((v0 * v2) ^ 38u));
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 4u; ++c2) {
                if (((v3 & 7u) < 3u)) {
                    c0 = 1u;
                    break;
                }
                v1 = (min(v1, v3) | (v2 | v2));
                mark(2, v0);
                trace(3, (v1 ^ 17u));
            }
            if ((c0 != 0u)) {
                break;
            }
            mark(4, v1);
        }
    }
    trace(5, min(v3, (v1 | v1)));
    if ((v3 < v3)) {
        [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
            mark(6, v2);
            uint c4 = 0;
            while (c4 < 4 && (v1 < c3)) {
                ++c4;
                trace(7, ((v2 - v2) - 18u));
                trace(8, (v3 + 14u));
                if ((c3 < (v2 & 3u))) {
                    if (!((inputs[1] >> 27) < v1)) {
                        trace(9, (min(c3, c4) * (v2 ^ (inputs[0] >> 0))));
                        break;
                    }
                    trace(10, ((c3 ^ v1) ^ max(c3, v1)));
                }
            }
        }
        v3 = ((v0 ^ 18u) | 18u);
        mark(11, (v1 ^ 30u));
    }
    v3 = (((inputs[3] >> 26) | (inputs[2] >> 28)) + ((inputs[3] >> 17) ^ v2));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
