//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 13
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
        uint c1 = 0;
        while (c1 < 3 && ((v3 & 1u) != 0u)) {
            ++c1;
            mark(14, ((v1 * 16u) + 16u));
            uint c2 = 0;
            do {
                ++c2;
                if ((c1 >= (v3 & 3u))) {
                    if (WaveActiveAnyTrue((((v0 + 16u) & 7u) == 3u))) {
                        trace(18, 1u);
                        mark(17, max((c1 | v1), 7u));
                        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                    }
                }
                v0 = ((inputs[2] >> 3) + 8u);
            } while (WaveActiveAnyTrue(((c2 < 4u) && (((c0 + 15u) & 7u) < 3u))));
            mark(19, v0);
        }
        v3 = (inputs[2] >> 3);
        trace(20, v2);
    }
    trace(21, max(v3, (v2 | WaveGetLaneIndex())));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
