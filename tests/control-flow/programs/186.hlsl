//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 186
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [loop] for (uint c0 = 0; c0 < ((v2 & 3u) + 0u); ++c0) {
        for (uint c1 = 0; c1 < ((v3 & 3u) + 1u); ++c1) {
            mark(1, (WaveGetLaneIndex() + 13u));
            if (((v1 & 3u) == 1u)) {
                if ((v2 < c0)) {
                    v0 = min(min(v0, v0), 29u);
                    switch ((v3 & 7u)) {
                    default: {
                        v3 = (max(v0, 12u) * max(v2, 38u));
                        continue;
                    }
                    case 0: {
                        trace(2, ((v1 & c1) * 21u));
                        v1 = (inputs[2] >> 9);
                        break;
                    }
                    case 1: case 2: {
                        mark(3, (min(v1, 20u) * 14u));
                        break;
                    }
                    case 3: {
                        v0 = WaveActiveMin((WaveGetLaneIndex() + 4u)); trace(4, v0);
                        break;
                    }
                    case 4: {
                        trace(5, (((inputs[3] >> 7) ^ c0) * 14u));
                        continue;
                    }
                    }
                    mark(6, v3);
                }
            } else {
                trace(7, ((c0 & c1) + v0));
                mark(8, ((v0 + v3) - WaveGetLaneIndex()));
                v1 = (v3 + 38u);
            }
            trace(9, ((v3 + 33u) & (WaveGetLaneIndex() - v3)));
        }
        mark(10, (c0 | 25u));
        v0 = WavePrefixSum((max(max(v0, 13u), 18u) + 11u)); trace(11, v0);
    }
    mark(12, min(min(v1, v3), 13u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
