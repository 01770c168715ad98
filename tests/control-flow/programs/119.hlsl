//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 119
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }
#ifdef SPIRV
#define NOINLINE
#else
#define NOINLINE [noinline]
#endif

NOINLINE uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    v2 = v0;
    v3 = v1;
    v3 = max(v3, min(v1, 39u));
    mark(1, max(v3, 18u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v0 = v1;
    mark(2, ((v1 - v0) | (inputs[3] >> 11)));
    trace(3, (v3 * (v1 ^ v0)));
    v2 = f0((v0 - v2), (v3 + v0));
    trace(4, ((v3 * 28u) & (v2 - 12u)));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            v2 = f0((v3 + c2), v1);
            if (((v3 & 1u) < 1u)) {
                c0 = 1u;
                break;
            }
            if ((c1 == (v0 & 3u))) {
                continue;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v0 = WavePrefixSum((((WaveGetLaneIndex() + (inputs[1] >> 19)) + (v2 & v1)) + 5u)); trace(5, v0);
    }
    switch ((v2 & 7u)) {
    case 0: {
        if ((v3 < v2)) {
            uint c3 = 0;
            while (c3 < 2 && (((v3 & 1u) >= 1u) || ((v3 & 7u) < 3u))) {
                ++c3;
                trace(6, c3);
            }
            v0 = (WaveGetLaneIndex() & (v3 + 2u));
        }
        break;
    }
    case 1: case 2: default: {
        mark(7, v0);
        trace(8, ((v2 + 2u) | (v2 | 36u)));
        mark(9, (v2 + 15u));
        break;
    }
    case 3: {
        trace(10, min((v1 * v3), min(v3, v0)));
        break;
    }
    case 4: {
        mark(11, (((inputs[2] >> 18) | 10u) + v2));
        break;
    }
    }
    mark(12, ((v2 + v3) | v1));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
