//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 191
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v1 & 3u) != 0u)) {
        trace(8, v1);
        uint c0 = 0;
        while (c0 < 3 && (((inputs[2] >> 14) & 3u) < 1u)) {
            ++c0;
            if (((v2 & 1u) >= 1u)) {
                trace(9, max(min((inputs[0] >> 24), v3), (c0 | v2)));
            }
            mark(10, max((v2 + 20u), (v3 | 26u)));
        }
        v3 = ((inputs[1] >> 3) + 19u);
    } else {
        mark(11, ((v0 & v0) + 26u));
    }
    v0 = (v2 + 35u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
