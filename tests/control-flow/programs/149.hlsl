//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 149
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
    if ((((v3 & 3u) < 1u) && ((inputs[2] >> 6) < v1))) {
        v0 = ((v0 + v1) ^ (v0 & v1));
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                if (((v1 & 3u) == 1u)) {
                    c0 = 1u;
                    break;
                }
                [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                    v3 = min(c1, 39u);
                    trace(1, ((WaveGetLaneIndex() | WaveGetLaneIndex()) & c2));
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            v2 = (min(WaveGetLaneIndex(), v2) & (c0 ^ c1));
        }
        uint c4 = 0;
        while (c4 < 4 && (v3 < v3)) {
            ++c4;
            trace(2, min((v1 + v1), 22u));
            mark(3, v0);
            v0 = min(v2, v0);
        }
    } else {
        v2 = WaveGetLaneIndex();
    }
    v0 = WaveReadLaneFirst((((v0 ^ 10u) - v1) + 4u)); trace(4, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
