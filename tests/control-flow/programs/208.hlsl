//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 208
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
    if (((v1 & 1u) != 0u)) {
        if (((v0 & 3u) >= 3u)) {
            v0 = v0;
            v0 = v2;
        } else {
            mark(1, v1);
        }
    }
    mark(2, (WaveGetLaneIndex() | v0));
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    mark(3, (max(WaveGetLaneIndex(), 1u) ^ v3));
    v1 = WaveActiveSum(((v0 + 30u) + 4u)); trace(4, v1);
    mark(5, (v0 | 19u));
    v1 = WaveReadLaneFirst((v1 + 6u)); trace(6, v1);
    uint c0 = 0;
    while (WaveActiveAllTrue(((c0 < 5u) && (((v3 + 7u) & 7u) >= 3u)))) {
        ++c0;
        if (((v0 & 7u) != 6u)) {
            trace(8, WaveGetLaneIndex());
            trace(9, v1);
            continue;
        }
    }
    trace(10, (v0 * v2));
    if (((v2 & 3u) == 2u)) {
        if (((v1 & 3u) < 2u)) {
            uint c1 = 0u;
            for (uint c2 = 0; c2 < 3u; ++c2) {
                for (uint c3 = 0; c3 < 2u; ++c3) {
                    [branch] if ((((inputs[0] >> 4) & 3u) == 2u)) {
                        trace(11, (v0 * min(v3, v0)));
                        trace(12, v1);
                    }
                    if ((c2 >= (WaveGetLaneIndex() & 3u))) {
                        c1 = 1u;
                        break;
                    }
                    if (!((c3 & 3u) < 2u)) {
                        v0 = v3;
                        break;
                    }
                }
                if ((c1 != 0u)) {
                    break;
                }
                v0 = WaveActiveBallot(((v0 + 13u) & 1u) != 0u).x; trace(13, v0);
            }
            if ((c1 == (v1 & 3u))) {
                v1 = f0(v3, (WaveGetLaneIndex() * c1));
            }
        } else {
            trace(14, (max(v2, 39u) + 31u));
            v2 = (max(v3, v1) - 35u);
        }
        v0 = WaveActiveSum(((max(v2, 7u) ^ (v3 + WaveGetLaneIndex())) + 15u)); trace(15, v0);
        trace(16, ((WaveGetLaneIndex() & v1) - v3));
    }
    v2 = (v0 + v3);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
