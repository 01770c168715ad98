//! permutation simulate_noise cs_6_0 simulate -D NOISE
//! permutation simulate_collide cs_6_0 simulate -D NOISE -D COLLIDE
//! permutation emit cs_6_0 emit
//! permutation draw vs_6_0 draw
//! permutation shade ps_6_0 shade_particle
// A particle system on the GPU: emission, curl noise, collision with the depth buffer, billboards,
// soft shading.
#include "common.hlsli"

struct Particle { float3 position; float age; float3 velocity; float life; float4 color; float size, rotation, spin; uint seed; };
RWStructuredBuffer<Particle> particles : register(u0);
RWByteAddressBuffer counters : register(u1);
RWStructuredBuffer<uint> free_list : register(u2);
StructuredBuffer<Particle> drawn : register(t0);
Texture2D<float> depth_map : register(t1);
Texture2D<float4> sprite : register(t2);
Texture2D<float4> gradient : register(t3);
cbuffer Emitter : register(b1) {
    float4 origin_radius;
    float4 direction_spread;
    float4 gravity_drag;
    float2 life_range, size_range, speed_range;
    uint emit_count, capacity;
    float noise_scale, noise_strength, restitution, softness;
};

float3 hash3(int3 p) {
    uint3 q = (uint3)p * uint3(1597334673u, 3812015801u, 2798796415u);
    uint h = (q.x ^ q.y ^ q.z) * 1597334673u;
    return float3(h & 0x7ff, h >> 11 & 0x7ff, h >> 22) / float3(1023.5, 1023.5, 511.5) - 1;
}
float3 noise3(float3 p) {
    int3 i = (int3)floor(p);
    float3 f = frac(p);
    float3 u = f * f * (3 - 2 * f);
    float3 a = lerp(lerp(hash3(i), hash3(i + int3(1, 0, 0)), u.x), lerp(hash3(i + int3(0, 1, 0)), hash3(i + int3(1, 1, 0)), u.x), u.y);
    float3 b = lerp(lerp(hash3(i + int3(0, 0, 1)), hash3(i + int3(1, 0, 1)), u.x), lerp(hash3(i + int3(0, 1, 1)), hash3(i + int3(1, 1, 1)), u.x), u.y);
    return lerp(a, b, u.z);
}
float3 curl(float3 p) {
    const float e = 0.1;
    float3 x0 = noise3(p - float3(e, 0, 0)), x1 = noise3(p + float3(e, 0, 0));
    float3 y0 = noise3(p - float3(0, e, 0)), y1 = noise3(p + float3(0, e, 0));
    float3 z0 = noise3(p - float3(0, 0, e)), z1 = noise3(p + float3(0, 0, e));
    return float3((y1.z - y0.z) - (z1.y - z0.y), (z1.x - z0.x) - (x1.z - x0.z), (x1.y - x0.y) - (y1.x - y0.x)) / (2 * e);
}

[numthreads(256, 1, 1)]
void simulate(uint id : SV_DispatchThreadID) {
    if (id >= capacity) return;
    Particle p = particles[id];
    if (p.age >= p.life) return;
    p.age += delta_time;
    if (p.age >= p.life) {
        uint slot;
        counters.InterlockedAdd(4, 1, slot);
        free_list[slot] = id;
        p.size = 0;
        particles[id] = p;
        return;
    }
    float3 acceleration = gravity_drag.xyz - p.velocity * gravity_drag.w;
#ifdef NOISE
    acceleration += curl(p.position * noise_scale + time * 0.1) * noise_strength;
#endif
    p.velocity += acceleration * delta_time;
    float3 next = p.position + p.velocity * delta_time;
#ifdef COLLIDE
    float4 clip = mul(view_projection, float4(next, 1));
    float2 uv = clip.xy / clip.w * float2(0.5, -0.5) + 0.5;
    if (all(uv > 0) && all(uv < 1) && clip.w > 0) {
        float scene = linear_depth(depth_map.SampleLevel(point_clamp, uv, 0));
        if (clip.w > scene && clip.w < scene + 1) {
            float2 texel = viewport.zw;
            float3 c = world_from_depth(uv, depth_map.SampleLevel(point_clamp, uv, 0));
            float3 r = world_from_depth(uv + float2(texel.x, 0), depth_map.SampleLevel(point_clamp, uv + float2(texel.x, 0), 0));
            float3 u = world_from_depth(uv + float2(0, texel.y), depth_map.SampleLevel(point_clamp, uv + float2(0, texel.y), 0));
            float3 normal = normalize(cross(u - c, r - c));
            p.velocity = reflect(p.velocity, normal) * restitution;
            next = p.position + p.velocity * delta_time;
        }
    }
#endif
    p.position = next;
    p.rotation += p.spin * delta_time;
    float t = p.age / p.life;
    p.color = gradient.SampleLevel(linear_clamp, float2(t, 0.5), 0);
    particles[id] = p;
    uint alive;
    counters.InterlockedAdd(0, 1, alive);
}

