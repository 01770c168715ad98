//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 66
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
    trace(1, v3);
    if ((((v0 & 1u) == 0u) || ((v1 & 3u) >= 3u))) {
        if (((v2 & 3u) >= 1u)) {
            v3 = min((inputs[1] >> 27), v3);
        }
        [loop] for (uint c0 = 0; c0 < 5u; ++c0) {
            uint c1 = 0;
            do {
                ++c1;
                if ((((c1 & 3u) == 2u) && ((c1 & 3u) < 3u))) {
                    mark(2, max(max(v3, 12u), ((inputs[2] >> 25) ^ 9u)));
                    trace(3, ((v3 - 36u) * c1));
                    v3 = v1;
                } else {
                    v2 = ((v0 ^ 37u) & c0);
                    v1 = min((v2 * 7u), (v3 + c1));
                }
            } while (c1 < 2 && ((c1 & 3u) >= 1u));
            trace(4, v0);
            trace(5, min((v3 + v2), (v2 | v3)));
        }
        trace(6, v0);
    }
    v3 = v0;
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v0 & 1u) >= 1u)) {
        trace(11, min(min(v3, v1), v0));
        trace(12, min((v3 - v0), 22u));
    } else {
        if (((v1 & 3u) != 0u)) {
            trace(13, (v2 * 31u));
        }
        uint c0 = 0;
        for (;;) {
            if (++c0 > 3) break;
            v1 = f0((v0 + 4u), c0);
            if ((c0 >= (c0 & 3u))) {
                trace(14, (max(v3, c0) - 23u));
                switch ((v1 & 7u)) {
                case 0: {
                    if (((v2 & 7u) != 0u)) {
                        trace(15, v1);
                        trace(16, (v3 - v3));
                    }
                    continue;
                }
                case 1: case 2: {
                    v3 = v2;
                    trace(17, max((v1 ^ v0), v2));
                    break;
                }
                case 3: {
                    trace(18, v0);
                    trace(19, ((v3 | 29u) + 9u));
                    break;
                }
                default: case 4: {
                    mark(20, c0);
                    break;
                }
                }
                trace(21, ((v2 ^ 23u) * c0));
            }
            if (!((v0 & 1u) == 0u)) {
                trace(22, v3);
                break;
            }
        }
    }
    trace(23, v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
