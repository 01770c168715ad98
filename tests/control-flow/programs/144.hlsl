//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 144
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    trace(9, v1);
    [loop] for (uint c0 = 0; c0 < 3u; ++c0) {
        if (!(c0 >= (v3 & 3u))) {
            [branch] if ((((c0 & 7u) != 0u) && ((v2 & 3u) < 3u))) {
                if (((v0 & 7u) < 5u)) {
                    for (uint c1 = 0; c1 < ((c0 & 3u) + 1u); ++c1) {
                        v0 = v1;
                        trace(10, v0);
                        v0 = ((v3 + v2) - 4u);
                    }
                    if ((c0 < (v1 & 3u))) {
                        v2 = WavePrefixCountBits(((((c0 | c0) ^ (v3 + v0)) + 11u) & 1u) != 0u); trace(11, v2);
                        v0 = WaveActiveSum((((c0 - 14u) * max(v0, v1)) + 12u)); trace(12, v0);
                        v3 = WaveActiveCountBits((((c0 * 34u) + 13u) & 1u) != 0u); trace(13, v3);
                    }
                    trace(14, (((inputs[3] >> 28) | WaveGetLaneIndex()) * 7u));
                } else {
                    v3 = (inputs[0] >> 17);
                }
                v0 = WaveActiveSum(((v0 ^ (v2 + 36u)) + 15u)); trace(15, v0);
                v1 = v2;
                continue;
            }
            v2 = WaveActiveBitXor(((inputs[2] >> 21) + 16u)); trace(16, v2);
            mark(17, (v2 * max(c0, v1)));
        }
    }
    trace(18, ((v2 ^ (inputs[2] >> 9)) & 39u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
