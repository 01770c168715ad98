//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 5
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(8, v1);
    v3 = (((inputs[0] >> 9) ^ 18u) | (v0 | v1));
    if (((v0 & 7u) >= 2u)) {
        trace(9, v2);
        v3 = ((v3 & v0) * (inputs[2] >> 27));
        for (uint c0 = 0; c0 < 2u; ++c0) {
            if (!((c0 & 3u) < 1u)) {
                break;
            }
            trace(10, (((inputs[1] >> 9) + 2u) ^ c0));
            if (((v0 & 1u) >= 1u)) {
                v2 = min(c0, (v2 & (inputs[0] >> 2)));
                mark(11, c0);
            }
        }
    }
    trace(12, max(v3, ((inputs[3] >> 5) * v3)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
