//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 6
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if (WaveActiveAllTrue((((v0 + 1u) & 7u) >= 3u))) {
        trace(6, 1u);
        [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
            mark(2, (v2 + (v2 + (inputs[0] >> 16))));
            mark(3, ((v1 & (inputs[0] >> 11)) + (v3 - 3u)));
            [unroll] for (uint c1 = 0; c1 < 2u; ++c1) {
                if ((((inputs[0] >> 0) & 7u) >= 5u)) {
                    v1 = WaveActiveCountBits(((c1 + 4u) & 1u) != 0u); trace(4, v1);
                }
                trace(5, ((c1 ^ 34u) - (v2 + c0)));
            }
        }
        v2 = (v2 ^ max(v3, v0));
    } else {
        if (((WaveGetLaneIndex() & 1u) == 0u)) {
            v0 = WaveActiveBallot((((inputs[0] >> 19) + 7u) & 1u) != 0u).x; trace(7, v0);
            if (WaveActiveAllTrue((((v2 + 8u) & 7u) < 3u))) {
                trace(13, 1u);
                if (((v2 & 1u) != 0u)) {
                    [unroll] for (uint c2 = 0; c2 < 3u; ++c2) {
                        trace(9, c2);
                    }
                    v2 = (inputs[3] >> 4);
                    [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                        trace(10, v0);
                        v0 = WaveActiveSum((WaveGetLaneIndex() + 11u)); trace(11, v0);
                    }
                }
                trace(12, max((WaveGetLaneIndex() + v2), (v3 - 5u)));
            } else {
                trace(14, ((v3 + 13u) & 21u));
                v3 = (inputs[3] >> 17);
            }
        }
    }
    mark(15, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
