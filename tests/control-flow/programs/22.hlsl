//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 22
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
    for (uint c0 = 0; c0 < ((v3 & 3u) + 0u); ++c0) {
        [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
            trace(1, v3);
        }
        trace(2, ((v1 ^ (inputs[3] >> 4)) & 3u));
        return v0;
    }
    mark(3, ((v3 ^ 26u) - (v2 & 18u)));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v0 = f0(min((inputs[1] >> 26), v3), min(v2, 33u));
    uint c0 = 0;
    do {
        ++c0;
        if ((c0 >= (v0 & 3u))) {
            v0 = min(((inputs[1] >> 17) + 29u), 22u);
            continue;
        }
    } while (c0 < 4 && ((v1 & 7u) >= 3u));
    trace(4, (max(v2, v1) - min(v1, 7u)));
    if (!(((inputs[0] >> 12) & 3u) != 1u)) {
        v0 = ((v3 * v3) + 15u);
    }
    trace(5, min((v1 | v3), 37u));
    trace(6, ((v1 | v0) * (v0 + 26u)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
