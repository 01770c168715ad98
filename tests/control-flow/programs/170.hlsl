//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 170
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
    if (WaveActiveAnyTrue((((v2 + 1u) & 7u) < 3u))) {
        trace(9, 1u);
        uint c0 = 0;
        while (c0 < 2 && (((v3 & 1u) < 1u) || ((v1 & 1u) >= 1u))) {
            ++c0;
            if (((v2 & 3u) != 1u)) {
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    if ((((inputs[1] >> 27) < v2) || ((v3 & 7u) < 2u))) {
                        mark(2, min(min(v3, 0u), v2));
                        v3 = v2;
                        v3 = WaveActiveSum((((c1 & v1) - v2) + 3u)); trace(3, v3);
                    } else {
                        trace(4, v0);
                    }
                    v1 = v2;
                }
                trace(5, (v1 + 18u));
                trace(6, (min(v0, (inputs[1] >> 27)) | (v0 ^ c0)));
            } else {
                mark(7, v2);
                v2 = ((v2 ^ (inputs[2] >> 24)) + min(v2, WaveGetLaneIndex()));
                mark(8, v1);
                break;
            }
        }
    }
    trace(10, (v1 + v2));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
