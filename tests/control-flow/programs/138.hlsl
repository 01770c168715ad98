//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 138
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(1, ((v1 * (inputs[3] >> 1)) & WaveGetLaneIndex()));
    uint c0 = 0;
    do {
        ++c0;
        [branch] if (((v0 & 7u) != 4u)) {
            [loop] for (uint c1 = 0; c1 < 5u; ++c1) {
                if (!(((inputs[2] >> 1) & 3u) >= 1u)) {
                    continue;
                }
                mark(2, ((c0 ^ 18u) + WaveGetLaneIndex()));
            }
        }
        v3 = WaveActiveSum((v3 + 3u)); trace(3, v3);
    } while (c0 < 3 && (((v1 & 1u) == 0u) || (c0 < (c0 & 3u))));
    v0 = (max(v0, (inputs[0] >> 22)) | 0u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
