//! Contracts of what graphics pipelines have: vertex numbers, coverage, samples, discards and
//! rates.

use super::*;

#[test]
fn inner_coverage_needs_conservative_rasterization() {
    let with = desktop(&[Feature::ConservativeRasterization], &[]);
    let module = run("tests/shaders/inner_coverage.dxil", &with, |_| ()).expect("fully covered");
    module.needs(&[Capability::FragmentFullyCoveredEXT]);
    // The bool of FullyCoveredEXT is converted to bit 0.
    assert_eq!(module.count(Op::Select), 1);
    let without = desktop(&[], &[Feature::ConservativeRasterization]);
    missing(run("tests/shaders/inner_coverage.dxil", &without, |_| ()), Feature::ConservativeRasterization);
}

#[test]
fn vertex_numbers_need_draw_parameters_unless_vulkans_will_do() {
    let path = "../tests/fixtures/graphics/first_vertex_instance.vs.dxil";
    let d3d = run(path, &VULKAN_1_3_DESKTOP, |_| ()).expect("D3D's");
    d3d.needs(&[Capability::DrawParameters]);
    let vulkan = run(path, &VULKAN_1_3_DESKTOP, |options| options.vulkan_vertex_ids = true).expect("Vulkan's");
    vulkan.forbids(&[Capability::DrawParameters]);
    missing(run(path, &desktop(&[], &[Feature::DrawParameters]), |_| ()), Feature::DrawParameters);
}

#[test]
fn evaluated_attributes_need_sample_rate_shading() {
    let module = fixture("graphics/evaluate.ps", &VULKAN_1_3_DESKTOP).expect("native");
    module.needs(&[Capability::InterpolationFunction]);
    missing(fixture("graphics/evaluate.ps", &desktop(&[], &[Feature::SampleRateShading])), Feature::SampleRateShading);
}

/// Floats of 32 bits alone are interpolated. So with 16-bit interfaces on the device, the stages
/// are those of a device without them, which the fixture executes.
#[test]
fn evaluated_16_bit_attributes_need_interfaces_of_32_bits() {
    let native = [Feature::Float16, Feature::Int16];
    let (with, without) = (
        desktop(&[native[0], native[1], Feature::StorageInputOutput16], &[]),
        desktop(&native, &[Feature::StorageInputOutput16]),
    );
    for stage in ["vs", "ps"] {
        let path = format!("../tests/fixtures/graphics/evaluate_half.{stage}.dxil");
        let wide = run(&path, &with, |options| options.pipeline.wide_interface = true).expect("32 bits");
        wide.forbids(&[Capability::StorageInputOutput16]);
        let executed = run(&path, &without, |_| ()).expect("no 16-bit interfaces");
        assert_eq!(wide.words, executed.words);
    }
    let error = fixture("graphics/evaluate_half.ps", &with).map(|_| ()).expect_err("16 bits");
    assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
    assert!(error.message().contains("dxil2spv takes --wide-interface for each stage"), "{error}");
    fixture("graphics/evaluate_half.vs", &with).expect("16 bits").needs(&[Capability::StorageInputOutput16]);
}

/// Only `[earlydepthstencil]` moves the tests before the shader: without it, pixels that fail the
/// depth test write to UAVs.
#[test]
fn early_tests_are_those_of_the_source() {
    for (name, is_early) in [("graphics/early_depth.ps", true), ("graphics/discard.ps", false)] {
        let module = fixture(name, &VULKAN_1_3_DESKTOP).expect("plain");
        assert_eq!(module.modes.contains(&(ExecutionMode::EarlyFragmentTests as u32)), is_early, "{name}");
    }
}

#[test]
fn discards_are_demotions_or_a_flag() {
    use Capability::DemoteToHelperInvocation;
    let native = fixture("graphics/discard.ps", &VULKAN_1_3_DESKTOP).expect("native");
    native.needs(&[DemoteToHelperInvocation]);
    assert_eq!(native.count(Op::TerminateInvocation) + native.count(Op::Kill), 0);
    let flag = fixture("graphics/discard.ps", &desktop(&[], &[Feature::DemoteToHelperInvocation])).expect("a flag");
    flag.forbids(&[DemoteToHelperInvocation]);
    assert_eq!((flag.count(Op::DemoteToHelperInvocation), flag.count(Op::TerminateInvocation)), (0, 1));
    let floor = fixture("graphics/discard.ps", &VULKAN_1_1_FLOOR).expect("a flag");
    assert_eq!((floor.count(Op::Kill), floor.count(Op::TerminateInvocation)), (1, 0));
    // A shader that does not discard has no flag, and ends with a return.
    let plain =
        fixture("graphics/uav_image.ps", &desktop(&[], &[Feature::DemoteToHelperInvocation])).expect("no discard");
    assert_eq!(plain.count(Op::TerminateInvocation), 0);
}

