//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 151
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
    [branch] if (((((inputs[3] >> 24) & 1u) != 0u) || ((v3 & 7u) != 1u))) {
        trace(2, v0);
        uint c0 = 0u;
        for (uint c1 = 0; c1 < 3u; ++c1) {
            for (uint c2 = 0; c2 < 2u; ++c2) {
                v3 = v0;
                if ((((inputs[0] >> 13) & 3u) >= 1u)) {
                    c0 = 1u;
                    break;
                }
                if ((v1 < c1)) {
                    if (((v1 & 3u) == 2u)) {
                        break;
                    }
                    uint c3 = 0;
                    while (c3 < 4 && (((v1 & 3u) != 2u) || (v0 < v2))) {
                        ++c3;
                        trace(3, min((v2 | 29u), 24u));
                        v1 = (v3 * (v0 + 29u));
                    }
                    if (!(c0 == ((inputs[1] >> 26) & 3u))) {
                        trace(4, (inputs[2] >> 18));
                        mark(5, (c0 * max(c2, (inputs[3] >> 20))));
                        trace(6, v0);
                    } else {
                        trace(7, ((inputs[0] >> 9) | 22u));
                        mark(8, v0);
                        mark(9, v2);
                    }
                } else {
                    trace(10, ((v1 + v2) ^ 25u));
                    break;
                }
            }
            if ((c0 != 0u)) {
                break;
            }
            v3 = v2;
        }
    } else {
        trace(11, max((v1 ^ 21u), 12u));
        mark(12, min(v1, v2));
    }
    trace(13, (v2 + (v1 - v3)));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
