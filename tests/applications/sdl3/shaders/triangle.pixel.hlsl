// compile: ps_6_0
struct Interpolated {
    float4 position : SV_Position;
    float3 colour : TEXCOORD0;
};

float4 main(Interpolated input) : SV_Target {
    return float4(input.colour, 1.0);
}
