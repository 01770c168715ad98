// A visibility buffer: a compute pass builds an indexed mesh of a torus knot (texture coordinates
// are halves), a draw writes only instance and primitive numbers, and a compute pass shades each
// pixel from them: it fetches and transforms the triangle's vertices, finds perspective-correct
// coordinates and their screen derivatives analytically (Schied and Dachsbacher), and samples with
// gradients. A second kernel counts the triangles that are seen, a bit for each, by atomics.
// Compared with DXC's SPIR-V: numbers, coordinates and derivatives, counts, picture. The drawn
// numbers do not depend on rounding of positions but at edges of triangles, which may move: DXC
// reassociates floats for DXIL and not for SPIR-V.
//! require geometry_shader storage_image_write_without_format shader_draw_parameters
//! resource b0 cbuffer 96 words -2.413539 0.2332576 -0.203124 -0.200585 0.0 -2.240153 -0.4306229 -0.4252401 -0.5485315 -1.026333 0.8937456 0.8825738 0.0 0.4480306 12.20111 12.54859 2.5 5.5 -11.0 320.0 24 4608 0 0
//! resource t0 structured_buffer 16 24 random_f32 41 0.0 1.0
//! resource u0 structured_buffer 16 2304 zero
//! resource t1 structured_buffer 16 2304 is=u0
//! resource u1 raw_buffer 55296 zero
//! resource t2 raw_buffer 55296 is=u1
//! resource t3 texture2d r32_uint 320 320 1 1 out zero
//! resource t4 texture2d d32_sfloat 320 320 1 1 zero
//! resource u2 texture2d rgba16_sfloat 320 320 1 1 out zero
//! resource u3 texture2d rgba8_unorm 320 320 1 1 out zero
//! resource u4 raw_buffer 13824 out zero
//! resource u5 raw_buffer 96 out zero
//! resource t5 texture2d rgba8_srgb 128 128 4 8 random_u32 3 view=2d_array
//! resource s0 sampler linear linear linear repeat
//! judge spirv
//! tolerance t3 f32
//! tolerance t3 mismatch 20
//! tolerance u2 f16 ulp=2 abs=0.01   # triangles of a pixel's size: differences of nearly equal numbers
//! tolerance u2 mismatch 30
//! tolerance u3 unorm8 3
//! tolerance u3 mismatch 30
//! tolerance u4 f32
//! tolerance u4 mismatch 10
//! tolerance u5 f32 ulp=2   # counts: two triangles more or less
//! pass build
//! stage cs_6_0 build_mesh
//! pass draw
//! stage vs_6_0 visibility_vs
//! stage ps_6_0 visibility_ps
//! target t3 clear
//! depth less 1.0 into=t4
//! pass mark
//! stage cs_6_0 mark_seen
//! pass count
//! stage cs_6_0 count_seen
//! pass shade
//! stage cs_6_0 shade
//! run build 36 1 1
//! run draw 13824 24
//! run mark 20 20 1
//! run count 24 1 1
//! run shade 40 40 1
cbuffer Frame : register(b0) {
    float4x4 view_projection;
    float3 eye;
    float size;
    uint instance_count;
    uint triangle_count;
};

struct Vertex {
    float3 place;
    uint uv;  // two halves
};

StructuredBuffer<float4> seeds : register(t0);
StructuredBuffer<Vertex> vertices : register(t1);
ByteAddressBuffer indices : register(t2);
Texture2D<uint> visible : register(t3);
Texture2DArray<float4> materials : register(t5);
RWStructuredBuffer<Vertex> vertices_out : register(u0);
RWByteAddressBuffer indices_out : register(u1);
[[vk::image_format("rgba16f")]] RWTexture2D<float4> coordinates : register(u2);
[[vk::image_format("rgba8")]] RWTexture2D<unorm float4> picture : register(u3);
RWByteAddressBuffer seen : register(u4);
RWByteAddressBuffer seen_counts : register(u5);
SamplerState trilinear : register(s0);

static const float TAU = 6.28318531;
static const uint ALONG = 96, AROUND = 24;

// ---- mesh

