//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 175
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        switch ((WaveGetLaneIndex() & 3u)) {
        case 0: case 1: {
            switch ((c0 & 3u)) {
            default: case 0: case 1: {
                v2 = v3;
                [unroll] for (uint c1 = 0; c1 < 3u; ++c1) {
                    if (((v2 & 3u) == 1u)) {
                        mark(1, ((v1 & 23u) ^ v1));
                        v3 = WaveActiveBitXor((max(WaveGetLaneIndex(), 22u) + 2u)); trace(2, v3);
                        v0 = (max(v3, v0) + min(v1, v0));
                    } else {
                        mark(3, (v0 - 27u));
                        mark(4, min((inputs[2] >> 21), max(WaveGetLaneIndex(), v3)));
                        v2 = WaveActiveSum((((v0 | v0) + (v2 + 17u)) + 5u)); trace(5, v2);
                    }
                }
                v1 = v2;
                break;
            }
            case 2: {
                trace(6, v1);
                break;
            }
            }
            mark(7, c0);
            mark(8, ((c0 + c0) ^ 1u));
            continue;
        }
        }
        mark(9, ((v1 & 30u) + c0));
        trace(10, min((c0 | v1), (v1 + 33u)));
    }
    v1 = WaveActiveBitAnd((v0 + 11u)); trace(11, v1);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
