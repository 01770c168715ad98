//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 100
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v1 = (WaveGetLaneIndex() & 12u);
    trace(1, (v0 - 32u));
    if ((v3 < (inputs[3] >> 5))) {
        if (((v3 & 3u) != 1u)) {
            uint c0 = 0;
            for (;;) {
                if (++c0 > 4) break;
                [loop] for (uint c1 = 0; c1 < ((v2 & 3u) + 0u); ++c1) {
                    uint c2 = 0;
                    for (;;) {
                        if (++c2 > 6) break;
                        mark(2, max((inputs[2] >> 14), 28u));
                        if (((v0 & 7u) >= 6u)) {
                            v2 = ((c2 ^ v3) + (WaveGetLaneIndex() + c0));
                            break;
                        }
                        trace(3, c2);
                        v3 = ((v2 + 25u) + (v0 + WaveGetLaneIndex()));
                    }
                    v1 = (v1 + (WaveGetLaneIndex() ^ v3));
                    trace(4, ((v3 + v2) & 27u));
                }
                trace(5, (WaveGetLaneIndex() ^ (c0 + 29u)));
                if (((c0 & 1u) != 0u)) {
                    v1 = WaveActiveBitOr(((v0 + (v2 + 31u)) + 6u)); trace(6, v1);
                    break;
                }
            }
        } else {
            trace(7, v3);
            v2 = min(v1, ((inputs[2] >> 21) + v0));
            trace(8, ((v3 ^ v0) + 17u));
        }
        mark(9, ((v2 | v2) * v0));
        mark(10, v2);
    } else {
        v3 = (min(v1, v3) & ((inputs[3] >> 24) + v2));
        mark(11, v1);
    }
    mark(12, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
