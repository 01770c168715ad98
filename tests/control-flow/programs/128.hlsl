//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 128
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    v0 = ((v3 + v3) | min(v0, v1));
    if (((v3 & 7u) != 3u)) {
        if (!((v1 & 3u) >= 1u)) {
            mark(1, v1);
            mark(2, WaveGetLaneIndex());
            v0 = WavePrefixCountBits(((v0 + 3u) & 1u) != 0u); trace(3, v0);
        }
        v0 = WaveActiveSum((((v3 + (inputs[3] >> 3)) * v0) + 4u)); trace(4, v0);
    } else {
        mark(5, WaveGetLaneIndex());
        v2 = v3;
    }
    v3 = (max(v2, WaveGetLaneIndex()) + min(v2, 4u));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    v0 = ((v2 | 10u) | 3u);
    v3 = f0((v0 - (inputs[0] >> 9)), v0);
    v0 = f0((v1 * v3), v1);
    uint c0 = 0;
    do {
        ++c0;
        switch ((v3 & 3u)) {
        case 0: {
            v1 = (v1 & v1);
            continue;
        }
        default: case 1: case 2: {
            if (!(((inputs[2] >> 9) & 3u) == 2u)) {
                if (((v0 & 1u) < 1u)) {
                    if (((v0 < c0) || ((v2 & 1u) != 0u))) {
                        v3 = min((v1 - v2), (v2 * 35u));
                        mark(7, c0);
                        trace(8, (WaveGetLaneIndex() & v1));
                    }
                    trace(9, v0);
                    trace(10, ((v3 & v0) & (v3 - v1)));
                }
                break;
            } else {
                v2 = (v1 ^ 27u);
            }
            break;
        }
        case 3: {
            trace(11, WaveGetLaneIndex());
            v1 = (((inputs[3] >> 28) ^ 8u) - (v2 | 36u));
            break;
        }
        }
        mark(12, (max(v0, c0) ^ 12u));
        mark(13, c0);
    } while (WaveActiveAnyTrue(((c0 < 4u) && (((v0 + 6u) & 7u) < 3u))));
    trace(14, min(v1, 0u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