float3 knot(float t) {
    float s2, c2, s3, c3;
    sincos(2 * t, s2, c2);
    sincos(3 * t, s3, c3);
    return float3((2 + c3) * c2, (2 + c3) * s2, s3) * 0.33;
}

[numthreads(64, 1, 1)]
void build_mesh(uint id : SV_DispatchThreadID) {
    uint ring = id / AROUND, side = id % AROUND;
    float t = ring * (TAU / ALONG);
    float3 middle = knot(t), ahead = normalize(knot(t + 0.01) - middle);
    float3 up = normalize(cross(ahead, middle)), out_of = cross(up, ahead);
    float s, c;
    sincos(side * (TAU / AROUND), s, c);
    Vertex v;
    v.place = middle + (up * s + out_of * c) * 0.2;
    v.uv = f32tof16(ring * (12.0 / ALONG)) | f32tof16(side * (2.0 / AROUND)) << 16;
    vertices_out[id] = v;
    uint next_ring = (ring + 1) % ALONG * AROUND, next_side = (side + 1) % AROUND;
    uint a = ring * AROUND + side, b = ring * AROUND + next_side, d = next_ring + side, e = next_ring + next_side;
    indices_out.Store3(id * 24, uint3(a, d, b));
    indices_out.Store3(id * 24 + 12, uint3(b, d, e));
}

// `precise` makes the shading kernel compute the same vertex positions as the draw.
float3 world_of(uint vertex, uint instance) {
    precise float3 local = vertices[vertex].place;
    float4 seed = seeds[instance];
    float sa, ca, sb, cb;
    sincos(seed.x * TAU, sa, ca);
    sincos(seed.y * TAU, sb, cb);
    local.xy = float2(ca * local.x - sa * local.y, sa * local.x + ca * local.y);
    local.xz = float2(cb * local.x - sb * local.z, sb * local.x + cb * local.z);
    float2 cell = float2(instance % 5, instance / 5) - 2;
    precise float3 world = local * (0.8 + 0.5 * seed.z) + float3(cell.x * 2.2, (seed.w - 0.5) * 1.2, cell.y * 2.2);
    return world;
}

// ---- visibility

float4 visibility_vs(uint id : SV_VertexID, uint instance : SV_InstanceID, nointerpolation out uint number : INSTANCE) : SV_Position {
    number = instance;
    precise float4 position = mul(view_projection, float4(world_of(indices.Load(id * 4), instance), 1));
    return position;
}

uint visibility_ps(float4 position : SV_Position, nointerpolation uint instance : INSTANCE, uint primitive : SV_PrimitiveID) : SV_Target {
    return (instance + 1) << 16 | primitive;
}

// Each triangle of each instance has a bit. A bit that several pixels of a tile show is set once.
groupshared uint first_of_tile;

[numthreads(16, 16, 1)]
void mark_seen(uint2 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    uint what = visible[id];
    if (lane == 0) first_of_tile = what;
    GroupMemoryBarrierWithGroupSync();
    if (what == 0 || (lane != 0 && what == first_of_tile)) return;
    uint bit = ((what >> 16) - 1) * triangle_count + (what & 0xffff);
    seen.InterlockedOr(bit / 32 * 4, 1u << (bit % 32));
}

groupshared uint total;

[numthreads(144, 1, 1)]
void count_seen(uint lane : SV_GroupIndex, uint instance : SV_GroupID) {
    if (lane == 0) total = 0;
    GroupMemoryBarrierWithGroupSync();
    uint bits = seen.Load((instance * (triangle_count / 32) + lane) * 4);
    InterlockedAdd(total, countbits(bits));
    GroupMemoryBarrierWithGroupSync();
    if (lane == 0) seen_counts.Store(instance * 4, total);
}

// ---- shading

struct Barycentrics {
    float3 at;
    float3 ddx;
    float3 ddy;
};

