//! permutation primary cs_6_0 main -D BOUNCES=1
//! permutation bounces cs_6_0 main -D BOUNCES=4
//! permutation spectral cs_6_0 main -D BOUNCES=3 -D UNROLL -D NEXT_EVENT
//! permutation textured cs_6_0 main -D BOUNCES=3 -D UNROLL -D NEXT_EVENT -D TEXTURED
// A path tracer over a bounding-volume hierarchy in buffers.
#include "brdf.hlsli"

struct Node { float3 low; uint left_or_first; float3 high; uint count; };
struct Triangle { float3 a; uint material; float3 ab; uint flags; float3 ac; float area; };
struct Medium { float3 albedo; float roughness; float3 emission; float metallic; float ior, transmission; float2 uv_scale; };
StructuredBuffer<Node> nodes : register(t0);
StructuredBuffer<Triangle> triangles : register(t1);
StructuredBuffer<Medium> materials : register(t2);
StructuredBuffer<uint> emitters : register(t3);
TextureCube<float4> sky : register(t4);
Texture2DArray<float4> maps : register(t5);
RWTexture2D<float4> accumulation : register(u0);
RWTexture2D<float4> output : register(u1);
cbuffer Trace : register(b1) { uint emitter_count, sample_index; float aperture, focus; };

struct Ray { float3 origin, direction, inverse; };
struct Hit { float t; uint index; float2 barycentric; };

Ray make_ray(float3 origin, float3 direction) {
    Ray r;
    r.origin = origin;
    r.direction = direction;
    r.inverse = 1 / (abs(direction) > 1e-8 ? direction : 1e-8);
    return r;
}

float box(Ray r, float3 low, float3 high, float limit) {
    float3 a = (low - r.origin) * r.inverse, b = (high - r.origin) * r.inverse;
    float3 first = min(a, b), last = max(a, b);
    float enter = max(max(first.x, first.y), max(first.z, 0)), leave = min(min(last.x, last.y), min(last.z, limit));
    return enter <= leave ? enter : 1e30;
}

void intersect_triangle(Ray r, uint index, inout Hit hit) {
    Triangle t = triangles[index];
    float3 p = cross(r.direction, t.ac);
    float determinant_ = dot(t.ab, p);
    if (abs(determinant_) < 1e-9) return;
    float inverse = 1 / determinant_;
    float3 s = r.origin - t.a;
    float u = dot(s, p) * inverse;
    if (u < 0 || u > 1) return;
    float3 q = cross(s, t.ab);
    float v = dot(r.direction, q) * inverse;
    if (v < 0 || u + v > 1) return;
    float d = dot(t.ac, q) * inverse;
    if (d > 1e-4 && d < hit.t) {
        hit.t = d;
        hit.index = index;
        hit.barycentric = float2(u, v);
    }
}

Hit traverse(Ray r, float limit, bool any_hit) {
    Hit hit;
    hit.t = limit;
    hit.index = 0xffffffff;
    hit.barycentric = 0;
    uint stack[24];
    uint depth = 0, current = 0;
    [loop] for (uint guard = 0; guard < 512; ++guard) {
        Node node = nodes[current];
        if (node.count > 0) {
            [loop] for (uint i = 0; i < node.count; ++i) {
                intersect_triangle(r, node.left_or_first + i, hit);
                if (any_hit && hit.index != 0xffffffff) return hit;
            }
            if (depth == 0) break;
            current = stack[--depth];
            continue;
        }
        Node left = nodes[node.left_or_first], right = nodes[node.left_or_first + 1];
        float dl = box(r, left.low, left.high, hit.t), dr = box(r, right.low, right.high, hit.t);
        uint near_ = node.left_or_first, far_ = near_ + 1;
        if (dl > dr) {
            float swap = dl;
            dl = dr;
            dr = swap;
            far_ = near_;
            near_ = far_ + 1;
        }
        if (dl >= 1e30) {
            if (depth == 0) break;
            current = stack[--depth];
        } else {
            current = near_;
            if (dr < 1e30 && depth < 24) stack[depth++] = far_;
        }
    }
    return hit;
}

float3 cosine_direction(float3 n, float2 u) {
    float phi = 2 * PI * u.x, r = sqrt(u.y);
    float3 t = normalize(abs(n.y) < 0.9 ? cross(n, float3(0, 1, 0)) : cross(n, float3(1, 0, 0)));
    return normalize(t * (r * cos(phi)) + cross(n, t) * (r * sin(phi)) + n * sqrt(1 - u.y));
}
float3 ggx_direction(float3 n, float roughness, float2 u) {
    float a = roughness * roughness;
    float c = sqrt((1 - u.y) / (1 + (a * a - 1) * u.y)), s = sqrt(saturate(1 - c * c)), phi = 2 * PI * u.x;
    float3 t = normalize(abs(n.y) < 0.9 ? cross(n, float3(0, 1, 0)) : cross(n, float3(1, 0, 0)));
    return normalize(t * (s * cos(phi)) + cross(n, t) * (s * sin(phi)) + n * c);
}

