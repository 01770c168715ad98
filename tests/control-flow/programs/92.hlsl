//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 92
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    [unroll] for (uint c0 = 0; c0 < 2u; ++c0) {
        uint c1 = 0;
        do {
            ++c1;
            if (((WaveGetLaneIndex() & 7u) < 6u)) {
                v1 = max(c0, (c0 + 10u));
                break;
            }
            for (uint c2 = 0; c2 < 2u; ++c2) {
                if ((((v1 & 3u) == 0u) && ((v1 & 3u) >= 2u))) {
                    switch ((v0 & 3u)) {
                    case 0: {
                        trace(1, max(max(c0, 35u), (inputs[1] >> 21)));
                        break;
                    }
                    case 1: {
                        v2 = max(c1, WaveGetLaneIndex());
                        v2 = WaveActiveBitXor(((max(c0, c1) ^ 36u) + 2u)); trace(2, v2);
                        v2 = min(min(v1, WaveGetLaneIndex()), 6u);
                        break;
                    }
                    default: case 2: {
                        mark(3, (v1 * (v2 + (inputs[3] >> 22))));
                        break;
                    }
                    }
                    trace(4, c2);
                    break;
                } else {
                    v2 = WaveReadLaneFirst((((v0 * 36u) & (c2 * v1)) + 5u)); trace(5, v2);
                }
            }
            mark(6, v0);
        } while (c1 < 3 && ((v0 & 1u) >= 1u));
    }
    mark(7, max(min(v2, 35u), 3u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
