//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 106
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v1 & 3u) >= 1u)) {
        uint c0 = 0;
        while (c0 < 4 && ((v2 & 3u) == 2u)) {
            ++c0;
            switch ((v0 & 3u)) {
            default: {
                if ((((c0 & 3u) != 0u) || (v1 < v3))) {
                    mark(8, ((v0 ^ v1) ^ 14u));
                    continue;
                } else {
                    mark(9, (v0 + 11u));
                    trace(10, v3);
                    [loop] for (uint c1 = 0; c1 < ((c0 & 3u) + 1u); ++c1) {
                        mark(11, (v3 ^ (v1 * v3)));
                        mark(12, (v0 ^ v3));
                    }
                }
                v1 = min(min(v2, v1), (v1 * 0u));
                if ((((c0 & 3u) < 2u) && ((c0 & 3u) < 2u))) {
                    v2 = c0;
                    v2 = ((v3 ^ 0u) - (v1 * v0));
                    trace(13, (min(v2, c0) * min(v1, 4u)));
                } else {
                    trace(14, (v2 + 10u));
                }
                break;
            }
            case 0: {
                trace(15, c0);
                trace(16, (c0 - (v1 | v3)));
                continue;
            }
            case 1: {
                trace(17, (v2 | (inputs[3] >> 8)));
                break;
            }
            case 2: {
                v3 = ((v3 + 37u) * 13u);
                v0 = c0;
                break;
            }
            case 3: {
                v3 = v3;
                break;
            }
            }
            mark(18, (v2 + v2));
        }
        v1 = (((inputs[2] >> 22) | v2) + (v1 ^ 14u));
        mark(19, (((inputs[2] >> 7) - 9u) ^ 7u));
    } else {
        trace(20, v3);
        v2 = (max(v1, 26u) | (v1 ^ 35u));
        v2 = min((v0 & 0u), (v0 ^ v3));
    }
    trace(21, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
