//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 31
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
    if (WaveActiveAnyTrue((((WaveGetLaneIndex() + 1u) & 7u) < 3u))) {
        trace(5, 1u);
        v0 = WaveReadLaneFirst(((max(v0, v3) + (v1 ^ 13u)) + 2u)); trace(2, v0);
        trace(3, v2);
        mark(4, v0);
    } else {
        if ((v0 < v3)) {
            uint c0 = 0;
            for (;;) {
                if (++c0 > 3) break;
                if (((v3 & 1u) != 0u)) {
                    v0 = WaveActiveCountBits(((c0 + 7u) & 1u) != 0u); trace(7, v0);
                    break;
                }
                trace(6, (max(v3, v3) * (c0 & 4u)));
            }
            v0 = max(v2, 33u);
        }
    }
    v1 = WavePrefixSum((v3 + 8u)); trace(8, v1);
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if ((((v1 & 7u) == 6u) && ((v1 & 3u) != 0u))) {
        v2 = WavePrefixCountBits((((v0 - 33u) + 9u) & 1u) != 0u); trace(9, v2);
    } else {
        trace(10, v0);
    }
    v0 = f0(v1, (v3 + v3));
    uint c0 = 0u;
    for (uint c1 = 0; c1 < 3u; ++c1) {
        for (uint c2 = 0; c2 < 3u; ++c2) {
            if (!(c1 < ((inputs[3] >> 5) & 3u))) {
                c0 = 1u;
                break;
            }
            if (((v2 & 1u) == 0u)) {
                trace(11, ((v3 | 31u) * (c1 - v1)));
                uint c3 = 0;
                while (c3 < 3 && ((v1 & 3u) != 1u)) {
                    ++c3;
                    v2 = WaveActiveBitOr(((v0 * (v2 ^ c1)) + 12u)); trace(12, v2);
                    mark(13, c0);
                }
                v3 = (((inputs[2] >> 20) - v1) + 34u);
            } else {
                mark(14, v3);
                v3 = c1;
                mark(15, (c1 ^ c1));
            }
        }
        if ((c0 != 0u)) {
            break;
        }
        mark(16, ((v1 + v1) - (v1 | (inputs[0] >> 10))));
    }
    trace(17, ((v2 * (inputs[0] >> 21)) ^ (v2 ^ v1)));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
