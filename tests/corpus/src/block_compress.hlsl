//! permutation bc1 cs_6_0 bc1
//! permutation bc5 cs_6_0 bc5
//! permutation bc1_refined cs_6_0 bc1 -D REFINE=2
//! permutation bc6h cs_6_0 bc6h
//! permutation bc7_mode6 cs_6_0 bc7
//! permutation bc7_refined cs_6_0 bc7 -D REFINE=1
// Block compression of textures on the GPU.
Texture2D<float4> source : register(t0);
RWTexture2D<uint2> blocks8 : register(u0);
RWTexture2D<uint4> blocks16 : register(u1);
cbuffer Compress : register(b0) { uint2 block_count; float2 pad; };

void fetch(uint2 block, out float4 texels[16]) {
    [unroll] for (uint i = 0; i < 16; ++i) texels[i] = source.Load(int3(block * 4 + uint2(i % 4, i / 4), 0));
}
uint to565(float3 c) {
    uint3 q = (uint3)(saturate(c) * float3(31, 63, 31) + 0.5);
    return q.x << 11 | q.y << 5 | q.z;
}
float3 from565(uint c) { return float3(c >> 11, c >> 5 & 63, c & 31) / float3(31, 63, 31); }

void principal_axis(float3 texels[16], out float3 low, out float3 high) {
    float3 mean = 0;
    [unroll] for (uint i = 0; i < 16; ++i) mean += texels[i];
    mean /= 16;
    float3 diagonal = 0, off = 0;
    [unroll] for (uint j = 0; j < 16; ++j) {
        float3 d = texels[j] - mean;
        diagonal += d * d;
        off += d.xyz * d.yzx;
    }
    float3 axis = float3(1, 1, 1);
    [unroll] for (uint k = 0; k < 4; ++k) {
        axis = float3(dot(float3(diagonal.x, off.x, off.z), axis), dot(float3(off.x, diagonal.y, off.y), axis), dot(float3(off.z, off.y, diagonal.z), axis));
        axis /= max(max(abs(axis.x), abs(axis.y)), max(abs(axis.z), 1e-6));
    }
    axis = normalize(axis + 1e-6);
    float first = 1e9, last = -1e9;
    [unroll] for (uint m = 0; m < 16; ++m) {
        float t = dot(texels[m] - mean, axis);
        first = min(first, t);
        last = max(last, t);
    }
    low = saturate(mean + axis * first);
    high = saturate(mean + axis * last);
}

uint4 solve_indices(float3 texels[16], float3 c0, float3 c1, out float error) {
    uint bits = 0;
    error = 0;
    float3 palette[4] = {c0, c1, lerp(c0, c1, 1.0 / 3), lerp(c0, c1, 2.0 / 3)};
    [unroll] for (uint i = 0; i < 16; ++i) {
        uint best = 0;
        float least = 1e9;
        [unroll] for (uint p = 0; p < 4; ++p) {
            float3 d = texels[i] - palette[p];
            float e = dot(d, d);
            if (e < least) {
                least = e;
                best = p;
            }
        }
        bits |= best << (i * 2);
        error += least;
    }
    return bits;
}

uint2 encode_color(float3 texels[16]) {
    float3 low, high;
    principal_axis(texels, low, high);
    uint c0 = to565(high), c1 = to565(low);
    float error;
    uint bits = solve_indices(texels, from565(c0), from565(c1), error).x;
#ifdef REFINE
    [unroll] for (uint pass = 0; pass < REFINE; ++pass) {
        float aa = 0, bb = 0, ab = 0;
        float3 ax = 0, bx = 0;
        [unroll] for (uint i = 0; i < 16; ++i) {
            uint index = bits >> (i * 2) & 3;
            float a = index == 0 ? 1 : index == 1 ? 0 : index == 2 ? 2.0 / 3 : 1.0 / 3, b = 1 - a;
            aa += a * a;
            bb += b * b;
            ab += a * b;
            ax += texels[i] * a;
            bx += texels[i] * b;
        }
        float scale = 1 / max(aa * bb - ab * ab, 1e-5);
        uint n0 = to565((ax * bb - bx * ab) * scale), n1 = to565((bx * aa - ax * ab) * scale);
        float refined;
        uint candidate = solve_indices(texels, from565(n0), from565(n1), refined).x;
        if (refined < error) {
            error = refined;
            c0 = n0;
            c1 = n1;
            bits = candidate;
        }
    }
#endif
    if (c0 < c1) {
        uint swap = c0;
        c0 = c1;
        c1 = swap;
        bits ^= 0x55555555;
    }
    return uint2(c0 | c1 << 16, c0 == c1 ? 0 : bits);
}

uint2 encode_single(float values[16]) {
    float low = 1, high = 0;
    [unroll] for (uint i = 0; i < 16; ++i) {
        low = min(low, values[i]);
        high = max(high, values[i]);
    }
    uint a = (uint)(high * 255 + 0.5), b = (uint)(low * 255 + 0.5);
    float scale = 7 / max(high - low, 1e-5);
    uint2 bits = uint2(a | b << 8, 0);
    [unroll] for (uint j = 0; j < 16; ++j) {
        uint step_ = (uint)((values[j] - low) * scale + 0.5);
        uint index = step_ == 7 ? 0 : step_ == 0 ? 1 : 8 - step_;
        uint at = 16 + j * 3;
        if (at < 32) bits.x |= index << at;
        if (at + 3 > 32) bits.y |= at >= 32 ? index << (at - 32) : index >> (32 - at);
    }
    return bits;
}

