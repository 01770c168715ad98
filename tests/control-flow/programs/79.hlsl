//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 79
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    mark(5, (v0 ^ max(v2, 20u)));
    v1 = v1;
    trace(6, ((v2 + 3u) & v0));
    mark(7, (v0 + 18u));
    trace(8, ((v0 + v1) & v1));
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        v1 = ((inputs[3] >> 13) + ((inputs[1] >> 10) + 31u));
    }
    [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
        [unroll] for (uint c2 = 0; c2 < 2u; ++c2) {
            trace(9, ((v2 ^ 28u) ^ 21u));
        }
        v2 = v0;
    }
    uint c3 = 0;
    for (;;) {
        if (++c3 > 5) break;
        if (((v1 & 1u) < 1u)) {
            break;
        }
        trace(10, ((c3 * v3) | min(v1, c3)));
        break;
    }
    mark(11, (min(v0, v0) * 11u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