[numthreads(8, 8, 1)]
void main(uint2 pixel : SV_DispatchThreadID) {
    uint seed = hash(pixel.x + hash(pixel.y + hash(sample_index)));
    float2 uv = (pixel + float2(random01(seed), random01(seed))) * viewport.zw;
    float3 target = world_from_depth(uv, 1);
    float3 direction = normalize(target - camera_position.xyz);
    float lens_angle = random01(seed) * 2 * PI, lens_radius = sqrt(random01(seed)) * aperture;
    float3 origin = camera_position.xyz + (view[0].xyz * cos(lens_angle) + view[1].xyz * sin(lens_angle)) * lens_radius;
    direction = normalize(camera_position.xyz + direction * focus - origin);
    Ray ray = make_ray(origin, direction);
    float3 radiance = 0, throughput = 1;
    bool specular_bounce = true;
#ifdef UNROLL
    [unroll]
#else
    [loop]
#endif
    for (uint bounce = 0; bounce < BOUNCES; ++bounce) {
        Hit hit = traverse(ray, 1e30, false);
        if (hit.index == 0xffffffff) {
            radiance += throughput * sky.SampleLevel(linear_clamp, ray.direction, 0).rgb;
            break;
        }
        Triangle t = triangles[hit.index];
        Medium m = materials[t.material];
        float3 position = ray.origin + ray.direction * hit.t;
        float3 n = normalize(cross(t.ab, t.ac));
        bool inside = dot(n, ray.direction) > 0;
        if (inside) n = -n;
        float3 albedo = m.albedo;
        float roughness = max(m.roughness, 0.02);
#ifdef TEXTURED
        float2 map_uv = hit.barycentric * m.uv_scale;
        albedo *= maps.SampleLevel(trilinear_repeat, float3(map_uv, t.material), bounce).rgb;
        float4 bump = maps.SampleLevel(trilinear_repeat, float3(map_uv, t.material + 64), bounce);
        n = normalize(n + (bump.x - 0.5) * normalize(t.ab) + (bump.y - 0.5) * normalize(t.ac));
        roughness = saturate(roughness * bump.z);
#endif
        if (any(m.emission > 0)) {
            if (specular_bounce) radiance += throughput * m.emission;
            break;
        }
#ifdef NEXT_EVENT
        uint chosen = emitters[min((uint)(random01(seed) * emitter_count), emitter_count - 1)];
        Triangle e = triangles[chosen];
        float su = sqrt(random01(seed)), sv = random01(seed);
        float3 point_ = e.a + e.ab * (1 - su) + e.ac * (su * sv);
        float3 to_light = point_ - position;
        float d2 = dot(to_light, to_light);
        float3 l = to_light * rsqrt(d2);
        float3 light_normal = normalize(cross(e.ab, e.ac));
        float cosine = dot(n, l), light_cosine = abs(dot(light_normal, l));
        if (cosine > 0 && m.transmission < 0.5) {
            Hit blocked = traverse(make_ray(position + n * 1e-3, l), sqrt(d2) - 2e-3, true);
            if (blocked.index == 0xffffffff) {
                Surface s = (Surface)0;
                s.normal = n;
                s.albedo = albedo;
                s.roughness = roughness;
                s.metallic = m.metallic;
                s.f0 = lerp(0.04, albedo, m.metallic);
                float weight = light_cosine * e.area * emitter_count / max(d2, 1e-3);
                radiance += throughput * shade(s, -ray.direction, l, materials[e.material].emission * weight);
            }
        }
#endif
        float choice = random01(seed);
        float3 f0 = lerp(0.04, albedo, m.metallic);
        float3 f = schlick(f0, saturate(dot(n, -ray.direction)));
        float specular_chance = clamp(luminance(f), 0.1, 0.9);
        float2 u = float2(random01(seed), random01(seed));
        float3 next;
        if (m.transmission > choice) {
            float eta = inside ? m.ior : 1 / m.ior;
            float3 h = ggx_direction(n, roughness, u);
            float3 bent = refract(ray.direction, h, eta);
            next = dot(bent, bent) < 1e-6 ? reflect(ray.direction, h) : bent;
            throughput *= albedo;
            specular_bounce = true;
            n = dot(next, n) < 0 ? -n : n;
        } else if (choice < specular_chance) {
            float3 h = ggx_direction(n, roughness, u);
            next = reflect(ray.direction, h);
            if (dot(next, n) <= 0) break;
            throughput *= f / specular_chance;
            specular_bounce = roughness < 0.1;
        } else {
            next = cosine_direction(n, u);
            throughput *= albedo * (1 - m.metallic) * (1 - f) / (1 - specular_chance);
            specular_bounce = false;
        }
        if (bounce > 1) {
            float survive = min(max3(throughput), 0.95);
            if (random01(seed) > survive) break;
            throughput /= survive;
        }
        ray = make_ray(position + n * 1e-3, next);
    }
    radiance = any(isnan(radiance)) ? 0 : min(radiance, 64);
    float4 sum = accumulation[pixel] * (sample_index > 0 ? 1 : 0) + float4(radiance, 1);
    accumulation[pixel] = sum;
    output[pixel] = float4(sum.rgb / sum.a, 1);
}
