//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 201
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = ((v1 | 29u) + max(v1, 39u));
    v1 = (min(v2, 27u) | 14u);
    mark(1, ((v3 * 24u) + (v1 - v0)));
    uint c0 = 0;
    for (;;) {
        if (++c0 > 3) break;
        uint c1 = 0;
        for (;;) {
            if (++c1 > 6) break;
            if ((((v2 & 1u) >= 1u) || ((v3 & 1u) == 0u))) {
                trace(13, v0);
                break;
            }
            if (((v0 & 1u) == 0u)) {
                trace(2, (c0 + (v0 | v1)));
                if ((c1 < (v3 & 3u))) {
                    trace(3, ((v2 * c0) & 30u));
                    if ((v3 < v2)) {
                        mark(4, c1);
                        trace(5, (v1 + max(v3, v0)));
                        mark(6, (max(v2, 22u) | 3u));
                    }
                    [branch] if ((((v0 & 3u) == 1u) || (c1 < (v2 & 3u)))) {
                        v1 = ((c1 * c1) | 32u);
                        mark(7, ((inputs[0] >> 20) & 32u));
                        trace(8, (c0 + (c1 + v1)));
                    } else {
                        mark(9, v2);
                        trace(10, ((c1 & v3) - 29u));
                        v0 = c0;
                    }
                } else {
                    trace(11, (((inputs[2] >> 15) + v2) & v3));
                    break;
                }
            } else {
                v1 = v2;
                trace(12, v3);
            }
        }
        trace(14, ((c0 & 30u) - 24u));
        if ((c0 >= (v3 & 3u))) {
            v3 = (max(v0, 12u) * v3);
            break;
        }
    }
    trace(15, v2);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
