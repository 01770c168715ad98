// A path tracer of a room with a lamp, a cut-out screen and two spheres, as a ray-tracing pipeline.
// The shader records hold the colours and textures of surfaces (docs/libraries.md).
#include "rays.hlsli"

GlobalRootSignature everything = {
    "SRV(t0), DescriptorTable(UAV(u0))"
};
LocalRootSignature surface_record = {
    "RootConstants(num32BitConstants = 8, b0, space = 2), DescriptorTable(SRV(t0, space = 2))"
};
SubobjectToExportsAssociation of_surfaces = { "surface_record", "wall;ball;cut_out" };
TriangleHitGroup walls = { "", "wall" };
TriangleHitGroup screens = { "cut_out", "wall" };
ProceduralPrimitiveHitGroup balls = { "", "ball", "meet_ball" };
RaytracingShaderConfig sizes = { 48, 12 };
RaytracingPipelineConfig depth = { 2 };
RaytracingAccelerationStructure scene : register(t0);
RWTexture2D<unorm float4> picture : register(u0);
// The pattern of the record's surface: the bricks of the back wall, or the holes of the screen.
Texture2D<float4> pattern : register(t0, space2);

// The constants of a surface's record.
struct Record {
    float3 colour;
    uint scatters;
    float3 normal;
    // Whether the surface has a pattern.
    uint pattern;
};
ConstantBuffer<Record> record : register(b0, space2);

struct Payload {
    Surface surface;
    uint state;
    float lit;
};
struct Shadow {
    float lit;
};
struct BallHit {
    float3 normal;
};
struct Scatter {
    float3 direction;
    uint state;
    float3 normal;
};

float4 texel(float2 at) {
    float2 size = 16.0;
    return pattern.Load(int3(int2(min(at * size, size - 1.0)), 0));
}

[shader("raygeneration")]
void generate() {
    uint2 pixel = DispatchRaysIndex().xy;
    uint2 size = DispatchRaysDimensions().xy;
    float3 sum = 0.0;
    for (uint index = 0; index < SAMPLES; index++) {
        Eye eye = camera(pixel, size, index);
        float3 weight = 1.0;
        RayDesc ray;
        ray.Origin = CAMERA;
        ray.Direction = eye.direction;
        ray.TMin = START;
        ray.TMax = FAR;
        Payload payload = (Payload)0;
        payload.state = eye.state;
        bool direct = true;
        for (uint bounce = 0; bounce < BOUNCES; bounce++) {
            payload.lit = 0.0;
            TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
            if (payload.surface.distance < 0.0) {
                break;
            }
            weight *= payload.surface.colour;
            if (payload.surface.scatters == LAMP) {
                // The lamp's light on matt surfaces is counted where it falls on them. Light that a
                // mirror throws on them is left out.
                if (direct) {
                    sum += weight * LAMP_LIGHT;
                }
                break;
            }
            sum += weight * payload.lit * LAMP_LIGHT;
            Scatter scatter;
            scatter.direction = ray.Direction;
            scatter.state = payload.state;
            scatter.normal = payload.surface.normal;
            CallShader(payload.surface.scatters, scatter);
            direct = direct && payload.surface.scatters == MIRROR;
            payload.state = scatter.state;
            ray.Origin = ray.Origin + ray.Direction * payload.surface.distance;
            ray.Direction = scatter.direction;
        }
    }
    picture[pixel] = exposed(sum * (1.0 / float(SAMPLES)));
}

// The parts of both closest-hit shaders.
void shade(inout Payload payload, float3 normal, float3 colour) {
    normal = dot(normal, WorldRayDirection()) > 0.0 ? -normal : normal;
    payload.surface.normal = normal;
    payload.surface.colour = colour;
    payload.surface.distance = RayTCurrent();
    payload.surface.scatters = record.scatters;
    payload.lit = 0.0;
    if (record.scatters != MATT) {
        return;
    }
    float3 spot = WorldRayOrigin() + WorldRayDirection() * RayTCurrent();
    float3 to_lamp = on_lamp(payload.state) - spot;
    float square = dot(to_lamp, to_lamp);
    RayDesc ray;
    ray.Origin = spot;
    ray.Direction = to_lamp * (1.0 / sqrt(square));
    ray.TMin = START;
    ray.TMax = sqrt(square) - 2.0 * START;
    float share = from_lamp(normal, ray.Direction, square);
    if (share > 0.0) {
        Shadow shadow = { 0.0 };
        TraceRay(scene, RAY_FLAG_SKIP_CLOSEST_HIT_SHADER | RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0xff, 0, 1, 1, ray, shadow);
        payload.lit = share * shadow.lit;
    }
}

[shader("closesthit")]
void wall(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    float3 colour = record.colour;
    if (record.pattern != 0) {
        colour *= texel(place(PrimitiveIndex(), hit.barycentrics)).xyz;
    }
    shade(payload, normalize(mul((float3x3)ObjectToWorld3x4(), record.normal)), colour);
}

[shader("closesthit")]
void ball(inout Payload payload, BallHit hit) {
    shade(payload, normalize(mul((float3x3)ObjectToWorld3x4(), hit.normal)), record.colour);
}

[shader("anyhit")]
void cut_out(inout Payload payload, BuiltInTriangleIntersectionAttributes hit) {
    if (texel(place(PrimitiveIndex(), hit.barycentrics)).w < 0.5) {
        IgnoreHit();
    }
}

[shader("intersection")]
void meet_ball() {
    float t = sphere(ObjectRayOrigin(), ObjectRayDirection(), RayTMin(), RayTCurrent());
    if (t >= 0.0) {
        BallHit hit = { ObjectRayOrigin() + ObjectRayDirection() * t };
        ReportHit(t, 0, hit);
    }
}

[shader("miss")]
void nothing(inout Payload payload) {
    payload.surface.distance = -1.0;
}

[shader("miss")]
void unshadowed(inout Shadow shadow) {
    shadow.lit = 1.0;
}

[shader("callable")]
void matt(inout Scatter scatter) {
    scatter.direction = normalize(scatter.normal + any_direction(scatter.state));
}

[shader("callable")]
void mirror(inout Scatter scatter) {
    scatter.direction = reflect(scatter.direction, scatter.normal);
}
