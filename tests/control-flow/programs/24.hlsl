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
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        uint c1 = 0;
        while (c1 < 3 && (v3 < v3)) {
            ++c1;
            if ((((v2 & 3u) < 2u) || ((v2 & 7u) < 4u))) {
                break;
            }
            break;
        }
        for (uint c2 = 0; c2 < 2u; ++c2) {
            for (uint c3 = 0; c3 < ((WaveGetLaneIndex() & 3u) + 0u); ++c3) {
                if (((c3 & 1u) != 0u)) {
                    v3 = (v2 * 26u);
                }
                break;
            }
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
    }
    if (((v1 & 1u) >= 1u)) {
        v0 = WaveActiveCountBits(((v2 + 3u) & 1u) != 0u); trace(3, v0);
    }
    trace(4, (WaveGetLaneIndex() - 12u));
    v1 = WaveActiveBitOr((v0 + 5u)); trace(5, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
