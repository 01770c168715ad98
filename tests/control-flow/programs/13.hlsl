//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 13
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
    v2 = ((v3 * 35u) & v1);
    if ((((v2 & 3u) >= 1u) && ((v3 & 3u) >= 3u))) {
        if ((((inputs[1] >> 20) & 3u) < 3u)) {
            v2 = WaveGetLaneIndex();
            if (WaveActiveAllTrue((((v1 + 1u) & 7u) >= 3u))) {
                [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                    trace(2, (v0 & min(v1, v1)));
                    trace(3, max(max(v0, 31u), (c0 ^ v2)));
                    trace(4, ((c0 + v0) + v2));
                }
            }
            if (((inputs[0] >> 24) < v3)) {
                mark(5, ((WaveGetLaneIndex() ^ 23u) * 9u));
                v1 = (v1 + min((inputs[2] >> 13), 7u));
            } else {
                trace(6, ((v3 | WaveGetLaneIndex()) & (WaveGetLaneIndex() * 14u)));
                trace(7, ((v2 & v0) | 19u));
                trace(8, v1);
            }
        } else {
            v2 = min((v0 ^ (inputs[2] >> 22)), 15u);
            mark(9, ((inputs[3] >> 19) | (v3 ^ v0)));
        }
        mark(10, ((inputs[1] >> 13) - (v3 - 38u)));
    } else {
        trace(11, min((v3 * v2), (v0 + 5u)));
        v1 = (v0 + v0);
    }
    trace(12, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
