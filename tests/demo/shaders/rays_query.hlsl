// The scene of `rays.hlsl` by ray queries in a compute shader. Surfaces are in a buffer, by the
// instance's id and the number of the geometry.
#include "rays.hlsli"

#define ROOT_SIGNATURE "SRV(t0), DescriptorTable(UAV(u0)), DescriptorTable(SRV(t0, space = 1, numDescriptors = 2)), SRV(t1)"

struct Record {
    float3 colour;
    uint scatters;
    float3 normal;
    uint pattern;
};

[[vk::binding(0, 2)]] RaytracingAccelerationStructure scene : register(t0);
[[vk::binding(0, 0)]] [[vk::image_format("rgba8")]] RWTexture2D<unorm float4> picture : register(u0);
[[vk::binding(0, 1)]] Texture2D<float4> patterns[2] : register(t0, space1);
[[vk::binding(3, 2)]] StructuredBuffer<Record> records : register(t1);

float4 texel(uint pattern, float2 at) {
    float2 size = 16.0;
    return patterns[NonUniformResourceIndex(pattern)].Load(int3(int2(min(at * size, size - 1.0)), 0));
}

// Runs the query to its end: cut-outs and spheres are decided here.
template <uint FLAGS>
void traverse(RayQuery<FLAGS> query) {
    while (query.Proceed()) {
        if (query.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) {
            Record record = records[query.CandidateInstanceID() + query.CandidateGeometryIndex()];
            float2 at = place(query.CandidatePrimitiveIndex(), query.CandidateTriangleBarycentrics());
            if (texel(record.pattern - 1, at).w >= 0.5) {
                query.CommitNonOpaqueTriangleHit();
            }
        } else {
            float t = sphere(query.CandidateObjectRayOrigin(), query.CandidateObjectRayDirection(), query.RayTMin(), query.CommittedRayT());
            if (t >= 0.0) {
                query.CommitProceduralPrimitiveHit(t);
            }
        }
    }
}

[RootSignature(ROOT_SIGNATURE)]
[numthreads(8, 8, 1)]
void main(uint2 pixel : SV_DispatchThreadID) {
    uint2 size;
    picture.GetDimensions(size.x, size.y);
    if (any(pixel >= size)) {
        return;
    }
    float3 sum = 0.0;
    for (uint index = 0; index < SAMPLES; index++) {
        Eye eye = camera(pixel, size, index);
        uint state = eye.state;
        float3 weight = 1.0;
        RayDesc ray;
        ray.Origin = CAMERA;
        ray.Direction = eye.direction;
        ray.TMin = START;
        ray.TMax = FAR;
        bool direct = true;
        for (uint bounce = 0; bounce < BOUNCES; bounce++) {
            RayQuery<RAY_FLAG_NONE> query;
            query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, ray);
            traverse(query);
            if (query.CommittedStatus() == COMMITTED_NOTHING) {
                break;
            }
            Record record = records[query.CommittedInstanceID() + query.CommittedGeometryIndex()];
            float t = query.CommittedRayT();
            float3 normal = record.normal;
            weight *= record.colour;
            if (query.CommittedStatus() == COMMITTED_PROCEDURAL_PRIMITIVE_HIT) {
                normal = query.CommittedObjectRayOrigin() + query.CommittedObjectRayDirection() * t;
            } else if (record.pattern != 0) {
                float2 at = place(query.CommittedPrimitiveIndex(), query.CommittedTriangleBarycentrics());
                weight *= texel(record.pattern - 1, at).xyz;
            }
            normal = normalize(mul((float3x3)query.CommittedObjectToWorld3x4(), normal));
            normal = dot(normal, ray.Direction) > 0.0 ? -normal : normal;
            if (record.scatters == LAMP) {
                if (direct) {
                    sum += weight * LAMP_LIGHT;
                }
                break;
            }
            ray.Origin = ray.Origin + ray.Direction * t;
            direct = direct && record.scatters == MIRROR;
            if (record.scatters == MIRROR) {
                ray.Direction = reflect(ray.Direction, normal);
                continue;
            }
            float3 to_lamp = on_lamp(state) - ray.Origin;
            float square = dot(to_lamp, to_lamp);
            RayDesc shadow;
            shadow.Origin = ray.Origin;
            shadow.Direction = to_lamp * (1.0 / sqrt(square));
            shadow.TMin = START;
            shadow.TMax = sqrt(square) - 2.0 * START;
            float share = from_lamp(normal, shadow.Direction, square);
            if (share > 0.0) {
                RayQuery<RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH> seen;
                seen.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, shadow);
                traverse(seen);
                if (seen.CommittedStatus() == COMMITTED_NOTHING) {
                    sum += weight * share * LAMP_LIGHT;
                }
            }
            ray.Direction = normalize(normal + any_direction(state));
        }
    }
    picture[pixel] = exposed(sum * (1.0 / float(SAMPLES)));
}