[numthreads(64, 1, 1)]
void emit(uint id : SV_DispatchThreadID) {
    if (id >= emit_count) return;
    uint available;
    counters.InterlockedAdd(4, 0xffffffff, available);
    if ((int)available <= 0) {
        counters.InterlockedAdd(4, 1, available);
        return;
    }
    uint state = hash(id + frame_index * 977);
    float z = random01(state) * 2 - 1, phi = random01(state) * 2 * PI;
    float3 sphere = float3(sqrt(1 - z * z) * float2(cos(phi), sin(phi)), z);
    float3 axis = direction_spread.xyz;
    float3 t = normalize(abs(axis.y) < 0.99 ? cross(axis, float3(0, 1, 0)) : cross(axis, float3(1, 0, 0)));
    float3 b = cross(axis, t);
    float spread = sqrt(random01(state)) * direction_spread.w, around = random01(state) * 2 * PI;
    Particle p;
    p.position = origin_radius.xyz + sphere * origin_radius.w * pow(random01(state), 1.0 / 3);
    p.velocity = normalize(axis + (t * cos(around) + b * sin(around)) * spread) * lerp(speed_range.x, speed_range.y, random01(state));
    p.age = 0;
    p.life = lerp(life_range.x, life_range.y, random01(state));
    p.color = 1;
    p.size = lerp(size_range.x, size_range.y, random01(state));
    p.rotation = random01(state) * 2 * PI;
    p.spin = random01(state) * 4 - 2;
    p.seed = state;
    particles[free_list[available - 1]] = p;
}

struct Billboard { float4 position : SV_Position; float2 uv : TEXCOORD0; float4 color : COLOR; float depth : DEPTH; nointerpolation float frame : FRAME; };

Billboard draw(uint vertex : SV_VertexID, uint instance : SV_InstanceID) {
    Particle p = drawn[instance];
    float2 corner = float2(vertex & 1, vertex >> 1) * 2 - 1;
    float s, c;
    sincos(p.rotation, s, c);
    float2 rotated = float2(corner.x * c - corner.y * s, corner.x * s + corner.y * c) * p.size;
    float4 eye = mul(view, float4(p.position, 1));
    float stretch = 1 + length(mul((float3x3)view, p.velocity).xy) * 0.05;
    eye.xy += rotated * float2(1, stretch);
    Billboard o;
    o.position = mul(projection, eye);
    o.uv = corner * 0.5 + 0.5;
    o.color = p.color;
    o.depth = eye.z;
    o.frame = floor(p.age / p.life * 16);
    return o;
}

float4 shade_particle(Billboard v) : SV_Target {
    float2 cell = float2((uint)v.frame % 4, (uint)v.frame / 4);
    float4 color = sprite.Sample(linear_clamp, (v.uv + cell) / 4) * v.color;
    float scene = linear_depth(depth_map.Load(int3(v.position.xy, 0)));
    color.a *= saturate((scene - v.depth) * softness) * saturate((v.depth - camera_planes.x) * 2);
    if (color.a < 1.0 / 255) discard;
    float2 n = v.uv * 2 - 1;
    float light = saturate(dot(float3(n, sqrt(saturate(1 - dot(n, n)))), -mul((float3x3)view, sun_direction.xyz)));
    color.rgb *= lerp(0.4, 1, light) * sun_color.rgb;
    return float4(color.rgb * color.a, color.a);
}
