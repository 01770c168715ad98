//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 76
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
        for (uint c2 = 0; c2 < 4u; ++c2) {
            if (!((v2 & 7u) < 5u)) {
                c0 = 1u;
                break;
            }
            v0 = v2;
            mark(1, max((v1 | v0), min((inputs[3] >> 1), c1)));
            trace(2, v3);
        }
        if ((c0 != 0u)) {
            break;
        }
        trace(3, ((v3 - 29u) * v2));
    }
    mark(4, (v0 + 38u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if ((v2 < v3)) {
        v1 = f0((v3 | 31u), (v2 * v3));
        if (((v3 & 3u) >= 2u)) {
            if (((v0 & 7u) >= 2u)) {
                switch ((v0 & 3u)) {
                default: {
                    if (((v2 & 7u) >= 2u)) {
                        v1 = ((v3 + v0) + 24u);
                        mark(5, (v1 | (v1 + v3)));
                    } else {
                        trace(6, ((v3 + v0) + 11u));
                    }
                    break;
                }
                case 0: case 1: {
                    v1 = f0((v1 & v3), (v0 - v0));
                    switch ((v0 & 3u)) {
                    case 0: {
                        mark(7, (v1 + 4u));
                        trace(8, ((v3 - (inputs[2] >> 1)) + (inputs[2] >> 0)));
                        trace(9, max(min(v2, 6u), 1u));
                        break;
                    }
                    default: {
                        trace(10, v0);
                        v3 = (v3 - 20u);
                        break;
                    }
                    case 1: {
                        trace(11, v1);
                        break;
                    }
                    case 2: {
                        v1 = v3;
                        trace(12, v1);
                        break;
                    }
                    case 3: {
                        v1 = (v3 - min(v0, v2));
                        break;
                    }
                    }
                    trace(13, ((v1 + 11u) - (v0 * v1)));
                    break;
                }
                case 2: {
                    trace(14, ((v1 & 2u) & 4u));
                    trace(15, ((v2 ^ v2) + (v1 & 11u)));
                    break;
                }
                }
                v1 = min((v0 & v2), (v2 + 22u));
            }
            mark(16, ((v1 ^ 10u) & 3u));
            mark(17, v2);
        }
    }
    trace(18, v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
