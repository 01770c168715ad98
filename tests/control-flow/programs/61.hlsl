//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 61
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v0 = WaveActiveMax((max(v0, 7u) + 1u)); trace(1, v0);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        [loop] for (uint c1 = 0; c1 < 3u; ++c1) {
            trace(2, (inputs[1] >> 25));
            for (uint c2 = 0; c2 < 5u; ++c2) {
                trace(3, v3);
                if ((c1 == (v3 & 3u))) {
                    v1 = ((v1 - 14u) + 17u);
                }
            }
            trace(4, v1);
            break;
        }
        [branch] if ((c0 < (WaveGetLaneIndex() & 3u))) {
            trace(5, (WaveGetLaneIndex() & ((inputs[2] >> 3) ^ 35u)));
            v1 = v2;
        } else {
            trace(6, v3);
            v3 = max(v3, v2);
        }
    }
    trace(7, (v3 + (v3 * WaveGetLaneIndex())));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