[numthreads(8, 8, 1)]
void bc1(uint2 block : SV_DispatchThreadID) {
    if (any(block >= block_count)) return;
    float4 texels[16];
    fetch(block, texels);
    float3 colors[16];
    [unroll] for (uint i = 0; i < 16; ++i) colors[i] = texels[i].rgb;
    blocks8[block] = encode_color(colors);
}

[numthreads(8, 8, 1)]
void bc4(uint2 block : SV_DispatchThreadID) {
    if (any(block >= block_count)) return;
    float4 texels[16];
    fetch(block, texels);
    float values[16];
    [unroll] for (uint i = 0; i < 16; ++i) values[i] = texels[i].r;
    blocks8[block] = encode_single(values);
}

[numthreads(8, 8, 1)]
void bc5(uint2 block : SV_DispatchThreadID) {
    if (any(block >= block_count)) return;
    float4 texels[16];
    fetch(block, texels);
    float red[16], green[16];
    [unroll] for (uint i = 0; i < 16; ++i) {
        float3 n = normalize(texels[i].xyz * 2 - 1);
        red[i] = n.x * 0.5 + 0.5;
        green[i] = n.y * 0.5 + 0.5;
    }
    blocks16[block] = uint4(encode_single(red), encode_single(green));
}

uint quantise_half(float v) { return (f32tof16(max(v, 0)) * 64 / 31) >> 6; }

void put(inout uint4 block, inout uint at, uint value, uint width) {
    uint slot = at >> 5, shift = at & 31;
    block[slot] |= value << shift;
    if (shift + width > 32) block[slot + 1] |= value >> (32 - shift);
    at += width;
}

[numthreads(8, 8, 1)]
void bc6h(uint2 block : SV_DispatchThreadID) {
    if (any(block >= block_count)) return;
    float4 texels[16];
    fetch(block, texels);
    float3 low = 65504, high = 0;
    [unroll] for (uint i = 0; i < 16; ++i) {
        low = min(low, texels[i].rgb);
        high = max(high, texels[i].rgb);
    }
    float3 inset = (log2(high + 1) - log2(low + 1)) / 16;
    low = exp2(log2(low + 1) + inset) - 1;
    high = exp2(max(log2(high + 1) - inset, 0)) - 1;
    float3 direction = high - low;
    direction /= max(direction.x + direction.y + direction.z, 1e-5);
    float first = dot(direction, low), span = max(dot(direction, high) - first, 1e-5);
    uint4 bits = 0;
    uint at = 0;
    put(bits, at, 3, 5);
    [unroll] for (uint c = 0; c < 3; ++c) put(bits, at, quantise_half(low[c]), 10);
    [unroll] for (uint d = 0; d < 3; ++d) put(bits, at, quantise_half(high[d]), 10);
    [unroll] for (uint j = 0; j < 16; ++j) {
        uint index = (uint)clamp((dot(texels[j].rgb, direction) - first) / span * 15 + 0.5, 0, 15);
        put(bits, at, j == 0 ? min(index, 7u) : index, j == 0 ? 3 : 4);
    }
    blocks16[block] = bits;
}

static const uint weights4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

[numthreads(8, 8, 1)]
void bc7(uint2 block : SV_DispatchThreadID) {
    if (any(block >= block_count)) return;
    float4 texels[16];
    fetch(block, texels);
    float4 mean = 0;
    [unroll] for (uint i = 0; i < 16; ++i) mean += texels[i];
    mean /= 16;
    float4 axis = 1;
    [unroll] for (uint iteration = 0; iteration < 3; ++iteration) {
        float4 next = 0;
        [unroll] for (uint j = 0; j < 16; ++j) next += (texels[j] - mean) * dot(texels[j] - mean, axis);
        axis = next / max(length(next), 1e-6);
    }
    float first = 1e9, last = -1e9;
    [unroll] for (uint k = 0; k < 16; ++k) {
        float t = dot(texels[k] - mean, axis);
        first = min(first, t);
        last = max(last, t);
    }
    float4 low = saturate(mean + axis * first), high = saturate(mean + axis * last);
    uint indices[16];
#ifdef REFINE
    [unroll] for (uint pass = 0; pass <= REFINE; ++pass) {
#endif
        float4 span = high - low;
        float scale = 15 / max(dot(span, span), 1e-6);
        float aa = 0, bb = 0, ab = 0;
        float4 ax = 0, bx = 0;
        [unroll] for (uint m = 0; m < 16; ++m) {
            indices[m] = (uint)clamp(dot(texels[m] - low, span) * scale + 0.5, 0, 15);
            float b = weights4[indices[m]] / 64.0, a = 1 - b;
            aa += a * a;
            bb += b * b;
            ab += a * b;
            ax += texels[m] * a;
            bx += texels[m] * b;
        }
#ifdef REFINE
        float inverse = 1 / max(aa * bb - ab * ab, 1e-5);
        low = saturate((ax * bb - bx * ab) * inverse);
        high = saturate((bx * aa - ax * ab) * inverse);
    }
#endif
    uint4 q0 = (uint4)(low * 127 + 0.5), q1 = (uint4)(high * 127 + 0.5);
    if (indices[0] > 7) {
        uint4 swap = q0;
        q0 = q1;
        q1 = swap;
        [unroll] for (uint n = 0; n < 16; ++n) indices[n] = 15 - indices[n];
    }
    uint4 bits = 0;
    uint at = 0;
    put(bits, at, 64, 7);
    [unroll] for (uint c = 0; c < 4; ++c) {
        put(bits, at, q0[c], 7);
        put(bits, at, q1[c], 7);
    }
    put(bits, at, 0, 1);
    put(bits, at, 1, 1);
    [unroll] for (uint p = 0; p < 16; ++p) put(bits, at, indices[p], p == 0 ? 3 : 4);
    blocks16[block] = bits;
}
