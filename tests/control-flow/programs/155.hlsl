//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 155
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
    v1 = WaveActiveMax((v0 + 1u)); trace(1, v1);
    v1 = ((v1 * WaveGetLaneIndex()) ^ v1);
    v2 = v3;
    switch ((((v3 & 3u) * 4096u) + 5u)) {
    case 5: {
        if ((((v0 & 3u) != 0u) || ((WaveGetLaneIndex() & 3u) < 2u))) {
            if (((v3 & 3u) >= 1u)) {
                if (!((v0 & 1u) == 0u)) {
                    mark(2, (WaveGetLaneIndex() ^ 8u));
                    if (((((inputs[0] >> 4) & 7u) != 2u) && ((v0 & 1u) < 1u))) {
                        v2 = min(v2, 37u);
                        v3 = min(v2, 32u);
                        v1 = WaveActiveBitXor(((v0 ^ 25u) + 3u)); trace(3, v1);
                    }
                    v3 = v0;
                } else {
                    v1 = min((v1 - (inputs[2] >> 10)), min(v2, v3));
                    trace(4, ((v0 ^ v0) + (v3 + 35u)));
                    v3 = v1;
                }
                mark(5, (v2 ^ max((inputs[1] >> 20), v3)));
                trace(6, v2);
            }
            v2 = (((inputs[2] >> 12) + 34u) * (v0 - v0));
        }
        v1 = v1;
        break;
    }
    case 4101: {
        v0 = WaveReadLaneFirst((v2 + 7u)); trace(7, v0);
        break;
    }
    case 8197: {
        mark(8, max(((inputs[1] >> 3) ^ v0), min(v3, 21u)));
        break;
    }
    case 12293: {
        v2 = v1;
        v0 = ((WaveGetLaneIndex() & v0) + (inputs[3] >> 7));
        v0 = max((v1 + 29u), (v2 | v0));
        break;
    }
    default: {
        v2 = WaveGetLaneIndex();
        trace(9, min(v1, 14u));
        break;
    }
    }
    v2 = v1;
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
