//! permutation simple ps_6_0 main -D SHAPES=1
//! permutation scene ps_6_0 main -D SHAPES=3
//! permutation scene_detail ps_6_0 main -D SHAPES=3 -D DETAIL -D OCCLUSION
//! permutation scene_unrolled ps_6_0 main -D SHAPES=3 -D DETAIL -D OCCLUSION -D UNROLLED
// Ray-marched signed distance fields with soft shadows, occlusion and reflections.
#include "brdf.hlsli"

cbuffer Shapes : register(b1) { float4 spheres[16]; float4 boxes[16]; float4 box_sizes[16]; float4 toruses[8]; float4 colors[16]; uint4 counts; };
Texture2D<float4> bump_map : register(t0);

float smooth_min(float a, float b, float k) {
    float h = saturate(0.5 + 0.5 * (b - a) / k);
    return lerp(b, a, h) - k * h * (1 - h);
}
float box_distance(float3 p, float3 b, float r) { float3 q = abs(p) - b; return length(max(q, 0)) + min(max(q.x, max(q.y, q.z)), 0) - r; }
float torus_distance(float3 p, float2 t) { return length(float2(length(p.xz) - t.x, p.y)) - t.y; }
float capsule_distance(float3 p, float3 a, float3 b, float r) { float3 pa = p - a, ba = b - a; return length(pa - ba * saturate(dot(pa, ba) / dot(ba, ba))) - r; }
float gyroid(float3 p, float scale) { p *= scale; return dot(sin(p), cos(p.zxy)) / scale; }

float2 scene(float3 p) {
    float2 nearest = float2(p.y, 0);
    [loop] for (uint i = 0; i < counts.x; ++i) {
        float d = length(p - spheres[i].xyz) - spheres[i].w;
        if (d < nearest.x) nearest.y = i + 1;
        nearest.x = smooth_min(nearest.x, d, 0.2);
    }
#if SHAPES > 1
    [loop] for (uint j = 0; j < counts.y; ++j) {
        float3 q = p - boxes[j].xyz;
        float s, c;
        sincos(boxes[j].w, s, c);
        q.xz = float2(q.x * c - q.z * s, q.x * s + q.z * c);
        float d = box_distance(q, box_sizes[j].xyz, box_sizes[j].w);
        if (d < nearest.x) nearest.y = j + 4;
        nearest.x = min(nearest.x, d);
    }
    [unroll] for (uint k = 0; k < 4; ++k) {
        float d = torus_distance(p - toruses[k].xyz, float2(toruses[k].w, 0.1));
        if (d < nearest.x) nearest = float2(d, 12);
    }
#endif
#if SHAPES > 2
    float3 cell = floor(p / 4 + 0.5), local = p - cell * 4;
    float pillar = max(length(local.xz) - 0.3 - 0.02 * cos(atan2(local.z, local.x) * 12), abs(p.y - 2) - 2);
    if (pillar < nearest.x) nearest = float2(pillar, 13);
    float arm = capsule_distance(p, float3(sin(time), 2, 1), float3(2, 1 + cos(time), 3), 0.15);
    nearest = arm < nearest.x ? float2(smooth_min(arm, nearest.x, 0.1), 14) : nearest;
#endif
#ifdef DETAIL
    nearest.x += gyroid(p, 9) * 0.02 + gyroid(p + 3, 23) * 0.006;
#endif
    return nearest;
}

float3 normal_at(float3 p) {
    const float2 e = float2(1, -1) * 0.0008;
#ifdef UNROLLED
    return normalize(e.xyy * scene(p + e.xyy).x + e.yyx * scene(p + e.yyx).x + e.yxy * scene(p + e.yxy).x + e.xxx * scene(p + e.xxx).x);
#else
    float3 n = 0;
    [loop] for (uint i = 0; i < 4; ++i) {
        float3 d = 0.5773 * (2 * float3((i + 3) >> 1 & 1, i >> 1 & 1, i & 1) - 1);
        n += d * scene(p + 0.0008 * d).x;
    }
    return normalize(n);
#endif
}

float march(float3 o, float3 d, float limit, out float material) {
    float t = 0.02;
    material = -1;
    [loop] for (uint i = 0; i < 96 && t < limit; ++i) {
        float2 s = scene(o + d * t);
        if (s.x < 0.0005 * t) {
            material = s.y;
            break;
        }
        t += s.x * 0.9;
    }
    return t;
}

float soft_shadow(float3 o, float3 d) {
    float result = 1, t = 0.03;
    [loop] for (uint i = 0; i < 32; ++i) {
        float h = scene(o + d * t).x;
        result = min(result, 10 * h / t);
        t += clamp(h, 0.02, 0.3);
        if (result < 0.01 || t > 12) break;
    }
    return saturate(result);
}

float3 shade_point(float3 p, float3 d, float material) {
    float3 n = normal_at(p);
    Surface s = (Surface)0;
    s.position = p;
    s.normal = n;
    uint index = (uint)material;
    s.albedo = index == 0 ? (frac((floor(p.x) + floor(p.z)) * 0.5) > 0.25 ? 0.7 : 0.25) : colors[index & 15].rgb;
    s.roughness = index == 0 ? 0.6 : colors[index & 15].a;
    s.metallic = index % 3 == 1 ? 1 : 0;
    s.f0 = lerp(0.04, s.albedo, s.metallic);
    float occlusion = 1;
#ifdef OCCLUSION
    float sum = 0, weight = 1;
    [unroll] for (uint i = 1; i <= 5; ++i) {
        float h = 0.03 * i * i;
        sum += (h - scene(p + n * h).x) * weight;
        weight *= 0.7;
    }
    occlusion = saturate(1 - 2 * sum);
#endif
    float3 color = shade(s, -d, -sun_direction.xyz, sun_color.rgb * soft_shadow(p + n * 0.01, -sun_direction.xyz));
    return color + s.albedo * float3(0.2, 0.25, 0.35) * occlusion * (0.5 + 0.5 * n.y);
}

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
    float3 d = normalize(world_from_depth(uv, 1) - camera_position.xyz);
    float material;
    float t = march(camera_position.xyz, d, 60, material);
    float3 sky_color = lerp(float3(0.6, 0.7, 0.8), float3(0.2, 0.4, 0.8), saturate(d.y));
    if (material < 0) return float4(sky_color, 1);
    float3 p = camera_position.xyz + d * t;
    float3 color = shade_point(p, d, material);
    float3 n = normal_at(p), r = reflect(d, n);
    float second;
    float tr = march(p + n * 0.01, r, 20, second);
    float3 reflected = second < 0 ? lerp(float3(0.6, 0.7, 0.8), float3(0.2, 0.4, 0.8), saturate(r.y)) : shade_point(p + n * 0.01 + r * tr, r, second);
    color += reflected * pow5(1 - saturate(dot(n, -d))) * 0.8;
    return float4(lerp(sky_color, color, exp(-t * 0.03)), 1);
}
