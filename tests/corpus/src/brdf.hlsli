#ifndef BRDF_HLSLI
#define BRDF_HLSLI
#include "common.hlsli"

struct Surface {
    float3 position, normal, albedo, emissive, f0;
    float roughness, metallic, occlusion, clearcoat, clearcoat_roughness;
    float3 sheen;
    float anisotropy;
    float3 tangent;
};

float ggx_distribution(float nh, float a) {
    float a2 = a * a;
    float f = (nh * a2 - nh) * nh + 1;
    return a2 / (PI * f * f);
}
float ggx_anisotropic(float3 h, float nh, float3 t, float3 b, float at, float ab) {
    float th = dot(t, h), bh = dot(b, h);
    float a2 = at * ab;
    float3 d = float3(ab * th, at * bh, a2 * nh);
    float w = a2 / max(dot(d, d), 1e-7);
    return a2 * w * w / PI;
}
float smith_visibility(float nv, float nl, float a) {
    float a2 = a * a;
    float v = nl * sqrt(nv * nv * (1 - a2) + a2);
    float l = nv * sqrt(nl * nl * (1 - a2) + a2);
    return 0.5 / max(v + l, 1e-5);
}
float3 schlick(float3 f0, float u) { return f0 + (1 - f0) * pow5(1 - u); }
float burley(float nv, float nl, float lh, float roughness) {
    float f90 = 0.5 + 2 * roughness * lh * lh;
    return (1 + (f90 - 1) * pow5(1 - nl)) * (1 + (f90 - 1) * pow5(1 - nv)) / PI;
}
float charlie(float nh, float roughness) {
    float inverse = 1 / max(roughness, 0.05);
    float sin2 = max(1 - nh * nh, 0.0078125);
    return (2 + inverse) * pow(sin2, inverse * 0.5) / (2 * PI);
}

float3 shade(Surface s, float3 v, float3 l, float3 radiance) {
    float3 h = normalize(v + l);
    float nv = max(abs(dot(s.normal, v)), 1e-4), nl = saturate(dot(s.normal, l));
    float nh = saturate(dot(s.normal, h)), lh = saturate(dot(l, h));
    float a = max(s.roughness * s.roughness, 0.002);
#ifdef ANISOTROPIC
    float3 b = cross(s.normal, s.tangent);
    float d = ggx_anisotropic(h, nh, s.tangent, b, a * (1 + s.anisotropy), a * (1 - s.anisotropy));
#else
    float d = ggx_distribution(nh, a);
#endif
    float3 f = schlick(s.f0, lh);
    float3 specular = d * smith_visibility(nv, nl, a) * f;
    float3 diffuse = s.albedo * (1 - s.metallic) * burley(nv, nl, lh, s.roughness);
    float3 result = diffuse * (1 - f) + specular;
#ifdef CLEARCOAT
    float coat_f = (0.04 + 0.96 * pow5(1 - lh)) * s.clearcoat;
    float coat_a = max(pow2(s.clearcoat_roughness), 0.002);
    result = result * (1 - coat_f) + ggx_distribution(nh, coat_a) * 0.25 / max(lh * lh, 1e-3) * coat_f;
#endif
#ifdef SHEEN
    result += s.sheen * charlie(nh, s.roughness) / (4 * max(nl + nv - nl * nv, 1e-3));
#endif
    return result * radiance * nl;
}
#endif
