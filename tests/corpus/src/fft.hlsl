//! permutation radix8 cs_6_0 radix8 -D SIZE=512
//! permutation radix16 cs_6_0 radix16 -D SIZE=256
//! permutation spectrum cs_6_0 spectrum -D SIZE=256
// Fourier transforms in group-shared memory, and the spectrum of an ocean.
#include "common.hlsli"

Texture2D<float4> source : register(t0);
RWTexture2D<float4> output : register(u0);
StructuredBuffer<float2> initial : register(t1);
cbuffer Transform : register(b1) { uint vertical; float sign_; float patch_size, wind_speed; float4 wind; };

groupshared float2 shared_a[SIZE];
groupshared float2 shared_b[SIZE];

float2 multiply(float2 a, float2 b) { return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 twiddle(float k, float n) { float2 w; sincos(sign_ * 2 * PI * k / n, w.y, w.x); return w; }
float2 quarter(float2 a) { return float2(-a.y, a.x) * sign_; }

uint2 place(uint line_, uint i) { return vertical ? uint2(line_, i) : uint2(i, line_); }

[numthreads(SIZE, 1, 1)]
void main(uint2 group : SV_GroupID, uint i : SV_GroupIndex) {
    shared_a[i] = source.Load(int3(place(group.x, i), 0)).xy;
    bool ping = true;
    [unroll] for (uint half_ = 1; half_ < SIZE; half_ <<= 1) {
        GroupMemoryBarrierWithGroupSync();
        uint k = i & (half_ * 2 - 1);
        uint j = (i / (half_ * 2)) * half_ + (k & (half_ - 1));
        float2 a = ping ? shared_a[j] : shared_b[j], b = ping ? shared_a[j + SIZE / 2] : shared_b[j + SIZE / 2];
        float2 value = a + multiply(twiddle(k, half_ * 2), b);
        if (ping) shared_b[i] = value; else shared_a[i] = value;
        ping = !ping;
    }
    GroupMemoryBarrierWithGroupSync();
    output[place(group.x, i)] = float4(ping ? shared_a[i] : shared_b[i], 0, 0);
}

void dft4(inout float2 v[4]) {
    float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = quarter(v[1] - v[3]);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
}

[numthreads(SIZE / 4, 1, 1)]
void radix4(uint2 group : SV_GroupID, uint t : SV_GroupIndex) {
    float2 v[4];
    [unroll] for (uint r = 0; r < 4; ++r) v[r] = source.Load(int3(place(group.x, t + r * SIZE / 4), 0)).xy;
    [unroll] for (uint n = 1; n < SIZE; n *= 4) {
        uint k = t % n;
        [unroll] for (uint r1 = 1; r1 < 4; ++r1) v[r1] = multiply(v[r1], twiddle(k * r1, n * 4));
        dft4(v);
        uint base = (t / n) * n * 4 + k;
        GroupMemoryBarrierWithGroupSync();
        [unroll] for (uint r2 = 0; r2 < 4; ++r2) shared_a[base + r2 * n] = v[r2];
        GroupMemoryBarrierWithGroupSync();
        [unroll] for (uint r3 = 0; r3 < 4; ++r3) v[r3] = shared_a[t + r3 * SIZE / 4];
    }
    [unroll] for (uint r4 = 0; r4 < 4; ++r4) output[place(group.x, t + r4 * SIZE / 4)] = float4(v[r4], 0, 0);
}

void dft8(inout float2 v[8]) {
    float2 even[4] = {v[0], v[2], v[4], v[6]};
    float2 odd[4] = {v[1], v[3], v[5], v[7]};
    dft4(even);
    dft4(odd);
    [unroll] for (uint k = 0; k < 4; ++k) {
        float2 w = multiply(odd[k], float2(cos(PI * k / 4), sign_ * sin(PI * k / 4)));
        v[k] = even[k] + w;
        v[k + 4] = even[k] - w;
    }
}

[numthreads(SIZE / 8, 1, 1)]
void radix8(uint2 group : SV_GroupID, uint t : SV_GroupIndex) {
    float2 v[8];
    [unroll] for (uint r = 0; r < 8; ++r) v[r] = source.Load(int3(place(group.x, t + r * SIZE / 8), 0)).xy;
    [unroll] for (uint n = 1; n < SIZE; n *= 8) {
        uint k = t % n;
        [unroll] for (uint r1 = 1; r1 < 8; ++r1) v[r1] = multiply(v[r1], twiddle(k * r1, n * 8));
        dft8(v);
        uint base = (t / n) * n * 8 + k;
        GroupMemoryBarrierWithGroupSync();
        [unroll] for (uint r2 = 0; r2 < 8; ++r2) shared_a[base + r2 * n] = v[r2];
        GroupMemoryBarrierWithGroupSync();
        [unroll] for (uint r3 = 0; r3 < 8; ++r3) v[r3] = shared_a[t + r3 * SIZE / 8];
    }
    [unroll] for (uint r4 = 0; r4 < 8; ++r4) output[place(group.x, t + r4 * SIZE / 8)] = float4(v[r4], 0, 0);
}

void dft16(inout float2 v[16]) {
    float2 even[8], odd[8];
    [unroll] for (uint i = 0; i < 8; ++i) {
        even[i] = v[i * 2];
        odd[i] = v[i * 2 + 1];
    }
    dft8(even);
    dft8(odd);
    [unroll] for (uint k = 0; k < 8; ++k) {
        float2 w = multiply(odd[k], float2(cos(PI * k / 8), sign_ * sin(PI * k / 8)));
        v[k] = even[k] + w;
        v[k + 8] = even[k] - w;
    }
}

[numthreads(SIZE / 16, 1, 1)]
void radix16(uint2 group : SV_GroupID, uint t : SV_GroupIndex) {
    float2 v[16];
    [unroll] for (uint r = 0; r < 16; ++r) v[r] = source.Load(int3(place(group.x, t + r * SIZE / 16), 0)).xy;
    [unroll] for (uint n = 1; n < SIZE; n *= 16) {
        uint k = t % n;
        [unroll] for (uint r1 = 1; r1 < 16; ++r1) v[r1] = multiply(v[r1], twiddle(k * r1, n * 16));
        dft16(v);
        uint base = (t / n) * n * 16 + k;
        GroupMemoryBarrierWithGroupSync();
        [unroll] for (uint r2 = 0; r2 < 16; ++r2) shared_a[base + r2 * n] = v[r2];
        GroupMemoryBarrierWithGroupSync();
        [unroll] for (uint r3 = 0; r3 < 16; ++r3) v[r3] = shared_a[t + r3 * SIZE / 16];
    }
    [unroll] for (uint r4 = 0; r4 < 16; ++r4) output[place(group.x, t + r4 * SIZE / 16)] = float4(v[r4], 0, 0);
}

[numthreads(16, 16, 1)]
void spectrum(uint2 id : SV_DispatchThreadID) {
    float2 k = ((float2)(int2)id - SIZE / 2) * 2 * PI / patch_size;
    float length_ = max(length(k), 1e-4);
    float largest = wind_speed * wind_speed / 9.81;
    float alignment = dot(k / length_, wind.xy);
    float phillips = wind.z * exp(-1 / pow2(length_ * largest)) / pow2(length_ * length_) * pow2(alignment) * exp(-length_ * length_ * wind.w);
    float2 h0 = initial[id.y * SIZE + id.x] * sqrt(phillips * 0.5);
    uint2 mirrored = (SIZE - id) % SIZE;
    float2 h0_conjugate = initial[mirrored.y * SIZE + mirrored.x] * sqrt(phillips * 0.5) * float2(1, -1);
    float2 w;
    sincos(sqrt(9.81 * length_) * time, w.y, w.x);
    float2 h = multiply(h0, w) + multiply(h0_conjugate, float2(w.x, -w.y));
    float2 slope = multiply(h, float2(0, 1)) * k.x / length_;
    output[id] = float4(h, slope);
}
