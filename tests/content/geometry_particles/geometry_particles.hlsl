// Particles as sprites: compute passes paint four sprite textures, start 4096 particles on a ring
// of fountains and move them by drag, curl noise, gravity and bounces; a scene of pillars is drawn;
// then points are drawn whose geometry shader runs twice for each, for a shadow on the ground and
// for a quad stretched along the motion on the screen, and drops what is dead or behind the eye.
// Sprites are picked from an array of textures, fade softly before the scene's depth, and blend
// premultiplied (dual source). Compared with DXC's SPIR-V: particles, accumulated light, picture.
// Tolerances: DXC reassociates floats for DXIL and not for SPIR-V, which moves edges of quads;
// sixteen-bit accumulation rounds after each of some hundred layers.
//! require geometry_shader dual_src_blend descriptor_indexing storage_image_write_without_format
//! require shader_draw_parameters
//! resource b0 cbuffer 112 words -2.601488 0.02408613 -0.05239414 -0.05173921 0.0 -2.564464 -0.1781401 -0.1759133 -0.1369204 -0.4576365 0.9954887 0.983045 1.446115e-16 4.35959 9.582686 9.962903 0.5 3.4 -9.5 384.0 1.012658 -0.5063291 2.605089 -2.605089 0.0 0.0 0.0 0.0
//! resource b1 cbuffer 16 words 0.0 0.04 4096 0
//! resource u0 structured_buffer 32 4096 out zero
//! resource t0 structured_buffer 32 4096 is=u0
//! resource t1 texture2d rgba16_sfloat 384 384 1 1 out zero
//! resource t2 texture2d d32_sfloat 384 384 1 1 zero
//! resource t3 texture2d rgba8_unorm 384 384 1 1 out zero
//! resource u1 texture2d rgba8_unorm 64 64 1 1 zero count=4
//! resource t4 texture2d rgba8_unorm 64 64 1 1 is=u1 count=4
//! resource s0 sampler linear linear linear clamp
//! judge spirv
//! tolerance u0 f32 abs=0.00002
//! tolerance t1 f16 ulp=4 abs=0.003
//! tolerance t1 mismatch 100
//! tolerance t3 unorm8 1
//! tolerance t3 mismatch 50
//! pass paint
//! stage cs_6_0 paint_sprites
//! pass start
//! stage cs_6_0 start
//! pass move
//! stage cs_6_0 move
//! pass scene
//! stage vs_6_0 scene_vs
//! stage ps_6_0 scene_ps
//! target t1 clear
//! depth less 1.0 into=t2
//! pass sprites
//! stage vs_6_0 point_vs
//! stage gs_6_0 sprite_gs
//! stage ps_6_0 sprite_ps
//! topology point_list
//! blend dual_source
//! target t1
//! pass tonemap
//! stage vs_6_0 screen_vs
//! stage ps_6_0 tonemap_ps
//! target t3 clear
//! run paint 8 8 4
//! run start 64 1 1
//! update b1 0.04 0.04 4096 0
//! run move 64 1 1
//! update b1 0.08 0.04 4096 1
//! run move 64 1 1
//! update b1 0.12 0.04 4096 2
//! run move 64 1 1
//! update b1 0.16 0.04 4096 3
//! run move 64 1 1
//! update b1 0.2 0.04 4096 4
//! run move 64 1 1
//! update b1 0.24 0.04 4096 5
//! run move 64 1 1
//! update b1 0.28 0.04 4096 6
//! run move 64 1 1
//! update b1 0.32 0.04 4096 7
//! run move 64 1 1
//! update b1 0.36 0.04 4096 8
//! run move 64 1 1
//! update b1 0.4 0.04 4096 9
//! run move 64 1 1
//! run scene 36 10
//! run sprites 4096
//! run tonemap 3
cbuffer Frame : register(b0) {
    float4x4 view_projection;
    float3 eye;
    float screen;
    float4 lens;  // depth scale and offset, x and y scale
};
cbuffer Step : register(b1) {
    float time;
    float delta;
    uint particle_count;
    uint step_number;
};

struct Particle {
    float3 place;
    float age;
    float3 velocity;
    uint kind_and_seed;  // sprite in the two low bits
};

RWStructuredBuffer<Particle> particles_out : register(u0);
StructuredBuffer<Particle> particles : register(t0);
Texture2D<float4> lit : register(t1);
Texture2D<float> scene_depth : register(t2);
Texture2D<float4> sprites[4] : register(t4);
RWTexture2D<float4> sprites_out[4] : register(u1);
SamplerState bilinear : register(s0);

static const float TAU = 6.28318531;

