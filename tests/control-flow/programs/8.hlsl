//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 8
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
    do {
        ++c0;
        v0 = WaveActiveMin(((((inputs[2] >> 18) + c0) - 3u) + 17u)); trace(17, v0);
        v1 = c0;
    } while (c0 < 2 && ((c0 & 1u) != 0u));
    v2 = ((inputs[2] >> 16) & WaveGetLaneIndex());
    [branch] if ((((inputs[0] >> 27) & 1u) < 1u)) {
        [branch] if ((((v0 & 1u) < 1u) || ((WaveGetLaneIndex() & 3u) >= 2u))) {
            if (WaveActiveAnyTrue((((v0 + 18u) & 7u) >= 3u))) {
                trace(19, ((v1 + (inputs[2] >> 7)) - 39u));
                trace(20, (((inputs[2] >> 13) | v0) * 22u));
            } else {
                v1 = ((v3 - (inputs[1] >> 16)) & (v0 + 8u));
            }
            v3 = (v2 | (v3 | v0));
        } else {
            mark(21, min((v2 - 5u), 20u));
            v2 = WaveActiveMax((((v3 + v1) - ((inputs[1] >> 15) + v1)) + 22u)); trace(22, v2);
            v2 = v3;
        }
        v1 = max(min(v3, 16u), v2);
    } else {
        v0 = WaveActiveBitAnd((((v0 & v1) + (v0 + v3)) + 23u)); trace(23, v0);
        v1 = ((v1 | 18u) ^ 20u);
    }
    v0 = min(v2, (v0 | 10u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
