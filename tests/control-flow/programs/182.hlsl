//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 182
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
    v0 = (v0 + 31u);
    [unroll] for (uint c0 = 0; c0 < 3u; ++c0) {
        mark(1, ((v3 & (inputs[0] >> 2)) - 15u));
        v0 = WaveActiveSum((min((v2 ^ 32u), max(v2, v2)) + 2u)); trace(2, v0);
        v2 = (min(v2, v0) + 19u);
    }
    mark(3, (v3 + v1));
    return v0;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    if ((((inputs[3] >> 6) & 3u) == 2u)) {
        switch ((WaveGetLaneIndex() & 3u)) {
        case 0: {
            v2 = ((inputs[0] >> 11) - v1);
            break;
        }
        default: {
            v2 = v1;
            v1 = f0((v1 + 32u), (v2 ^ v0));
            break;
        }
        case 1: {
            v2 = WaveActiveMin((max(v1, max(v3, v2)) + 7u)); trace(7, v2);
            uint c0 = 0;
            for (;;) {
                if (++c0 > 3) break;
                if (((c0 & 1u) == 0u)) {
                    break;
                }
                uint c1 = 0;
                while (WaveActiveAnyTrue(((c1 < 4u) && (((v1 + 8u) & 7u) < 3u)))) {
                    ++c1;
                    [loop] for (uint c2 = 0; c2 < 3u; ++c2) {
                        v1 = min(c1, 21u);
                        trace(9, c1);
                        v3 = ((v2 + WaveGetLaneIndex()) + 13u);
                    }
                }
            }
            break;
        }
        }
        trace(10, v1);
    }
    switch ((v0 & 7u)) {
    case 0: {
        if (((v3 & 3u) >= 2u)) {
            uint c3 = 0u;
            for (uint c4 = 0; c4 < 3u; ++c4) {
                for (uint c5 = 0; c5 < 3u; ++c5) {
                    v3 = ((v1 - 19u) ^ 4u);
                    v0 = v2;
                    if (((c3 & 7u) < 7u)) {
                        c3 = 1u;
                        break;
                    }
                    v1 = (max(v3, v3) & 22u);
                }
                if ((c3 != 0u)) {
                    break;
                }
                v3 = ((v3 * v0) + 7u);
            }
        } else {
            mark(11, v1);
            v3 = v2;
            mark(12, ((v0 + v1) ^ 38u));
        }
        v0 = WavePrefixSum((((inputs[2] >> 12) + v2) + 13u)); trace(13, v0);
        trace(14, v3);
        break;
    }
    case 1: {
        v2 = WaveActiveSum(((min(v0, 32u) & v2) + 15u)); trace(15, v2);
        trace(16, ((v1 & 32u) ^ 5u));
        trace(17, (max(v2, v1) - 1u));
        break;
    }
    case 2: case 3: {
        v0 = WaveActiveCountBits(((((v0 - WaveGetLaneIndex()) | 38u) + 18u) & 1u) != 0u); trace(18, v0);
        mark(19, min(min(v0, v0), (v2 + 32u)));
        break;
    }
    case 4: {
        mark(20, min(v1, v0));
        v3 = WaveActiveSum((max(v1, 27u) + 21u)); trace(21, v3);
        break;
    }
    }
    mark(22, max(min((inputs[1] >> 16), 30u), 36u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
