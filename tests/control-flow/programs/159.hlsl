//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 159
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
    uint c0 = 0;
    while (c0 < 2 && ((v2 & 3u) >= 2u)) {
        ++c0;
        uint c1 = 0;
        for (;;) {
            if (++c1 > 5) break;
            v1 = WavePrefixCountBits(((v2 + 1u) & 1u) != 0u); trace(1, v1);
            if (((v0 & 1u) >= 1u)) {
                trace(2, ((v2 + 6u) * max(c1, c0)));
                break;
            }
            v2 = WaveGetLaneIndex();
        }
        switch ((WaveGetLaneIndex() & 7u)) {
        case 0: default: {
            v0 = v1;
            break;
        }
        case 1: {
            trace(3, ((v0 | (inputs[3] >> 24)) | 2u));
            break;
        }
        case 2: {
            trace(4, v1);
            break;
        }
        case 3: {
            mark(5, v3);
            break;
        }
        case 4: {
            v3 = (max(v3, v2) + (v1 + 30u));
            v0 = WaveActiveBitXor((((WaveGetLaneIndex() & 28u) | min(v2, WaveGetLaneIndex())) + 6u)); trace(6, v0);
            mark(7, (min(c0, v0) - c0));
            break;
        }
        }
    }
    v1 = (v2 ^ min(v2, v3));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
