//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 23
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v0 = v1;
    [branch] if ((((v3 & 3u) >= 2u) || (((inputs[3] >> 7) & 1u) != 0u))) {
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 2u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                if ((c0 < v3)) {
                    c0 = 1u;
                    break;
                }
                [loop] for (uint c3 = 0; c3 < (((inputs[2] >> 23) & 3u) + 0u); ++c3) {
                    if (((v3 & 3u) < 3u)) {
                        v1 = (v0 * min(v2, 37u));
                        v0 = ((v2 & (inputs[1] >> 15)) | v1);
                        mark(1, ((v0 + v1) + 32u));
                        continue;
                    } else {
                        trace(2, (v2 + 24u));
                    }
                    trace(3, (c1 - v2));
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            mark(4, (min((inputs[0] >> 0), v0) * v2));
        }
    } else {
        trace(5, ((v0 + (inputs[0] >> 16)) + 9u));
    }
    mark(6, v2);
    switch ((v2 & 3u)) {
    case 0: {
        v2 = v3;
        trace(7, (v1 + 1u));
        [loop] for (uint c4 = 0; c4 < ((v0 & 3u) + 0u); ++c4) {
            uint c5 = 0;
            for (;;) {
                if (++c5 > 3) break;
                if (((c4 < (c4 & 3u)) || ((v1 & 1u) >= 1u))) {
                    mark(8, (c4 * 6u));
                } else {
                    trace(9, c4);
                    mark(10, ((v2 ^ v0) & 18u));
                    trace(11, ((v1 | 10u) * (v2 | v1)));
                }
                if (((v0 & 1u) == 0u)) {
                    mark(12, ((inputs[1] >> 19) * 32u));
                    break;
                }
            }
            continue;
        }
        break;
    }
    case 1: {
        v3 = (v0 - 24u);
        trace(13, (min(v3, v0) | 2u));
        break;
    }
    default: {
        v2 = v1;
        trace(14, ((v3 - 32u) ^ max(v1, 10u)));
        break;
    }
    }
    v0 = v3;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
