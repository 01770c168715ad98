//! permutation vertex_unrolled vs_6_0 vertex -D WAVES=16
//! permutation surface ps_6_0 surface
//! permutation surface_caustics ps_6_0 surface -D CAUSTICS -D FOAM
// Water: a sum of waves, refraction, depth-dependent colour, foam and caustics.
#include "brdf.hlsli"

Texture2D<float4> normal_a : register(t0);
Texture2D<float4> normal_b : register(t1);
Texture2D<float4> scene_color : register(t2);
Texture2D<float> scene_depth : register(t3);
TextureCube<float4> environment : register(t4);
Texture2D<float4> foam_map : register(t5);
cbuffer Water : register(b1) { float4 waves[16]; float4 absorption; float4 scatter; float4 scales; uint wave_count; float refraction, foam_amount; };

struct VertexOut { float4 position : SV_Position; float3 world : WORLD; float3 normal : NORMAL; float3 tangent : TANGENT; float crest : CREST; float4 clip : CLIP; };

VertexOut vertex(float3 position : POSITION) {
    float3 p = position, t = float3(1, 0, 0), b = float3(0, 0, 1);
    float crest = 0;
#ifdef WAVES
    [unroll] for (uint i = 0; i < WAVES; ++i) {
#else
    [loop] for (uint i = 0; i < wave_count; ++i) {
#endif
        float2 d = normalize(waves[i].xy);
        float k = 2 * PI / waves[i].w, a = waves[i].z / k;
        float f = k * (dot(d, position.xz) - sqrt(9.8 / k) * time), s, c;
        sincos(f, s, c);
        p += float3(d.x * a * c, a * s, d.y * a * c);
        t += float3(-d.x * d.x * waves[i].z * s, d.x * waves[i].z * c, -d.x * d.y * waves[i].z * s);
        b += float3(-d.x * d.y * waves[i].z * s, d.y * waves[i].z * c, -d.y * d.y * waves[i].z * s);
        crest += max(s, 0) * waves[i].z;
    }
    VertexOut o;
    o.world = p;
    o.position = mul(view_projection, float4(p, 1));
    o.normal = normalize(cross(b, t));
    o.tangent = normalize(t);
    o.crest = crest;
    o.clip = o.position;
    return o;
}

float4 surface(VertexOut v) : SV_Target {
    float2 uv = v.world.xz * scales.x;
    float3 na = normal_a.Sample(trilinear_repeat, uv + time * 0.02).xyz * 2 - 1, nb = normal_b.Sample(trilinear_repeat, uv * 1.7 - time * 0.013).xyz * 2 - 1;
    float3 blended = normalize(float3(na.xy * nb.z + nb.xy * na.z, na.z * nb.z));
    float3 n = normalize(v.normal), t = normalize(v.tangent - n * dot(n, v.tangent)), b = cross(n, t);
    n = normalize(t * blended.x + b * blended.y + n * blended.z);
    float3 to_eye = normalize(camera_position.xyz - v.world);
    float2 screen = v.clip.xy / v.clip.w * float2(0.5, -0.5) + 0.5;
    float own = v.clip.w;
    float2 bent = screen + n.xz * refraction / max(own, 1);
    float behind = linear_depth(scene_depth.SampleLevel(point_clamp, bent, 0));
    if (behind < own) {
        bent = screen;
        behind = linear_depth(scene_depth.SampleLevel(point_clamp, bent, 0));
    }
    float thickness = max(behind - own, 0);
    float3 transmitted = scene_color.SampleLevel(linear_clamp, bent, 0).rgb * exp(-absorption.rgb * thickness);
#ifdef CAUSTICS
    float3 bottom = world_from_depth(bent, scene_depth.SampleLevel(point_clamp, bent, 0));
    float2 c = bottom.xz * scales.y + sun_direction.xz / max(-sun_direction.y, 0.1) * thickness;
    float bright = 0;
    [unroll] for (uint i = 0; i < 3; ++i) {
        float2 q = c * (1 + i * 0.4) + time * float2(0.03, -0.02) * (i + 1);
        bright += min(normal_a.SampleLevel(trilinear_repeat, q, 1).z, normal_b.SampleLevel(trilinear_repeat, q.yx, 1).z);
    }
    transmitted *= 1 + pow(saturate(bright / 3), 8) * 4 * exp(-thickness * 0.3);
#endif
    transmitted += scatter.rgb * (1 - exp(-thickness * scatter.a)) * luminance(sun_color.rgb);
    float3 r = reflect(-to_eye, n);
    r.y = abs(r.y);
    float3 reflected = environment.SampleLevel(linear_clamp, r, 1).rgb;
    float f = 0.02 + 0.98 * pow5(1 - saturate(dot(n, to_eye)));
    float3 h = normalize(to_eye - sun_direction.xyz);
    float3 glint = sun_color.rgb * min(ggx_distribution(saturate(dot(n, h)), 0.02) * 0.02, 50);
    float3 color = lerp(transmitted, reflected, f) + glint;
    float3 subsurface = scatter.rgb * pow(saturate(dot(to_eye, sun_direction.xyz + n * 0.4)), 3) * saturate(v.crest) * 2;
    color += subsurface * sun_color.rgb;
#ifdef FOAM
    float4 foam = foam_map.Sample(trilinear_repeat, uv * 3);
    float edge = saturate(1 - thickness * scales.z), top = saturate(v.crest * foam_amount - 0.5);
    float amount = smoothstep(0.3, 0.9, foam.r * (edge + top));
    color = lerp(color, foam.rgb * sun_color.rgb, amount);
#endif
    return float4(color, 1);
}
