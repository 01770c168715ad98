//! permutation instances_occlusion cs_6_0 instances -D OCCLUSION
//! permutation meshlets cs_6_0 meshlets -D OCCLUSION
//! permutation assign cs_6_0 assign_lights
//! permutation hierarchy cs_6_0 reduce_depth
// GPU-driven rendering: culling to indirect arguments, light clusters, depth hierarchy.
#include "common.hlsli"

struct Instance { float4 rows[3]; float4 sphere; uint mesh, material, first_meshlet, meshlet_count; };
struct Meshlet { float4 sphere; float4 cone; uint first_index, index_count, vertex_offset, pad; };
struct Cluster { float4 low, high; };
struct Light { float3 position; float range; float3 color; uint type; float3 direction; float cosine; };
StructuredBuffer<Instance> instance_data : register(t0);
StructuredBuffer<Meshlet> meshlet_data : register(t1);
Texture2D<float> hierarchy : register(t2);
StructuredBuffer<Light> lights : register(t3);
StructuredBuffer<Cluster> clusters_in : register(t4);
RWByteAddressBuffer arguments : register(u0);
RWStructuredBuffer<uint> visible : register(u1);
RWStructuredBuffer<Cluster> clusters : register(u2);
RWStructuredBuffer<uint2> ranges : register(u3);
RWStructuredBuffer<uint> light_list : register(u4);
RWTexture2D<float> mip1 : register(u5);
RWTexture2D<float> mip2 : register(u6);
RWTexture2D<float> mip3 : register(u7);
cbuffer Culling : register(b1) { float4 planes[6]; uint instance_count, light_count, mip_count, meshlet_total; float4 cluster_dimensions; };

groupshared uint group_count, group_base;
groupshared uint group_list[64];
groupshared float4 shared_lights[64];
groupshared float tile[16][16];

bool in_frustum(float3 center, float radius) {
    bool inside = true;
    [unroll] for (uint i = 0; i < 6; ++i) inside = inside && dot(planes[i].xyz, center) + planes[i].w > -radius;
    return inside;
}
bool occluded(float3 center, float radius) {
    float3 c = mul(view, float4(center, 1)).xyz;
    if (c.z < radius + camera_planes.x) return false;
    float2 cx = -c.xz, vx = float2(sqrt(dot(cx, cx) - radius * radius), radius);
    float2 cy = -c.yz, vy = float2(sqrt(dot(cy, cy) - radius * radius), radius);
    float2 low_x = mul(float2x2(vx.x, vx.y, -vx.y, vx.x), cx), high_x = mul(float2x2(vx.x, -vx.y, vx.y, vx.x), cx);
    float2 low_y = mul(float2x2(vy.x, vy.y, -vy.y, vy.x), cy), high_y = mul(float2x2(vy.x, -vy.y, vy.y, vy.x), cy);
    float4 box = float4(low_x.x / low_x.y * projection[0][0], low_y.x / low_y.y * projection[1][1],
                        high_x.x / high_x.y * projection[0][0], high_y.x / high_y.y * projection[1][1]);
    box = box.xwzy * float4(0.5, -0.5, 0.5, -0.5) + 0.5;
    float2 size = abs(box.zw - box.xy) * viewport.xy;
    float level = min(floor(log2(max(max(size.x, size.y), 1))), mip_count - 1.0);
    float2 middle = (box.xy + box.zw) * 0.5;
    float4 d = hierarchy.GatherRed(point_clamp, middle);
    float stored = level < 1 ? max(max(d.x, d.y), max(d.z, d.w)) : hierarchy.SampleLevel(point_clamp, middle, level);
    float nearest = projection[2][2] + projection[2][3] / (c.z - radius);
    return nearest > stored;
}

[numthreads(64, 1, 1)]
void instances(uint id : SV_DispatchThreadID, uint t : SV_GroupIndex) {
    if (t == 0) group_count = 0;
    GroupMemoryBarrierWithGroupSync();
    if (id < instance_count) {
        Instance instance = instance_data[id];
        float4 local = float4(instance.sphere.xyz, 1);
        float3 center = float3(dot(instance.rows[0], local), dot(instance.rows[1], local), dot(instance.rows[2], local));
        float scale2 = max(dot(instance.rows[0].xyz, instance.rows[0].xyz), max(dot(instance.rows[1].xyz, instance.rows[1].xyz), dot(instance.rows[2].xyz, instance.rows[2].xyz)));
        float radius = instance.sphere.w * sqrt(scale2);
        bool keep = in_frustum(center, radius);
#ifdef OCCLUSION
        keep = keep && !occluded(center, radius);
#endif
        float projected = radius / max(distance(center, camera_position.xyz), 1e-3) * projection[1][1];
        if (keep && projected > 0.002) {
            uint slot;
            InterlockedAdd(group_count, 1, slot);
            group_list[slot] = id | (projected < 0.05 ? 0x80000000u : 0);
        }
    }
    GroupMemoryBarrierWithGroupSync();
    if (t == 0) {
        uint base;
        arguments.InterlockedAdd(4, group_count, base);
        group_base = base;
    }
    GroupMemoryBarrierWithGroupSync();
    if (t < group_count) visible[group_base + t] = group_list[t];
}

