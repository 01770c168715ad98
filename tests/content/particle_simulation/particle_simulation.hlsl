// A particle system on the GPU: a pool of 32,768, twelve frames that emit 2,048 each, a field of
// wind in a volume texture, ground in a height map. Passes: `init` (all places into the list of
// dead ones, a structured buffer with a hidden counter), `emit` (takes places from it, hashes make
// the state), `simulate` (ages, forces, bounces; the dying go back to the list, the living into the
// other of two lists), `end_frame`, `finish` (state by number of birth), `probe`. Which place a
// particle gets is not defined; all of its state follows from its number of birth, by which it is
// compared: every state with DXC's SPIR-V (u5, u6), every eighth (u7) and the exact counts of the
// living and the dead (u4, c1) with a model in f64. Tolerances: a velocity of up to 4 and forces of
// up to 10 over ten steps in f32, below 2^-15. They hold on a driver that filters in f32; one that
// rounds a sampler's weights to 8 bits, as it may, differs by up to 2^-8 in a step's wind, and
// agrees with DXC's SPIR-V alone.
//! resource b0 cbuffer 64 words 0 0.02 2048 9
//! resource b1 cbuffer 64 words 0.9 0.75 0.2 1.0 1.0 0.3 0.05 0.8 0.2 0.1 0.4 0.0
//! resource t0 texture2d r32_sfloat 32 32 1 1 random_f32 901 0.0 0.1
//! resource t1 texture3d rgba16_sfloat 16 16 16 1 random_f16 902 -1.0 1.0
//! resource s0 sampler linear linear nearest clamp
//! resource s1 sampler linear linear nearest repeat
//! resource u0 structured_buffer 40 32768 zero
//! resource u1 structured_buffer 4 32768 zero
//! resource c1 raw_buffer 4 out zero
//! resource u2 raw_buffer 131072 zero count=2
//! resource u4 raw_buffer 16 out zero
//! resource u5 structured_buffer 28 24576 out zero
//! resource u6 typed_buffer rgba8_unorm 24576 out zero
//! resource u7 structured_buffer 28 3072 out zero
//! require storage_image_write_without_format
//! judge expect
//! judge spirv
//! tolerance u5 f32 abs=4e-5
//! tolerance u6 unorm8 2
//! tolerance u7 f32 abs=4e-5
//! pass init
//! stage cs_6_0 init
//! pass emit
//! stage cs_6_0 emit
//! pass simulate
//! stage cs_6_0 simulate
//! pass end_frame
//! stage cs_6_0 end_frame
//! pass finish
//! stage cs_6_0 finish
//! pass probe
//! stage cs_6_0 probe
//! run init 128 1 1
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 1
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 2
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 3
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 4
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 5
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 6
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 7
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 8
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 9
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 10
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! update b0 11
//! run emit 16 1 1
//! run simulate 256 1 1
//! run end_frame 1 1 1
//! run finish 256 1 1
//! run probe 12 1 1

static const uint CAPACITY = 32768;
static const float GRAVITY = -4.0;
static const float DRAG = 0.6;
static const float BOUNCE = 0.55;

cbuffer Frame : register(b0) {
    uint frame;
    float frame_time;
    uint emitted_per_frame;
    uint seed;
};

cbuffer Look : register(b1) {
    float4 young; // colors over a life
    float4 grown;
    float4 old;
};

struct Particle {
    float3 position;
    float age;
    float3 velocity;
    float lifetime;
    uint birth;
    uint emitter;
};

struct State {
    float3 position;
    float age;
    float3 velocity;
};

Texture2D<float> ground : register(t0);
Texture3D<float4> winds : register(t1);
SamplerState clamped : register(s0);
SamplerState repeated : register(s1);
RWStructuredBuffer<Particle> particles : register(u0);
[[vk::counter_binding(1001)]] AppendStructuredBuffer<uint> dead_out : register(u1);
[[vk::counter_binding(1001)]] ConsumeStructuredBuffer<uint> dead_in : register(u1);
RWByteAddressBuffer living[2] : register(u2); // this frame's and the next one's
RWByteAddressBuffer counts : register(u4);         // living, living in the next frame, born, died
RWStructuredBuffer<State> states : register(u5);
RWBuffer<unorm float4> colors : register(u6);
RWStructuredBuffer<State> probes : register(u7);

[numthreads(256, 1, 1)]
void init(uint index : SV_DispatchThreadID) {
    dead_out.Append(CAPACITY - 1 - index);
}

// ---- birth ----

uint mix(uint value) {
    value = (value ^ value >> 16) * 0x7feb352du;
    value = (value ^ value >> 15) * 0x846ca68bu;
    return value ^ value >> 16;
}

struct Random {
    uint state;
    // A number of 24 random bits in [0, 1).
    float next() {
        state = mix(state + 0x9e3779b9u);
        return (state >> 8) * (1.0 / 16777216.0);
    }
    // A random number in [-1, 1).
    float both() {
        return next() * 2 - 1;
    }
};

