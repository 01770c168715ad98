//! permutation trace cs_6_0 trace
//! permutation trace_refined cs_6_0 trace -D REFINE -D ROUGH
//! permutation resolve cs_6_0 resolve
// Screen-space reflections: hierarchical tracing and a resolve that reuses neighbours.
#include "brdf.hlsli"

Texture2D<float> hierarchy : register(t0);
Texture2D<float4> normal_map : register(t1);
Texture2D<float4> material_map : register(t2);
Texture2D<float4> previous_color : register(t3);
Texture2D<float4> hits : register(t4);
RWTexture2D<float4> output : register(u0);
cbuffer Reflect : register(b1) { float thickness, max_roughness; uint steps, mip_count; float4 fade; };

[numthreads(8, 8, 1)]
void trace(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id + 0.5) * viewport.zw;
    float depth = hierarchy.Load(int3(id, 0));
    float roughness = material_map.Load(int3(id, 0)).x;
    if (depth >= 1 || roughness > max_roughness) {
        output[id] = 0;
        return;
    }
    float3 world = world_from_depth(uv, depth), n = octahedral_decode(normal_map.Load(int3(id, 0)).xy);
    float3 v = normalize(world - camera_position.xyz);
#ifdef ROUGH
    uint seed = hash(id.x + hash(id.y + hash(frame_index)));
    float2 u = float2(random01(seed), random01(seed) * 0.7);
    float a = roughness * roughness, c = sqrt((1 - u.y) / (1 + (a * a - 1) * u.y)), s = sqrt(saturate(1 - c * c));
    float3 t = normalize(cross(abs(n.y) < 0.9 ? float3(0, 1, 0) : float3(1, 0, 0), n));
    n = normalize(t * s * cos(2 * PI * u.x) + cross(n, t) * s * sin(2 * PI * u.x) + n * c);
#endif
    float3 r = reflect(v, n);
    float4 start = mul(view_projection, float4(world + n * 0.01, 1)), end = mul(view_projection, float4(world + r * 20, 1));
    if (end.w < camera_planes.x) {
        float k = (start.w - camera_planes.x) / (start.w - end.w);
        end = lerp(start, end, saturate(k));
    }
    float3 p = start.xyz / start.w, q = end.xyz / end.w;
    p.xy = p.xy * float2(0.5, -0.5) + 0.5;
    q.xy = q.xy * float2(0.5, -0.5) + 0.5;
    float3 d = q - p;
    d /= max(max(abs(d.x) * viewport.x, abs(d.y) * viewport.y), 1e-3);
    uint level = 0;
    float travelled = 1;
    bool found = false;
    [loop] for (uint i = 0; i < steps; ++i) {
        float3 at = p + d * travelled;
        if (any(at.xy < 0) || any(at.xy > 1) || at.z > 1) break;
        float stored = hierarchy.Load(int3((uint2)(at.xy * viewport.xy) >> level, level));
        float stride = (float)(1u << level);
        if (at.z < stored) {
            travelled += stride;
            level = min(level + 1, mip_count - 1);
        } else if (level > 0) {
            --level;
            travelled = max(travelled - stride * 0.5, 1);
        } else {
            float behind = linear_depth(at.z) - linear_depth(stored);
            if (behind < thickness) {
                found = true;
                break;
            }
            travelled += 1;
        }
    }
#ifdef REFINE
    if (found) {
        float low = travelled - 1, high = travelled;
        [unroll] for (uint b = 0; b < 5; ++b) {
            float middle = (low + high) * 0.5;
            float3 at = p + d * middle;
            if (at.z < hierarchy.SampleLevel(point_clamp, at.xy, 0)) low = middle; else high = middle;
        }
        travelled = high;
    }
#endif
    float3 hit = p + d * travelled;
    float2 edge = smoothstep(0, fade.xy, hit.xy) * (1 - smoothstep(1 - fade.xy, 1, hit.xy));
    float confidence = found ? edge.x * edge.y * saturate(1 - roughness / max_roughness) : 0;
    output[id] = float4(hit, confidence);
}

[numthreads(8, 8, 1)]
void resolve(uint2 id : SV_DispatchThreadID) {
    float2 uv = (id + 0.5) * viewport.zw;
    float depth = hierarchy.Load(int3(id, 0));
    float3 world = world_from_depth(uv, depth), n = octahedral_decode(normal_map.Load(int3(id, 0)).xy);
    float3 v = normalize(camera_position.xyz - world);
    float a = max(pow2(material_map.Load(int3(id, 0)).x), 0.002), nv = max(dot(n, v), 1e-3);
    static const int2 offsets[8] = {int2(0, 0), int2(-1, 1), int2(1, 1), int2(1, -1), int2(-1, -1), int2(2, 0), int2(-2, 0), int2(0, 2)};
    float4 sum = 0;
    float weights = 0;
    [unroll] for (uint i = 0; i < 8; ++i) {
        float4 hit = hits.Load(int3(clamp((int2)id + offsets[i], 0, (int2)viewport.xy - 1), 0));
        if (hit.w <= 0) continue;
        float3 l = normalize(world_from_depth(hit.xy, hit.z) - world), h = normalize(l + v);
        float nl = saturate(dot(n, l));
        float weight = ggx_distribution(saturate(dot(n, h)), a) * smith_visibility(nv, nl, a) * nl + 1e-3;
        float4 old = mul(previous_view_projection, float4(world_from_depth(hit.xy, hit.z), 1));
        float3 color = previous_color.SampleLevel(linear_clamp, old.xy / old.w * float2(0.5, -0.5) + 0.5, a * 5).rgb;
        sum += float4(color / (1 + luminance(color)), hit.w) * weight;
        weights += weight;
    }
    sum /= max(weights, 1e-4);
    sum.rgb /= max(1 - luminance(sum.rgb), 1e-3);
    output[id] = sum;
}
