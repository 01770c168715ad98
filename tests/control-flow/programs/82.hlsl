//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 82
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
    trace(1, (max(v2, v0) ^ 12u));
    trace(2, v1);
    trace(3, v0);
    trace(4, v2);
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    mark(5, (v1 & 20u));
    uint c0 = 0;
    while (c0 < 4 && ((v1 & 7u) != 0u)) {
        ++c0;
        v0 = ((v2 + 21u) + 16u);
        mark(6, (max((inputs[1] >> 26), v3) | v0));
    }
    v3 = max(v0, v1);
    [loop] for (uint c1 = 0; c1 < ((v0 & 3u) + 1u); ++c1) {
        trace(7, ((inputs[0] >> 22) | (v1 * v1)));
    }
    mark(8, ((v1 | 28u) - v0));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(9, (max(v0, 39u) * 9u));
    v2 = f1(v3, (v0 & v2));
    mark(10, ((inputs[0] >> 24) ^ v2));
    if (((v0 & 3u) < 2u)) {
        mark(11, v2);
        mark(12, v1);
    } else {
        [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
            trace(13, (v0 + 10u));
            trace(14, max((v0 + v2), v2));
        }
        if (((v0 & 1u) == 0u)) {
            if (((v2 & 3u) < 1u)) {
                trace(15, (v1 - (v3 + 19u)));
                mark(16, (v1 * v1));
            } else {
                mark(17, (v2 + ((inputs[1] >> 9) + v1)));
                mark(18, ((v3 & 29u) * (v2 | v2)));
            }
            trace(19, v0);
            mark(20, ((v2 + (inputs[0] >> 24)) ^ (v3 + (inputs[3] >> 20))));
        } else {
            v2 = (v0 + v2);
            v0 = (v2 | (v0 - v1));
            mark(21, v1);
        }
        trace(22, ((v3 ^ v3) - 23u));
    }
    v1 = (v1 - (v2 + 14u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
