//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 127
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
    if (((v0 & 3u) != 2u)) {
        [branch] if ((((inputs[2] >> 5) & 7u) < 7u)) {
            mark(9, (v1 + (v2 + v0)));
        }
        v1 = min(v3, 2u);
        if ((v3 < v0)) {
            [loop] for (uint c0 = 0; c0 < ((v0 & 3u) + 0u); ++c0) {
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    if (!(c1 < c1)) {
                        break;
                    }
                    if (((c0 == (v3 & 3u)) && ((v2 & 1u) == 0u))) {
                        v3 = (v0 | ((inputs[0] >> 23) + c1));
                        trace(10, (v2 * v0));
                        trace(11, (v3 | (inputs[3] >> 1)));
                    } else {
                        mark(12, ((v1 * v3) ^ max(v2, 31u)));
                        mark(13, min(min((inputs[3] >> 27), v0), 9u));
                    }
                }
            }
        } else {
            trace(14, ((v3 - v1) & (v3 * 34u)));
            trace(15, (inputs[0] >> 17));
        }
    }
    mark(16, ((v2 + 11u) + 31u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
