// Shared by the corpus: constants and small functions as an engine has them.
#ifndef COMMON_HLSLI
#define COMMON_HLSLI

static const float PI = 3.14159265;

cbuffer Frame : register(b0, space1) {
    float4x4 view;
    float4x4 projection;
    float4x4 view_projection;
    float4x4 inverse_view_projection;
    float4x4 previous_view_projection;
    float4 camera_position;
    float4 camera_planes; // near, far, 1 / near, 1 / far
    float4 viewport;      // width, height, 1 / width, 1 / height
    float4 jitter;
    float4 sun_direction;
    float4 sun_color;
    float time;
    float delta_time;
    uint frame_index;
    float exposure;
};

SamplerState point_clamp : register(s0, space1);
SamplerState linear_clamp : register(s1, space1);
SamplerState linear_repeat : register(s2, space1);
SamplerState trilinear_repeat : register(s3, space1);
SamplerComparisonState shadow_compare : register(s4, space1);

float pow2(float x) { return x * x; }
float pow5(float x) { float x2 = x * x; return x2 * x2 * x; }
float luminance(float3 c) { return dot(c, float3(0.2126, 0.7152, 0.0722)); }
float max3(float3 v) { return max(v.x, max(v.y, v.z)); }

float linear_depth(float depth) {
    return camera_planes.x * camera_planes.y / (camera_planes.y - depth * (camera_planes.y - camera_planes.x));
}

float3 world_from_depth(float2 uv, float depth) {
    float4 clip = float4(uv * float2(2, -2) + float2(-1, 1), depth, 1);
    float4 world = mul(inverse_view_projection, clip);
    return world.xyz / world.w;
}

uint hash(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}
float random01(inout uint state) {
    state = hash(state + 0x9e3779b9u);
    return (state >> 8) * (1.0 / 16777216.0);
}
float interleaved_noise(float2 p) { return frac(52.9829189 * frac(dot(p, float2(0.06711056, 0.00583715)))); }

float2 octahedral_encode(float3 n) {
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    float2 wrapped = (1 - abs(n.yx)) * (n.xy >= 0 ? 1 : -1);
    return (n.z >= 0 ? n.xy : wrapped) * 0.5 + 0.5;
}
float3 octahedral_decode(float2 e) {
    float2 f = e * 2 - 1;
    float3 n = float3(f, 1 - abs(f.x) - abs(f.y));
    float t = saturate(-n.z);
    n.xy += n.xy >= 0 ? -t : t;
    return normalize(n);
}
#endif
