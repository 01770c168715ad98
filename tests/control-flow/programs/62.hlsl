//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 62
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v3 = v1;
    v1 = ((v0 | 23u) * (v2 + v1));
    v3 = WavePrefixSum(((WaveGetLaneIndex() & v2) + 1u)); trace(1, v3);
    trace(2, ((v3 ^ v1) + 33u));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            if (((v3 & 3u) >= 1u)) {
                v0 = ((v0 - v0) ^ (c2 ^ v3));
                mark(3, (((inputs[3] >> 10) - v2) * max(c1, 17u)));
                continue;
            } else {
                v3 = (inputs[0] >> 28);
            }
            if (((v0 & 7u) < 3u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v0 = v1;
    }
    mark(4, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
