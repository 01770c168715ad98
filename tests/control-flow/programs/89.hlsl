//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 89
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
    trace(1, (v1 | (v3 + v3)));
    v0 = ((v3 + v1) & 25u);
    trace(2, (max(v1, (inputs[2] >> 24)) & 18u));
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (((inputs[0] >> 27) < v1)) {
            trace(3, min((c0 & c0), (v2 + v1)));
            if (((v0 & 7u) < 6u)) {
                trace(4, ((v1 - v0) ^ (c0 ^ 0u)));
                trace(5, min(v0, 3u));
                v2 = v3;
            } else {
                trace(6, ((inputs[1] >> 2) + 7u));
            }
        }
        trace(7, v3);
    }
    v0 = ((v2 | v3) - 0u);
    return v0;
}

uint f1(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    mark(8, ((v3 + 14u) ^ 3u));
    if ((v0 < v3)) {
        if (((v3 & 7u) >= 5u)) {
            if ((((v1 & 3u) == 2u) && ((v0 & 3u) != 0u))) {
                v0 = (inputs[1] >> 9);
            }
        }
        mark(9, v3);
        trace(10, v0);
    }
    mark(11, ((v3 + v2) | 9u));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if ((v2 < v0)) {
        if (((v3 & 3u) == 1u)) {
            trace(12, max(v3, v3));
        }
    }
    v0 = f1((v3 & 38u), ((inputs[2] >> 2) & v2));
    switch ((v3 & 3u)) {
    case 0: case 1: case 2: {
        mark(13, (max(v1, 13u) * v1));
        switch (((inputs[1] >> 26) & 3u)) {
        case 0: case 1: default: {
            uint c0 = 0;
            while (c0 < 5 && (((inputs[2] >> 7) & 1u) < 1u)) {
                ++c0;
                if (((v0 & 7u) < 2u)) {
                    if ((((inputs[1] >> 19) & 1u) == 0u)) {
                        v3 = (v2 + ((inputs[3] >> 9) * 27u));
                    } else {
                        v2 = (min(v1, 22u) | min((inputs[2] >> 3), c0));
                        trace(14, min((v3 + v3), c0));
                    }
                } else {
                    trace(15, c0);
                    break;
                }
            }
            v3 = (max(v2, v0) - v0);
            trace(16, v0);
            break;
        }
        case 2: case 3: {
            v1 = (v1 + 5u);
            v2 = ((v2 & v3) ^ 5u);
            break;
        }
        }
        v3 = ((v2 + v3) ^ v1);
        break;
    }
    default: case 3: {
        v3 = min(min((inputs[3] >> 4), v2), v3);
        mark(17, ((v3 + 33u) * 32u));
        break;
    }
    }
    v2 = v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
