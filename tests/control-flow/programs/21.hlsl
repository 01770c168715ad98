//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 21
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    trace(1, ((v3 + 24u) & 18u));
    trace(2, v1);
    v0 = (v1 ^ (v2 * 19u));
    v1 = (((inputs[2] >> 25) + v2) * 4u);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (!((v3 & 3u) != 0u)) {
        trace(3, v1);
    }
    v3 = f0((v0 & v3), v0);
    v1 = (inputs[2] >> 0);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        v2 = max(v3, ((inputs[3] >> 27) * 23u));
        if ((c0 == (v0 & 3u))) {
            v0 = v2;
            if (!((c0 & 1u) < 1u)) {
                continue;
            }
        }
    }
    trace(4, (v2 & ((inputs[3] >> 13) + v1)));
    v2 = ((v3 | v3) - (v0 | 25u));
    trace(5, min((v2 + v0), v2));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
