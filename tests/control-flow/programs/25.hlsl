//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 25
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    switch ((v0 & 7u)) {
    case 0: case 1: {
        if (WaveActiveAllTrue((((v2 + 4u) & 7u) < 3u))) {
            mark(5, v1);
            v2 = WaveActiveSum((WaveGetLaneIndex() + 6u)); trace(6, v2);
        } else {
            switch ((v0 & 3u)) {
            case 0: case 1: case 2: default: {
                uint c0 = 0;
                for (;;) {
                    if (++c0 > 4) break;
                    if ((c0 < (v0 & 3u))) {
                        trace(14, v2);
                        break;
                    }
                    switch ((c0 & 7u)) {
                    case 0: {
                        v1 = WaveActiveBitXor(((v2 & (v1 | 8u)) + 7u)); trace(7, v1);
                        mark(8, v1);
                        break;
                    }
                    case 1: case 2: {
                        mark(9, ((v0 + v3) & 24u));
                        v1 = max(v3, (v2 + v2));
                        break;
                    }
                    case 3: {
                        v1 = v2;
                        mark(10, ((v3 & 25u) - (c0 | v0)));
                        mark(11, v3);
                        break;
                    }
                    case 4: default: {
                        trace(12, (min(c0, 9u) * 14u));
                        break;
                    }
                    }
                    mark(13, ((c0 | c0) + 21u));
                }
                v0 = WaveActiveBallot(((((v3 & 8u) + v0) + 15u) & 1u) != 0u).x; trace(15, v0);
                trace(16, min(v1, v3));
                break;
            }
            case 3: {
                v2 = WaveActiveBitXor((((v0 - 32u) * v2) + 17u)); trace(17, v2);
                trace(18, v3);
                trace(19, ((v2 * 30u) | (v1 - v0)));
                break;
            }
            }
            trace(20, (WaveGetLaneIndex() + min(v1, v1)));
            mark(21, ((v3 + 5u) & 17u));
        }
        v2 = v1;
        break;
    }
    case 2: {
        v0 = (max(v3, 27u) | 28u);
        v3 = WaveActiveSum((v0 + 22u)); trace(22, v3);
        break;
    }
    case 3: {
        trace(23, (min(v0, 31u) - v1));
        break;
    }
    case 4: {
        v2 = ((inputs[2] >> 5) | (inputs[1] >> 15));
        v2 = ((v1 * 21u) * (WaveGetLaneIndex() + 34u));
        break;
    }
    }
    v2 = WaveActiveSum((((v0 ^ 16u) & 14u) + 24u)); trace(24, v2);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
