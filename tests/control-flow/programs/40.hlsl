//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 40
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }
#ifdef SPIRV
#define NOINLINE
#else
#define NOINLINE [noinline]
#endif

NOINLINE uint f0(uint v0, uint v1) {
    uint v2 = v0, v3 = v1;
    if ((v3 < v2)) {
        v0 = (v0 ^ max((inputs[3] >> 21), v1));
    } else {
        v1 = min(v1, (v3 & v3));
    }
    v2 = WaveGetLaneIndex();
    return v0;
}

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    v2 = v3;
    switch ((v3 & 3u)) {
    case 0: default: {
        v2 = WaveActiveBitXor(((inputs[0] >> 8) + 1u)); trace(1, v2);
        switch ((v1 & 3u)) {
        case 0: default: {
            v1 = v1;
            v1 = (v3 + (v3 - v1));
            mark(2, max((v3 | 2u), 0u));
            break;
        }
        case 1: {
            for (uint c0 = 0; c0 < ((WaveGetLaneIndex() & 3u) + 0u); ++c0) {
                if (!((c0 & 3u) >= 2u)) {
                    trace(3, c0);
                    break;
                }
            }
            uint c1 = 0;
            do {
                ++c1;
                switch ((v3 & 3u)) {
                case 0: {
                    if (WaveActiveAnyTrue((((v3 + 4u) & 7u) == 3u))) {
                        trace(5, 1u);
                        break;
                    }
                    break;
                }
                case 1: {
                    v1 = f0((v1 + v3), max(v2, 38u));
                    v2 = ((c1 & 2u) & 7u);
                    trace(6, (min(WaveGetLaneIndex(), v2) + 16u));
                    break;
                }
                case 2: {
                    trace(7, v3);
                    trace(8, (WaveGetLaneIndex() + (v3 ^ c1)));
                    mark(9, ((WaveGetLaneIndex() | c1) + v3));
                    break;
                }
                }
                trace(10, (c1 * (c1 + v1)));
                trace(11, max(c1, v0));
            } while (c1 < 2 && ((v1 & 3u) == 0u));
            v2 = WaveActiveBitAnd((v0 + 12u)); trace(12, v2);
            break;
        }
        }
        break;
    }
    case 1: {
        trace(13, (v0 + (v0 | v3)));
        break;
    }
    case 2: {
        v2 = WaveActiveMin(((max((inputs[1] >> 9), (inputs[2] >> 27)) + 27u) + 14u)); trace(14, v2);
        break;
    }
    }
    v2 = (v0 + (v3 & 3u));
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
