//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 120
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
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (((v1 & 1u) == 0u)) {
            break;
        }
        if ((c0 < (v2 & 3u))) {
            mark(1, ((v0 * 14u) - (v2 + v2)));
        }
        v1 = v1;
    }
    trace(2, max(v3, 32u));
    mark(3, (v1 + min(v1, v3)));
    trace(4, (v1 ^ min(v0, v0)));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    trace(8, ((v2 - 35u) + 11u));
    if (((v3 & 3u) != 0u)) {
        mark(9, max(v0, 15u));
        v0 = f0((v2 + 35u), (v0 * v3));
        if ((((v3 & 1u) >= 1u) && ((v3 & 7u) == 2u))) {
            trace(10, ((v2 | 8u) + 14u));
        }
    } else {
        if (((v1 & 7u) != 1u)) {
            v0 = max(v0, (inputs[2] >> 10));
        }
        trace(11, (v2 - 26u));
    }
    trace(12, (v0 ^ v1));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
