//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 90
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
    if (WaveActiveAnyTrue((((v2 + 18u) & 7u) >= 3u))) {
        [loop] for (uint c0 = 0; c0 < ((v1 & 3u) + 1u); ++c0) {
            [branch] if ((WaveGetLaneIndex() < WaveGetLaneIndex())) {
                switch ((v3 & 3u)) {
                default: {
                    v3 = v1;
                    break;
                }
                case 0: {
                    v0 = WaveActiveBallot(((min(WaveGetLaneIndex(), 37u) + 19u) & 1u) != 0u).x; trace(19, v0);
                    break;
                }
                case 1: {
                    trace(20, (v0 * 24u));
                    break;
                }
                case 2: {
                    mark(21, min((v0 + 29u), 37u));
                    break;
                }
                case 3: {
                    v0 = WaveActiveBitAnd((c0 + 22u)); trace(22, v0);
                    v3 = WaveActiveBitOr((((v3 & 23u) + (c0 + v2)) + 23u)); trace(23, v3);
                    break;
                }
                }
                continue;
            }
            v0 = WaveActiveSum((((c0 + c0) + v3) + 24u)); trace(24, v0);
        }
        v0 = WaveActiveMax((((v0 + v2) + v2) + 25u)); trace(25, v0);
        v0 = min(min(v0, 16u), max(v3, 21u));
    }
    v0 = ((v1 + 22u) ^ v1);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
