// Temporal antialiasing over four frames of a moving camera and turning cubes: each frame is drawn
// with a jittered projection into colour, motion and depth; the resolve takes the motion of the
// nearest of nine texels, samples the history by Catmull-Rom in five bilinear taps, clips it to the
// variance of the neighbourhood in YCoCg and blends by luminance and confidence; two histories take
// turns. The last pass sharpens. Compared with DXC's SPIR-V: the last frame's motion, both
// histories, the picture. Tolerances: DXC reassociates floats for DXIL and not for SPIR-V; edges of
// triangles move, and a history rounds to 16 bits every frame.
//! resource b0 cbuffer 212 words -2.311629 -0.1715733 0.2823671 0.2795434 0.0 -2.339769 -0.2484831 -0.2459982 0.6962739 -0.5696235 0.9374588 0.9280842 -0.2088822 2.033387 8.445987 8.861527 -2.311629 -0.1712821 0.2823671 0.2795434 0.0 -2.340025 -0.2484831 -0.2459982 0.6962739 -0.5686567 0.9374588 0.9280842 -0.2088822 2.042617 8.445987 8.861527 -2.311629 -0.1712821 0.2823671 0.2795434 0.0 -2.340025 -0.2484831 -0.2459982 0.6962739 -0.5686567 0.9374588 0.9280842 -0.2088822 2.042617 8.445987 8.861527 0.0 -0.0005208333 0.0 0.0 0
//! resource t0 texture2d rgba16_sfloat 320 320 1 1 out zero
//! resource t1 texture2d rg16_sfloat 320 320 1 1 out zero
//! resource t2 texture2d d32_sfloat 320 320 1 1 zero
//! resource t3 texture2d rgba16_sfloat 320 320 1 1 out zero
//! resource t4 texture2d rgba16_sfloat 320 320 1 1 out zero
//! resource t5 texture2d rgba8_unorm 320 320 1 1 out zero
//! resource t6 texture2d rgba8_srgb 32 32 1 6 random_u32 88
//! resource s0 sampler linear linear linear clamp
//! resource s1 sampler linear linear linear repeat anisotropy=4
//! require sampler_anisotropy shader_draw_parameters
//! judge spirv
//! tolerance t0 f16 ulp=2 abs=0.002
//! tolerance t0 mismatch 50
//! tolerance t1 f16 ulp=2 abs=0.00002
//! tolerance t1 mismatch 100
//! tolerance t3 f16 ulp=4 abs=0.002
//! tolerance t3 mismatch 200
//! tolerance t4 f16 ulp=4 abs=0.002
//! tolerance t4 mismatch 200
//! tolerance t5 unorm8 2
//! tolerance t5 mismatch 50
//! pass scene
//! stage vs_6_0 scene_vs
//! stage ps_6_0 scene_ps
//! target t0 clear
//! target t1 clear
//! depth less 1.0 into=t2
//! cull front
//! front cw
//! pass resolve_even
//! stage vs_6_0 screen_vs
//! stage ps_6_0 resolve_even
//! target t3
//! pass resolve_odd
//! stage vs_6_0 screen_vs
//! stage ps_6_0 resolve_odd
//! target t4
//! pass present
//! stage vs_6_0 screen_vs
//! stage ps_6_0 present
//! target t5 clear
//! run scene 36 26
//! run resolve_even 3
//! update b0 -2.326381 -0.1615824 0.2619815 0.2593617 0.0003910332 -2.33765 -0.2527891 -0.2502613 0.6452771 -0.5811299 0.9422141 0.932792 -0.2076316 2.053616 8.294126 8.711185 -2.325975 -0.1618526 0.2619815 0.2593617 0.0 -2.337389 -0.2527891 -0.2502613 0.6467346 -0.5821015 0.9422141 0.932792 -0.1940204 2.044542 8.294126 8.711185 -2.311629 -0.1712821 0.2823671 0.2795434 0.0 -2.340025 -0.2484831 -0.2459982 0.6962739 -0.5686567 0.9374588 0.9280842 -0.2088822 2.042617 8.445987 8.861527 -0.00078125 0.0005208333 0.3 0.0 1
//! run scene 36 26
//! run resolve_odd 3
//! update b0 -2.339361 -0.1520503 0.2407633 0.2383557 -0.0003977416 -2.334067 -0.2571259 -0.2545546 0.5965076 -0.5978678 0.9466907 0.9372238 -0.1651301 2.025608 8.146487 8.565022 -2.339733 -0.151471 0.2407633 0.2383557 0.0 -2.334685 -0.2571259 -0.2545546 0.5950432 -0.5955899 0.9466907 0.9372238 -0.178513 2.046425 8.146487 8.565022 -2.325975 -0.1618526 0.2619815 0.2593617 0.0 -2.337389 -0.2527891 -0.2502613 0.6467346 -0.5821015 0.9422141 0.932792 -0.1940204 2.044542 8.294126 8.711185 0.00078125 -0.001215278 0.6 0.3 2
//! run scene 36 26
//! run resolve_even 3
//! update b0 -2.353292 -0.1401587 0.2186941 0.2165072 0.0006067201 -2.33183 -0.2614821 -0.2588672 0.5389341 -0.6093857 0.9508439 0.9413354 -0.1820841 2.045329 8.003291 8.423258 -2.352784 -0.1400835 0.2186941 0.2165072 0.0 -2.33192 -0.2614821 -0.2588672 0.5411404 -0.6090588 0.9508439 0.9413354 -0.1623421 2.048254 8.003291 8.423258 -2.339733 -0.151471 0.2407633 0.2383557 0.0 -2.334685 -0.2571259 -0.2545546 0.5950432 -0.5955899 0.9466907 0.9372238 -0.178513 2.046425 8.146487 8.565022 -0.001171875 -0.0001736111 0.9 0.6 3
//! run scene 36 26
//! run resolve_odd 3
//! run present 3
cbuffer Frame : register(b0) {
    float4x4 jittered;
    float4x4 current;
    float4x4 previous;
    float2 jitter;  // in texture coordinates
    float time;
    float previous_time;
    uint frame_number;
};

