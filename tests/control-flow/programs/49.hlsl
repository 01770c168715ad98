//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 49
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
    switch ((v3 & 7u)) {
    case 0: {
        if ((((v3 & 7u) < 7u) && ((v1 & 3u) == 0u))) {
            return v0;
        }
        trace(1, min((v2 - v2), 35u));
        break;
    }
    case 1: {
        trace(2, (v0 | (v0 + v1)));
        v2 = v2;
        mark(3, v2);
        break;
    }
    default: {
        trace(4, ((v0 ^ 31u) * ((inputs[1] >> 9) + 13u)));
        mark(5, v0);
        trace(6, (v0 ^ 38u));
        break;
    }
    case 2: case 3: case 4: {
        v2 = v0;
        trace(7, v3);
        break;
    }
    }
    trace(8, (inputs[1] >> 3));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    while (c0 < 5 && (v1 < v3)) {
        ++c0;
        if (((v1 & 3u) < 2u)) {
            return;
        }
        v1 = (inputs[0] >> 14);
        mark(9, (v3 & ((inputs[2] >> 28) ^ 21u)));
    }
    v0 = f0(v0, min(v0, v3));
    v1 = f0(min(v3, v2), min(v2, v3));
    trace(10, v3);
    if (((v1 & 1u) == 0u)) {
        trace(11, v0);
    } else {
        trace(12, ((v0 * 16u) + max(v1, 28u)));
        v0 = v2;
        uint c1 = 0u;
        for (uint c2 = 0; c2 < 2u; ++c2) {
            for (uint c3 = 0; c3 < 2u; ++c3) {
                if ((v3 < v1)) {
                    uint c4 = 0;
                    while (c4 < 4 && !((v0 & 7u) >= 2u)) {
                        ++c4;
                        v3 = ((inputs[2] >> 6) ^ v1);
                    }
                    trace(13, v1);
                    v1 = max(max(v1, c3), (v3 + v1));
                } else {
                    v1 = (inputs[3] >> 16);
                    trace(14, v2);
                }
                trace(15, v1);
                mark(16, (max(v0, c2) - 11u));
                if ((c3 < (v3 & 3u))) {
                    c1 = 1u;
                    break;
                }
            }
            if ((c1 != 0u)) {
                break;
            }
            v2 = (v0 & 14u);
        }
    }
    v2 = (v0 ^ (v2 ^ 5u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