uint hash(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

float unit(uint bits) {
    return (bits >> 8) / 16777216.0;
}

// ---- sprites

[numthreads(8, 8, 1)]
void paint_sprites(uint3 id : SV_DispatchThreadID) {
    float2 at = (id.xy + 0.5) / 32 - 1;
    float far = length(at), angle = atan2(at.y, at.x);
    float4 texel;
    if (id.z == 0) { // glow
        float g = saturate(1 - far);
        texel = float4(1, 1, 1, g * g);
    } else if (id.z == 1) { // puff: lumps around the rim
        float rim = 0.75 + 0.12 * sin(angle * 5 + 1) + 0.08 * sin(angle * 9);
        texel = float4((0.8 + 0.2 * sin(at.x * 7) * sin(at.y * 6)).xxx, smoothstep(rim, rim - 0.5, far) * 0.8);
    } else if (id.z == 2) { // star
        float ray = pow(saturate(1 - far), 2) + 0.15 / (0.1 + abs(at.x * at.y) * 60) * saturate(1 - far);
        texel = float4(1, 0.95, 0.85, saturate(ray));
    } else { // ring
        texel = float4(0.9, 0.95, 1, smoothstep(0.2, 0, abs(far - 0.7)));
    }
    sprites_out[id.z][id.xy] = saturate(texel);
}

// ---- motion

[numthreads(64, 1, 1)]
void start(uint id : SV_DispatchThreadID) {
    uint a = hash(id * 4 + 1), b = hash(id * 4 + 2), c = hash(id * 4 + 3), d = hash(id * 4 + 4);
    uint fountain = id & 7;
    float s, k, sway = unit(b) * TAU;
    sincos(fountain * (TAU / 8) + 0.3, s, k);
    Particle p;
    p.place = float3(k * 2.2, 0.3, s * 2.2);
    float lean = 0.9 * sqrt(unit(c));
    p.velocity = float3(cos(sway) * lean, 4.6 + 1.6 * unit(d), sin(sway) * lean);
    // A particle with a negative age is not yet born.
    p.age = 0.35 - unit(a) * 0.7;
    p.kind_and_seed = (a & ~3u) | (fountain & 3);
    particles_out[id] = p;
}

float3 potential(float3 p) {
    return float3(sin(p.y * 1.7 + p.z * 0.9), sin(p.z * 1.9 + p.x * 1.1), sin(p.x * 1.6 + p.y * 0.8));
}

float3 curl(float3 p) {
    const float e = 0.05;
    float3 dx = potential(p + float3(e, 0, 0)) - potential(p - float3(e, 0, 0));
    float3 dy = potential(p + float3(0, e, 0)) - potential(p - float3(0, e, 0));
    float3 dz = potential(p + float3(0, 0, e)) - potential(p - float3(0, 0, e));
    return float3(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x) / (2 * e);
}

[numthreads(64, 1, 1)]
void move(uint id : SV_DispatchThreadID) {
    if (id >= particle_count) return;
    Particle p = particles_out[id];
    p.age += delta;
    if (p.age > 0) {
        float heavy = (p.kind_and_seed & 3) == 1 ? 0.3 : 1;
        float3 wind = curl(p.place * 0.8 + float3(0, time, 0)) * (1.6 / heavy);
        p.velocity += (wind - p.velocity * 0.9) * delta * 0.7;
        p.velocity.y -= 9.8 * heavy * delta * 0.6;
        p.place += p.velocity * delta;
        if (p.place.y < 0.05 && p.velocity.y < 0) {
            p.place.y = 0.1 - p.place.y;
            p.velocity *= float3(0.7, -0.45, 0.7);
        }
    }
    particles_out[id] = p;
}

// ---- scene: instance 0 is the ground, the others are pillars

struct Solid {
    float4 position : SV_Position;
    float3 world : WORLD;
    float3 normal : NORMAL;
};

Solid scene_vs(uint id : SV_VertexID, uint instance : SV_InstanceID) {
    static const float2 corners[6] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1) };
    uint face = id / 6, axis = face >> 1;
    float2 c = corners[id % 6];
    float side = face & 1 ? 1.0 : -1.0;
    float3 local = axis == 0 ? float3(side, c) : axis == 1 ? float3(c.x, side, c.y) : float3(c, side);
    Solid o;
    o.normal = axis == 0 ? float3(side, 0, 0) : axis == 1 ? float3(0, side, 0) : float3(0, 0, side);
    float3 size = float3(8, 0.2, 8), place = float3(0, -0.2, 0);
    if (instance > 0) {
        float s, k;
        sincos(instance * 0.7, s, k);
        size = float3(0.15, 0.35 + (instance % 4) * 0.22, 0.15);
        place = float3(k * (1.2 + 0.2 * instance), size.y - 0.05, s * (1.2 + 0.2 * instance));
    }
    o.world = local * size + place;
    o.position = mul(view_projection, float4(o.world, 1));
    return o;
}

float4 scene_ps(Solid v) : SV_Target {
    float light = 0.12 + 0.5 * saturate(dot(v.normal, normalize(float3(-0.5, 0.8, -0.6))));
    float2 tile = floor(v.world.xz * 1.5 + 0.01);
    float3 color = v.normal.y > 0.5 && v.world.y < 0.1 ? lerp(float3(0.2, 0.22, 0.26), float3(0.32, 0.33, 0.36), frac((tile.x + tile.y) * 0.5) * 2) : float3(0.5, 0.36, 0.27);
    // Light of the fountains' ring.
    float glow = 0.5 / (0.4 + abs(length(v.world.xz) - 2.2) + v.world.y);
    return float4(color * (light + glow * float3(0.6, 0.35, 0.2)), 1);
}