[numthreads(128, 1, 1)]
void emit(uint index : SV_DispatchThreadID) {
    if (index >= emitted_per_frame)
        return;
    Particle particle;
    particle.birth = frame * emitted_per_frame + index;
    particle.emitter = particle.birth & 3;
    Random random = { mix(particle.birth + seed * 0x10001u) };
    particle.age = 0;
    precise float lifetime = random.next() * 0.25 + 0.05;
    particle.lifetime = lifetime;
    float2 spread = float2(random.both(), random.both());
    switch (particle.emitter) {
        case 0: // a fountain
            particle.position = float3(spread.x * 0.02, 0.12, spread.y * 0.02);
            particle.velocity = float3(spread.x, 2 + random.next(), spread.y);
            break;
        case 1: { // a ring
            float2 direction;
            sincos(spread.x * 3.14159265, direction.y, direction.x);
            particle.position = float3(direction.x * 0.4, 0.15, direction.y * 0.4);
            particle.velocity = float3(-direction.y, 0.5 * random.next(), direction.x) * 1.5;
            break;
        }
        case 2: // rain
            particle.position = float3(spread.x * 0.9, 0.3 + random.next() * 0.3, spread.y * 0.9);
            particle.velocity = float3(0, -2, 0);
            break;
        default: // sparks from a point, the fast ones few
            particle.position = float3(-0.5, 0.2, 0.5);
            particle.velocity = normalize(float3(spread, 1.5)) * (0.5 + 3 * pow(random.next(), 4));
            break;
    }
    uint place = dead_in.Consume();
    particles[place] = particle;
    uint number;
    counts.InterlockedAdd(0, 1, number);
    living[frame & 1].Store(number * 4, place);
    counts.InterlockedAdd(8, 1);
}

// ---- life ----

float height_at(float2 xz) {
    return ground.SampleLevel(clamped, xz * 0.5 + 0.5, 0);
}

float3 ground_normal(float2 xz) {
    const float step = 1.0 / 16;
    float along_x = height_at(xz + float2(step, 0)) - height_at(xz - float2(step, 0));
    float along_z = height_at(xz + float2(0, step)) - height_at(xz - float2(0, step));
    return normalize(float3(-along_x, 2 * step, -along_z));
}

// One step of a particle; false: it died.
bool advance(inout Particle particle) {
    precise float age = particle.age + frame_time;
    particle.age = age;
    if (age >= particle.lifetime)
        return false;
    float3 wind = winds.SampleLevel(repeated, particle.position * 0.5, 0).xyz;
    float3 force = wind * 3 - particle.velocity * DRAG;
    force.y += particle.emitter == 3 ? 0 : GRAVITY; // sparks float
    particle.velocity += force * frame_time;
    particle.position += particle.velocity * frame_time;
    float below = height_at(particle.position.xz) - particle.position.y;
    if (below > 0) {
        float3 normal = ground_normal(particle.position.xz);
        particle.position.y += below;
        if (dot(particle.velocity, normal) < 0)
            particle.velocity = reflect(particle.velocity, normal) * BOUNCE;
    }
    return true;
}

[numthreads(64, 1, 1)]
void simulate(uint index : SV_DispatchThreadID) {
    uint count = counts.Load(0);
    for (uint at = index; at < count; at += 256 * 64) {
        uint place = living[frame & 1].Load(at * 4);
        Particle particle = particles[place];
        bool lives = advance(particle);
        if (!lives) {
            dead_out.Append(place);
            counts.InterlockedAdd(12, 1);
            continue;
        }
        particles[place] = particle;
        // The lanes of living particles reserve their places in the next list together.
        uint number = WaveActiveCountBits(true), before = WavePrefixCountBits(true);
        uint first = 0;
        if (WaveIsFirstLane())
            counts.InterlockedAdd(4, number, first);
        living[~frame & 1].Store((WaveReadLaneFirst(first) + before) * 4, place);
    }
}

[numthreads(1, 1, 1)]
void end_frame() {
    counts.Store2(0, uint2(counts.Load(4), 0));
}

// ---- the check, and what drawing would read ----

min16float4 color_of(Particle particle) {
    min16float life = (min16float)(particle.age / particle.lifetime);
    min16float4 color;
    if (life < (min16float)0.5)
        color = lerp((min16float4)young, (min16float4)grown, life * (min16float)2);
    else
        color = lerp((min16float4)grown, (min16float4)old, life * (min16float)2 - (min16float)1);
    color.a *= (min16float)1 - life * life;
    return color;
}

[numthreads(64, 1, 1)]
void finish(uint index : SV_DispatchThreadID) {
    uint count = counts.Load(0);
    for (uint at = index; at < count; at += 256 * 64) {
        // The next frame would read this list.
        Particle particle = particles[living[~frame & 1].Load(at * 4)];
        State state = { particle.position, particle.age, particle.velocity };
        states[particle.birth] = state;
        colors[particle.birth] = (float4)color_of(particle);
    }
}

[numthreads(256, 1, 1)]
void probe(uint index : SV_DispatchThreadID) {
    probes[index] = states[index * 8 + (index & 7)];
}
