// compile: ps_6_0
cbuffer Constants : register(b0) {
    float4 tint;
};
struct Interpolated {
    float4 position : SV_Position;
    float3 colour : COLOR;
};

float4 main(Interpolated input) : SV_Target {
    return float4(input.colour, 1.0) * tint;
}