#[test]
fn centroids_and_coverage_need_the_number_of_samples() {
    let path = |name| format!("../tests/fixtures/stages/{name}.ps.dxil");
    let (centroid, coverage) = (path("centroid_position"), path("coverage_per_sample"));
    let of = |path: &str, samples| run(path, &VULKAN_1_3_DESKTOP, |options| options.pipeline.samples = samples);
    for (path, samples, kind, what) in [
        (&centroid, 0, ErrorKind::Binding, "centroid"),
        (&coverage, 0, ErrorKind::Binding, "Coverage"),
        // The invocation of a sample does not see the others.
        (&coverage, 4, ErrorKind::Unsupported, "Coverage"),
    ] {
        let error = of(path, samples).map(|_| ()).expect_err("another value than D3D's");
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(what), "{error}");
    }
    of(&coverage, 1).expect("one sample");
    // In a pipeline with sample shading, so do shaders that run once for each pixel in D3D.
    let per_pixel = path("../graphics/coverage_output");
    let shaded = |path: &str, samples| {
        run(path, &VULKAN_1_3_DESKTOP, |options| {
            options.pipeline.samples = samples;
            options.pipeline.sample_shading = true;
        })
    };
    for path in [&per_pixel, &centroid] {
        for (samples, kind) in [(0, ErrorKind::Binding), (4, ErrorKind::Unsupported)] {
            assert_eq!(shaded(path, samples).map(|_| ()).expect_err("the own samples").kind(), kind);
        }
        shaded(path, 1).expect("one sample");
    }
    assert_eq!(of(&per_pixel, 4).expect("once for each pixel").count(Op::DPdx), 0);
    assert_eq!(of(&centroid, 1).expect("one sample").count(Op::DPdx), 0);
    assert_eq!(of(&centroid, 4).expect("the first covered sample").count(Op::DPdx), 2);
}

#[test]
fn samples_of_targets_are_the_pipelines() {
    let path = "../tests/fixtures/stages/target_samples_4.ps.dxil";
    let error = run(path, &VULKAN_1_3_DESKTOP, |_| ()).map(|_| ()).expect_err("not known");
    assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
    run(path, &VULKAN_1_3_DESKTOP, |options| options.pipeline.samples = 4).expect("known");
}

#[test]
fn shading_rates_need_their_features() {
    use Feature::{PipelineFragmentShadingRate, PrimitiveFragmentShadingRate};
    let (vertex, pixel) = ("tests/shaders/shading_rate.vs.dxil", "tests/shaders/shading_rate.ps.dxil");
    let both = desktop(&[PipelineFragmentShadingRate, PrimitiveFragmentShadingRate], &[]);
    run(vertex, &both, |_| ()).expect("written").needs(&[Capability::FragmentShadingRateKHR]);
    run(pixel, &both, |_| ()).expect("read").needs(&[Capability::FragmentShadingRateKHR]);
    let one = desktop(&[PipelineFragmentShadingRate], &[]);
    missing(run(vertex, &one, |_| ()), PrimitiveFragmentShadingRate);
    run(pixel, &one, |_| ()).expect("read").needs(&[Capability::FragmentShadingRateKHR]);
    missing(run(pixel, &desktop(&[], &[]), |_| ()), PipelineFragmentShadingRate);
}

#[test]
fn least_levels_of_detail_need_their_feature() {
    let path = "tests/shaders/lod_clamp.dxil";
    let module = run(path, &desktop(&[Feature::ResourceMinLod], &[]), |_| ()).expect("native");
    module.needs(&[Capability::MinLod]);
    missing(run(path, &desktop(&[], &[Feature::ResourceMinLod]), |_| ()), Feature::ResourceMinLod);
}
