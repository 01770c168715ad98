//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 166
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(10, (v1 | (v0 * v1)));
    uint c0 = 0;
    while (c0 < 3 && (v0 < v3)) {
        ++c0;
        uint c1 = 0;
        for (;;) {
            if (++c1 > 6) break;
            [loop] for (uint c2 = 0; c2 < ((c1 & 3u) + 0u); ++c2) {
                trace(11, (c0 - c0));
                mark(12, (inputs[3] >> 7));
                mark(13, ((v0 + v3) ^ 20u));
            }
            if ((c1 < (inputs[0] >> 22))) {
                trace(14, ((v2 - c1) + v3));
                break;
            }
        }
        v2 = ((v1 ^ v2) - 1u);
    }
    mark(15, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
