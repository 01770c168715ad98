//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 177
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
        if (++c0 > 3) break;
        if ((c0 < (v3 & 3u))) {
            v3 = v0;
            break;
        }
        trace(4, (min(v0, v1) - v2));
        if (((v3 & 7u) < 4u)) {
            uint c1 = 0;
            do {
                ++c1;
                if (((v2 & 7u) >= 1u)) {
                    trace(5, (min((inputs[2] >> 25), v0) * v3));
                    break;
                }
                switch ((v1 & 3u)) {
                case 0: {
                    v3 = c0;
                    if ((((inputs[3] >> 13) & 3u) != 0u)) {
                        v2 = ((v1 + v3) | (v1 ^ v3));
                        v3 = c0;
                        mark(6, ((v1 ^ v1) | 38u));
                    }
                    break;
                }
                case 1: case 2: {
                    trace(7, min((c1 & c0), max((inputs[2] >> 20), (inputs[2] >> 8))));
                    v1 = (min(v3, v2) + (v3 - 37u));
                    mark(8, (c1 | 17u));
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                }
                case 3: {
                    v3 = v2;
                    trace(9, (min(c0, 11u) & min(v0, (inputs[3] >> 22))));
                    trace(10, v1);
                    break;
                }
                }
            } while (c1 < 3 && (c0 >= (v3 & 3u)));
            v2 = v2;
            mark(11, v3);
        } else {
            trace(12, min((c0 - 35u), 16u));
            mark(13, (v1 ^ 25u));
        }
    }
    v0 = ((v3 | v0) ^ ((inputs[2] >> 2) + v0));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
