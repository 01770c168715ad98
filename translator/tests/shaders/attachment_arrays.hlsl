// dxc -T ps_6_0 -E main -Fo attachment_arrays.dxil: the pixel's own texel of textures in arrays, by an
// index that is the same in all lanes and by one that may differ.
Texture2D<float4> same[4] : register(t0);
Texture2D<float4> different[4] : register(t4);

cbuffer Constants : register(b0) {
    uint number;
};

float4 main(float4 position : SV_Position, nointerpolation uint layer : LAYER) : SV_Target {
    int3 here = int3(position.xy, 0);
    return same[number].Load(here) + different[NonUniformResourceIndex(layer)].Load(here);
}
