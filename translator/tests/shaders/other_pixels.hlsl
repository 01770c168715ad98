// dxc -T ps_6_0 -E main -Fo other_pixels.dxil: loads that are not provably of the pixel's own texel, by
// texture.
Texture2D<float4> moved : register(t0);
Texture2D<float4> swapped : register(t1);
Texture2D<float4> shifted : register(t2);
Texture2D<float4> lower : register(t3);
Texture2D<float4> centred : register(t4);
Texture2DArray<float4> layered : register(t5);
Texture2D<float4> sized : register(t6);

float4 main(float4 position : SV_Position, float2 uv : UV) : SV_Target {
    int2 here = int2(position.xy);
    float4 sum = moved.Load(int3(here + 1, 0)) + swapped.Load(int3(here.yx, 0));
    sum += shifted.Load(int3(here, 0), int2(0, 1)) + lower.Load(int3(here, 1));
    sum += centred.Load(int3(position.xy + 0.5, 0)) + layered.Load(int4(here, 0, 0));
    uint width, height;
    sized.GetDimensions(width, height);
    return sum + width;
}
