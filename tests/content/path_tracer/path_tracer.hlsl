// A path tracer: 512 spheres and a floor, four materials, sky and sun, 256 x 256 pixels, two frames
// that add up, then a filter and tone mapping. Passes: `scene` (spheres in Morton order, so that a
// complete binary tree over them is a good one), `refit` (its boxes, one group, level by level
// through memory), `primary` (what each pixel's centre sees), `trace` (paths of up to five bounces,
// sun by shadow rays, Russian roulette), `filter` (edge-stopping), `resolve`. Compared: first hits
// of 2,048 scattered pixels (u6) with a model that tests every sphere in f64; the tree (u1), all
// first hits (u3), the sum of light (u4) and the picture (u5) with DXC's SPIR-V. What decides where
// a path goes is `precise`, so hits and tree agree with DXC's SPIR-V bit for bit, and light does
// but for the order of a few products. A first hit's distance of some 10 has 2^-18 of rounding,
// beside the model; rays that graze a sphere are not compared there.
//! resource b0 cbuffer 64 words 4.0 2.6 -7.5 0.0 0.35 0.75 -0.56 1.1 512 0 256
//! resource t0 structured_buffer 32 512 random_f32 1001 0.0 1.0
//! resource t1 texture2d rgba32_sfloat 32 16 1 1 random_f32 1002 0.3 0.9
//! resource s0 sampler linear linear nearest clamp
//! resource u0 structured_buffer 32 512 zero
//! resource u1 structured_buffer 24 1024 out zero
//! resource u3 structured_buffer 8 65536 out zero
//! resource u4 texture2d rgba32_sfloat 256 256 1 1 out zero
//! resource t4 texture2d rgba32_sfloat 256 256 1 1 is=u4
//! resource u5 texture2d rgba8_unorm 256 256 1 1 out zero
//! resource u6 structured_buffer 8 2048 out zero
//! resource u7 texture2d rgba16_sfloat 256 256 1 1 zero
//! resource t7 texture2d rgba16_sfloat 256 256 1 1 is=u7
//! require storage_image_read_without_format storage_image_write_without_format
//! judge expect
//! judge spirv
//! tolerance u6 f32 abs=4e-5
//! tolerance u4 f32 abs=4e-5
//! tolerance u5 unorm8 1
//! pass scene
//! stage cs_6_0 make_scene
//! pass refit
//! stage cs_6_0 refit
//! pass primary
//! stage cs_6_0 primary
//! pass trace
//! stage cs_6_0 trace
//! pass filter
//! stage cs_6_0 filter
//! pass resolve
//! stage cs_6_0 resolve
//! pass probe
//! stage cs_6_0 probe
//! run scene 8 1 1
//! run refit 1 1 1
//! run primary 32 32 1
//! run trace 32 32 1
//! update b0 4.0 2.6 -7.5 0.0 0.35 0.75 -0.56 1.1 512 1
//! run trace 32 32 1
//! run filter 32 32 1
//! run resolve 32 32 1
//! run probe 8 1 1

cbuffer View : register(b0) {
    float3 eye;
    float3 to_sun;
    float focal;
    uint sphere_count;
    uint frame;
    uint resolution;
};

struct Sphere {
    float3 center;
    float radius;
    float3 color;
    uint material;
};

struct Node {
    float3 low;
    float3 high;
};

struct Hit {
    float distance;
    uint id; // of a sphere, FLOOR or NOTHING
};

static const uint NOTHING = 0xffff;
static const uint FLOOR = 0xfffe;
static const uint LEAVES = 512;
static const float FAR = 1e4;
static const uint SAMPLES = 2;
static const uint BOUNCES = 5;

static const uint DIFFUSE = 0;
static const uint METAL = 1;
static const uint GLASS = 2;
static const uint LAMP = 3;

StructuredBuffer<float> random : register(t0); // eight per sphere
Texture2D<float4> sky : register(t1);
Texture2D<float4> light : register(t4);
Texture2D<float4> filtered : register(t7);
SamplerState clamped : register(s0);
RWStructuredBuffer<Sphere> spheres : register(u0);
globallycoherent RWStructuredBuffer<Node> nodes : register(u1); // children of n: 2n, 2n + 1; leaves from LEAVES on
RWStructuredBuffer<float2> first_hits : register(u3);           // distance, id
RWTexture2D<float4> light_out : register(u4);
RWTexture2D<unorm float4> picture : register(u5);
RWStructuredBuffer<float2> probes : register(u6);
RWTexture2D<float4> filtered_out : register(u7);

