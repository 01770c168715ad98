//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 200
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    switch ((v2 & 3u)) {
    case 0: {
        v2 = (min(v0, 21u) + (v2 + v3));
        v3 = WaveActiveBitAnd(((max(v0, 21u) * (v0 | v1)) + 18u)); trace(18, v3);
        switch ((v0 & 7u)) {
        case 0: {
            trace(19, v2);
            switch ((v2 & 3u)) {
            case 0: {
                v1 = WaveActiveSum((((v0 + v1) | min(v2, v2)) + 20u)); trace(20, v1);
                break;
            }
            case 1: {
                mark(21, min(v0, (v1 & 38u)));
                v1 = WaveActiveCountBits(((((v1 & v2) | 19u) + 22u) & 1u) != 0u); trace(22, v1);
                break;
            }
            case 2: default: {
                v2 = max(min((inputs[0] >> 1), v0), v0);
                v3 = (v0 * WaveGetLaneIndex());
                break;
            }
            }
            trace(23, min(v0, max(v2, v0)));
            break;
        }
        case 1: case 2: {
            v0 = ((v2 * (inputs[1] >> 15)) - (v3 + v0));
            mark(24, max((WaveGetLaneIndex() + v0), 17u));
            mark(25, (max(v0, v0) * (v0 - 21u)));
            break;
        }
        default: {
            trace(26, (v1 * v0));
            v3 = WaveActiveBitAnd((v0 + 27u)); trace(27, v3);
            break;
        }
        case 3: case 4: {
            v1 = ((v1 + v0) ^ max(v0, v3));
            break;
        }
        }
        break;
    }
    case 1: {
        trace(28, ((v3 ^ v1) | (v3 - 1u)));
        mark(29, ((v3 + v3) & (v3 * (inputs[0] >> 21))));
        v3 = WavePrefixCountBits(((v2 + 30u) & 1u) != 0u); trace(30, v3);
        break;
    }
    case 2: {
        v2 = WaveActiveCountBits(((v0 + 31u) & 1u) != 0u); trace(31, v2);
        break;
    }
    }
    v0 = WaveActiveMax(((v1 + 23u) + 32u)); trace(32, v0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
