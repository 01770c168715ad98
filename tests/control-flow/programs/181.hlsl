//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 181
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
    mark(1, ((v0 - 2u) | (v2 & 38u)));
    if (!((v0 & 7u) >= 7u)) {
        mark(2, WaveGetLaneIndex());
        mark(3, (((inputs[3] >> 6) * 6u) + 5u));
    } else {
        v0 = v3;
        trace(4, (min((inputs[0] >> 1), v1) - (v0 | (inputs[2] >> 15))));
        trace(5, (min(v1, v3) | 15u));
    }
    trace(6, min((v0 & 23u), 18u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    do {
        ++c0;
        v2 = WaveActiveBitAnd(((v3 & v0) + 7u)); trace(7, v2);
        trace(8, v1);
    } while (c0 < 2 && ((WaveGetLaneIndex() & 1u) != 0u));
    [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
        if ((c1 >= (v0 & 3u))) {
            if (WaveActiveAnyTrue((((v1 + 9u) & 7u) >= 3u))) {
                if (((v2 & 3u) != 0u)) {
                    return;
                }
                if ((c1 < v3)) {
                    mark(10, min(v0, 2u));
                }
                v1 = max(min((inputs[0] >> 11), c1), v1);
            }
        } else {
            v0 = WavePrefixSum(((v0 ^ 24u) + 11u)); trace(11, v0);
        }
        trace(12, c1);
        trace(13, ((v1 & 0u) * 34u));
    }
    mark(14, ((v2 - v2) * v2));
    for (uint c2 = 0; c2 < ((v3 & 3u) + 0u); ++c2) {
        v2 = c2;
        [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
            v3 = f0(v2, max(v3, 23u));
            trace(15, ((v2 * 20u) + (inputs[2] >> 12)));
        }
        v3 = WaveActiveMax((((v1 - 8u) + (c2 + 0u)) + 16u)); trace(16, v3);
    }
    mark(17, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