// ---- sprites

struct Point {
    float3 place : PLACE;
    float3 velocity : VELOCITY;
    float age : AGE;
    uint kind : KIND;
};

Point point_vs(uint id : SV_VertexID) {
    Particle p = particles[id];
    Point o;
    o.place = p.place;
    o.velocity = p.velocity;
    o.age = p.age;
    o.kind = p.kind_and_seed;
    return o;
}

struct Sprite {
    float4 position : SV_Position;
    noperspective float2 uv : TEXCOORD0;
    nointerpolation float4 tint : TINT;     // premultiplied; alpha says how much it covers
    nointerpolation uint kind : KIND;
    float away : AWAY;
};

[maxvertexcount(4)]
[instance(2)]
void sprite_gs(point Point input[1], uint layer : SV_GSInstanceID, uint number : SV_PrimitiveID, inout TriangleStream<Sprite> strip) {
    Point p = input[0];
    const float life = 0.75;
    if (p.age <= 0 || p.age >= life) return;
    float fresh = 1 - p.age / life;
    uint kind = p.kind & 3;
    float size = (kind == 1 ? 0.28 - 0.18 * fresh : 0.05 + 0.05 * fresh) * (0.7 + 0.6 * unit(hash(p.kind)));
    static const float2 corners[4] = { float2(-1, -1), float2(1, -1), float2(-1, 1), float2(1, 1) };
    Sprite o;
    o.kind = kind;
    if (layer == 0) {
        // The shadow grows and pales with height; every second particle throws one.
        if ((number & 1) || p.place.y > 1.5) return;
        float wide = size * (1 + p.place.y);
        o.kind = 0;
        o.tint = float4(0, 0, 0, 0.25 * fresh / (1 + 4 * p.place.y));
        [unroll] for (uint i = 0; i < 4; i++) {
            float3 at = float3(p.place.x + corners[i].x * wide, 0.02, p.place.z + corners[i].y * wide);
            o.position = mul(view_projection, float4(at, 1));
            o.uv = corners[i] * 0.5 + 0.5;
            o.away = o.position.w;
            strip.Append(o);
        }
        return;
    }
    float4 middle = mul(view_projection, float4(p.place, 1));
    if (middle.w < 0.6) return;
    // The quad extends along the motion on the screen, by the distance of 1/50 second.
    float4 ahead = mul(view_projection, float4(p.place + p.velocity * 0.02, 1));
    float2 motion = ahead.xy / ahead.w - middle.xy / middle.w;
    float speed = length(motion);
    float2 along = speed > 1e-5 ? motion / speed : float2(1, 0), across = float2(-along.y, along.x);
    float half_width = size * lens.z / middle.w;
    float half_length = kind == 1 ? half_width : half_width + speed;
    float3 color = kind == 0 ? lerp(float3(1, 0.25, 0.05), float3(1, 0.8, 0.4), fresh) : kind == 1 ? float3(0.55, 0.58, 0.62) : kind == 2 ? float3(0.6, 0.8, 1) : float3(0.5, 1, 0.6);
    float cover = kind == 1 ? 0.35 * fresh : 0.15 * fresh;
    float light = kind == 1 ? cover * 0.6 : 1.2 * fresh;
    o.tint = float4(color * light, cover);
    o.away = middle.w;
    [unroll] for (uint i = 0; i < 4; i++) {
        float2 offset = along * corners[i].x * half_length + across * corners[i].y * half_width;
        o.position = float4((middle.xy / middle.w + offset) * middle.w, middle.zw);
        o.uv = corners[i] * 0.5 + 0.5;
        strip.Append(o);
    }
    strip.RestartStrip();
}

struct Blended {
    float4 source : SV_Target0;
    float4 rest : SV_Target1;
};

Blended sprite_ps(Sprite v) {
    float4 texel = sprites[NonUniformResourceIndex(v.kind)].Sample(bilinear, v.uv);
    float behind = lens.y / (scene_depth.Load(int3(v.position.xy, 0)) - lens.x);
    float soft = saturate((behind - v.away) * 5 + (v.tint.a > 0 && dot(v.tint.rgb, 1) == 0 ? 0.5 : 0));
    if (soft * texel.a < 1 / 512.0) discard;
    float weight = texel.a * soft;
    Blended o;
    o.source = float4(texel.rgb * v.tint.rgb * weight, 0);
    o.rest = 1 - v.tint.a * weight;
    return o;
}

// ---- picture

float4 screen_vs(uint id : SV_VertexID) : SV_Position {
    return float4(float2(id << 1 & 2, id & 2) * 2 - 1, 0, 1);
}

float4 tonemap_ps(float4 position : SV_Position) : SV_Target {
    float3 x = lit.Load(int3(position.xy, 0)).rgb;
    return float4(sqrt(saturate(1 - exp(-x * 1.3))), 1);
}
