// Terrain by tessellation: compute passes make a heightmap (ridged and eroded-looking noise) and
// its normals; 256 patches are culled against the view's frustum and divided by the length their
// edges have on the screen (the same from both sides, so no cracks), displaced in the domain shader
// and shaded with four blended layers, a shadow ray through the heightmap and fog; water is blended
// over it, with its depth below the surface from the heightmap. Compared with DXC's SPIR-V:
// heights, normals, picture. Tolerances: DXC reassociates floats for DXIL and not for SPIR-V, so
// that tessellated vertices and the ends of shadow rays move in the last place; what is next to an
// edge may be another triangle.
//! require tessellation_shader storage_image_write_without_format shader_draw_parameters
//! resource b0 cbuffer 128 words -2.192552 -0.1275149 0.21012 0.2093696 0.0 -2.167753 -0.26265 -0.261712 0.4872338 -0.5738171 0.94554 0.9421631 4.385104 1.338907 37.55619 37.92206 -6.0 10.5 -36.0 64.0 -0.7652887 0.4944942 0.4120785 9.0 384.0 11.0 1.6 0.0
//! resource u0 texture2d r32_sfloat 256 256 1 1 out zero
//! resource u1 texture2d rgba16_sfloat 256 256 1 1 out zero
//! resource t0 texture2d r32_sfloat 256 256 1 1 is=u0
//! resource t1 texture2d rgba16_sfloat 256 256 1 1 is=u1
//! resource t2 texture2d rgba8_unorm 64 64 4 7 random_u32 51 view=2d_array
//! resource t3 texture2d rgba8_unorm 384 384 1 1 out zero
//! resource t4 texture2d d32_sfloat 384 384 1 1 zero
//! resource s0 sampler linear linear linear clamp
//! resource s1 sampler linear linear linear repeat
//! judge spirv
//! tolerance u0 f32 abs=0.00001
//! tolerance u1 f16 ulp=1 abs=0.0003
//! tolerance t3 unorm8 1
//! tolerance t3 mismatch 150
//! pass heights
//! stage cs_6_0 heights
//! pass normals
//! stage cs_6_0 normals
//! pass sky
//! stage vs_6_0 sky_vs
//! stage ps_6_0 sky_ps
//! target t3 clear
//! pass terrain
//! stage vs_6_0 terrain_vs
//! stage hs_6_0 terrain_hs
//! stage ds_6_0 terrain_ds
//! stage ps_6_0 terrain_ps
//! topology patch_list 4
//! cull back
//! target t3
//! depth less 1.0 into=t4
//! pass water
//! stage vs_6_0 water_vs
//! stage ps_6_0 water_ps
//! blend alpha
//! target t3
//! depth less keep into=t4
//! run heights 32 32 1
//! run normals 32 32 1
//! run sky 3
//! run terrain 1024
//! run water 6
cbuffer Frame : register(b0) {
    float4x4 view_projection;
    float3 eye;
    float extent;         // of the terrain, in metres
    float3 to_sun;
    float max_height;
    float screen;         // pixels
    float pixels_per_edge;
    float water_level;
};

Texture2D<float> heightmap : register(t0);
Texture2D<float4> normalmap : register(t1);
Texture2DArray<float4> layers : register(t2);
RWTexture2D<float> heights_out : register(u0);
[[vk::image_format("rgba16f")]] RWTexture2D<float4> normals_out : register(u1);
SamplerState clamped : register(s0);
SamplerState tiled : register(s1);

// ---- heights

float lattice(int2 cell) {
    uint h = (uint)cell.x * 0x8da6b343u ^ (uint)cell.y * 0xd8163841u;
    h ^= h >> 13;
    h *= 0x5bd1e995u;
    h ^= h >> 15;
    return (h >> 8) * (2.0 / 16777216) - 1;
}

// The value of the noise and its derivatives.
float3 noise(float2 at) {
    int2 cell = (int2)floor(at);
    float2 f = at - floor(at);
    float2 w = f * f * f * (f * (f * 6 - 15) + 10), dw = 30 * f * f * (f * (f - 2) + 1);
    float a = lattice(cell), b = lattice(cell + int2(1, 0)), c = lattice(cell + int2(0, 1)), d = lattice(cell + 1);
    float k = a - b - c + d;
    return float3(a + (b - a) * w.x + (c - a) * w.y + k * w.x * w.y, dw * (float2(b - a, c - a) + k * w.yx));
}

[numthreads(8, 8, 1)]
void heights(uint2 id : SV_DispatchThreadID) {
    float2 at = (id + 0.5) / 256 * 6;
    float sum = 0, weight = 0.5;
    float2 slope = 0;
    const float2x2 turn = float2x2(0.8, -0.6, 0.6, 0.8);
    // Octaves fade where the slope is steep, as if by erosion.
    [loop] for (uint octave = 0; octave < 8; octave++) {
        float3 n = noise(at);
        slope += n.yz * weight;
        sum += weight * (octave < 3 ? 0.6 - abs(n.x) * 1.2 : n.x) / (1 + 0.35 * dot(slope, slope));
        at = mul(turn, at) * 2.03 + 17.7;
        weight *= 0.5;
    }
    float2 from = (id + 0.5) / 256 * 2 - 1;
    float island = 1 - smoothstep(0.55, 1.0, length(from));
    heights_out[id] = (sum * 0.8 + 0.16) * island * max_height;
}

