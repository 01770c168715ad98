//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 185
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
    trace(8, (((inputs[0] >> 26) * 24u) & (WaveGetLaneIndex() + 34u)));
    mark(9, v2);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        v1 = min(min(c0, WaveGetLaneIndex()), 5u);
    }
    uint c1 = 0u;
    for (uint c2 = 0; c2 < 2u; ++c2) {
        for (uint c3 = 0; c3 < 2u; ++c3) {
            if (((v3 < v3) || (c1 < ((inputs[3] >> 21) & 3u)))) {
                c1 = 1u;
                break;
            }
            if (WaveIsFirstLane()) {
                v3 = ((WaveGetLaneIndex() ^ 8u) & (v2 & c1));
            }
            trace(11, min(v1, v2));
        }
        if ((c1 != 0u)) {
            break;
        }
        v1 = min((v1 + v1), 27u);
    }
    v3 = ((WaveGetLaneIndex() + v3) & 2u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
