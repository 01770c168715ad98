//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 74
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(12, (v0 - min((inputs[0] >> 11), v1)));
    v1 = v2;
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 2u; ++c2) {
            trace(13, ((v0 & v0) + c1));
            if (((v3 & 7u) == 4u)) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(14, (max(v1, v1) + 39u));
    }
    switch ((v0 & 7u)) {
    default: {
        mark(15, min((v2 * (inputs[1] >> 18)), (v0 + 26u)));
        [unroll] for (uint c3 = 0; c3 < 2u; ++c3) {
            trace(16, v3);
            trace(17, ((v3 | c3) + 37u));
            trace(18, (min(v1, c3) & max(v2, 22u)));
        }
        trace(19, max(v2, 8u));
        break;
    }
    case 0: {
        v2 = (v3 - 26u);
        v0 = ((v3 * 17u) | (v2 ^ v1));
        trace(20, v0);
        break;
    }
    case 1: {
        trace(21, (v2 ^ (v0 & 32u)));
        mark(22, (v2 & v0));
        break;
    }
    case 2: case 3: {
        trace(23, v1);
        v2 = v2;
        break;
    }
    case 4: {
        v1 = (v1 - v3);
        trace(24, (v0 - (v2 & 5u)));
        break;
    }
    }
    trace(25, ((v3 + v1) * (v1 - 20u)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
