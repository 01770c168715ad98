//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 158
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
    if (((v0 & 1u) == 0u)) {
        trace(5, max(v0, (inputs[0] >> 5)));
        [loop] for (uint c0 = 0; c0 < ((v3 & 3u) + 1u); ++c0) {
            if ((c0 < (v1 & 3u))) {
                switch ((v1 & 7u)) {
                case 0: case 1: {
                    [loop] for (uint c1 = 0; c1 < ((v2 & 3u) + 1u); ++c1) {
                        trace(6, v1);
                    }
                    [flatten] if (((v0 & 1u) < 1u)) {
                        v3 = ((inputs[3] >> 25) - (c0 - v2));
                    }
                    mark(7, ((v3 & (inputs[2] >> 18)) + 1u));
                    break;
                }
                case 2: default: case 3: {
                    uint c2 = 0;
                    while (c2 < 4 && ((v2 & 3u) == 2u)) {
                        ++c2;
                        trace(8, (v2 - (v0 & v2)));
                    }
                    if ((c0 >= (v2 & 3u))) {
                        trace(9, (max(v2, v0) - (inputs[0] >> 8)));
                        mark(10, c0);
                    }
                    mark(11, (v3 + (v1 ^ 34u)));
                    break;
                }
                case 4: {
                    mark(12, v1);
                    break;
                }
                }
                trace(13, v3);
                trace(14, c0);
            }
        }
        mark(15, v0);
    } else {
        trace(16, (v3 - (v1 ^ (inputs[0] >> 25))));
        trace(17, v1);
        mark(18, max((v2 - v3), (v0 - 1u)));
    }
    trace(19, min(max(v1, v3), 12u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