// ---- scene ----

// Gathers every third bit.
uint compact3(uint bits) {
    bits &= 0x09249249;
    bits = (bits ^ bits >> 2) & 0x030c30c3;
    bits = (bits ^ bits >> 4) & 0x0300f00f;
    bits = (bits ^ bits >> 8) & 0xff0000ff;
    return (bits ^ bits >> 16) & 0x3ff;
}

[numthreads(64, 1, 1)]
void make_scene(uint index : SV_DispatchThreadID) {
    if (index >= sphere_count)
        return;
    float r[8];
    [unroll] for (uint i = 0; i < 8; i++)
        r[i] = random[index * 8 + i];
    Sphere sphere;
    float3 cell = float3(compact3(index), compact3(index >> 1), compact3(index >> 2));
    // The spheres must be the same to the last bit with every compiler, because paths between them
    // are chaotic.
    precise float radius = r[3] * r[3] * 0.4 + 0.08;
    precise float3 center = cell + 0.5 + (float3(r[0], r[1], r[2]) - 0.5) * (1 - 2 * radius);
    precise float3 color = 0.25 + 0.7 * float3(r[4], r[5], r[6]);
    sphere.radius = radius;
    sphere.center = center;
    sphere.color = color;
    sphere.material = r[7] < 0.5 ? DIFFUSE : r[7] < 0.75 ? METAL : r[7] < 0.92 ? GLASS : LAMP;
    spheres[index] = sphere;
}

[numthreads(LEAVES, 1, 1)]
void refit(uint thread : SV_GroupIndex) {
    Sphere sphere = spheres[thread];
    Node leaf = { sphere.center - sphere.radius, sphere.center + sphere.radius };
    nodes[LEAVES + thread] = leaf;
    [loop] for (uint level = LEAVES / 2; level > 0; level /= 2) {
        AllMemoryBarrierWithGroupSync();
        if (thread < level) {
            Node left = nodes[(level + thread) * 2], right = nodes[(level + thread) * 2 + 1];
            Node both = { min(left.low, right.low), max(left.high, right.high) };
            nodes[level + thread] = both;
        }
    }
}

// ---- rays ----

struct Ray {
    float3 origin;
    float3 direction;
};

// Paths are chaotic, so the values that decide their course are `precise` and computed with
// operations that every compiler keeps. A different rounding at the first bounce would give another
// picture at the fifth.
float precise_dot(float3 a, float3 b) {
    precise float sum = (a.x * b.x + a.y * b.y) + a.z * b.z;
    return sum;
}

float3 unit(float3 a) {
    precise float3 result = a / sqrt(precise_dot(a, a));
    return result;
}

float3 reflected(float3 a, float3 normal) {
    precise float3 result = a - normal * (precise_dot(a, normal) * 2);
    return result;
}

// The result is zero for total internal reflection.
float3 refracted(float3 a, float3 normal, float index) {
    float cosine = precise_dot(a, normal);
    precise float rest = 1 - (1 - cosine * cosine) * (index * index);
    precise float3 result = a * index - normal * (cosine * index + sqrt(max(rest, 0)));
    return rest < 0 ? 0 : result;
}

float hit_sphere(Ray ray, float3 center, float radius, float nearest, float farthest) {
    precise float3 to_center = center - ray.origin;
    float along = precise_dot(to_center, ray.direction);
    precise float3 beside = to_center - ray.direction * along;
    precise float rest = radius * radius - precise_dot(beside, beside);
    if (rest < 0)
        return FAR;
    precise float half_chord = sqrt(rest);
    precise float entering = along - half_chord, leaving = along + half_chord;
    if (entering > nearest && entering < farthest)
        return entering;
    return leaving > nearest && leaving < farthest ? leaving : FAR;
}

