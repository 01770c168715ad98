//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 56
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v1 & 3u) != 0u)) {
        for (uint c0 = 0; c0 < 2u; ++c0) {
            v0 = ((v2 | 0u) + (inputs[0] >> 25));
        }
    } else {
        if (((v3 & 3u) >= 2u)) {
            v3 = ((v3 * v1) ^ v2);
        }
        for (uint c1 = 0; c1 < ((v0 & 3u) + 0u); ++c1) {
            trace(6, (v2 ^ 16u));
        }
    }
    uint c2 = 0;
    while (WaveActiveAnyTrue(((c2 < 3u) && (((v1 + 7u) & 7u) >= 3u)))) {
        ++c2;
        if ((((inputs[1] >> 12) & 1u) == 0u)) {
            trace(8, (c2 ^ min(v1, c2)));
            [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                trace(9, v2);
                v0 = v3;
                [flatten] if ((c3 < (v3 & 3u))) {
                    v2 = max(max((inputs[0] >> 18), 18u), 14u);
                }
            }
            mark(10, v0);
            return;
        }
        v3 = (c2 + WaveGetLaneIndex());
        uint c4 = 0;
        while (c4 < 5 && (v0 < v2)) {
            ++c4;
            v0 = min((v3 ^ v1), WaveGetLaneIndex());
            mark(11, v2);
        }
    }
    trace(12, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
