//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 168
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [branch] if ((((v0 & 3u) < 2u) || ((WaveGetLaneIndex() & 3u) >= 1u))) {
        mark(1, (min(v0, v1) | 2u));
        uint c0 = 0;
        while (c0 < 4 && !((v3 & 3u) == 0u)) {
            ++c0;
            if (((v1 & 3u) != 0u)) {
                mark(2, ((v1 ^ c0) + (c0 + 3u)));
                v3 = ((v0 & 29u) + (v0 & v1));
                v3 = ((v0 * 21u) + 16u);
            }
            v0 = WaveActiveBitAnd((v0 + 3u)); trace(3, v0);
        }
        mark(4, v3);
    } else {
        v1 = WaveActiveSum((((v0 ^ v3) * 33u) + 5u)); trace(5, v1);
        trace(6, WaveGetLaneIndex());
        mark(7, ((v3 + 38u) + 29u));
    }
    mark(8, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