// The distance at which a ray enters a box, FAR if it does not before `farthest`.
float enter_box(Ray ray, float3 inverse, Node node, float farthest) {
    precise float3 a = (node.low - ray.origin) * inverse, b = (node.high - ray.origin) * inverse;
    float3 near_sides = min(a, b), far_sides = max(a, b);
    float entering = max(max(near_sides.x, near_sides.y), max(near_sides.z, 0));
    float leaving = min(min(far_sides.x, far_sides.y), min(far_sides.z, farthest));
    return entering <= leaving ? entering : FAR;
}

// The nearest hit, or with `any_hit` the first hit that is found.
Hit cast(Ray ray, float nearest, bool any_hit) {
    Hit hit = { FAR, NOTHING };
    if (ray.direction.y < 0) {
        precise float distance = -ray.origin.y / ray.direction.y;
        if (distance > nearest) {
            hit.distance = distance;
            hit.id = FLOOR;
            if (any_hit)
                return hit;
        }
    }
    precise float3 inverse = 1 / ray.direction;
    uint stack[16];
    uint depth = 0;
    uint node = 1;
    [loop] while (true) {
        if (node >= LEAVES) {
            uint id = node - LEAVES;
            float distance = hit_sphere(ray, spheres[id].center, spheres[id].radius, nearest, hit.distance);
            if (distance < hit.distance) {
                hit.distance = distance;
                hit.id = id;
                if (any_hit)
                    break;
            }
        } else {
            uint left = node * 2, right = left + 1;
            float to_left = enter_box(ray, inverse, nodes[left], hit.distance);
            float to_right = enter_box(ray, inverse, nodes[right], hit.distance);
            bool left_first = to_left <= to_right;
            float nearer = left_first ? to_left : to_right, farther = left_first ? to_right : to_left;
            if (nearer < FAR) {
                if (farther < FAR)
                    stack[depth++] = left_first ? right : left;
                node = left_first ? left : right;
                continue;
            }
        }
        if (depth == 0)
            break;
        node = stack[--depth];
    }
    return hit;
}

// ---- randomness ----

struct Random {
    uint state;
    // PCG: a step of a linear generator, and an output that its top bits permute.
    float next() {
        state = state * 747796405u + 2891336453u;
        uint word = (state >> ((state >> 28) + 4) ^ state) * 277803737u;
        return ((word >> 22 ^ word) >> 8) * (1.0 / 16777216.0);
    }
};

float3 on_sphere(inout Random random) {
    precise float z = random.next() * 2 - 1, turn = random.next() * 6.2831853;
    precise float across = sqrt(max(1 - z * z, 0));
    precise float3 result = float3(across * cos(turn), across * sin(turn), z);
    return result;
}

// ---- light ----

float3 sky_light(float3 direction) {
    // Octahedral: the upper half of directions over the texture.
    float2 place = direction.xz / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    return sky.SampleLevel(clamped, place * 0.5 + 0.5, 0).rgb * float3(0.7, 0.85, 1);
}

float schlick(float cosine, float index) {
    float straight = (1 - index) / (1 + index);
    straight *= straight;
    precise float rest = 1 - cosine, squared = rest * rest;
    precise float result = straight + (1 - straight) * (squared * squared * rest);
    return result;
}

Ray camera_ray(float2 pixel) {
    precise float2 screen = (pixel / resolution * 2 - 1) * float2(1, -1);
    Ray ray = { eye, unit(float3(screen, focal * 2)) };
    return ray;
}

