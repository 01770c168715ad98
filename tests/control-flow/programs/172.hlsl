//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 172
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = ((WaveGetLaneIndex() + 7u) - v2);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        v2 = WaveReadLaneFirst(((inputs[1] >> 7) + 1u)); trace(1, v2);
    }
    uint c1 = 0;
    for (;;) {
        if (++c1 > 5) break;
        for (uint c2 = 0; c2 < 5u; ++c2) {
            [loop] for (uint c3 = 0; c3 < 2u; ++c3) {
                mark(2, ((v1 & v1) | ((inputs[3] >> 27) ^ (inputs[3] >> 3))));
                mark(3, c1);
                mark(4, v2);
            }
            trace(5, (WaveGetLaneIndex() | (c1 + 31u)));
        }
        if (((c1 & 7u) >= 6u)) {
            v0 = ((v3 - 16u) - (WaveGetLaneIndex() + 15u));
            break;
        }
    }
    v1 = (min(v2, v3) | min(v1, v3));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