float height_at(int2 at) {
    return heightmap.Load(int3(clamp(at, 0, 255), 0));
}

[numthreads(8, 8, 1)]
void normals(int2 id : SV_DispatchThreadID) {
    float left = height_at(id - int2(1, 0)), right = height_at(id + int2(1, 0));
    float near = height_at(id - int2(0, 1)), far = height_at(id + int2(0, 1));
    float cell = extent / 256;
    float3 n = normalize(float3(left - right, 2 * cell, near - far));
    float hollow = (left + right + near + far) * 0.25 - height_at(id);
    normals_out[id] = float4(n, saturate(0.5 - hollow * 2));
}

// ---- geometry

struct Corner {
    float3 world : WORLD;
    float2 uv : TEXCOORD0;
};

Corner terrain_vs(uint id : SV_VertexID) {
    uint patch = id / 4, corner = id % 4;
    uint2 cell = uint2(patch % 16 + (corner & 1), patch / 16 + (corner >> 1));
    Corner o;
    o.uv = cell / 16.0;
    o.world = float3((o.uv.x - 0.5) * extent, heightmap.SampleLevel(clamped, o.uv, 0), (o.uv.y - 0.5) * extent);
    return o;
}

struct PatchFactors {
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
    float2 relief : RELIEF;
};

// The diameter in pixels of a sphere around the edge, in multiples of the desired edge length.
float edge_factor(float3 a, float3 b) {
    float4 middle = float4((a + b) * 0.5, 1);
    float w = max(mul(view_projection, middle).w, 0.5);
    return clamp(distance(a, b) * screen / (w * pixels_per_edge), 1, 32);
}

bool outside(float3 low, float3 high) {
    uint all_out = 0x1f;
    [loop] for (uint i = 0; i < 8; i++) {
        float4 p = mul(view_projection, float4(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z, 1));
        uint out_of = (p.x < -p.w ? 1 : 0) | (p.x > p.w ? 2 : 0) | (p.y < -p.w ? 4 : 0) | (p.y > p.w ? 8 : 0) | (p.z < 0 ? 16 : 0);
        all_out &= out_of;
    }
    return all_out != 0;
}

PatchFactors patch_factors(InputPatch<Corner, 4> corners, uint patch : SV_PrimitiveID) {
    PatchFactors o;
    float3 low = corners[0].world, high = corners[3].world;
    low.y = -0.5;
    high.y = max_height;
    [branch] if (outside(low, high)) {
        o.edges[0] = o.edges[1] = o.edges[2] = o.edges[3] = 0;
        o.inside[0] = o.inside[1] = 0;
    } else {
        o.edges[0] = edge_factor(corners[0].world, corners[2].world);
        o.edges[1] = edge_factor(corners[0].world, corners[1].world);
        o.edges[2] = edge_factor(corners[1].world, corners[3].world);
        o.edges[3] = edge_factor(corners[2].world, corners[3].world);
        o.inside[0] = max(o.edges[1], o.edges[3]);
        o.inside[1] = max(o.edges[0], o.edges[2]);
    }
    float mean = 0;
    [unroll] for (uint i = 0; i < 4; i++) mean += corners[i].world.y * 0.25;
    o.relief = float2(mean, patch & 1);
    return o;
}

[domain("quad")]
[partitioning("fractional_odd")]
[outputtopology("triangle_ccw")]
[outputcontrolpoints(4)]
[patchconstantfunc("patch_factors")]
[maxtessfactor(32)]
Corner terrain_hs(InputPatch<Corner, 4> corners, uint i : SV_OutputControlPointID) {
    return corners[i];
}

struct Fragment {
    float4 position : SV_Position;
    float3 world : WORLD;
    float2 uv : TEXCOORD0;
    float relief : RELIEF;
};

[domain("quad")]
Fragment terrain_ds(PatchFactors factors, float2 at : SV_DomainLocation, const OutputPatch<Corner, 4> corners) {
    float2 uv = lerp(lerp(corners[0].uv, corners[1].uv, at.x), lerp(corners[2].uv, corners[3].uv, at.x), at.y);
    float3 world = lerp(lerp(corners[0].world, corners[1].world, at.x), lerp(corners[2].world, corners[3].world, at.x), at.y);
    world.y = heightmap.SampleLevel(clamped, uv, 0);
    Fragment o;
    o.position = mul(view_projection, float4(world, 1));
    o.world = world;
    o.uv = uv;
    o.relief = world.y - factors.relief.x;
    return o;
}

// ---- shading

float sun_visibility(float3 world) {
    float lit = 1;
    float3 at = world + to_sun * 0.3;
    float step = 0.35;
    [loop] for (uint i = 0; i < 24 && at.y < max_height; i++) {
        float ground = heightmap.SampleLevel(clamped, at.xz / extent + 0.5, 0);
        lit = min(lit, 0.5 + (at.y - ground) * 2.5 / (1 + i * 0.3));
        if (lit <= 0) break;
        at += to_sun * step;
        step *= 1.12;
    }
    return saturate(lit);
}

