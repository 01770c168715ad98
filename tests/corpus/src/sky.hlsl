//! permutation transmittance cs_6_0 transmittance
//! permutation sky ps_6_0 sky
//! permutation clouds ps_6_0 sky -D CLOUDS
//! permutation clouds_procedural ps_6_0 sky -D CLOUDS -D PROCEDURAL -D OCTAVES=4
//! permutation clouds_unrolled ps_6_0 sky -D CLOUDS -D PROCEDURAL -D OCTAVES=3 -D LIGHT_STEPS=6
// An atmosphere with look-up tables, and volumetric clouds.
#include "common.hlsli"

Texture2D<float4> transmittance_table : register(t0);
Texture2D<float4> scattering_table : register(t1);
Texture3D<float4> shape_noise : register(t2);
Texture3D<float4> detail_noise : register(t3);
Texture2D<float4> weather_map : register(t4);
RWTexture2D<float4> table_out : register(u0);
cbuffer Atmosphere : register(b1) {
    float ground, top, rayleigh_height, mie_height;
    float3 rayleigh; float mie;
    float3 ozone; float mie_g;
    float4 cloud_layer;  // bottom, top, coverage, density
    float4 cloud_wind;
};
#ifndef LIGHT_STEPS
#define LIGHT_STEPS 6
#define LIGHT_ATTRIBUTE [loop]
#else
#define LIGHT_ATTRIBUTE [unroll]
#endif

float sphere(float3 o, float3 d, float radius) {
    float b = dot(o, d), c = dot(o, o) - radius * radius;
    float discriminant = b * b - c;
    if (discriminant < 0) return -1;
    float s = sqrt(discriminant);
    return -b - s > 0 ? -b - s : -b + s;
}
void densities(float height, out float3 scatter_rayleigh, out float scatter_mie, out float3 extinction) {
    scatter_rayleigh = rayleigh * exp(-height / rayleigh_height);
    scatter_mie = mie * exp(-height / mie_height);
    extinction = scatter_rayleigh + scatter_mie * 1.11 + ozone * max(0, 1 - abs(height - 25) / 15);
}
float phase_rayleigh(float c) { return 3 / (16 * PI) * (1 + c * c); }
float phase_mie(float c, float g) {
    float g2 = g * g;
    return 3 / (8 * PI) * ((1 - g2) * (1 + c * c)) / ((2 + g2) * pow(max(1 + g2 - 2 * g * c, 1e-4), 1.5));
}
float2 table_uv(float height, float cosine) {
    float h = sqrt(max(top * top - ground * ground, 0)), r = height + ground;
    float rho = sqrt(max(r * r - ground * ground, 0));
    float d = max(-r * cosine + sqrt(max(r * r * (cosine * cosine - 1) + top * top, 0)), 0);
    float d_min = top - r, d_max = rho + h;
    return float2((d - d_min) / (d_max - d_min), rho / h);
}

[numthreads(8, 8, 1)]
void transmittance(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id + 0.5) / float2(256, 64);
    float h = sqrt(top * top - ground * ground), rho = h * uv.y, r = sqrt(rho * rho + ground * ground);
    float d_min = top - r, d_max = rho + h, d = d_min + uv.x * (d_max - d_min);
    float cosine = d == 0 ? 1 : clamp((h * h - rho * rho - d * d) / (2 * r * d), -1, 1);
    float3 origin = float3(0, r, 0), direction = float3(sqrt(1 - cosine * cosine), cosine, 0);
    float length_ = sphere(origin, direction, top), step_ = length_ / 40;
    float3 depth = 0;
    [loop] for (uint i = 0; i < 40; ++i) {
        float3 extinction, sr;
        float sm;
        densities(length(origin + direction * (i + 0.5) * step_) - ground, sr, sm, extinction);
        depth += extinction * step_;
    }
    table_out[id] = float4(exp(-depth), 1);
}