Texture2D<float4> color : register(t0);
Texture2D<float2> motion : register(t1);
Texture2D<float> depth : register(t2);
Texture2D<float4> even_history : register(t3);
Texture2D<float4> odd_history : register(t4);
Texture2D<float4> grain : register(t6);
SamplerState bilinear : register(s0);
SamplerState anisotropic : register(s1);

static const float2 SIZE = float2(320, 320);

// ---- scene: instance 0 is the ground, 1 to 9 are turning cubes, the others thin poles

struct Solid {
    float4 position : SV_Position;
    float4 now : NOW;
    float4 before : BEFORE;
    float3 normal : NORMAL;
    linear float3 local : LOCAL;
    nointerpolation uint instance : INSTANCE;
};

float3 placed(float3 local, uint instance, float at_time, inout float3 normal) {
    if (instance == 0) return local * float3(12, 0.1, 12) - float3(0, 0.1, 0);
    if (instance >= 10) return local * float3(0.025, 1.2, 0.025) + float3((instance - 17.5) * 0.45, 1.2, 2.4);
    float s, c;
    sincos(at_time * (0.6 + 0.2 * instance) + instance, s, c);
    local.xz = float2(c * local.x - s * local.z, s * local.x + c * local.z);
    normal.xz = float2(c * normal.x - s * normal.z, s * normal.x + c * normal.z);
    float2 cell = float2((instance - 1) % 3, (instance - 1) / 3) - 1;
    return local * 0.5 + float3(cell.x * 1.9, 0.75 + 0.25 * sin(at_time * 2 + instance), cell.y * 1.7 - 0.5);
}

Solid scene_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    static const float2 corners[6] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1) };
    uint face = id / 6, axis = face >> 1;
    float side = face & 1 ? 1.0 : -1.0;
    float2 c = corners[id % 6];
    // All faces have the same winding order, seen from outside.
    c.x *= axis == 1 ? side : -side;
    float3 local = axis == 0 ? float3(side, c.yx) : axis == 1 ? float3(c.y, side, c.x) : float3(-c.x, c.y, side);
    if (axis == 0) local = float3(side, c.y, c.x);
    float3 normal = axis == 0 ? float3(side, 0, 0) : axis == 1 ? float3(0, side, 0) : float3(0, 0, side), unused = normal;
    Solid o;
    o.normal = normal;
    float4 now = float4(placed(local, instance, time, o.normal), 1);
    float4 before = float4(placed(local, instance, previous_time, unused), 1);
    o.position = mul(jittered, now);
    o.now = mul(current, now);
    o.before = mul(previous, before);
    o.local = local;
    o.instance = instance;
    return o;
}

struct Drawn {
    float4 color : SV_Target0;
    float2 motion : SV_Target1;
};

Drawn scene_ps(Solid v) {
    float light = 0.3 + 0.9 * saturate(dot(normalize(v.normal), normalize(float3(-0.4, 0.8, -0.5))));
    float3 base;
    if (v.instance == 0) {
        // The fine squares need antialiasing.
        float2 at = v.local.xz * 12 * 3;
        base = lerp(0.12, 0.85, smoothstep(-0.05, 0.05, sin(at.x * 3.14159) * sin(at.y * 3.14159)));
        base *= 0.7 + 0.6 * grain.SampleBias(anisotropic, v.local.xz * 8, -0.5).rgb;
    } else {
        base = 0.5 + 0.5 * cos(v.instance * 1.3 + float3(0, 2, 4));
        float3 edge = abs(v.local);
        float second = max(min(edge.x, edge.y), min(max(edge.x, edge.y), edge.z));
        if (v.instance < 10) base = lerp(base, 2.5, smoothstep(0.86, 0.88, second));  // brighter than white
    }
    Drawn o;
    o.color = float4(base * light, 1);
    o.motion = (v.now.xy / v.now.w - v.before.xy / v.before.w) * 0.5;
    return o;
}

// ---- resolve

struct Screen {
    float4 position : SV_Position;
    noperspective float2 uv : TEXCOORD0;
};

Screen screen_vs(uint id : SV_VertexID) {
    Screen o;
    o.uv = float2(id << 1 & 2, id & 2);
    o.position = float4(o.uv * 2 - 1, 0, 1);
    return o;
}

