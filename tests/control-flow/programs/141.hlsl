//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 141
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
        if (!(v3 < v1)) {
            trace(1, ((c0 & c0) + 39u));
            break;
        }
    }
    uint c1 = 0;
    do {
        ++c1;
        if ((((v1 & 3u) != 1u) && ((v3 & 7u) == 4u))) {
            mark(2, v0);
            mark(3, ((v3 | v1) ^ (v2 | (inputs[1] >> 12))));
        }
        if ((v3 < v2)) {
            uint c2 = 0;
            for (;;) {
                if (++c2 > 4) break;
                uint c3 = 0;
                for (;;) {
                    if (++c3 > 4) break;
                    trace(4, (v1 | (v0 * c3)));
                    if ((((v2 & 3u) < 2u) && ((v3 & 1u) >= 1u))) {
                        trace(5, min((v3 ^ 33u), (inputs[2] >> 25)));
                        break;
                    }
                }
                if (((v0 & 3u) != 0u)) {
                    break;
                }
                if (!((v3 & 3u) != 2u)) {
                    [loop] for (uint c4 = 0; c4 < 5u; ++c4) {
                        trace(6, (((inputs[0] >> 28) ^ 1u) + 10u));
                        trace(7, ((v0 * (inputs[0] >> 22)) ^ min(v1, v2)));
                        v0 = v1;
                    }
                    break;
                } else {
                    v1 = (v2 - v1);
                }
            }
        }
    } while (c1 < 5 && !(v0 < c1));
    trace(8, v0);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