[numthreads(8, 8, 1)]
void multiscatter(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id + 0.5) / 32;
    float sun_cosine = uv.x * 2 - 1, height = uv.y * (top - ground);
    float3 origin = float3(0, ground + height, 0), sun = float3(sqrt(saturate(1 - sun_cosine * sun_cosine)), sun_cosine, 0);
    float3 light = 0, transfer = 0;
    [loop] for (uint s = 0; s < 64; ++s) {
        float z = 1 - (s + 0.5) / 32, phi = s * 2.39996;
        float3 d = float3(sqrt(1 - z * z) * cos(phi), z, sqrt(1 - z * z) * sin(phi));
        float to_ground = sphere(origin, d, ground), to_top = sphere(origin, d, top);
        float limit = to_ground > 0 ? to_ground : to_top, dt = limit / 20;
        float3 through = 1;
        [loop] for (uint i = 0; i < 20; ++i) {
            float3 p = origin + d * (i + 0.3) * dt, extinction, sr;
            float sm, r = length(p);
            densities(r - ground, sr, sm, extinction);
            float3 step_through = exp(-extinction * dt);
            float3 t = transmittance_table.SampleLevel(linear_clamp, table_uv(r - ground, dot(p / r, sun)), 0).rgb;
            float3 scatter = sr + sm;
            float3 unit = (1 - step_through) / max(extinction, 1e-6);
            light += through * scatter * t * unit / (4 * PI);
            transfer += through * scatter * unit;
            through *= step_through;
        }
        if (to_ground > 0) light += through * 0.3 / PI * saturate(dot(normalize(origin + d * limit), sun));
    }
    float3 f = transfer / 64;
    table_out[id] = float4(light / 64 / (1 - f), 1);
}

float hash13(float3 p) { p = frac(p * 0.1031); p += dot(p, p.zyx + 31.32); return frac((p.x + p.y) * p.z); }
float value_noise(float3 p) {
    float3 i = floor(p), f = frac(p);
    f = f * f * (3 - 2 * f);
    float a = lerp(hash13(i), hash13(i + float3(1, 0, 0)), f.x), b = lerp(hash13(i + float3(0, 1, 0)), hash13(i + float3(1, 1, 0)), f.x);
    float c = lerp(hash13(i + float3(0, 0, 1)), hash13(i + float3(1, 0, 1)), f.x), d = lerp(hash13(i + float3(0, 1, 1)), hash13(i + float3(1, 1, 1)), f.x);
    return lerp(lerp(a, b, f.y), lerp(c, d, f.y), f.z);
}
float remap(float v, float a, float b, float c, float d) { return c + saturate((v - a) / (b - a)) * (d - c); }

float cloud_density(float3 p, bool detailed) {
    float height = saturate((length(p) - ground - cloud_layer.x) / (cloud_layer.y - cloud_layer.x));
    float3 moved = p + cloud_wind.xyz * time;
    float4 weather = weather_map.SampleLevel(linear_repeat, moved.xz * 0.00004, 0);
    float profile = saturate(remap(height, 0, 0.1, 0, 1)) * saturate(remap(height, weather.g, 1, 1, 0));
#ifdef PROCEDURAL
    float base = 0, amplitude = 0.5;
    float3 q = moved * 0.0006;
    [unroll] for (uint o = 0; o < OCTAVES; ++o) {
        base += value_noise(q) * amplitude;
        q = q.yzx * 2.03 + 7.1;
        amplitude *= 0.5;
    }
#else
    float4 low = shape_noise.SampleLevel(linear_repeat, moved * 0.0003, 0);
    float base = remap(low.r, dot(low.gba, float3(0.625, 0.25, 0.125)) - 1, 1, 0, 1);
#endif
    float density = remap(base * profile, 1 - cloud_layer.z * weather.r, 1, 0, 1);
    if (detailed && density > 0) {
#ifdef PROCEDURAL
        float fine = value_noise(moved * 0.005) * 0.6 + value_noise(moved * 0.011) * 0.4;
#else
        float fine = dot(detail_noise.SampleLevel(linear_repeat, moved * 0.003, 0).rgb, float3(0.625, 0.25, 0.125));
#endif
        density = remap(density, lerp(fine, 1 - fine, saturate(height * 5)) * 0.35, 1, 0, 1);
    }
    return density * cloud_layer.w;
}

