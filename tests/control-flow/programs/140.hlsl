//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 140
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
    mark(16, ((v3 & 3u) + v2));
    [loop] for (uint c0 = 0; c0 < ((v2 & 3u) + 1u); ++c0) {
        v1 = WaveActiveBitXor((WaveGetLaneIndex() + 17u)); trace(17, v1);
    }
    trace(18, max((v1 + 2u), (inputs[0] >> 26)));
    if (((v2 & 3u) == 0u)) {
        if (((v1 & 3u) >= 1u)) {
            trace(19, ((v0 * 16u) + v1));
            dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
        }
        mark(20, v2);
        v2 = WaveActiveBallot(((((WaveGetLaneIndex() - 8u) + 34u) + 21u) & 1u) != 0u).x; trace(21, v2);
    }
    uint c1 = 0;
    while (c1 < 5 && (((v0 & 7u) != 6u) || ((WaveGetLaneIndex() & 1u) < 1u))) {
        ++c1;
        if ((v0 < v2)) {
            if (WaveActiveAnyTrue((((v2 + 22u) & 7u) == 3u))) {
                trace(23, ((inputs[0] >> 23) ^ 10u));
                trace(24, v1);
                trace(25, (v2 * 11u));
                dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
            }
            break;
        } else {
            mark(26, ((inputs[3] >> 5) - v0));
            v2 = max(c1, 8u);
            v0 = v0;
        }
    }
    v0 = ((v2 ^ 15u) ^ min(v3, 35u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