float3 to_ycocg(float3 c) {
    return float3(dot(c, float3(0.25, 0.5, 0.25)), dot(c, float3(0.5, 0, -0.5)), dot(c, float3(-0.25, 0.5, -0.25)));
}

float3 from_ycocg(float3 c) {
    return float3(c.x + c.y - c.z, c.x + c.z, c.x - c.y - c.z);
}

// Sixteen taps of the bicubic filter are five bilinear ones, where the corners are left out.
float3 catmull_rom(Texture2D<float4> source, float2 uv) {
    float2 at = uv * SIZE, middle = floor(at - 0.5) + 0.5, f = at - middle;
    float2 w0 = f * (-0.5 + f * (1 - 0.5 * f)), w1 = 1 + f * f * (-2.5 + 1.5 * f);
    float2 w2 = f * (0.5 + f * (2 - 1.5 * f)), w3 = f * f * (-0.5 + 0.5 * f);
    float2 w12 = w1 + w2, between = (middle + w2 / w12) / SIZE;
    float2 first = (middle - 1) / SIZE, last = (middle + 2) / SIZE;
    float4 sum = float4(source.SampleLevel(bilinear, float2(between.x, first.y), 0).rgb, 1) * (w12.x * w0.y);
    sum += float4(source.SampleLevel(bilinear, float2(first.x, between.y), 0).rgb, 1) * (w0.x * w12.y);
    sum += float4(source.SampleLevel(bilinear, between, 0).rgb, 1) * (w12.x * w12.y);
    sum += float4(source.SampleLevel(bilinear, float2(last.x, between.y), 0).rgb, 1) * (w3.x * w12.y);
    sum += float4(source.SampleLevel(bilinear, float2(between.x, last.y), 0).rgb, 1) * (w12.x * w3.y);
    return max(sum.rgb / sum.a, 0);
}

float3 clip_to_box(float3 low, float3 high, float3 c) {
    float3 middle = 0.5 * (low + high), extent = 0.5 * (high - low) + 1e-4;
    float3 ratio = abs((c - middle) / extent);
    float most = max(ratio.x, max(ratio.y, ratio.z));
    return most > 1 ? middle + (c - middle) / most : c;
}

float4 resolve(Screen v, Texture2D<float4> history) {
    int2 at = (int2)v.position.xy;
    float nearest = 1;
    int2 nearest_at = at;
    float3 mean = 0, square = 0, filtered = 0;
    float weights = 0;
    [unroll] for (int y = -1; y <= 1; y++) {
        [unroll] for (int x = -1; x <= 1; x++) {
            int2 there = clamp(at + int2(x, y), 0, int2(SIZE) - 1);
            float z = depth.Load(int3(there, 0));
            if (z < nearest - 2e-5) {  // clearly nearer, not by rounding
                nearest = z;
                nearest_at = there;
            }
            float3 c = to_ycocg(color.Load(int3(there, 0)).rgb);
            mean += c;
            square += c * c;
            float2 from = float2(x, y) - jitter * SIZE;
            float weight = exp(-2.3 * dot(from, from)) / (1 + c.x);
            filtered += c * weight;
            weights += weight;
        }
    }
    mean /= 9;
    filtered /= weights;
    if (frame_number == 0) return float4(from_ycocg(filtered), 0.1);
    float3 deviation = sqrt(max(square / 9 - mean * mean, 0));
    float2 moved = motion.Load(int3(nearest_at, 0));
    float2 from = v.uv - moved;
    float confidence = history.SampleLevel(bilinear, from, 0).a;
    float3 old = to_ycocg(catmull_rom(history, from));
    float3 clipped = clip_to_box(mean - 1.25 * deviation, mean + 1.25 * deviation, old);
    float keep = lerp(0.5, 0.9, confidence) * (any(saturate(from) != from) ? 0 : 1);
    // Texels whose history was clipped by a large distance get less confidence in the next frame.
    float far = saturate(length(old - clipped) * 4);
    float old_weight = keep / (1 + clipped.x), new_weight = (1 - keep) / (1 + filtered.x);
    float3 blended = (clipped * old_weight + filtered * new_weight) / (old_weight + new_weight);
    return float4(max(from_ycocg(blended), 0), saturate(confidence * (1 - far) + 0.25));
}

float4 resolve_even(Screen v) : SV_Target {
    return resolve(v, odd_history);
}

float4 resolve_odd(Screen v) : SV_Target {
    return resolve(v, even_history);
}

// ---- the last frame is an odd one

float4 present(Screen v) : SV_Target {
    int3 at = int3(v.position.xy, 0);
    float3 middle = odd_history.Load(at).rgb;
    float3 around = odd_history.Load(at, int2(1, 0)).rgb + odd_history.Load(at, int2(-1, 0)).rgb + odd_history.Load(at, int2(0, 1)).rgb + odd_history.Load(at, int2(0, -1)).rgb;
    float3 sharp = max(middle * 1.6 - around * 0.15, 0);
    return float4(sqrt(saturate(sharp / (0.6 + sharp))), 1);
}
