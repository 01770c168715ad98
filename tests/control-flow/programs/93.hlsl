//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 93
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
    if ((((v1 & 3u) != 0u) || ((v0 & 3u) >= 1u))) {
        trace(1, v0);
        if ((((v1 & 1u) == 0u) || ((v0 & 3u) == 2u))) {
            [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                trace(2, v0);
            }
            if ((((v0 & 7u) < 5u) || ((v3 & 1u) < 1u))) {
                mark(3, v2);
                trace(4, ((v2 + 21u) - (v3 + 35u)));
            }
            trace(5, v0);
        }
        trace(6, (v2 + min(v0, 0u)));
    }
    v0 = ((v0 + v0) | 16u);
    if (((v2 & 1u) >= 1u)) {
        trace(7, max(v2, 37u));
        v0 = v0;
        if (((v2 & 3u) >= 3u)) {
            mark(8, (max((inputs[3] >> 1), (inputs[1] >> 26)) * 5u));
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
    } else {
        if (((v2 & 1u) < 1u)) {
            trace(9, (v1 + 9u));
            v1 = v1;
            trace(10, (max(v2, 30u) ^ min(v2, 21u)));
        } else {
            trace(11, (min((inputs[1] >> 1), 29u) * 22u));
            v0 = ((v0 + 2u) & ((inputs[1] >> 25) * (inputs[3] >> 24)));
        }
    }
    v1 = v3;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