float4 sky(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
    float3 eye = float3(0, ground + camera_position.y * 0.001 + 0.002, 0);
    float3 d = normalize(world_from_depth(uv, 1) - camera_position.xyz), sun = -sun_direction.xyz;
    float to_ground = sphere(eye, d, ground), to_top = sphere(eye, d, top);
    float limit = to_ground > 0 ? to_ground : to_top;
    float c = dot(d, sun), pr = phase_rayleigh(c), pm = phase_mie(c, mie_g);
    float3 light = 0, through = 1;
    float before = 0;
    [loop] for (uint i = 0; i < 24; ++i) {
        float t = limit * pow2((i + 0.5) / 24), dt = limit * (pow2((i + 1) / 24.0)) - before;
        before += dt;
        float3 p = eye + d * t, extinction, sr;
        float sm, r = length(p), height = r - ground;
        densities(height, sr, sm, extinction);
        float sun_cosine = dot(p / r, sun);
        float3 lit = transmittance_table.SampleLevel(linear_clamp, table_uv(height, sun_cosine), 0).rgb * (sphere(p, sun, ground) > 0 ? 0 : 1);
        float3 many = scattering_table.SampleLevel(linear_clamp, float2(sun_cosine * 0.5 + 0.5, height / (top - ground)), 0).rgb;
        float3 source = (sr * pr + sm * pm) * lit + (sr + sm) * many;
        float3 step_through = exp(-extinction * dt);
        light += through * (source - source * step_through) / max(extinction, 1e-6);
        through *= step_through;
    }
    light *= sun_color.rgb;
    if (to_ground < 0) light += smoothstep(0.99995, 0.99998, c) * sun_color.rgb * 500 * through;
#ifdef CLOUDS
    float3 km_eye = eye;
    float enter = sphere(km_eye, d, ground + cloud_layer.x), leave = sphere(km_eye, d, ground + cloud_layer.y);
    if (to_ground < 0 && leave > 0) {
        float dt = (leave - enter) / 48, t = enter + dt * interleaved_noise(position.xy + frame_index % 32 * 3.7);
        float visible = 1;
        float3 scattered = 0;
        float forward = lerp(phase_mie(c, 0.8), phase_mie(c, -0.2), 0.4);
        float3 ambient = scattering_table.SampleLevel(linear_clamp, float2(sun.y * 0.5 + 0.5, 0.1), 0).rgb * 4;
        uint empty = 0;
        [loop] for (uint s = 0; s < 48 && visible > 0.01; ++s) {
            float3 p = km_eye + d * t;
            float density = cloud_density(p, empty < 4);
            if (density > 0) {
                empty = 0;
                float depth = 0;
                LIGHT_ATTRIBUTE for (uint l = 0; l < LIGHT_STEPS; ++l) depth += cloud_density(p + sun * (l + 0.5) * 0.15, l < 3) * 0.15;
                float beer = exp(-depth * 12), powder = 1 - exp(-depth * 24);
                float3 sun_light = sun_color.rgb * transmittance_table.SampleLevel(linear_clamp, table_uv(cloud_layer.x, sun.y), 0).rgb;
                float3 source = sun_light * max(beer, exp(-depth * 3) * 0.4) * lerp(1, powder, 0.5) * forward + ambient;
                float step_visible = exp(-density * dt * 14);
                scattered += visible * source * (1 - step_visible);
                visible *= step_visible;
            } else {
                ++empty;
            }
            t += empty > 4 ? dt * 2 : dt;
        }
        float haze = exp(-enter * 0.03);
        light = lerp(light, light * visible + scattered, haze);
    }
#endif
    return float4(light * exposure, 1);
}
