//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 146
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
    if (((v0 & 7u) < 5u)) {
        switch ((v3 & 3u)) {
        case 0: {
            switch ((v0 & 3u)) {
            case 0: {
                switch ((v0 & 3u)) {
                case 0: {
                    v3 = v1;
                    break;
                }
                case 1: case 2: default: {
                    [branch] if ((((inputs[2] >> 3) & 7u) < 1u)) {
                        mark(10, ((v2 ^ v2) + (inputs[3] >> 27)));
                        v2 = (v1 - 22u);
                    } else {
                        v0 = (v1 - 19u);
                        trace(11, ((v3 & v0) ^ (v1 + 14u)));
                    }
                    trace(12, (min(v1, v3) - 35u));
                    v3 = (min(v2, 16u) - 7u);
                    break;
                }
                }
                mark(13, v2);
                v1 = (inputs[0] >> 13);
                break;
            }
            case 1: case 2: default: {
                trace(14, max(v1, 35u));
                trace(15, ((v2 | v0) ^ 13u));
                break;
            }
            }
            break;
        }
        default: case 1: {
            trace(16, min(((inputs[0] >> 24) + 13u), (v1 * v0)));
            trace(17, ((v0 + v0) & (v2 ^ v0)));
            trace(18, v3);
            break;
        }
        case 2: case 3: {
            v1 = ((v1 ^ 26u) ^ 10u);
            trace(19, (v1 | (v0 - 26u)));
            trace(20, v2);
            break;
        }
        }
    } else {
        v3 = ((v0 & v3) & 11u);
    }
    v0 = ((v2 ^ (inputs[2] >> 22)) ^ ((inputs[2] >> 7) + v2));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
