// What both forms of the scene share: random numbers, the camera, and how surfaces scatter light.
// `tests/demo/src/rays/reference.rs` computes the same on the CPU, line by line.

static const uint SAMPLES = 16;
static const uint BOUNCES = 5;
static const float FAR = 100.0;
// Rays start this far from the surface that they leave.
static const float START = 0.001;

// The lamp: a rectangle below the ceiling that shines downwards.
static const float3 LAMP_CORNER = float3(-0.35, 0.995, -0.35);
static const float3 LAMP_SIDES = float3(0.7, 0.0, 0.7);
static const float LAMP_AREA = 0.49;
static const float3 LAMP_LIGHT = float3(14.0, 12.0, 9.0);

// How a surface scatters light.
static const uint MATT = 0;
static const uint MIRROR = 1;
static const uint LAMP = 2;

// PCG hash (Jarzynski and Olano, «Hash Functions for GPU Rendering»).
uint hash(uint value) {
    uint state = value * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

// A number in [0, 1) with 24 bits, and the next state.
float next(inout uint state) {
    state = hash(state);
    return float(state >> 8) * (1.0 / 16777216.0);
}

// A direction whose distribution is uniform, by rejection of points outside the sphere.
float3 any_direction(inout uint state) {
    for (uint i = 0; i < 16; i++) {
        float x = next(state) * 2.0 - 1.0;
        float y = next(state) * 2.0 - 1.0;
        float z = next(state) * 2.0 - 1.0;
        float3 spot = float3(x, y, z);
        float square = dot(spot, spot);
        if (square <= 1.0 && square > 0.01) {
            return spot * (1.0 / sqrt(square));
        }
    }
    return float3(0, 0, 1);
}

// A surface where a ray hit it.
struct Surface {
    float3 normal;
    float distance;
    float3 colour;
    uint scatters;
};

// What the ray sees from the camera, and the state of its random numbers.
struct Eye {
    float3 direction;
    uint state;
};

static const float3 CAMERA = float3(0.0, 0.0, 3.4);

Eye camera(uint2 pixel, uint2 size, uint index) {
    Eye eye;
    eye.state = hash(pixel.x + size.x * (pixel.y + size.y * index));
    float x = (float(pixel.x) + next(eye.state)) / float(size.x) * 2.0 - 1.0;
    float y = 1.0 - (float(pixel.y) + next(eye.state)) / float(size.y) * 2.0;
    eye.direction = normalize(float3(x * 0.45, y * 0.45, -1.0));
    return eye;
}

// A point of the lamp.
float3 on_lamp(inout uint state) {
    float u = next(state);
    float v = next(state);
    return LAMP_CORNER + float3(u, 0.0, v) * LAMP_SIDES;
}

// The share of the lamp's light that a matt surface sends on, if nothing is between the two.
float from_lamp(float3 normal, float3 towards, float square) {
    float at_surface = dot(normal, towards);
    float at_lamp = towards.y;
    if (at_surface <= 0.0 || at_lamp <= 0.0) {
        return 0.0;
    }
    return at_surface * at_lamp * LAMP_AREA / (square * 3.14159265);
}

// Where a sphere of radius 1 is hit between `least` and `most`; a negative number where it is not.
float sphere(float3 origin, float3 direction, float least, float most) {
    float a = dot(direction, direction);
    float b = dot(origin, direction);
    float c = dot(origin, origin) - 1.0;
    float inside = b * b - a * c;
    if (inside <= 0.0) {
        return -1.0;
    }
    float root = sqrt(inside);
    float near = (-b - root) / a;
    float far = (-b + root) / a;
    if (near > least && near < most) {
        return near;
    }
    return far > least && far < most ? far : -1.0;
}

// The place of a hit on a rectangle of two triangles.
float2 place(uint primitive, float2 barycentrics) {
    float sum = barycentrics.x + barycentrics.y;
    return primitive == 0 ? float2(sum, barycentrics.y) : float2(barycentrics.x, sum);
}

// Square root as gamma, eight bits.
float4 exposed(float3 light) {
    return float4(sqrt(saturate(light)), 1.0);
}
