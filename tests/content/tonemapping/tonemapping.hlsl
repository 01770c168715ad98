// Automatic exposure and tone mapping: a histogram of the picture's log luminance in groupshared
// memory, its trimmed mean by prefix sums, eye adaptation over two frames, and an ACES curve with
// sRGB encoding and ordered dithering. Passes: scene (noise scaled by exact powers of two, tile by
// tile), histogram, adapt, tonemap; the last three run twice. Compared: histograms and exposures
// with a model in Python (a texel at the edge between two bins may fall into either); everything,
// the final picture too, with DXC's SPIR-V of the same source.
//! require storage_image_write_without_format
//! resource b0 cbuffer 48 words 512 256 -10.0 16.0 0.016 1.5 0.4 0.95 0.18 0.03 64.0 0
//! resource t0 texture2d rgba32_sfloat 512 256 1 1 random_f32 21 0.125 1.0
//! resource u0 texture2d rgba32_sfloat 512 256 1 1 zero
//! resource t1 texture2d rgba32_sfloat 512 256 1 1 is=u0
//! resource u1 raw_buffer 1024 zero
//! resource u2 structured_buffer 20 2 out zero
//! resource u3 texture2d rgba8_unorm 512 256 1 1 out zero
//! resource u4 structured_buffer 4 512 out zero
//! judge spirv
//! judge expect
//! tolerance u2 f32 ulp=64 abs=0.0005
//! tolerance u3 unorm8 1
//! tolerance u4 mismatch 8 # a texel within a rounding error of two bins' edge changes both
//! pass scene
//! stage cs_6_0 scene
//! pass histogram
//! stage cs_6_0 build_histogram
//! pass adapt
//! stage cs_6_0 adapt
//! pass tonemap
//! stage cs_6_0 tonemap
//! run scene 64 32 1
//! run histogram 32 16 1
//! run adapt 1 1 1
//! run tonemap 64 32 1
//! update b0 512 256 -10.0 16.0 0.25 1.5 0.4 0.95 0.18 0.03 64.0 1
//! run histogram 32 16 1
//! run adapt 1 1 1
//! run tonemap 64 32 1

cbuffer Frame : register(b0) {
    uint2 size;
    float min_log;          // log2 luminance at the histogram's lower end
    float log_range;        // and how many stops it spans
    float delta_time;
    float adaptation_speed;
    float low_percentile;   // what of the histogram is left out below
    float high_percentile;  // and above
    float key_value;
    float min_exposure;
    float max_exposure;
    uint frame;
};

struct Exposure {
    float average_log;
    float adapted;
    float exposure;
    float counted;
    float brightest_bin;
};

static const uint BINS = 256;

Texture2D<float4> noise : register(t0);
Texture2D<float4> hdr : register(t1);
RWTexture2D<float4> hdr_out : register(u0);
RWByteAddressBuffer bins : register(u1);
RWStructuredBuffer<Exposure> exposures : register(u2);
[[vk::image_format("rgba8")]] RWTexture2D<unorm float4> picture : register(u3);
RWStructuredBuffer<uint> kept : register(u4);

float luminance(float3 color) { return dot(color, float3(0.2126, 0.7152, 0.0722)); }

// Tiles of 64 texels: from 2^-9 in the upper left corner to 2^5, one of them black.
[numthreads(8, 8, 1)]
void scene(uint2 id : SV_DispatchThreadID) {
    const uint2 tile = id / 64;
    const int stops = (int)(tile.x + tile.y * 2) - 9;
    const float4 texel = noise[id];
    const float scale = (tile.x == 5 && tile.y == 2) ? 0 : asfloat((uint)(stops + 127) << 23);
    hdr_out[id] = float4(texel.rgb * scale, 1);
}

// ---- histogram ----

groupshared uint local_bins[BINS];

// Bin 0 is for what is black; the others share the range evenly.
uint bin_of(float3 color) {
    const float l = luminance(color);
    if (l < 0.0001) {
        return 0;
    }
    const float scaled = saturate((log2(l) - min_log) / log_range);
    return (uint)(scaled * 254 + 1);
}

[numthreads(16, 16, 1)]
void build_histogram(uint2 id : SV_DispatchThreadID, uint index : SV_GroupIndex) {
    local_bins[index] = 0;
    GroupMemoryBarrierWithGroupSync();
    if (all(id < size)) {
        InterlockedAdd(local_bins[bin_of(hdr[id].rgb)], 1);
    }
    GroupMemoryBarrierWithGroupSync();
    const uint count = local_bins[index];
    if (count != 0) {
        bins.InterlockedAdd(index * 4, count);
    }
}

