// Bloom as engines ship it: a soft-knee threshold with Karis weights against fireflies, a chain of
// 13-tap downsamples in one mipmapped texture, tent-filtered upsampling that adds level by level,
// and a composite drawn over the whole screen. Passes: scene (a night street of lamps and windows,
// 512x512), prefilter, down (five levels), up (five levels), composite. Compared: the scene, every
// mip of the chain, and the picture, with DXC's SPIR-V of the same source.
//! require storage_image_read_without_format storage_image_write_without_format
//! require shader_draw_parameters
//! resource b0 cbuffer 48 words 1.0 0.4 0.25 0.8 0 0 512.0 512.0 0.6 2.2 0.35 1.0
//! resource u0 texture2d rgba16_sfloat 512 512 1 1 out zero
//! resource t0 texture2d rgba16_sfloat 512 512 1 1 is=u0
//! resource t1 texture2d rgba16_sfloat 256 256 1 6 out zero
//! resource u1 texture2d rgba16_sfloat 256 256 1 6 is=t1 count=6 mip=each
//! resource s0 sampler linear linear nearest clamp
//! judge spirv
//! tolerance u0 f16 ulp=1 abs=0.001
//! tolerance t1 f16 ulp=2 abs=0.001
//! tolerance composite.target0 unorm8 1
//! pass scene
//! stage cs_6_0 scene
//! pass prefilter
//! stage cs_6_0 prefilter
//! pass down
//! stage cs_6_0 downsample
//! pass up
//! stage cs_6_0 upsample
//! pass composite
//! stage vs_6_0 full_screen
//! stage ps_6_0 composite
//! target rgba8_unorm 512 512
//! run scene 64 64 1
//! run prefilter 32 32 1
//! update b0 1.0 0.4 0.25 0.8 0 1 256.0 256.0
//! run down 16 16 1
//! update b0 1.0 0.4 0.25 0.8 1 2 128.0 128.0
//! run down 8 8 1
//! update b0 1.0 0.4 0.25 0.8 2 3 64.0 64.0
//! run down 4 4 1
//! update b0 1.0 0.4 0.25 0.8 3 4 32.0 32.0
//! run down 2 2 1
//! update b0 1.0 0.4 0.25 0.8 4 5 16.0 16.0
//! run down 1 1 1
//! update b0 1.0 0.4 0.25 0.8 5 4 8.0 8.0
//! run up 2 2 1
//! update b0 1.0 0.4 0.25 0.8 4 3 16.0 16.0
//! run up 4 4 1
//! update b0 1.0 0.4 0.25 0.8 3 2 32.0 32.0
//! run up 8 8 1
//! update b0 1.0 0.4 0.25 0.8 2 1 64.0 64.0
//! run up 16 16 1
//! update b0 1.0 0.4 0.25 0.8 1 0 128.0 128.0
//! run up 32 32 1
//! run composite 3

cbuffer Bloom : register(b0) {
    float threshold;
    float knee;
    float strength;
    float radius;
    uint source_level;
    uint target_level;
    float2 source_size;
    float exposure;
    float gamma;
    float vignette;
    float white_point;
};

static const uint LEVELS = 6;

Texture2D<float4> hdr : register(t0);
Texture2D<float4> chain : register(t1);
[[vk::image_format("rgba16f")]] RWTexture2D<float4> hdr_out : register(u0);
RWTexture2D<float4> levels[LEVELS] : register(u1);
SamplerState bilinear : register(s0);

// ---- the scene ----

