//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 72
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
        if (++c0 > 4) break;
        if (!((v3 & 7u) >= 6u)) {
            break;
        }
        if ((v2 < v2)) {
            trace(11, ((v1 | v1) ^ 24u));
            continue;
        }
        mark(12, ((v1 * 6u) & (v1 & 3u)));
        v1 = (min(v3, v1) ^ v1);
    }
    if (WaveActiveAnyTrue((((v0 + 13u) & 7u) < 3u))) {
        trace(17, 1u);
        for (uint c1 = 0; c1 < 5u; ++c1) {
            trace(14, v3);
            if (((v3 & 3u) >= 2u)) {
                if (!((v3 & 3u) >= 1u)) {
                    v3 = ((c1 + 32u) | 33u);
                    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                }
                mark(15, (inputs[1] >> 27));
                break;
            } else {
                v3 = WaveActiveBitAnd(((v2 ^ ((inputs[2] >> 24) & 30u)) + 16u)); trace(16, v3);
            }
        }
    } else {
        v3 = WaveActiveMin((((v1 - 22u) + (v0 - 22u)) + 18u)); trace(18, v3);
        v1 = WaveActiveMax((v3 + 19u)); trace(19, v1);
    }
    mark(20, (inputs[3] >> 1));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
