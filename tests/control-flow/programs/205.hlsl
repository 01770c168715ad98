//! stage cs_6_0 main
//! dispatch 2 1 1
//! resource t0 raw_buffer 2048 random_u32 205
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
    v3 = v1;
    if ((((inputs[3] >> 26) & 3u) == 1u)) {
        trace(1, v3);
    } else {
        switch ((v3 & 3u)) {
        case 0: default: case 1: {
            if (((v2 < v0) && (v1 < v3))) {
                trace(2, ((v1 ^ 20u) ^ (v3 | v0)));
                v3 = min(min(v0, v0), 36u);
                if (((v3 & 3u) == 2u)) {
                    switch ((v3 & 3u)) {
                    case 0: case 1: {
                        v2 = (v0 * v0);
                        trace(3, v2);
                        trace(4, v0);
                        dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3)); return;
                    }
                    case 2: {
                        mark(5, v3);
                        v3 = v0;
                        break;
                    }
                    case 3: {
                        v0 = (max(v2, v3) * 14u);
                        v3 = ((v0 - v3) ^ (v0 & v2));
                        trace(6, v3);
                        break;
                    }
                    default: {
                        v0 = v1;
                        trace(7, max(min(v3, v3), 11u));
                        trace(8, v0);
                        break;
                    }
                    }
                    trace(9, ((v0 ^ v1) | v2));
                    trace(10, v0);
                    break;
                }
            }
            break;
        }
        case 2: {
            v0 = (v2 & 9u);
            trace(11, (v3 + 39u));
            break;
        }
        }
    }
    mark(12, ((v2 + 20u) - v2));
    dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));
}
