//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 135
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
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            if (!((v3 & 7u) < 2u)) {
                mark(1, v1);
                continue;
            }
            trace(2, max(v2, 14u));
            if (((inputs[0] >> 24) < c0)) {
                c0 = 1u;
                break;
            }
            trace(3, ((v0 + 19u) | (v3 + 6u)));
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(4, ((v2 + 4u) + (v1 - v0)));
    }
    trace(5, ((v1 + 13u) ^ 15u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if (((v0 & 3u) >= 1u)) {
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                if ((c1 < (v2 & 3u))) {
                    trace(6, ((v2 + c1) - 11u));
                }
                uint c2 = 0;
                while (c2 < 2 && !((v0 & 1u) != 0u)) {
                    ++c2;
                    trace(7, ((v3 * v1) & (inputs[0] >> 15)));
                }
                v0 = f0((v0 & 18u), v1);
            }
        }
        trace(8, v0);
        switch ((v3 & 3u)) {
        case 0: {
            if (((v2 & 1u) < 1u)) {
                v0 = (((inputs[2] >> 6) + v0) - (v1 + v2));
                break;
            }
            switch ((v3 & 3u)) {
            case 0: {
                v2 = f0((v3 & (inputs[2] >> 19)), (v1 + 17u));
                uint c3 = 0u;
                for (uint c4 = 0; c4 < 3u; ++c4) {
                    for (uint c5 = 0; c5 < 4u; ++c5) {
                        if ((((inputs[3] >> 23) & 7u) < 6u)) {
                            c3 = 1u;
                            break;
                        }
                        v3 = v0;
                    }
                    if ((c3 != 0u)) {
                        break;
                    }
                    trace(9, (inputs[2] >> 18));
                }
                mark(10, (v1 ^ v0));
                break;
            }
            case 1: {
                trace(11, v3);
                trace(12, (v0 + v3));
                break;
            }
            case 2: {
                mark(13, v2);
                v3 = (v2 * 2u);
                trace(14, ((inputs[1] >> 18) * (v1 * v1)));
                break;
            }
            }
            break;
        }
        case 1: {
            trace(15, ((v2 + v0) & v3));
            trace(16, min(min(v0, 34u), ((inputs[3] >> 2) & v1)));
            break;
        }
        case 2: case 3: {
            v3 = v3;
            break;
        }
        }
    }
    mark(17, min((v3 - v3), 1u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
