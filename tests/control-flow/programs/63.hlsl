//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 63
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(23, ((v0 + 18u) + 39u));
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        [branch] if (WaveIsFirstLane()) {
            trace(30, 1u);
            mark(25, max((c0 | v1), (v2 + c0)));
            if (((v3 & 3u) >= 1u)) {
                trace(26, max((v1 & v3), v2));
                v1 = (v2 * 29u);
            } else {
                mark(27, ((v3 ^ 33u) + c0));
                trace(28, ((inputs[3] >> 19) + 20u));
            }
            mark(29, v1);
        } else {
            trace(31, ((c0 - c0) + 34u));
            mark(32, c0);
        }
        mark(33, ((c0 + v3) - 0u));
    }
    trace(34, (v0 + ((inputs[1] >> 23) * v2)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