Barycentrics barycentrics(float4 p0, float4 p1, float4 p2, float2 ndc) {
    float3 inverse_w = 1 / float3(p0.w, p1.w, p2.w);
    float2 n0 = p0.xy * inverse_w.x, n1 = p1.xy * inverse_w.y, n2 = p2.xy * inverse_w.z;
    float inverse_area = 1 / determinant(float2x2(n2 - n1, n0 - n1));
    float3 dx = float3(n1.y - n2.y, n2.y - n0.y, n0.y - n1.y) * inverse_area * inverse_w;
    float3 dy = float3(n2.x - n1.x, n0.x - n2.x, n1.x - n0.x) * inverse_area * inverse_w;
    float sum_dx = dot(dx, 1), sum_dy = dot(dy, 1);
    float2 from = ndc - n0;
    float w_here = inverse_w.x + from.x * sum_dx + from.y * sum_dy, w = 1 / w_here;
    Barycentrics b;
    b.at = w * (float3(inverse_w.x, 0, 0) + from.x * dx + from.y * dy);
    float step = 2 / size;
    dx *= step;
    dy *= step;
    float w_right = 1 / (w_here + sum_dx * step), w_below = 1 / (w_here + sum_dy * step);
    b.ddx = w_right * (b.at * w_here + dx) - b.at;
    b.ddy = w_below * (b.at * w_here + dy) - b.at;
    return b;
}

float2 uv_of(uint vertex) {
    return f16tof32(uint2(vertices[vertex].uv, vertices[vertex].uv >> 16));
}

[numthreads(8, 8, 1)]
void shade(uint2 id : SV_DispatchThreadID) {
    uint what = visible[id];
    if (what == 0) {
        coordinates[id] = 0;
        picture[id] = float4(0.1, 0.12 + id.y / size * 0.2, 0.2 + id.y / size * 0.3, 1);
        return;
    }
    uint instance = (what >> 16) - 1;
    uint3 corners = indices.Load3((what & 0xffff) * 12);
    float3 world[3];
    float4 clip[3];
    float2 uv[3];
    [unroll] for (uint i = 0; i < 3; i++) {
        world[i] = world_of(corners[i], instance);
        clip[i] = mul(view_projection, float4(world[i], 1));
        uv[i] = uv_of(corners[i]);
    }
    // The texture coordinate u wraps around at the seam, so it is unwrapped here.
    [unroll] for (uint j = 1; j < 3; j++) {
        if (uv[0].x - uv[j].x > 6) uv[j].x += 12;
        if (uv[j].x - uv[0].x > 6) uv[j].x -= 12;
        if (uv[0].y - uv[j].y > 1) uv[j].y += 2;
        if (uv[j].y - uv[0].y > 1) uv[j].y -= 2;
    }
    Barycentrics b = barycentrics(clip[0], clip[1], clip[2], (id + 0.5) / size * 2 - 1);
    float3x2 all_uv = float3x2(uv[0], uv[1], uv[2]);
    float2 here = mul(b.at, all_uv), dx = mul(b.ddx, all_uv), dy = mul(b.ddy, all_uv);
    coordinates[id] = float4(here, max(abs(dx.x), abs(dx.y)), max(abs(dy.x), abs(dy.y)));

    float3 place = mul(b.at, float3x3(world[0], world[1], world[2]));
    float3 n = normalize(cross(world[1] - world[0], world[2] - world[0]));
    float3 to_eye = normalize(eye - place);
    if (dot(n, to_eye) < 0) n = -n;
    uint kind = instance % 4;
    float4 texel = materials.SampleGrad(trilinear, float3(here, kind), dx, dy);
    float3 tint = 0.55 + 0.45 * cos(instance * 2.4 + float3(0, 2, 4));
    float stripes = smoothstep(0.35, 0.4, abs(frac(here.x + here.y) - 0.5));
    float3 albedo = tint * (0.5 + 0.5 * texel.rgb) * lerp(1, 0.35, stripes);
    float3 light = normalize(float3(0.4, 0.8, -0.6));
    float shine = pow(saturate(dot(n, normalize(light + to_eye))), 20 + 60 * texel.a);
    float3 color = albedo * (0.2 + saturate(dot(n, light))) + shine * 0.4;
    picture[id] = float4(sqrt(saturate(color)), 1);
}
