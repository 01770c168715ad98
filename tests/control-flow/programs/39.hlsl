//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 39
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
    uint c0 = 0;
    for (;;) {
        if (++c0 > 5) break;
        if ((c0 >= (v3 & 3u))) {
            trace(6, (max((inputs[1] >> 15), v0) & min(c0, v2)));
            break;
        }
        uint c1 = 0;
        for (;;) {
            if (++c1 > 5) break;
            if ((c0 < v0)) {
                break;
            }
            if ((((v1 & 3u) >= 1u) || ((v2 & 3u) == 1u))) {
                if ((((c0 & 3u) == 2u) && (c1 >= (v0 & 3u)))) {
                    trace(1, ((v1 & c1) | ((inputs[1] >> 13) * v2)));
                    uint c2 = 0;
                    for (;;) {
                        if (++c2 > 6) break;
                        v2 = max(c2, 15u);
                        trace(2, v1);
                        if (((v1 & 7u) >= 7u)) {
                            mark(3, c1);
                            break;
                        }
                        break;
                    }
                    mark(4, v3);
                }
                mark(5, min(((inputs[3] >> 3) - 18u), v3));
            } else {
                v1 = ((v2 + 22u) - (c1 ^ v0));
                continue;
            }
        }
    }
    mark(7, (min(v3, v2) & 29u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
