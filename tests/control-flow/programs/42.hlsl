//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 42
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
    trace(1, v0);
    uint c0 = 0;
    do {
        ++c0;
        trace(2, ((c0 - v0) - (c0 - v3)));
        [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
            v2 = (v2 & 10u);
            mark(3, ((v2 + c0) * min((inputs[2] >> 18), v3)));
            return v0;
        }
        v1 = ((c0 | v3) + ((inputs[0] >> 24) + 10u));
        continue;
    } while (c0 < 5 && (c0 == (v1 & 3u)));
    mark(4, max((v0 * v1), ((inputs[3] >> 11) ^ v1)));
    return v0;
}

NOINLINE uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    trace(5, ((v3 + 13u) ^ 1u));
    if ((((inputs[1] >> 22) & 3u) != 0u)) {
        trace(6, max(v0, 7u));
    } else {
        v0 = (v3 + (v2 | v1));
        trace(7, v0);
        v3 = v2;
    }
    trace(8, v2);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [loop] for (uint c0 = 0; c0 < ((v2 & 3u) + 2u); ++c0) {
        v3 = f1(min(c0, 31u), max(c0, (inputs[0] >> 20)));
        uint c1 = 0;
        while (c1 < 5 && !(v0 < v1)) {
            ++c1;
            trace(9, ((c0 + v1) + 5u));
        }
    }
    v0 = f0((v1 + v3), (v2 ^ v3));
    mark(10, min(v1, v0));
    for (uint c2 = 0; c2 < ((v1 & 3u) + 2u); ++c2) {
        v2 = ((v1 + c2) & (v3 & 38u));
        [loop] for (uint c3 = 0; c3 < 4u; ++c3) {
            if (((v1 & 3u) < 3u)) {
                trace(11, max(max(v1, (inputs[0] >> 10)), (v0 - v1)));
                break;
            }
        }
    }
    trace(12, (v0 | (v0 + v2)));
    mark(13, (min(v2, v2) + (v3 * v1)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
