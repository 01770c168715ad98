//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 195
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 2u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            [unroll] for (uint c3 = 0; c3 < 3u; ++c3) {
                trace(1, c1);
                mark(2, v0);
            }
            if (((c2 < (c2 & 3u)) && (v1 < c1))) {
                c0 = 1u;
                break;
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        v1 = WaveActiveBallot(((((WaveGetLaneIndex() * 12u) & 39u) + 3u) & 1u) != 0u).x; trace(3, v1);
    }
    v1 = (max(v0, v0) | v3);
    if (!((v2 & 3u) < 3u)) {
        v3 = (v0 * v3);
        [loop] for (uint c4 = 0; c4 < 5u; ++c4) {
            trace(4, c4);
            v1 = (v0 | v2);
            v0 = v3;
        }
        v0 = WaveActiveBallot(((max((v1 | 21u), (v0 ^ 12u)) + 5u) & 1u) != 0u).x; trace(5, v0);
    }
    if ((((v0 & 3u) == 0u) && ((v0 & 3u) != 0u))) {
        [flatten] if ((WaveGetLaneIndex() < v3)) {
            v2 = ((v0 & v0) & 12u);
        }
    } else {
        v0 = v2;
    }
    mark(6, v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
