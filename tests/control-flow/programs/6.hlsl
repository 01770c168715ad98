//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 6
//! resource u0 raw_buffer 12288 out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) { hash = (hash ^ (value + site)) * 16777619u; }
void trace(uint site, uint value) { dst.Store2(base + 32 + (traces & 7) * 8, uint2(site, value)); ++traces; }

void body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {
    if ((((v2 & 1u) != 0u) && ((v0 & 1u) < 1u))) {
        trace(1, ((v1 & 25u) - 22u));
        if (!(((inputs[0] >> 2) & 7u) != 5u)) {
            mark(2, v1);
            trace(3, ((v0 ^ v0) + 21u));
        } else {
            v1 = WaveActiveCountBits(((v3 + 4u) & 1u) != 0u); trace(4, v1);
        }
        if (WaveIsFirstLane()) {
            switch ((WaveGetLaneIndex() & 3u)) {
            case 0: {
                v2 = (v2 ^ max(v3, v0));
                v0 = WaveActiveBitAnd(((inputs[1] >> 23) + 6u)); trace(6, v0);
                v0 = WaveActiveBallot(((((inputs[0] >> 19) & 4u) + 7u) & 1u) != 0u).x; trace(7, v0);
                break;
            }
            case 1: {
                uint c0 = 0;
                do {
                    ++c0;
                    switch ((c0 & 3u)) {
                    case 0: case 1: default: {
                        trace(8, (inputs[0] >> 9));
                        break;
                    }
                    case 2: {
                        v2 = v0;
                        break;
                    }
                    case 3: {
                        mark(9, v0);
                        continue;
                    }
                    }
                } while (c0 < 4 && ((v2 & 7u) != 3u));
                break;
            }
            }
        }
    }
    [loop] for (uint c1 = 0; c1 < 2u; ++c1) {
        v1 = WavePrefixSum((v3 + 10u)); trace(10, v1);
        v1 = WaveGetLaneIndex();
        trace(11, ((v3 + 13u) & 21u));
    }
    v3 = v2;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    hash = 2166136261u; traces = 8; base = id * 96; inputs = src.Load4(id * 16);
    uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;
    body(v0, v1, v2, v3);
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
