//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 74
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
    if (((v0 & 1u) != 0u)) {
        uint c0 = 0;
        for (;;) {
            if (++c0 > 3) break;
            if (!(v2 < v2)) {
                v2 = v3;
                break;
            }
            [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                v0 = v3;
            }
        }
        uint c2 = 0u;
        for (uint c3 = 0; c3 < 3u; ++c3) {
            for (uint c4 = 0; c4 < 3u; ++c4) {
                trace(1, (v2 - (inputs[0] >> 25)));
                [unroll] for (uint c5 = 0; c5 < 3u; ++c5) {
                    trace(2, (max(v1, v0) & 27u));
                }
                if (((c4 & 7u) >= 5u)) {
                    c2 = 1u;
                    break;
                }
            }
            if ((c2 != 0u)) {
                break;
            }
            v2 = ((inputs[3] >> 14) + (c2 - v3));
        }
    }
    trace(3, (inputs[1] >> 27));
    switch ((v0 & 3u)) {
    case 0: case 1: {
        if (((v0 & 1u) != 0u)) {
            if (((v2 & 1u) == 0u)) {
                mark(4, (v3 & v3));
            }
            if (((v1 & 7u) == 2u)) {
                break;
            }
        } else {
            trace(5, max((v0 - 18u), 7u));
        }
        trace(6, (min(v2, 0u) & v3));
        break;
    }
    default: case 2: {
        trace(7, (v1 * v3));
        trace(8, min(v1, (inputs[3] >> 8)));
        break;
    }
    case 3: {
        trace(9, v0);
        mark(10, max(v0, (v0 + v3)));
        trace(11, v0);
        break;
    }
    }
    trace(12, (v1 * 4u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
