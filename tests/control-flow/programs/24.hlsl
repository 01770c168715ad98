//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 24
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
    [loop] for (uint c0 = 0; c0 < ((v3 & 3u) + 1u); ++c0) {
        v2 = WaveActiveSum((v3 + 1u)); trace(1, v2);
        v0 = WaveActiveBitXor((c0 + 2u)); trace(2, v0);
        uint c1 = 0;
        while (c1 < 5 && ((c0 < (c0 & 3u)) && ((v1 & 7u) != 4u))) {
            ++c1;
            if (((v3 & 3u) < 3u)) {
                trace(3, (((c0 | (inputs[2] >> 9)) & (v3 & 24u)) + 3u));
                v1 = ((c0 ^ WaveGetLaneIndex()) + 31u);
                mark(4, ((v0 - v0) | 7u));
            } else {
                trace(5, (v0 & 29u));
                mark(6, min(v0, c0));
                v0 = max(v0, 0u);
                break;
            }
            trace(7, (c0 + (WaveGetLaneIndex() & v0)));
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
    }
    mark(8, ((v3 + v3) - (v3 & 28u)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
