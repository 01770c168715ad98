//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 83
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
    trace(1, v3);
    if (((v3 & 3u) < 2u)) {
        trace(2, (v2 ^ 3u));
        uint c0 = 0;
        do {
            ++c0;
            trace(3, v2);
        } while (c0 < 2 && (c0 >= (v0 & 3u)));
    }
    trace(4, v2);
    v2 = (((inputs[3] >> 6) + v3) - 13u);
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    while (c0 < 4 && ((v2 & 1u) == 0u)) {
        ++c0;
        if ((v3 < v2)) {
            mark(5, (((inputs[3] >> 15) + 4u) | ((inputs[3] >> 17) - 34u)));
            v2 = ((v1 + c0) + 1u);
        } else {
            trace(6, v3);
            trace(7, (c0 + 7u));
            v1 = (c0 * 6u);
        }
    }
    v0 = f0(((inputs[2] >> 20) - v2), (v0 | 31u));
    if ((((inputs[0] >> 19) & 3u) < 1u)) {
        [flatten] if (((v2 & 1u) < 1u)) {
            v1 = v3;
        }
    } else {
        v1 = (max(v2, v2) + (v0 ^ 37u));
        mark(8, ((v0 | v0) * 7u));
    }
    trace(9, (v1 & 4u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
