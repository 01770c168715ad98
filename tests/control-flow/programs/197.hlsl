//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 197
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(1, (inputs[0] >> 10));
    if (((v2 & 3u) != 2u)) {
        uint c0 = 0;
        while (c0 < 5 && (v0 < v2)) {
            ++c0;
            v3 = WaveActiveBitXor((((inputs[0] >> 22) + 28u) + 2u)); trace(2, v3);
        }
        if (((v2 & 3u) == 0u)) {
            uint c1 = 0u;
            for (uint c2 = 0; c2 < 2u; ++c2) {
                for (uint c3 = 0; c3 < 2u; ++c3) {
                    v0 = ((v1 - 23u) | 12u);
                    v3 = WaveActiveBallot(((min((WaveGetLaneIndex() + 18u), (c3 + 9u)) + 3u) & 1u) != 0u).x; trace(3, v3);
                    if (((c1 & 3u) < 3u)) {
                        c1 = 1u;
                        break;
                    }
                }
                if ((c1 != 0u)) {
                    break;
                }
                v3 = max((v0 * v3), 27u);
            }
            v2 = WaveActiveSum((min(v1, (c1 ^ v3)) + 4u)); trace(4, v2);
        }
    }
    [unroll] for (uint c4 = 0; c4 < 3u; ++c4) {
        if ((c4 == (v1 & 3u))) {
            continue;
        }
        trace(5, (inputs[2] >> 4));
        trace(6, c4);
    }
    v1 = ((v0 & v3) * 9u);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
