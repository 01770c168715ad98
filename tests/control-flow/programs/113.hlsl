//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 113
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v1 = WaveActiveSum((((v1 + v2) & (v1 | (inputs[0] >> 1))) + 8u)); trace(8, v1);
    if (((v0 & 1u) >= 1u)) {
        if (((v1 & 3u) < 3u)) {
            mark(9, (max(v2, 0u) ^ 9u));
            uint c0 = 0u;
            for (uint c1 = 0; c1 < 2u; ++c1) {
                for (uint c2 = 0; c2 < 3u; ++c2) {
                    if (((c0 & 7u) >= 5u)) {
                        c0 = 1u;
                        break;
                    }
                    trace(10, v1);
                }
                if ((c0 != 0u)) {
                    break;
                }
                mark(11, c0);
            }
        }
    } else {
        v2 = WaveActiveMin((((v1 + v3) | 5u) + 12u)); trace(12, v2);
        trace(13, v0);
    }
    trace(14, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
