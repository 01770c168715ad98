//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 30
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
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        v2 = min((c0 + 4u), (v0 + (inputs[3] >> 28)));
        if ((c0 >= (v2 & 3u))) {
            switch ((v2 & 3u)) {
            case 0: case 1: default: {
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    if (((c0 & 7u) >= 3u)) {
                        mark(1, (v0 + min(v3, (inputs[3] >> 23))));
                        trace(2, (max(v3, v1) & v1));
                        mark(3, (min(v3, 0u) + (v2 + v1)));
                        continue;
                    } else {
                        trace(4, ((v0 | (inputs[0] >> 5)) + 20u));
                        trace(5, (v1 & 10u));
                        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                    }
                    v2 = ((inputs[0] >> 4) + v2);
                    trace(6, v0);
                }
                break;
            }
            case 2: {
                mark(7, (v3 * 21u));
                break;
            }
            }
            trace(8, (max(v0, c0) + v3));
            mark(9, (max(c0, c0) + v0));
        }
        trace(10, ((v3 - 4u) + ((inputs[2] >> 10) & v1)));
    }
    v3 = min((inputs[0] >> 19), (v0 ^ v0));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
