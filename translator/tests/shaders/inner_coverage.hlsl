// dxc -T ps_6_0 -E main -Fo inner_coverage.dxil: whether a pixel lies wholly inside. It needs conservative rasterization, which neither
// lavapipe 25.0 nor SwiftShader has, so the lowering is judged by its contract and the validator.
uint main(float4 position : SV_Position, uint inner : SV_InnerCoverage) : SV_Target {
    return inner * 3 + 1;
}
