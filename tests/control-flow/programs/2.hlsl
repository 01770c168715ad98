//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 2
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
    v0 = WaveReadLaneFirst((v2 + 1u)); trace(1, v0);
    if (WaveActiveAllTrue((((v1 + 2u) & 7u) < 3u))) {
        trace(3, v3);
    } else {
        v0 = WaveActiveSum((v1 + 4u)); trace(4, v0);
    }
    if (((v1 & 1u) < 1u)) {
        trace(5, (v0 & 17u));
        if (((v2 & 3u) == 0u)) {
            switch ((v0 & 3u)) {
            case 0: {
                uint c0 = 0;
                do {
                    ++c0;
                    mark(6, (max((inputs[3] >> 20), v1) * (v2 + 26u)));
                    v2 = WaveActiveSum((c0 + 7u)); trace(7, v2);
                    trace(8, (v1 & (v3 | c0)));
                } while (c0 < 2 && (((v0 & 1u) != 0u) || ((c0 & 7u) < 4u)));
                break;
            }
            case 1: {
                trace(9, v0);
                v0 = v3;
                v1 = WaveActiveBitOr((max((v0 * v3), (v2 | 17u)) + 10u)); trace(10, v1);
                break;
            }
            case 2: {
                trace(11, (max(v2, 14u) | 4u));
                v0 = WaveActiveSum(((v0 - v2) + 12u)); trace(12, v0);
                v0 = max(v3, v2);
                break;
            }
            case 3: {
                mark(13, v0);
                break;
            }
            }
        }
    } else {
        v2 = WaveActiveBitOr(((WaveGetLaneIndex() ^ (v2 * 13u)) + 14u)); trace(14, v2);
        v0 = v0;
    }
    v2 = (v3 & 39u);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
