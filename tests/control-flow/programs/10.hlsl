//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 10
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
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            if ((c1 < ((inputs[0] >> 10) & 3u))) {
                trace(5, min(max(c0, v0), 21u));
            }
            if (((v0 & 1u) < 1u)) {
                trace(6, (v3 & (c1 | 21u)));
                continue;
            }
            if (!((v0 & 1u) >= 1u)) {
                break;
            }
        }
        [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
            switch ((v2 & 3u)) {
            case 0: {
                v3 = ((WaveGetLaneIndex() | (inputs[2] >> 7)) + 0u);
                v0 = ((v3 - WaveGetLaneIndex()) ^ (v1 | v1));
                v0 = min(max(c0, v2), (inputs[2] >> 19));
                break;
            }
            default: {
                v2 = WaveActiveMin((v0 + 7u)); trace(7, v2);
                continue;
            }
            case 1: {
                v3 = ((v2 | 27u) ^ 25u);
                break;
            }
            }
        }
        v0 = WaveReadLaneFirst(((v2 * v1) + 8u)); trace(8, v0);
    }
    v1 = WaveReadLaneFirst((min(min(v0, WaveGetLaneIndex()), min(v0, v3)) + 9u)); trace(9, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
