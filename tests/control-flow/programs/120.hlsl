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

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if ((v3 < v1)) {
        trace(5, v2);
        v1 = f0(v1, v1);
        if (((v3 & 3u) >= 1u)) {
            trace(6, (v1 & (v1 | v3)));
            [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                if ((((v2 & 7u) != 0u) || (c0 == (v3 & 3u)))) {
                    mark(7, (v3 + (v1 + 5u)));
                    mark(8, c0);
                    trace(9, ((v2 - 8u) | 2u));
                } else {
                    v3 = ((v0 - 21u) ^ 24u);
                    trace(10, c0);
                    trace(11, (inputs[3] >> 19));
                }
            }
        } else {
            trace(12, (v0 + v3));
            v3 = v3;
            trace(13, v3);
        }
    }
    trace(14, ((v3 + 5u) & 8u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v0 & 7u)) {
    case 0: {
        mark(15, v0);
        if ((((inputs[0] >> 1) & 3u) < 2u)) {
            trace(16, (v3 ^ (v1 * v0)));
            break;
        }
        break;
    }
    case 1: {
        mark(17, ((v0 * v2) ^ ((inputs[0] >> 16) - 26u)));
        break;
    }
    case 2: {
        for (uint c0 = 0; c0 < 4u; ++c0) {
            [branch] if (((v2 & 7u) < 1u)) {
                if (((v2 & 1u) != 0u)) {
                    trace(18, max((v2 | (inputs[0] >> 17)), 31u));
                    continue;
                }
                trace(19, v0);
                v3 = f1((v0 * v1), ((inputs[2] >> 19) + 39u));
            }
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                trace(20, ((v2 ^ v2) ^ v2));
            }
        }
        break;
    }
    case 3: {
        trace(21, ((v0 * 20u) | v1));
        break;
    }
    case 4: {
        mark(22, (v3 | 31u));
        v2 = v1;
        mark(23, ((v2 * v0) ^ min(v1, 31u)));
        break;
    }
    }
    trace(24, max(v2, 25u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