[numthreads(64, 1, 1)]
void meshlets(uint id : SV_DispatchThreadID) {
    if (id >= meshlet_total) return;
    uint low = 0, high = instance_count;
    [loop] while (low + 1 < high) {
        uint middle = (low + high) / 2;
        if (instance_data[middle].first_meshlet <= id) low = middle; else high = middle;
    }
    Instance instance = instance_data[low];
    Meshlet m = meshlet_data[id - instance.first_meshlet];
    float4 local = float4(m.sphere.xyz, 1);
    float3 center = float3(dot(instance.rows[0], local), dot(instance.rows[1], local), dot(instance.rows[2], local));
    float3 axis = normalize(float3(dot(instance.rows[0].xyz, m.cone.xyz), dot(instance.rows[1].xyz, m.cone.xyz), dot(instance.rows[2].xyz, m.cone.xyz)));
    float radius = m.sphere.w * length(instance.rows[0].xyz);
    float3 to_center = center - camera_position.xyz;
    bool facing = dot(to_center, axis) < m.cone.w * length(to_center) + radius;
    if (!facing || !in_frustum(center, radius) || occluded(center, radius)) return;
    uint slot;
    arguments.InterlockedAdd(0, 1, slot);
    uint at = 64 + slot * 20;
    arguments.Store4(at, uint4(m.index_count, 1, m.first_index, m.vertex_offset));
    arguments.Store(at + 16, low);
}

[numthreads(4, 4, 4)]
void build_clusters(uint3 id : SV_DispatchThreadID) {
    float3 size = 1 / cluster_dimensions.xyz;
    float near_ = camera_planes.x * pow(abs(camera_planes.y / camera_planes.x), id.z * size.z);
    float far_ = camera_planes.x * pow(abs(camera_planes.y / camera_planes.x), (id.z + 1) * size.z);
    Cluster c;
    c.low = 1e30;
    c.high = -1e30;
    [unroll] for (uint i = 0; i < 8; ++i) {
        float2 ndc = (float2(id.xy) + float2(i & 1, i >> 1 & 1)) * size.xy * 2 - 1;
        float z = i < 4 ? near_ : far_;
        float3 corner = float3(ndc.x * z / projection[0][0], -ndc.y * z / projection[1][1], z);
        c.low.xyz = min(c.low.xyz, corner);
        c.high.xyz = max(c.high.xyz, corner);
    }
    uint index = (id.z * (uint)cluster_dimensions.y + id.y) * (uint)cluster_dimensions.x + id.x;
    clusters[index] = c;
}

[numthreads(64, 1, 1)]
void assign_lights(uint id : SV_DispatchThreadID, uint t : SV_GroupIndex) {
    Cluster c = clusters_in[id];
    uint found[32], count = 0;
    [loop] for (uint start = 0; start < light_count; start += 64) {
        uint index = start + t;
        float4 sphere = 0;
        if (index < light_count) sphere = float4(mul(view, float4(lights[index].position, 1)).xyz, lights[index].range);
        shared_lights[t] = sphere;
        GroupMemoryBarrierWithGroupSync();
        uint limit = min(64u, light_count - start);
        [loop] for (uint i = 0; i < limit && count < 32; ++i) {
            float4 s = shared_lights[i];
            float3 d = max(max(c.low.xyz - s.xyz, s.xyz - c.high.xyz), 0);
            if (dot(d, d) <= s.w * s.w) found[count++] = start + i;
        }
        GroupMemoryBarrierWithGroupSync();
    }
    uint base;
    arguments.InterlockedAdd(8, count, base);
    [loop] for (uint k = 0; k < count; ++k) light_list[base + k] = found[k];
    ranges[id] = uint2(base, count);
}

[numthreads(16, 16, 1)]
void reduce_depth(uint2 id : SV_DispatchThreadID, uint2 t : SV_GroupThreadID, uint2 group : SV_GroupID) {
    float4 d = hierarchy.GatherRed(point_clamp, (id * 2 + 1) * viewport.zw);
    float deepest = max(max(d.x, d.y), max(d.z, d.w));
    mip1[id] = deepest;
    tile[t.y][t.x] = deepest;
    GroupMemoryBarrierWithGroupSync();
    if (all(t < 8)) {
        deepest = max(max(tile[t.y * 2][t.x * 2], tile[t.y * 2][t.x * 2 + 1]), max(tile[t.y * 2 + 1][t.x * 2], tile[t.y * 2 + 1][t.x * 2 + 1]));
        mip2[group * 8 + t] = deepest;
    }
    GroupMemoryBarrierWithGroupSync();
    if (all(t < 8)) tile[t.y][t.x] = deepest;
    GroupMemoryBarrierWithGroupSync();
    if (all(t < 4)) mip3[group * 4 + t] = max(max(tile[t.y * 2][t.x * 2], tile[t.y * 2][t.x * 2 + 1]), max(tile[t.y * 2 + 1][t.x * 2], tile[t.y * 2 + 1][t.x * 2 + 1]));
}
