//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 194
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (((v2 & 3u) >= 1u)) {
        if (((v1 & 1u) != 0u)) {
            [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
                if (WaveActiveAnyTrue((((c0 + 10u) & 7u) >= 3u))) {
                    uint c1 = 0;
                    do {
                        ++c1;
                        trace(11, ((v0 | WaveGetLaneIndex()) | v2));
                    } while (c1 < 2 && (((v1 & 3u) == 2u) || ((c0 & 3u) >= 2u)));
                    if (WaveActiveAnyTrue((((v3 + 12u) & 7u) < 3u))) {
                        v1 = WaveActiveCountBits(((min(((inputs[1] >> 14) ^ c0), 12u) + 13u) & 1u) != 0u); trace(13, v1);
                    }
                }
            }
        }
        [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
            if (!(v0 < v3)) {
                v0 = ((v1 + v1) - max((inputs[2] >> 15), 3u));
                continue;
            }
        }
    }
    [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
        v1 = v2;
    }
    v3 = WaveActiveBallot(((((v1 + v3) + max(v3, v2)) + 14u) & 1u) != 0u).x; trace(14, v3);
    trace(15, (max(v2, v2) - v0));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
