//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 192
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
    mark(1, max(min(v2, v0), min(v1, 3u)));
    uint c0 = 0;
    while (c0 < 5 && !((v3 & 3u) < 2u)) {
        ++c0;
        uint c1 = 0;
        do {
            ++c1;
            trace(2, max((c1 - v3), min(v1, v2)));
            if ((((v0 & 3u) != 2u) || ((v0 & 1u) != 0u))) {
                trace(3, v1);
                break;
            }
        } while (c1 < 3 && (((v2 & 1u) < 1u) && (((inputs[0] >> 22) & 7u) >= 1u)));
    }
    if ((((v2 & 3u) != 1u) || ((v3 & 3u) < 2u))) {
        uint c2 = 0;
        for (;;) {
            if (++c2 > 6) break;
            if ((c2 < v2)) {
                trace(4, v0);
                break;
            }
            uint c3 = 0;
            do {
                ++c3;
                v3 = ((c3 * v2) | (v1 + v1));
            } while (c3 < 4 && ((v3 & 3u) < 1u));
        }
        mark(5, v2);
        v1 = (inputs[2] >> 23);
    } else {
        if (((v2 & 7u) >= 5u)) {
            uint c4 = 0;
            for (;;) {
                if (++c4 > 6) break;
                trace(6, (max(v0, 23u) + (v1 + v2)));
                trace(7, (inputs[3] >> 23));
                if ((c4 == (v2 & 3u))) {
                    trace(8, ((v1 & v2) + c4));
                    break;
                }
            }
            trace(9, ((inputs[0] >> 24) * (v0 & 21u)));
        }
        trace(10, v2);
        trace(11, (v2 ^ (v2 | 32u)));
    }
    mark(12, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
