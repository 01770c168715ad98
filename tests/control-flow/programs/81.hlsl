//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 81
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
    for (uint c0 = 0; c0 < ((v2 & 3u) + 2u); ++c0) {
        v1 = min((v1 & 32u), 16u);
        trace(1, v1);
    }
    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
        mark(2, (c1 ^ 22u));
        trace(3, ((c1 - 33u) - v2));
        trace(4, (v1 ^ v2));
    }
    v2 = max(v3, 14u);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v2 = f0((v3 ^ v2), (v3 & 10u));
    trace(9, (max(v2, (inputs[2] >> 24)) ^ 37u));
    if (((v2 & 3u) == 2u)) {
        if ((v3 < v0)) {
            trace(10, max(v1, (v1 ^ v3)));
        }
        [loop] for (uint c0 = 0; c0 < ((v2 & 3u) + 1u); ++c0) {
            v2 = max((v0 * c0), 6u);
        }
    }
    uint c1 = 0u;
    for (uint c2 = 0; c2 < 3u; ++c2) {
        for (uint c3 = 0; c3 < 3u; ++c3) {
            [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
                if ((((v1 & 1u) < 1u) && (((inputs[2] >> 22) & 3u) != 0u))) {
                    break;
                }
                mark(11, (v1 - (c1 + 13u)));
                trace(12, ((v1 | v2) - 32u));
            }
            [unroll] for (uint c5 = 0; c5 < 3u; ++c5) {
                trace(13, (inputs[0] >> 19));
                v1 = min((v2 & v0), v1);
            }
            if ((v0 < v1)) {
                c1 = 1u;
                break;
            }
            v2 = ((v2 * 6u) * 3u);
        }
        if ((c1 != 0u)) {
            break;
        }
        v1 = min((v3 + v1), 13u);
    }
    mark(14, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
