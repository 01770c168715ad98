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

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v3 = ((v1 ^ v3) + (v1 - v3));
    if (((v3 & 7u) < 4u)) {
        [loop] for (uint c0 = 0; c0 < ((v0 & 3u) + 2u); ++c0) {
            if ((v3 < v2)) {
                trace(4, v1);
            }
            uint c1 = 0;
            while (c1 < 5 && (c0 >= ((inputs[2] >> 25) & 3u))) {
                ++c1;
                switch ((v1 & 3u)) {
                case 0: {
                    v3 = c0;
                    if ((((inputs[3] >> 13) & 3u) != 0u)) {
                        v2 = ((v1 + v3) | (v1 ^ v3));
                        v3 = c0;
                        mark(5, ((v1 ^ v1) | 38u));
                    }
                    break;
                }
                case 1: case 2: {
                    uint c2 = 0;
                    while (c2 < 5 && ((v0 & 7u) < 2u)) {
                        ++c2;
                        mark(6, ((v1 & 17u) | max(c2, 2u)));
                    }
                    trace(7, max((c0 | v3), 31u));
                    v3 = ((v2 - v0) - c1);
                    break;
                }
                case 3: {
                    trace(8, ((inputs[0] >> 9) | ((inputs[3] >> 23) - v3)));
                    trace(9, v1);
                    break;
                }
                }
                v0 = (((inputs[1] >> 21) - v3) + (v1 + v3));
            }
            trace(10, v3);
        }
        trace(11, v1);
        trace(12, v0);
        return;
    } else {
        v0 = max(v2, 2u);
        mark(13, (v0 ^ min(v0, 23u)));
        trace(14, ((inputs[3] >> 25) * v3));
    }
    trace(15, ((v3 | 25u) ^ 24u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
