//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 73
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
    do {
        ++c0;
        v3 = WaveActiveSum(((v2 ^ 0u) + 6u)); trace(6, v3);
    } while (c0 < 5 && (c0 >= (v3 & 3u)));
    trace(7, ((v3 + 28u) * (v3 + v1)));
    v0 = v1;
    if (((v1 & 3u) < 1u)) {
        for (uint c1 = 0; c1 < ((v0 & 3u) + 1u); ++c1) {
            uint c2 = 0;
            do {
                ++c2;
                v2 = (((inputs[1] >> 19) + v3) * v1);
                trace(8, ((c1 ^ v2) + (c1 + v0)));
                v1 = (min(v1, c2) * c2);
            } while (c2 < 5 && ((v0 & 3u) < 1u));
            mark(9, min((inputs[2] >> 15), v0));
            mark(10, ((v0 & 15u) * WaveGetLaneIndex()));
            continue;
        }
        trace(11, v2);
    }
    v0 = v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
