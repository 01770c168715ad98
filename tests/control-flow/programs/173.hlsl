//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 173
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
    mark(1, ((v0 ^ v2) | 15u));
    uint c0 = 0;
    while (c0 < 5 && (((v3 & 3u) >= 1u) && ((v2 & 1u) != 0u))) {
        ++c0;
        v0 = ((c0 | 21u) ^ 31u);
        v2 = max(c0, 19u);
    }
    trace(2, max(max(v1, v3), 29u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v2 = (v3 | 16u);
    if ((((inputs[3] >> 22) & 3u) >= 3u)) {
        if (!((v3 & 3u) != 1u)) {
            v2 = (v2 | 14u);
        }
        mark(3, ((v1 + 0u) * min(v3, v1)));
        trace(4, v1);
    } else {
        v3 = v3;
    }
    trace(5, ((v3 * v3) ^ (v3 + v2)));
    trace(6, ((v2 ^ 15u) + min(v1, v2)));
    switch ((v1 & 7u)) {
    case 0: default: {
        trace(7, (max(v3, 8u) | v3));
        break;
    }
    case 1: {
        v2 = f0((v2 + 8u), (v1 + v0));
        trace(8, max((inputs[3] >> 22), 19u));
        trace(9, min(v3, 4u));
        break;
    }
    case 2: {
        trace(10, v1);
        trace(11, ((v2 + 3u) - max(v0, v1)));
        break;
    }
    case 3: {
        trace(12, ((v3 - (inputs[2] >> 4)) * 3u));
        v1 = (v1 + ((inputs[3] >> 13) * v0));
        trace(13, v0);
        break;
    }
    case 4: {
        v1 = ((v2 ^ 28u) & v1);
        v0 = ((v1 & 8u) + 8u);
        break;
    }
    }
    trace(14, max((v1 & 2u), v3));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
