//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 174
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(6, ((inputs[1] >> 23) * (v0 * v3)));
    uint c0 = 0;
    for (;;) {
        if (++c0 > 6) break;
        uint c1 = 0;
        do {
            ++c1;
            uint c2 = 0;
            while (c2 < 2 && ((v0 & 3u) < 3u)) {
                ++c2;
                if ((c1 < (c1 & 3u))) {
                    v2 = v2;
                } else {
                    if (((v1 & 1u) >= 1u)) {
                        trace(7, c0);
                        v3 = c1;
                        trace(8, (v2 + 25u));
                    }
                }
                if (((v1 & 7u) != 0u)) {
                    if ((c0 < (v2 & 3u))) {
                        mark(9, ((c0 - v3) | v2));
                        trace(10, c2);
                    } else {
                        trace(11, (((inputs[3] >> 25) - v2) * (c0 & v1)));
                    }
                    trace(12, (max(v0, 14u) | v2));
                    trace(13, (v0 - 4u));
                } else {
                    trace(14, max((v0 * 17u), 29u));
                    trace(15, (max(v2, c2) ^ (v1 + v0)));
                }
                v3 = (min(v1, 31u) * 15u);
            }
            mark(16, ((v0 + v3) | 13u));
            trace(17, ((c1 | 31u) - c1));
        } while (c1 < 2 && (c0 < (v0 & 3u)));
        if ((c0 < (v3 & 3u))) {
            v1 = (v1 & 11u);
            break;
        }
        trace(18, v3);
    }
    trace(19, ((v0 ^ v3) + v3));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
