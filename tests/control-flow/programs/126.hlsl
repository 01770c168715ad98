//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 126
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    while (c0 < 2 && ((v2 & 3u) < 3u)) {
        ++c0;
        trace(1, (min((inputs[0] >> 21), 19u) * (v0 + 2u)));
    }
    trace(2, (v1 - 15u));
    uint c1 = 0;
    while (c1 < 3 && !((v0 & 3u) >= 2u)) {
        ++c1;
        trace(3, ((v1 + (inputs[0] >> 11)) + 4u));
    }
    if (((v3 & 3u) != 1u)) {
        trace(4, (max(v3, v3) & 17u));
    } else {
        if ((((v0 & 3u) < 1u) || ((v3 & 3u) != 2u))) {
            trace(5, v3);
        }
    }
    mark(6, (max(v3, v0) - v2));
    trace(7, (min(v2, 10u) - 31u));
    v3 = v2;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
