//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 114
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
    if (!((v1 & 7u) < 7u)) {
        if (((v0 < v1) || ((v2 & 1u) != 0u))) {
            trace(1, v2);
            mark(2, v1);
            mark(3, v0);
        } else {
            trace(4, ((v2 * v3) + 15u));
        }
    } else {
        trace(5, ((v1 + v3) | (v2 ^ v1)));
        v1 = v2;
    }
    trace(6, ((v1 + v2) - 34u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    uint c0 = 0;
    for (;;) {
        if (++c0 > 4) break;
        mark(7, v2);
        if ((c0 == (v2 & 3u))) {
            break;
        }
        if ((v0 < v3)) {
            v1 = v1;
            continue;
        }
    }
    trace(8, ((v0 + v1) + v3));
    mark(9, v2);
    trace(10, (v0 & 25u));
    for (uint c1 = 0; c1 < ((v3 & 3u) + 2u); ++c1) {
        v1 = f0((c1 | (inputs[1] >> 26)), (v0 + 7u));
        v1 = v0;
    }
    if (((v0 & 3u) != 1u)) {
        trace(11, ((v1 - v1) | v2));
        trace(12, (((inputs[3] >> 17) ^ 9u) * 27u));
    }
    if (!((v0 & 1u) == 0u)) {
        trace(13, (((inputs[0] >> 8) + v0) - max(v1, (inputs[1] >> 24))));
        trace(14, ((v2 + 5u) + max(v3, v0)));
    }
    trace(15, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
