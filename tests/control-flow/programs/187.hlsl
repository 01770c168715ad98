//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 187
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v0 & 3u) >= 1u)) {
        uint c0 = 0;
        for (;;) {
            if (++c0 > 4) break;
            if ((c0 == (v1 & 3u))) {
                break;
            }
            if ((v3 < c0)) {
                [loop] for (uint c1 = 0; c1 < ((v0 & 3u) + 1u); ++c1) {
                    [branch] if ((c1 < v3)) {
                        trace(3, v0);
                        trace(4, (v2 | (v0 + v3)));
                        v3 = c1;
                    } else {
                        v3 = ((v1 * 9u) ^ 24u);
                        v1 = ((v0 ^ 24u) | (inputs[3] >> 15));
                        trace(5, ((c0 & 18u) - 15u));
                    }
                    if ((c1 >= (v1 & 3u))) {
                        v1 = v1;
                    }
                    break;
                }
                v2 = (((inputs[3] >> 1) + 28u) + v1);
                if ((c0 >= (v2 & 3u))) {
                    if ((((v3 & 7u) == 3u) || ((c0 & 3u) == 2u))) {
                        trace(6, v0);
                    }
                    v3 = v2;
                    v3 = v3;
                }
            }
            mark(7, c0);
        }
        v2 = ((v0 + v1) ^ (v0 + v3));
        trace(8, (v3 * 24u));
    } else {
        trace(9, min(v2, v1));
        trace(10, v2);
    }
    trace(11, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
