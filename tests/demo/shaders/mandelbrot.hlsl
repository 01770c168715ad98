// The Mandelbrot set, coloured smoothly. The root signature places the picture and the view:
//   parameter 0, table 0: the picture, set 0, binding 0
//   parameter 1, root constants: push constants from byte 0
//! stage cs_6_0 main
//! dxil-args -Wno-ignored-attributes
//! bindings root-signature
//! dispatch 8 8 1
//! push 24 words 64 64 -0.6 0.0 0.04 96
//! resource u0 texture2d rgba8_unorm 64 64 1 1 out zero at=0.0
//! judge spirv
// Colours may differ by one step of eight bits, by the rounding of powers and fractions. The edge
// of the set is chaotic, so a few texels differ by more.
//! tolerance u0 unorm8 1
//! tolerance u0 mismatch 8
#define ROOT_SIGNATURE "DescriptorTable(UAV(u0)), RootConstants(num32BitConstants = 6, b0)"

struct View {
    uint2 size;
    float2 centre;
    float texel;
    uint iterations;
};

[[vk::push_constant]] ConstantBuffer<View> view : register(b0);
[[vk::binding(0, 0)]] [[vk::image_format("rgba8")]] RWTexture2D<unorm float4> picture : register(u0);

float3 palette(float t) {
    return 0.5 + 0.5 * cos(6.2831853 * (t + float3(0.00, 0.12, 0.28)));
}

[RootSignature(ROOT_SIGNATURE)]
[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
    if (any(id >= view.size)) {
        return;
    }
    float2 c = view.centre + (float2(id) - 0.5 * float2(view.size)) * view.texel;
    float2 z = 0;
    uint steps = 0;
    while (steps < view.iterations && dot(z, z) < 64.0) {
        z = float2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        steps += 1;
    }
    float3 color = 0;
    if (steps < view.iterations) {
        float escape = float(steps) + 1.0 - log2(0.5 * log2(dot(z, z)));
        color = palette(0.55 + 0.12 * sqrt(escape));
    }
    picture[id] = float4(color, 1);
}
