//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 54
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if ((((v0 & 3u) != 0u) || (v0 < v1))) {
        if (((v3 & 7u) == 3u)) {
            v3 = v0;
        }
        trace(5, (min(v2, v1) * 26u));
        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
    } else {
        switch ((v3 & 3u)) {
        default: case 0: {
            trace(6, (inputs[0] >> 14));
            if (((v1 & 7u) < 6u)) {
                uint c0 = 0;
                while (c0 < 2 && (((v1 & 3u) == 2u) && (((inputs[1] >> 16) & 3u) != 0u))) {
                    ++c0;
                    trace(7, ((v0 & 13u) * (v2 + v1)));
                }
                uint c1 = 0;
                while (c1 < 5 && (((v0 & 3u) != 1u) || ((v0 & 1u) != 0u))) {
                    ++c1;
                    uint c2 = 0;
                    for (;;) {
                        if (++c2 > 4) break;
                        trace(8, ((v2 * 2u) * max((inputs[2] >> 16), v1)));
                        if (!(c1 < (v0 & 3u))) {
                            trace(9, v2);
                            break;
                        }
                    }
                    uint c3 = 0;
                    while (c3 < 5 && ((v2 & 1u) != 0u)) {
                        ++c3;
                        v3 = (v1 - ((inputs[0] >> 22) | v2));
                        trace(10, ((v0 | 14u) - v1));
                        mark(11, v2);
                    }
                }
                v2 = ((v3 - 26u) + (v0 ^ 25u));
            }
            trace(12, (inputs[0] >> 14));
            break;
        }
        case 1: {
            trace(13, (inputs[3] >> 1));
            break;
        }
        case 2: {
            mark(14, ((v3 + 0u) + 6u));
            trace(15, v0);
            v3 = v1;
            break;
        }
        }
    }
    trace(16, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