// ---- the mean and the eye ----

groupshared uint sums[BINS];
groupshared float weighted[BINS];
groupshared uint weights[BINS];
groupshared uint brightest;

[numthreads(BINS, 1, 1)]
void adapt(uint index : SV_GroupIndex) {
    const uint count = bins.Load(index * 4);
    kept[frame * BINS + index] = count;
    bins.Store(index * 4, 0);
    // Black texels are not part of the mean.
    const uint seen = index == 0 ? 0 : count;
    sums[index] = seen;
    if (index == 0) {
        brightest = 0;
    }
    GroupMemoryBarrierWithGroupSync();

    // Inclusive prefix sums, by doubling steps.
    [loop]
    for (uint offset = 1; offset < BINS; offset <<= 1) {
        const uint before = index >= offset ? sums[index - offset] : 0;
        GroupMemoryBarrierWithGroupSync();
        sums[index] += before;
        GroupMemoryBarrierWithGroupSync();
    }

    // Only the part of a bin between the percentiles counts.
    const uint total = sums[BINS - 1];
    const uint low = (uint)(total * low_percentile);
    const uint high = (uint)(total * high_percentile);
    const uint from = clamp(sums[index] - seen, low, high);
    const uint to = clamp(sums[index], low, high);
    weights[index] = to - from;
    const float log_luminance = ((float)index - 0.5) / 254 * log_range + min_log;
    weighted[index] = weights[index] * log_luminance;
    if (seen != 0) {
        InterlockedMax(brightest, index);
    }
    GroupMemoryBarrierWithGroupSync();

    [unroll]
    for (uint half = BINS / 2; half > 0; half >>= 1) {
        if (index < half) {
            weighted[index] += weighted[index + half];
            weights[index] += weights[index + half];
        }
        GroupMemoryBarrierWithGroupSync();
    }

    if (index == 0) {
        Exposure now;
        now.counted = weights[0];
        now.brightest_bin = brightest;
        now.average_log = weighted[0] / max(weights[0], 1u);
        const float average = exp2(now.average_log);
        const float before = frame == 0 ? 1.0 : exposures[0].adapted;
        now.adapted = before + (average - before) * (1 - exp(-delta_time * adaptation_speed));
        now.exposure = clamp(key_value / now.adapted, min_exposure, max_exposure);
        exposures[frame] = now;
    }
}

// ---- the picture ----

// Stephen Hill's fit of the ACES reference and output transforms.
static const float3x3 ACES_INPUT = {
    {0.59719, 0.35458, 0.04823},
    {0.07600, 0.90834, 0.01566},
    {0.02840, 0.13383, 0.83777},
};
static const float3x3 ACES_OUTPUT = {
    {1.60475, -0.53108, -0.07367},
    {-0.10208, 1.10813, -0.00605},
    {-0.00327, -0.07276, 1.07602},
};

float3 aces(float3 color) {
    color = mul(ACES_INPUT, color);
    const float3 a = color * (color + 0.0245786) - 0.000090537;
    const float3 b = color * (0.983729 * color + 0.4329510) + 0.238081;
    return saturate(mul(ACES_OUTPUT, a / b));
}

float3 encode_srgb(float3 linear_color) {
    const float3 low = linear_color * 12.92;
    const float3 high = 1.055 * pow(max(linear_color, 1e-6), 1 / 2.4) - 0.055;
    return linear_color <= 0.0031308 ? low : high;
}

// The 8x8 Bayer matrix by interleaving the bits of x ^ y and y.
float bayer(uint2 p) {
    const uint x = p.x ^ p.y;
    uint value = 0;
    [unroll]
    for (uint bit = 0; bit < 3; ++bit) {
        value |= ((x >> bit) & 1) << (5 - 2 * bit);
        value |= ((p.y >> bit) & 1) << (4 - 2 * bit);
    }
    return (value + 0.5) / 64 - 0.5;
}

[numthreads(8, 8, 1)]
void tonemap(uint2 id : SV_DispatchThreadID) {
    const float3 exposed = hdr[id].rgb * exposures[frame].exposure;
    const float3 encoded = encode_srgb(aces(exposed));
    picture[id] = float4(saturate(encoded + bayer(id) / 255), 1);
}
