//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 84
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = (v2 * v3);
    trace(13, v0);
    [branch] if ((((WaveGetLaneIndex() & 7u) == 1u) && ((v3 & 1u) == 0u))) {
        if (((v2 & 7u) == 1u)) {
            switch ((v3 & 3u)) {
            case 0: case 1: {
                if ((((v3 & 7u) >= 4u) || ((v0 & 7u) != 0u))) {
                    v1 = WaveGetLaneIndex();
                    v2 = v2;
                    v1 = WaveActiveBallot(((v3 + 14u) & 1u) != 0u).x; trace(14, v1);
                    break;
                }
                v1 = ((v3 + 26u) & 4u);
                v0 = v2;
                break;
            }
            case 2: {
                trace(15, min(max(v0, 17u), (v3 & 5u)));
                trace(16, v1);
                break;
            }
            default: {
                trace(17, (((inputs[0] >> 20) * v1) & v0));
                v2 = ((v2 & v1) * (v2 + v1));
                break;
            }
            }
        } else {
            v3 = WaveActiveSum((min((v1 * v0), (WaveGetLaneIndex() - v3)) + 18u)); trace(18, v3);
        }
        trace(19, ((v0 - 30u) + ((inputs[0] >> 22) | WaveGetLaneIndex())));
        mark(20, ((v3 & v0) - 38u));
    }
    mark(21, ((v0 + 31u) - 8u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