float3 sky(float3 d) {
    return lerp(float3(0.72, 0.76, 0.8), float3(0.25, 0.42, 0.75), saturate(d.y * 2));
}

float3 fogged(float3 color, float3 world) {
    float3 ray = world - eye;
    float away = length(ray);
    float amount = 1 - exp(-away * away * 0.00022);
    return lerp(color, sky(ray / away), amount);
}

float4 terrain_ps(Fragment v) : SV_Target {
    float4 surface = normalmap.SampleLevel(clamped, v.uv, 0);
    float3 n = normalize(surface.xyz);
    float height = v.world.y;
    // Weights of sand, grass, rock, snow; the strongest two are blended by the detail's own height.
    float4 weight;
    weight.x = 1 - smoothstep(water_level + 0.05, water_level + 0.5, height);
    weight.z = smoothstep(0.12, 0.35, 1 - n.y);
    weight.w = smoothstep(5.0, 6.2, height + surface.w) * (1 - weight.z * 0.7);
    weight.y = saturate(1 - weight.x - weight.z - weight.w);
    static const float3 colors[4] = { float3(0.76, 0.68, 0.5), float3(0.22, 0.36, 0.12), float3(0.42, 0.38, 0.35), float3(0.93, 0.94, 0.97) };
    float2 detail_uv = v.world.xz * 0.6;
    float3 albedo = 0;
    float total = 0;
    [unroll] for (uint i = 0; i < 4; i++) {
        min16float detail = min16float(layers.Sample(tiled, float3(detail_uv * (1 + i * 0.5), i)).g);
        float w = weight[i] * (0.6 + 0.8 * detail);
        albedo += colors[i] * (0.75 + 0.5 * detail) * w;
        total += w;
    }
    albedo /= max(total, 1e-3);
    float2 tilt = layers.Sample(tiled, float3(detail_uv * 2, 2)).xy - 0.5;
    n = normalize(n + float3(tilt.x, 0, tilt.y) * (0.15 + 0.3 * weight.z));
    float sun = saturate(dot(n, to_sun)) * sun_visibility(v.world);
    float3 color = albedo * (sun * float3(1.5, 1.35, 1.1) + (0.35 + 0.25 * n.y) * surface.w * float3(0.55, 0.65, 0.8) + saturate(v.relief) * 0.02);
    return float4(sqrt(saturate(fogged(color, v.world))), 1);
}

struct Sky {
    float4 position : SV_Position;
    noperspective float2 at : TEXCOORD0;
};

Sky sky_vs(uint id : SV_VertexID) {
    Sky o;
    o.at = float2(id << 1 & 2, id & 2) * 2 - 1;
    o.position = float4(o.at, 1, 1);
    return o;
}

float4 sky_ps(Sky v) : SV_Target {
    float3 color = sky(float3(0, 0.15 - v.at.y * 0.5, 1));
    // Where the sun's direction is on the screen.
    float4 sun = mul(view_projection, float4(eye + to_sun, 1));
    float2 from = v.at - sun.xy / sun.w;
    if (sun.w > 0) color += float3(1, 0.85, 0.6) * (0.02 / (dot(from, from) + 0.02));
    return float4(sqrt(saturate(color)), 1);
}

struct Water {
    float4 position : SV_Position;
    float3 world : WORLD;
};

Water water_vs(uint id : SV_VertexID) {
    static const float2 corners[6] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1) };
    Water o;
    o.world = float3(corners[id].x * 90, water_level, corners[id].y * 90);
    o.position = mul(view_projection, float4(o.world, 1));
    return o;
}

float4 water_ps(Water v) : SV_Target {
    float2 uv = v.world.xz / extent + 0.5;
    float2 slope = 0;
    [unroll] for (uint i = 0; i < 3; i++) {
        float2 direction = float2(cos(i * 2.1 + 0.4), sin(i * 2.1 + 0.4));
        slope += direction * cos(dot(direction, v.world.xz) * (1.7 + i * 1.3) + i);
    }
    float3 n = normalize(float3(slope.x * 0.05, 1, slope.y * 0.05));
    float3 to_eye = normalize(eye - v.world);
    float facing = saturate(dot(n, to_eye));
    float fresnel = 0.02 + 0.98 * pow(1 - facing, 5);
    float3 mirrored = reflect(-to_eye, n);
    float glint = pow(saturate(dot(mirrored, to_sun)), 200) * 3;
    float depth = water_level - (all(saturate(uv) == uv) ? heightmap.SampleLevel(clamped, uv, 0) : 0);
    float opacity = saturate(1 - exp(-depth * 1.8 / max(facing, 0.1)));
    float foam = saturate(1 - depth * 7) * 0.6;
    float3 color = lerp(float3(0.02, 0.12, 0.16), sky(mirrored), fresnel) + glint + foam;
    return float4(sqrt(saturate(fogged(color, v.world))), saturate(max(opacity, fresnel) + foam));
}
