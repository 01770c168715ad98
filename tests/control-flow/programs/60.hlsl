//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 60
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (((c0 >= (v0 & 3u)) && (c0 >= (v0 & 3u)))) {
            trace(9, v3);
        }
    }
    if (((v2 & 1u) != 0u)) {
        v2 = ((v3 & v0) * (v0 + 12u));
    } else {
        trace(10, (v1 + ((inputs[2] >> 13) & (inputs[3] >> 8))));
        uint c1 = 0;
        for (;;) {
            if (++c1 > 5) break;
            trace(11, (v3 ^ v3));
            if ((((v2 & 3u) != 0u) && (c1 >= (v2 & 3u)))) {
                break;
            }
            v2 = WaveActiveBitXor((((v3 * 34u) | WaveGetLaneIndex()) + 12u)); trace(12, v2);
        }
    }
    mark(13, min((v0 | (inputs[3] >> 2)), 29u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
