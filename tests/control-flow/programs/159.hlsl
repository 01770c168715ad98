//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 159
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    while (c0 < 2 && ((v2 & 3u) < 3u)) {
        ++c0;
        if (((v2 & 3u) != 0u)) {
            if (((c0 & 1u) == 0u)) {
                uint c1 = 0;
                for (;;) {
                    if (++c1 > 3) break;
                    if ((c0 >= (v3 & 3u))) {
                        trace(1, (min(WaveGetLaneIndex(), v0) + (v2 + 6u)));
                    } else {
                        v0 = v1;
                    }
                    trace(2, c1);
                    if (!((v1 & 3u) >= 3u)) {
                        trace(3, (max(c1, c0) | c1));
                        break;
                    }
                }
            }
            v3 = (max(v3, v2) + (v1 + 30u));
            v0 = WaveActiveBitXor((((WaveGetLaneIndex() & 28u) | min(v2, WaveGetLaneIndex())) + 4u)); trace(4, v0);
        } else {
            v3 = WaveActiveBitOr((c0 + 5u)); trace(5, v3);
            v1 = WavePrefixSum(((min(v2, 10u) + 36u) + 6u)); trace(6, v1);
        }
        trace(7, ((inputs[2] >> 12) * v2));
    }
    mark(8, ((v0 - (inputs[0] >> 23)) * (v0 ^ v2)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