float3 path(Ray ray, inout Random random) {
    float3 sum = 0, weight = 1;
    [loop] for (uint bounce = 0; bounce < BOUNCES; bounce++) {
        Hit hit = cast(ray, 1e-3, false);
        if (hit.id == NOTHING) {
            sum += weight * sky_light(ray.direction);
            break;
        }
        precise float3 position = ray.origin + ray.direction * hit.distance;
        precise float3 normal = float3(0, 1, 0);
        float3 color;
        uint material = DIFFUSE;
        if (hit.id == FLOOR) {
            int2 squares = (int2)floor(position.xz);
            color = ((squares.x + squares.y) & 1) != 0 ? 0.8 : 0.3;
        } else {
            Sphere sphere = spheres[hit.id];
            normal = (position - sphere.center) / sphere.radius;
            color = sphere.color;
            material = sphere.material;
        }

        bool inside = precise_dot(normal, ray.direction) > 0;
        float3 facing = inside ? -normal : normal;
        precise float3 next;
        [branch] switch (material) {
            case METAL: {
                next = reflected(ray.direction, facing) + on_sphere(random) * (0.15 * color.g);
                if (precise_dot(next, facing) <= 0)
                    return sum;
                weight *= color;
                break;
            }
            case GLASS: {
                float index = inside ? 1.5 : 1 / 1.5;
                next = refracted(ray.direction, facing, index);
                float mirrored = schlick(saturate(-precise_dot(ray.direction, facing)), 1.5);
                if (all(next == 0) || random.next() < mirrored)
                    next = reflected(ray.direction, facing);
                else if (inside)
                    weight *= exp(-hit.distance * (1 - color)); // Beer's law
                break;
            }
            case LAMP:
                return sum + weight * color * 4;
            default: {
                weight *= color;
                float cosine = dot(facing, to_sun);
                if (cosine > 0) {
                    Ray shadow = { position, to_sun };
                    if (cast(shadow, 1e-3, true).id == NOTHING)
                        sum += weight * cosine * 1.5;
                }
                next = facing + on_sphere(random) * 0.999;
                break;
            }
        }
        ray.origin = position;
        ray.direction = unit(next);

        // Russian roulette from the third bounce on.
        if (bounce >= 2) {
            float survives = min(max(weight.r, max(weight.g, weight.b)), 0.95);
            if (random.next() >= survives)
                break;
            weight /= survives;
        }
    }
    return sum;
}

[numthreads(8, 8, 1)]
void trace(uint2 pixel : SV_DispatchThreadID) {
    Random random = { (pixel.x | pixel.y << 12) ^ frame * 0x9e3779b9u };
    float3 sum = 0;
    for (uint i = 0; i < SAMPLES; i++) {
        random.next();
        float2 offset = float2(random.next(), random.next());
        // A path's light is bounded, so that a few do not outshine the rest.
        sum += min(path(camera_ray(pixel + offset), random), 8);
    }
    light_out[pixel] += float4(sum, SAMPLES);
}

[numthreads(8, 8, 1)]
void primary(uint2 pixel : SV_DispatchThreadID) {
    Hit hit = cast(camera_ray((float2)pixel + 0.5), 1e-3, false);
    first_hits[pixel.x + pixel.y * resolution] = float2(hit.distance, hit.id);
}

// ---- filter and picture ----

static const float KERNEL[3] = { 0.375, 0.25, 0.0625 };

[numthreads(8, 8, 1)]
void filter(uint2 pixel : SV_DispatchThreadID) {
    float2 here = first_hits[pixel.x + pixel.y * resolution];
    float3 sum = 0;
    float weights = 0;
    for (int y = -2; y <= 2; y++) {
        for (int x = -2; x <= 2; x++) {
            int2 at = (int2)pixel + int2(x, y);
            if (any(at < 0) || any(at >= (int2)resolution))
                continue;
            float2 there = first_hits[at.x + at.y * resolution];
            if (there.y != here.y)
                continue;
            float weight = KERNEL[abs(x)] * KERNEL[abs(y)] * exp2(-8 * abs(there.x - here.x));
            float4 value = light.Load(int3(at, 0));
            sum += value.rgb / value.a * weight;
            weights += weight;
        }
    }
    filtered_out[pixel] = float4(sum / weights, 1);
}

[numthreads(8, 8, 1)]
void resolve(uint2 pixel : SV_DispatchThreadID) {
    float3 color = filtered.Load(int3(pixel, 0)).rgb * 0.8;
    // Narkowicz's fit of the film curve, then sRGB's.
    color = saturate(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14));
    color = color <= 0.0031308 ? color * 12.92 : 1.055 * pow(color, 1 / 2.4) - 0.055;
    picture[pixel] = float4(color, 1);
}

[numthreads(256, 1, 1)]
void probe(uint index : SV_DispatchThreadID) {
    probes[index] = first_hits[index * 2654435761u >> 16];
}
