//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 183
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
    if (((v0 & 1u) < 1u)) {
        v2 = (max(v2, 33u) + (v1 * v2));
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 3u; ++c2) {
                uint c3 = 0;
                do {
                    ++c3;
                    if (((v2 & 1u) < 1u)) {
                        v0 = max((c3 | c0), 21u);
                        trace(19, (v1 & 34u));
                        trace(20, ((v2 - v2) + (v0 + 25u)));
                    }
                    trace(21, (min(c1, c3) ^ v1));
                } while (c3 < 5 && (c3 >= ((inputs[3] >> 11) & 3u)));
                if (((v2 & 1u) < 1u)) {
                    c0 = 1u;
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            v0 = (v1 - max(c1, v3));
        }
    }
    uint c4 = 0;
    for (;;) {
        if (++c4 > 6) break;
        trace(22, v0);
        if ((((inputs[2] >> 17) & 3u) < 2u)) {
            break;
        }
    }
    uint c5 = 0;
    do {
        ++c5;
        trace(23, (v1 * max(c5, v2)));
        trace(24, ((c5 | 13u) - 27u));
    } while (c5 < 4 && ((v0 & 3u) != 1u));
    [branch] if (((v0 & 1u) < 1u)) {
        mark(25, (inputs[2] >> 23));
        uint c6 = 0;
        for (;;) {
            if (++c6 > 6) break;
            v3 = (v0 ^ max((inputs[0] >> 15), v0));
            mark(26, ((v1 & v3) ^ (v1 + 37u)));
            if (!((v3 & 1u) == 0u)) {
                v3 = v0;
                break;
            }
        }
    } else {
        mark(27, v0);
        trace(28, ((v0 * v1) - (v3 + 14u)));
    }
    v1 = (min(v2, v1) & 29u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