uint hash(uint2 p) {
    uint h = p.x * 0x9e3779b9u ^ p.y * 0x85ebca6bu;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

float unit(uint2 p) { return (hash(p) & 0xffffff) / 16777216.0; }

// Windows of a facade: a grid of cells, a third of them lit in a warm or cold light.
float3 facade(float2 p) {
    const float2 cell = p / float2(22, 30);
    const uint2 index = uint2(cell);
    const float2 inside = frac(cell);
    float3 wall = 0.03 + 0.02 * unit(uint2(p));
    if (all(inside > float2(0.2, 0.25)) && all(inside < float2(0.8, 0.85))) {
        const float lit = unit(index);
        if (lit < 0.33) {
            const float3 tint = unit(index + 77) < 0.6 ? float3(1.0, 0.72, 0.4) : float3(0.6, 0.8, 1.0);
            wall = tint * (1.5 + 6.0 * unit(index + 191));
        } else {
            wall = float3(0.01, 0.015, 0.03);
        }
    }
    return wall;
}

// Street lamps: small discs far brighter than white, with a hard edge that aliases unless it is
// filtered well.
float3 lamps(float2 p) {
    float3 sum = 0;
    [loop]
    for (uint i = 0; i < 12; ++i) {
        const float2 centre = float2(24 + 42 * i, 420 + 20 * (i & 1));
        const float2 offset = p - centre;
        const float d2 = dot(offset, offset);
        const float size = 3 + 4 * unit(uint2(i, 5));
        if (d2 < size * size) {
            sum += lerp(float3(1, 0.55, 0.2), float3(0.9, 0.95, 1), unit(uint2(i, 9))) * (40 + 60 * unit(uint2(i, 13)));
        } else {
            sum += 0.2 * size / (d2 + 16);
        }
    }
    return sum;
}

[numthreads(8, 8, 1)]
void scene(uint2 id : SV_DispatchThreadID) {
    const float2 p = id + 0.5;
    float3 color;
    [branch]
    if (p.y < 360) {
        color = facade(p);
    } else {
        // A wet road mirrors the facade, wavering.
        const float2 mirrored = float2(p.x + 3 * sin(p.y * 0.7), 720 - p.y);
        color = 0.25 * facade(mirrored) + 0.02;
    }
    hdr_out[id] = float4(color + lamps(p), 1);
}

// ---- the chain ----

float luma(float3 c) { return dot(c, float3(0.2126, 0.7152, 0.0722)); }

// Thirteen taps: four overlapping boxes of four around, one in the middle with half of the weight.
struct Taps {
    float3 corner[4];   // one texel out, diagonal
    float3 outer[4];    // two texels out, diagonal
    float3 side[4];     // two texels out, straight
    float3 middle;
};

Taps gather_taps(Texture2D<float4> from, float2 uv, float2 texel, float level) {
    static const float2 diagonal[4] = {float2(-1, -1), float2(1, -1), float2(-1, 1), float2(1, 1)};
    static const float2 straight[4] = {float2(0, -1), float2(-1, 0), float2(1, 0), float2(0, 1)};
    Taps taps;
    [unroll]
    for (uint i = 0; i < 4; ++i) {
        taps.corner[i] = from.SampleLevel(bilinear, uv + texel * diagonal[i], level).rgb;
        taps.outer[i] = from.SampleLevel(bilinear, uv + 2 * texel * diagonal[i], level).rgb;
        taps.side[i] = from.SampleLevel(bilinear, uv + 2 * texel * straight[i], level).rgb;
    }
    taps.middle = from.SampleLevel(bilinear, uv, level).rgb;
    return taps;
}

// The mean of the inner box, and of each of the four outer boxes, whose corners are taps.
void boxes(Taps t, out float3 box[5]) {
    box[0] = 0.25 * (t.corner[0] + t.corner[1] + t.corner[2] + t.corner[3]);
    box[1] = 0.25 * (t.outer[0] + t.side[0] + t.side[1] + t.middle);
    box[2] = 0.25 * (t.outer[1] + t.side[0] + t.side[2] + t.middle);
    box[3] = 0.25 * (t.outer[2] + t.side[1] + t.side[3] + t.middle);
    box[4] = 0.25 * (t.outer[3] + t.side[2] + t.side[3] + t.middle);
}

static const float BOX_WEIGHTS[5] = {0.5, 0.125, 0.125, 0.125, 0.125};

float3 soft_threshold(float3 color) {
    const float brightness = max(color.r, max(color.g, color.b));
    float soft = clamp(brightness - threshold + knee, 0, 2 * knee);
    soft = soft * soft / (4 * knee + 1e-4);
    return color * (max(soft, brightness - threshold) / max(brightness, 1e-4));
}

[numthreads(8, 8, 1)]
void prefilter(uint2 id : SV_DispatchThreadID) {
    const float2 texel = 1 / source_size;
    const float2 uv = (id * 2 + 1) * texel;
    float3 box[5];
    boxes(gather_taps(hdr, uv, texel, 0), box);
    // Karis: weights fall with brightness, so that one blinding texel does not flicker through the
    // chain.
    float4 sum = 0;
    [unroll]
    for (uint i = 0; i < 5; ++i) {
        const float3 bright = soft_threshold(box[i]);
        sum += float4(bright, 1) * (BOX_WEIGHTS[i] / (1 + luma(bright)));
    }
    levels[0][id] = float4(sum.rgb / sum.w, 1);
}

[numthreads(8, 8, 1)]
void downsample(uint2 id : SV_DispatchThreadID) {
    const float2 texel = 1 / source_size;
    const float2 uv = (id * 2 + 1) * texel;
    float3 box[5];
    boxes(gather_taps(chain, uv, texel, source_level), box);
    float3 sum = 0;
    [unroll]
    for (uint i = 0; i < 5; ++i) {
        sum += box[i] * BOX_WEIGHTS[i];
    }
    uint2 size;
    levels[target_level].GetDimensions(size.x, size.y);
    if (all(id < size)) {
        levels[target_level][id] = float4(sum, 1);
    }
}

// A tent of nine taps from the level below, added to this level.
[numthreads(8, 8, 1)]
void upsample(uint2 id : SV_DispatchThreadID) {
    uint2 size;
    levels[target_level].GetDimensions(size.x, size.y);
    const float2 uv = (id + 0.5) / size;
    const float2 step = radius / source_size;
    float3 sum = 0;
    [unroll]
    for (int y = -1; y <= 1; ++y) {
        [unroll]
        for (int x = -1; x <= 1; ++x) {
            const float weight = (2 - abs(x)) * (2 - abs(y)) / 16.0;
            sum += weight * chain.SampleLevel(bilinear, uv + step * float2(x, y), source_level).rgb;
        }
    }
    const float4 here = levels[target_level][id];
    levels[target_level][id] = float4(here.rgb + sum, here.a);
}

// ---- the picture ----

struct Corner {
    float4 position : SV_Position;
    float2 uv : TEXCOORD0;
};

Corner full_screen(uint vertex : SV_VertexID) {
    Corner corner;
    corner.uv = float2((vertex << 1) & 2, vertex & 2);
    corner.position = float4(corner.uv * float2(2, -2) + float2(-1, 1), 0, 1);
    return corner;
}

float3 tonemap(float3 color) {
    // Extended Reinhard, by luminance.
    const float l = luma(color);
    const float mapped = l * (1 + l / (white_point * white_point * 16)) / (1 + l);
    return color * (mapped / max(l, 1e-5));
}

float4 composite(Corner corner) : SV_Target {
    const float3 scene_color = hdr.SampleLevel(bilinear, corner.uv, 0).rgb;
    const float3 glow = chain.SampleLevel(bilinear, corner.uv, 0).rgb / LEVELS;
    float3 color = lerp(scene_color, glow, strength) * exposure;
    const float2 centred = corner.uv - 0.5;
    color *= saturate(1 - vignette * 2 * dot(centred, centred));
    return float4(pow(saturate(tonemap(color)), 1 / gamma), 1);
}
