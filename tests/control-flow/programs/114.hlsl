//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 114
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
    if (!((v1 & 7u) < 7u)) {
        if (((v0 < v1) || ((v2 & 1u) != 0u))) {
            trace(1, v2);
            mark(2, v1);
            mark(3, v0);
        } else {
            trace(4, ((v2 * v3) + 15u));
        }
    } else {
        trace(5, ((v1 + v3) | (v2 ^ v1)));
        v1 = v2;
    }
    trace(6, ((v1 + v2) - 34u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (((v2 & 3u) == 0u)) {
        for (uint c0 = 0; c0 < 3u; ++c0) {
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                mark(7, (min(v1, c1) ^ 11u));
            }
        }
        if (!((v3 & 1u) != 0u)) {
            if (((v0 & 1u) == 0u)) {
                trace(8, (v0 & 25u));
                for (uint c2 = 0; c2 < ((v3 & 3u) + 2u); ++c2) {
                    v1 = f0((c2 | (inputs[1] >> 26)), (v0 + 7u));
                    v1 = v0;
                }
            }
            [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
                [loop] for (uint c4 = 0; c4 < ((v0 & 3u) + 0u); ++c4) {
                    mark(9, v0);
                    trace(10, (v3 * v1));
                    break;
                }
                trace(11, v2);
            }
            v2 = ((v1 + 14u) ^ v0);
        }
        mark(12, v3);
    }
    v2 = ((inputs[2] >> 17) * 9u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
