//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 35
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            if ((c0 >= (v2 & 3u))) {
                if (((v1 & 1u) >= 1u)) {
                    trace(6, v3);
                    if (WaveActiveAnyTrue((((v1 + 7u) & 7u) == 3u))) {
                        trace(10, 1u);
                        trace(8, (min(v1, v3) - 18u));
                        mark(9, v1);
                    }
                } else {
                    trace(11, (c2 * (c0 & 5u)));
                    mark(12, ((v0 + v2) + 6u));
                    v0 = WaveActiveSum((v2 + 13u)); trace(13, v0);
                    break;
                }
            }
            v2 = v0;
            v1 = WaveActiveMax(((inputs[1] >> 2) + 14u)); trace(14, v1);
            if (((v3 & 1u) >= 1u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v3 = ((v2 * c0) + 17u);
    }
    trace(15, (max(v0, v3) ^ (v1 * v1)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
