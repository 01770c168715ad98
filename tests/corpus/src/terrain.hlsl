//! permutation plain ps_6_0 pixel
//! permutation triplanar ps_6_0 pixel -D TRIPLANAR
//! permutation stochastic ps_6_0 pixel -D TRIPLANAR -D STOCHASTIC
//! permutation snow ps_6_0 pixel -D SNOW -D MACRO
//! permutation triplanar_snow ps_6_0 pixel -D TRIPLANAR -D SNOW -D MACRO
// Terrain: clip-map vertices with morphing, and four blended layers.
#include "common.hlsli"

Texture2D<float> height_map : register(t0);
Texture2D<float4> splat_map : register(t1);
Texture2DArray<float4> albedo_maps : register(t2);
Texture2DArray<float4> normal_maps : register(t3);
Texture2D<float4> macro_map : register(t4);
cbuffer Terrain : register(b1) { float4 origin_scale; float4 tile_scales; float4 height_range; float4 levels[8]; float snow_line, blend_sharpness; };

struct VertexOut { float4 position : SV_Position; float3 world : WORLD; float2 uv : TEXCOORD0; float3 normal : NORMAL; nointerpolation uint level : LEVEL; };

VertexOut vertex(float2 grid : POSITION, uint instance : SV_InstanceID) {
    float4 level = levels[instance % 8];
    float2 world = grid * level.z + level.xy;
    float2 d = abs(world - camera_position.xz) / (level.z * 64);
    float morph = saturate((max(d.x, d.y) - 0.7) * 4);
    float2 parity = frac(grid * 0.5) * 2;
    world -= parity * level.z * morph;
    float2 uv = world * origin_scale.zw + origin_scale.xy;
    float fine = height_map.SampleLevel(linear_clamp, uv, level.w), coarse = height_map.SampleLevel(linear_clamp, uv, level.w + 1);
    float h = lerp(fine, coarse, morph) * height_range.x + height_range.y;
    float2 t = origin_scale.zw * level.z;
    float l = height_map.SampleLevel(linear_clamp, uv - float2(t.x, 0), level.w), r = height_map.SampleLevel(linear_clamp, uv + float2(t.x, 0), level.w);
    float u = height_map.SampleLevel(linear_clamp, uv - float2(0, t.y), level.w), b = height_map.SampleLevel(linear_clamp, uv + float2(0, t.y), level.w);
    VertexOut o;
    o.world = float3(world.x, h, world.y);
    o.position = mul(view_projection, float4(o.world, 1));
    o.uv = uv;
    o.normal = normalize(float3((l - r) * height_range.x, 2 * level.z, (u - b) * height_range.x));
    o.level = instance;
    return o;
}

#ifdef STOCHASTIC
float4 sample_layer(Texture2DArray<float4> maps, float2 uv, float layer) {
    float2 skewed = mul(float2x2(1, 0, -0.57735027, 1.15470054), uv * 3.464);
    int2 base = (int2)floor(skewed);
    float3 f = float3(frac(skewed), 0);
    f.z = 1 - f.x - f.y;
    float s = step(0, -f.z), s2 = 2 * s - 1;
    float3 w = float3(-f.z * s2, s - f.y * s2, s - f.x * s2);
    float2 dx = ddx(uv), dy = ddy(uv);
    float4 sum = 0;
    int2 corners[3] = {base + (int)s, base + int2((int)s, (int)(1 - s)), base + int2((int)(1 - s), (int)s)};
    [unroll] for (uint i = 0; i < 3; ++i) {
        uint h = hash((uint)corners[i].x + hash((uint)corners[i].y));
        float2 offset = float2(h & 0xffff, h >> 16) / 65536;
        sum += maps.SampleGrad(trilinear_repeat, float3(uv + offset, layer), dx, dy) * w[i];
    }
    return sum;
}
#else
float4 sample_layer(Texture2DArray<float4> maps, float2 uv, float layer) { return maps.Sample(trilinear_repeat, float3(uv, layer)); }
#endif

struct Targets { float4 albedo : SV_Target0; float4 normal : SV_Target1; float4 material : SV_Target2; };

Targets pixel(VertexOut v) {
    float4 weights = splat_map.Sample(linear_clamp, v.uv);
    float3 n = normalize(v.normal);
    float3 blend = pow(abs(n), 4);
    blend /= blend.x + blend.y + blend.z;
    float4 albedo[4], normals[4];
    float heights[4], highest = 0;
    [unroll] for (uint i = 0; i < 4; ++i) {
        float scale = tile_scales[i];
#ifdef TRIPLANAR
        albedo[i] = sample_layer(albedo_maps, v.world.zy * scale, i) * blend.x + sample_layer(albedo_maps, v.world.xz * scale, i) * blend.y +
                    sample_layer(albedo_maps, v.world.xy * scale, i) * blend.z;
        normals[i] = sample_layer(normal_maps, v.world.zy * scale, i) * blend.x + sample_layer(normal_maps, v.world.xz * scale, i) * blend.y +
                     sample_layer(normal_maps, v.world.xy * scale, i) * blend.z;
#else
        albedo[i] = sample_layer(albedo_maps, v.world.xz * scale, i);
        normals[i] = sample_layer(normal_maps, v.world.xz * scale, i);
#endif
        heights[i] = albedo[i].a + weights[i];
        highest = max(highest, heights[i]);
    }
    float3 color = 0, bump = 0;
    float roughness = 0, total = 0;
    [unroll] for (uint k = 0; k < 4; ++k) {
        float w = max(heights[k] - highest + blend_sharpness, 0);
        color += albedo[k].rgb * w;
        bump += (normals[k].xyz * 2 - 1) * w;
        roughness += normals[k].a * w;
        total += w;
    }
    color /= total;
    bump /= total;
    roughness /= total;
#ifdef MACRO
    float3 variation = macro_map.Sample(trilinear_repeat, v.world.xz * 0.002).rgb * macro_map.Sample(trilinear_repeat, v.world.zx * 0.013).rgb;
    color *= lerp(0.6, 1.4, variation);
#endif
    float3 normal = normalize(n + float3(bump.x, 0, bump.y));
#ifdef SNOW
    float snow = smoothstep(snow_line - 20, snow_line + 20, v.world.y + bump.z * 8) * smoothstep(0.55, 0.8, normal.y);
    color = lerp(color, 0.9, snow);
    roughness = lerp(roughness, 0.4, snow);
    normal = normalize(lerp(normal, n, snow * 0.7));
#endif
    Targets o;
    o.albedo = float4(color, 1);
    o.normal = float4(octahedral_encode(normal), octahedral_encode(n));
    o.material = float4(roughness, 0, 0, v.level / 255.0);
    return o;
}
