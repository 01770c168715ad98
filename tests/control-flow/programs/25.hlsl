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

uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if (((v0 & 3u) < 3u)) {
        mark(1, v0);
        v3 = WaveActiveMin((v0 + 2u)); trace(2, v3);
    }
    trace(3, min((v3 & 31u), min((inputs[0] >> 23), (inputs[1] >> 24))));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    uint c0 = 0;
    do {
        ++c0;
        v1 = f0((v0 * c0), v3);
        switch ((((v2 & 3u) * 4096u) + 5u)) {
        default: {
            v2 = WaveActiveSum((WaveGetLaneIndex() + 4u)); trace(4, v2);
            uint c1 = 0;
            for (;;) {
                if (++c1 > 3) break;
                if (((c1 < v2) && (c1 < (v0 & 3u)))) {
                    trace(11, v2);
                    break;
                }
                [loop] for (uint c2 = 0; c2 < ((v3 & 3u) + 2u); ++c2) {
                    trace(5, v1);
                    switch (((inputs[2] >> 13) & 3u)) {
                    case 0: {
                        v1 = WaveActiveBitXor(((v2 & (v1 | 8u)) + 6u)); trace(6, v1);
                        mark(7, v1);
                        break;
                    }
                    case 1: {
                        v1 = WaveActiveCountBits(((v2 + 8u) & 1u) != 0u); trace(8, v1);
                        mark(9, ((v2 * 39u) + max(v3, c1)));
                        v1 = (v2 - (c2 + 29u));
                        break;
                    }
                    }
                    v2 = min(v2, 3u);
                }
                trace(10, c1);
                if ((((v1 & 1u) == 0u) && ((c0 & 7u) == 0u))) {
                    v0 = v3;
                }
            }
            break;
        }
        case 5: {
            trace(12, v0);
            mark(13, ((v3 & 27u) + 25u));
            mark(14, v3);
            break;
        }
        case 4101: {
            trace(15, (WaveGetLaneIndex() | (v3 & 3u)));
            v2 = WaveActiveMin((c0 + 16u)); trace(16, v2);
            trace(17, (v1 | (v3 | v0)));
            break;
        }
        case 8197: {
            v1 = (min(v1, v1) * (c0 ^ c0));
            break;
        }
        }
    } while (c0 < 4 && ((WaveGetLaneIndex() & 3u) != 1u));
    mark(18, (v3 * 1u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
