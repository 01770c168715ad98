//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 184
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
    mark(1, v0);
    switch ((v1 & 7u)) {
    case 0: {
        v3 = (min((inputs[0] >> 23), v3) * v3);
        if (((v0 & 3u) == 2u)) {
            mark(2, (v1 | 12u));
        } else {
            if ((((v1 & 3u) >= 2u) || ((v0 & 1u) == 0u))) {
                mark(3, v3);
            } else {
                mark(4, (WaveGetLaneIndex() | (v0 + WaveGetLaneIndex())));
                trace(5, v3);
            }
        }
        break;
    }
    case 1: {
        trace(6, (min(v2, 38u) ^ (inputs[3] >> 17)));
        trace(7, ((v3 & v2) | v0));
        trace(8, WaveGetLaneIndex());
        break;
    }
    default: {
        v0 = v2;
        trace(9, (WaveGetLaneIndex() + WaveGetLaneIndex()));
        break;
    }
    case 2: {
        v3 = ((v2 & v3) + (v3 ^ (inputs[3] >> 24)));
        break;
    }
    case 3: {
        v0 = WaveGetLaneIndex();
        v1 = (v0 | 13u);
        mark(10, max(v2, max(v2, 5u)));
        break;
    }
    case 4: {
        v1 = WaveReadLaneFirst((max(WaveGetLaneIndex(), v3) + 11u)); trace(11, v1);
        v0 = WavePrefixCountBits(((v3 + 12u) & 1u) != 0u); trace(12, v0);
        v0 = ((v1 ^ (inputs[3] >> 7)) * (v2 & 9u));
        break;
    }
    }
    trace(13, ((v1 ^ v2) + 9u));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
