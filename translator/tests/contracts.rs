//! Checks that capabilities are a contract: a profile forces each form of a lowering, and the
//! module declares exactly the capabilities and extensions that this form needs.

#[path = "support/instructions.rs"]
mod instructions;

use std::path::Path;

use dxil_translator::{
    BindingOptions, Bounds, DeviceProfile, Error, ErrorKind, Feature, FloatControls, Model, Options, PipelineStage,
    PlanInputs, RawVectors, RegisterShifts, Shader, StorageFormats, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, plan,
    translate,
};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, Op};

use instructions::instructions;

/// The capabilities, extensions, modes and instructions of a module.
#[derive(Default)]
struct Module {
    words: Vec<u32>,
    capabilities: Vec<u32>,
    extensions: Vec<String>,
    decorations: Vec<u32>,
    ops: Vec<u32>,
    modes: Vec<u32>,
    /// The control masks of merge instructions, which carry the source's attributes of a selection
    /// or loop.
    controls: Vec<(Op, u32)>,
}

impl Module {
    fn read(words: &[u32]) -> Module {
        let mut module = Module { words: words.to_vec(), ..Module::default() };
        for (op, operands) in instructions(words) {
            if op == Op::Capability as u32 {
                module.capabilities.push(operands[0]);
            } else if op == Op::Decorate as u32 {
                module.decorations.push(operands[1]);
            } else if op == Op::Extension as u32 {
                let bytes: Vec<u8> = operands.iter().flat_map(|w| w.to_le_bytes()).take_while(|&b| b != 0).collect();
                module.extensions.push(String::from_utf8(bytes).expect("an extension's name"));
            }
            if op == Op::ExecutionMode as u32 {
                module.modes.push(operands[1]);
            }
            for merge in [Op::LoopMerge, Op::SelectionMerge] {
                if op == merge as u32 {
                    module.controls.push((merge, operands[operands.len() - 1]));
                }
            }
            module.ops.push(op);
        }
        module
    }

    fn decorated(&self, decoration: Decoration) -> usize {
        self.decorations.iter().filter(|&&d| d == decoration as u32).count()
    }

    fn count(&self, op: Op) -> usize {
        self.ops.iter().filter(|&&o| o == op as u32).count()
    }

    #[track_caller]
    fn needs(&self, capabilities: &[Capability]) -> &Self {
        for &capability in capabilities {
            assert!(self.capabilities.contains(&(capability as u32)), "{capability:?} is not declared");
        }
        self
    }

    #[track_caller]
    fn forbids(&self, capabilities: &[Capability]) -> &Self {
        for &capability in capabilities {
            assert!(!self.capabilities.contains(&(capability as u32)), "{capability:?} is declared");
        }
        self
    }
}

fn run(container: &str, profile: &DeviceProfile, change: impl FnOnce(&mut Options)) -> Result<Module, Error> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(container);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let shader = Shader::parse(&bytes)?;
    let entry = shader.find_entry(None)?;
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let mut bindings = BindingOptions::new(Model::Register, shifts);
    bindings.heap_sets.resources = Some(1);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(profile).with_options(bindings))?;
    let mut options = Options::new(profile.clone());
    change(&mut options);
    Ok(Module::read(&translate(&shader, entry, &plan.stages[0], &options)?.words))
}

fn fixture(name: &str, profile: &DeviceProfile) -> Result<Module, Error> {
    run(&format!("../tests/fixtures/{name}.dxil"), profile, |_| ())
}

/// The desktop profile with features added and taken away.
fn desktop(with: &[Feature], without: &[Feature]) -> DeviceProfile {
    let mut profile = VULKAN_1_3_DESKTOP;
    with.iter().for_each(|&f| profile.features.set(f, true));
    without.iter().for_each(|&f| profile.features.set(f, false));
    profile
}

#[track_caller]
fn missing(result: Result<Module, Error>, feature: Feature) {
    match result {
        Ok(_) => panic!("translated without {feature}"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::MissingFeature(feature), "{error}"),
    }
}

/// D3D12 has no view of a structured buffer whose elements have no bytes, so the number of elements is
/// any number. A division by the size of an element would be undefined in SPIR-V.
#[test]
fn the_length_of_empty_elements_divides_nothing() {
    let module = run("tests/shaders/empty_elements.dxil", &VULKAN_1_3_DESKTOP, |_| ()).unwrap();
    assert_eq!((module.count(Op::ArrayLength), module.count(Op::UDiv)), (1, 0));
}

#[test]
fn plain_integer_code_asks_for_nothing() {
    let module = fixture("arithmetic/int_basic", &VULKAN_1_1_FLOOR).expect("every device runs it");
    assert_eq!(module.capabilities, [Capability::Shader as u32]);
    assert!(module.extensions.is_empty(), "{:?}", module.extensions);
}

#[test]
fn packed_dot_products_are_native_or_shifts() {
    use Capability::{DotProduct, DotProductInput4x8BitPacked};
    let native = fixture("arithmetic/int_dot_packed", &desktop(&[Feature::IntegerDotProduct], &[])).expect("native");
    native.needs(&[DotProduct, DotProductInput4x8BitPacked]);
    assert!(native.count(Op::SDot) > 0 && native.count(Op::UDot) > 0);
    let shifts = fixture("arithmetic/int_dot_packed", &desktop(&[], &[Feature::IntegerDotProduct])).expect("shifts");
    shifts.forbids(&[DotProduct, DotProductInput4x8BitPacked]);
    assert!(shifts.count(Op::SDot) + shifts.count(Op::UDot) == 0 && shifts.count(Op::ShiftRightArithmetic) > 0);
}

#[test]
fn denormals_are_kept_where_the_device_can() {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.float.f32 = FloatControls::DENORM_PRESERVE;
    let kept = fixture("arithmetic/denormals", &profile).expect("kept");
    kept.needs(&[Capability::DenormPreserve]).forbids(&[Capability::DenormFlushToZero]);
    (profile.float.f16, profile.float.f32, profile.float.f64) = (0, 0, 0);
    let open = fixture("arithmetic/denormals", &profile).expect("left open");
    open.forbids(&[Capability::DenormPreserve, Capability::DenormFlushToZero, Capability::SignedZeroInfNanPreserve]);
}

#[test]
fn signed_zero_infinity_and_nan_are_asked_for_where_they_can_be() {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.float.f32 = FloatControls::SIGNED_ZERO_INF_NAN_PRESERVE;
    let module = fixture("arithmetic/float_minmax_nan", &profile).expect("kept");
    module.needs(&[Capability::SignedZeroInfNanPreserve]);
    (profile.float.f16, profile.float.f32, profile.float.f64) = (0, 0, 0);
    fixture("arithmetic/float_minmax_nan", &profile).expect("open").forbids(&[Capability::SignedZeroInfNanPreserve]);
}

#[test]
fn sparse_status_is_asked_of_sparse_devices_and_textures_only() {
    let sparse = desktop(&[Feature::ResourceResidency], &[]);
    let module = run("tests/shaders/sparse_status.dxil", &sparse, |_| ()).expect("sparse");
    module.needs(&[Capability::SparseResidency]);
    assert_eq!((module.count(Op::ImageSparseFetch), module.count(Op::ImageSparseTexelsResident)), (1, 1));
    let dense = desktop(&[], &[Feature::ResourceResidency]);
    let module = run("tests/shaders/sparse_status.dxil", &dense, |_| ()).expect("dense");
    module.forbids(&[Capability::SparseResidency]);
    assert_eq!((module.count(Op::ImageSparseFetch), module.count(Op::ImageFetch)), (0, 1));
    // The shader does not query the sparse status of raw buffers.
    fixture("buffer/status", &sparse).expect("buffers").forbids(&[Capability::SparseResidency]);
}

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
fn wide_atomics_need_their_feature() {
    let module = fixture("buffer/atomics_64", &desktop(&[Feature::BufferInt64Atomics], &[])).expect("native");
    module.needs(&[Capability::Int64, Capability::Int64Atomics]);
    missing(fixture("buffer/atomics_64", &desktop(&[], &[Feature::BufferInt64Atomics])), Feature::BufferInt64Atomics);
    missing(
        fixture("groupshared/atomics_64", &desktop(&[], &[Feature::SharedInt64Atomics])),
        Feature::SharedInt64Atomics,
    );
    // Loads and stores of 64 bits need words and the 64-bit integer type only.
    fixture("types/int64", &VULKAN_1_3_DESKTOP).expect("no atomics").forbids(&[Capability::Int64Atomics]);
}

#[test]
fn float_atomics_are_integer_atomics() {
    let module = fixture("groupshared/atomics_float", &VULKAN_1_1_FLOOR).expect("every device runs it");
    assert_eq!(module.capabilities, [Capability::Shader as u32]);
    assert!(module.count(Op::AtomicCompareExchange) == 1 && module.count(Op::AtomicExchange) == 1);
}

#[test]
fn native_halves_need_their_feature() {
    missing(fixture("types/half", &desktop(&[], &[Feature::Float16])), Feature::Float16);
    missing(fixture("types/int16_bits", &desktop(&[], &[Feature::Int16])), Feature::Int16);
}

#[test]
fn ordered_views_are_a_critical_section_or_refused() {
    use Capability::{FragmentShaderPixelInterlockEXT, FragmentShaderSampleInterlockEXT};
    let with = desktop(&[Feature::FragmentShaderPixelInterlock], &[]);
    let without = desktop(&[], &[Feature::FragmentShaderPixelInterlock]);
    let section =
        |module: &Module| (module.count(Op::BeginInvocationInterlockEXT), module.count(Op::EndInvocationInterlockEXT));
    // Without branches, the critical section goes from the first access to the last.
    let run = fixture("graphics/rasterizer_ordered.ps", &with).expect("native");
    run.needs(&[FragmentShaderPixelInterlockEXT]).forbids(&[FragmentShaderSampleInterlockEXT]);
    assert_eq!(run.extensions.iter().filter(|e| *e == "SPV_EXT_fragment_shader_interlock").count(), 1);
    assert_eq!(section(&run), (1, 1));
    let at = |op: Op| run.ops.iter().position(|&o| o == op as u32).expect("there");
    assert!(
        at(Op::BeginInvocationInterlockEXT) < at(Op::ImageRead)
            && at(Op::ImageWrite) < at(Op::EndInvocationInterlockEXT)
    );
    // With branches, it goes from the beginning of the shader to every return.
    let whole = fixture("graphics/rasterizer_ordered_branch.ps", &with).expect("native");
    assert_eq!(section(&whole), (1, whole.count(Op::Return)));
    missing(fixture("graphics/rasterizer_ordered.ps", &without), Feature::FragmentShaderPixelInterlock);
    // A pixel shader without rasterizer-ordered views has no critical section.
    fixture("graphics/uav_image.ps", &with).expect("plain").forbids(&[FragmentShaderPixelInterlockEXT]);
}

#[test]
fn what_threads_exchange_through_uavs_is_coherent() {
    let coherent = |name| fixture(name, &VULKAN_1_3_DESKTOP).expect("desktop").decorated(Decoration::Coherent);
    // Two of the three UAVs are written and read, with a barrier in between.
    assert_eq!(coherent("buffer/group_exchange"), 2);
    assert_eq!(coherent("buffer/globally_coherent"), 2);
    // The UAV is written and read, but no barrier orders these accesses for other threads.
    assert_eq!(coherent("buffer/raw_read_write"), 0);
}

#[test]
fn bounds_are_the_drivers_or_emitted() {
    let driver = desktop(&[Feature::RobustBufferAccess2, Feature::RobustImageAccess], &[]);
    let emitted = desktop(&[], &[Feature::RobustBufferAccess2, Feature::RobustImageAccess]);
    let none = fixture("buffer/out_of_bounds", &driver).expect("driver");
    assert_eq!((none.count(Op::ArrayLength), none.count(Op::SelectionMerge)), (0, 0));
    let checks = fixture("buffer/out_of_bounds", &emitted).expect("emitted");
    assert!(checks.count(Op::ArrayLength) > 0 && checks.count(Op::SelectionMerge) > 0);
    // The shader has two loads and one store of images. robustImageAccess says nothing about levels
    // and leaves alpha open, so the loads still need checks.
    let selections = |with: &[Feature]| {
        let mut profile = emitted.clone();
        with.iter().chain([&Feature::RobustBufferAccess2]).for_each(|&f| profile.features.set(f, true));
        fixture("texture/out_of_bounds", &profile).expect("images").count(Op::SelectionMerge)
    };
    assert_eq!(selections(&[]), 3);
    assert_eq!(selections(&[Feature::RobustImageAccess]), 2);
    assert_eq!(selections(&[Feature::RobustImageAccess, Feature::RobustImageAccess2]), 0);
}

#[test]
fn typed_loads_without_format_need_their_feature() {
    use Capability::StorageImageReadWithoutFormat;
    let feature = Feature::StorageImageReadWithoutFormat;
    fixture("texture/read_write", &desktop(&[feature], &[])).expect("without").needs(&[StorageImageReadWithoutFormat]);
    // Vulkan 1.3 permits them by format. The fixture reads images of floats and of unsigned integers.
    let mut device = desktop(&[], &[feature]);
    device.formats.read_without_format = StorageFormats::IMAGE_FLOAT | StorageFormats::IMAGE_UINT;
    fixture("texture/read_write", &device).expect("by format").needs(&[StorageImageReadWithoutFormat]);
    for kinds in [0, StorageFormats::IMAGE_UINT, StorageFormats::ALL & !StorageFormats::IMAGE_FLOAT] {
        device.formats.read_without_format = kinds;
        missing(fixture("texture/read_write", &device), feature);
    }
    (device.api, device.spirv) = ((1, 1), (1, 3));
    device.formats.read_without_format = StorageFormats::ALL;
    missing(fixture("texture/read_write", &device), feature);
    // Without the flag for loads from additional formats, D3D has loads of one 32-bit component alone.
    device.formats.read_without_format = 0;
    fixture("buffer/group_exchange", &device).expect("with a format").forbids(&[StorageImageReadWithoutFormat]);
    // SRVs have every format.
    missing(fixture("descriptors/any_format", &device), feature);
    // Components of two words have formats of two components or of four.
    device.features.set(Feature::Float64, true);
    let mut by_format = device.clone();
    (by_format.api, by_format.spirv) = ((1, 3), (1, 6));
    by_format.formats.read_without_format = StorageFormats::BUFFER_UINT;
    for name in ["doubles", "low_words", "low_words_of_vectors", "in_heap"] {
        let pairs = |device: &DeviceProfile| run(&format!("tests/shaders/typed_pairs.{name}.dxil"), device, |_| ());
        missing(pairs(&device), feature);
        pairs(&by_format).expect("by format").needs(&[StorageImageReadWithoutFormat]);
    }
}

/// Groupshared memory of whose floats an atomic operation works on the bits is declared as integers.
#[test]
fn structures_are_not_stored_to_the_bits_of_others() {
    let Err(error) = run("tests/shaders/stored_structure.dxil", &VULKAN_1_3_DESKTOP, |_| ()) else {
        panic!("a structure of floats is stored to one of integers");
    };
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert_eq!(error.message(), "a structure is stored through a pointer cast");
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

/// Floats of 32 bits alone are interpolated. So with 16-bit interfaces on the device, the stages are those
/// of a device without them, which the fixture executes.
#[test]
fn evaluated_16_bit_attributes_need_interfaces_of_32_bits() {
    let native = [Feature::Float16, Feature::Int16];
    let (with, without) = (
        desktop(&[native[0], native[1], Feature::StorageInputOutput16], &[]),
        desktop(&native, &[Feature::StorageInputOutput16]),
    );
    for stage in ["vs", "ps"] {
        let path = format!("../tests/fixtures/graphics/evaluate_half.{stage}.dxil");
        let wide = run(&path, &with, |options| options.facts.wide_interface = true).expect("32 bits");
        wide.forbids(&[Capability::StorageInputOutput16]);
        let executed = run(&path, &without, |_| ()).expect("no 16-bit interfaces");
        assert_eq!(wide.words, executed.words);
    }
    let error = fixture("graphics/evaluate_half.ps", &with).map(|_| ()).expect_err("16 bits");
    assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
    assert!(error.message().contains("dxil2spv takes --wide-interface for each stage"), "{error}");
    fixture("graphics/evaluate_half.vs", &with).expect("16 bits").needs(&[Capability::StorageInputOutput16]);
}

/// Only `[earlydepthstencil]` moves the tests before the shader: without it, pixels that fail the depth
/// test write to UAVs.
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
fn minimum_precision_is_16_bits_where_they_are_native() {
    use Capability::{Float16, Int16};
    let native = fixture("types/min_precision", &desktop(&[Feature::Float16, Feature::Int16], &[])).expect("native");
    native.needs(&[Float16, Int16]);
    for without in [&[Feature::Float16][..], &[Feature::Int16], &[Feature::Float16, Feature::Int16]] {
        let wide = fixture("types/min_precision", &desktop(&[], without)).expect("32 bits");
        wide.forbids(&[Float16, Int16]);
        assert_eq!(wide.count(Op::FConvert) + wide.count(Op::UConvert) + wide.count(Op::SConvert), 0);
    }
    // The interface between stages has 32 bits too, although the device supports 16 bits there.
    let io = desktop(&[Feature::StorageInputOutput16], &[Feature::Float16]);
    fixture("stages/min_precision_io.vs", &io).expect("32 bits").forbids(&[Float16, Int16]);
}

#[test]
fn centroids_and_coverage_need_the_number_of_samples() {
    let path = |name| format!("../tests/fixtures/stages/{name}.ps.dxil");
    let (centroid, coverage) = (path("centroid_position"), path("coverage_per_sample"));
    let of = |path: &str, samples| run(path, &VULKAN_1_3_DESKTOP, |options| options.facts.samples = samples);
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
            options.facts.samples = samples;
            options.facts.sample_shading = true;
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
    run(path, &VULKAN_1_3_DESKTOP, |options| options.facts.samples = 4).expect("known");
}

#[test]
fn cycle_counters_need_a_clock() {
    let module = fixture("arithmetic/cycle_counter", &desktop(&[Feature::SubgroupClock], &[])).expect("a clock");
    module.needs(&[Capability::ShaderClockKHR]);
    assert_eq!(module.extensions.iter().filter(|e| *e == "SPV_KHR_shader_clock").count(), 1);
    missing(fixture("arithmetic/cycle_counter", &desktop(&[], &[Feature::SubgroupClock])), Feature::SubgroupClock);
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
fn wide_atomics_on_texels_need_their_feature() {
    let module = fixture("texture/atomics_64", &desktop(&[Feature::ImageInt64Atomics], &[])).expect("native");
    module.needs(&[Capability::Int64ImageEXT, Capability::Int64Atomics]);
    missing(fixture("texture/atomics_64", &desktop(&[], &[Feature::ImageInt64Atomics])), Feature::ImageInt64Atomics);
    // In a shader without atomic operations, 64-bit texels are pairs of words.
    fixture("buffer/typed_64", &VULKAN_1_3_DESKTOP).expect("words").forbids(&[Capability::Int64ImageEXT]);
}

#[test]
fn least_levels_of_detail_need_their_feature() {
    let path = "tests/shaders/lod_clamp.dxil";
    let module = run(path, &desktop(&[Feature::ResourceMinLod], &[]), |_| ()).expect("native");
    module.needs(&[Capability::MinLod]);
    missing(run(path, &desktop(&[], &[Feature::ResourceMinLod]), |_| ()), Feature::ResourceMinLod);
}

/// A fixture whose `without` line misspells a feature would test the form that it means to avoid.
#[test]
fn features_that_fixtures_do_without_exist() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let mut found = 0;
    for group in std::fs::read_dir(fixtures).expect("the fixtures").map(|entry| entry.expect("a folder").path()) {
        for path in std::fs::read_dir(group).into_iter().flatten().map(|entry| entry.expect("a file").path()) {
            if path.extension().is_none_or(|extension| extension != "hlsl") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            for name in text.lines().filter_map(|l| l.strip_prefix("//! without ")).flat_map(str::split_whitespace) {
                assert!(Feature::ALL.iter().any(|f| f.name() == name), "{}: no feature `{name}`", path.display());
                found += 1;
            }
        }
    }
    assert!(found > 0, "no fixture has a line `//! without`");
}

#[test]
fn the_sources_hints_are_on_merges() {
    use rspirv::spirv::{LoopControl, SelectionControl};
    let module = fixture("control/hints", &VULKAN_1_1_FLOOR).expect("every device runs it");
    let of = |op| module.controls.iter().filter(|c| c.0 == op).map(|c| c.1).filter(|&c| c != 0).collect::<Vec<_>>();
    // Two loops are left, one of them with `[loop]`. The compiler has unrolled the loop with
    // `[unroll]`.
    assert_eq!(of(Op::LoopMerge), [LoopControl::DONT_UNROLL.bits()]);
    assert_eq!(module.count(Op::LoopMerge), 2);
    // `[branch]`, `[flatten]`, and `[branch]` on a switch.
    let asked = [SelectionControl::DONT_FLATTEN, SelectionControl::FLATTEN, SelectionControl::DONT_FLATTEN];
    assert_eq!(of(Op::SelectionMerge), asked.map(|control| control.bits()));
    let unroll = fixture("control/hints_unroll", &VULKAN_1_1_FLOOR).expect("every device runs it");
    assert!(unroll.controls.contains(&(Op::LoopMerge, LoopControl::UNROLL.bits())));
}

#[test]
fn reconvergence_and_quad_control_are_asked_for_where_they_are_needed_and_enabled() {
    use rspirv::spirv::ExecutionMode as Mode;
    let all = desktop(&[Feature::MaximalReconvergence, Feature::QuadControl], &[]);
    let none = desktop(&[], &[Feature::MaximalReconvergence, Feature::QuadControl]);
    let asked = |name: &str, profile: &DeviceProfile| {
        let module = fixture(name, profile).expect(name);
        let has = |mode: Mode| module.modes.contains(&(mode as u32));
        let extension = |name: &str| module.extensions.iter().any(|e| e == name);
        assert_eq!(extension("SPV_KHR_maximal_reconvergence"), has(Mode::MaximallyReconvergesKHR), "{name}");
        assert_eq!(
            extension("SPV_KHR_quad_control"),
            has(Mode::QuadDerivativesKHR) || has(Mode::RequireFullQuadsKHR),
            "{name}"
        );
        let declared = module.capabilities.contains(&(Capability::QuadControlKHR as u32));
        assert_eq!(declared, has(Mode::QuadDerivativesKHR) || has(Mode::RequireFullQuadsKHR), "{name}");
        [has(Mode::MaximallyReconvergesKHR), has(Mode::QuadDerivativesKHR), has(Mode::RequireFullQuadsKHR)]
    };
    // The shaders have loops and branches only; a barrier; wave operations; derivatives.
    for (name, wanted) in [
        ("control/loop_nested", [false, false, false]),
        ("control/noinline_groupshared", [true, false, false]),
        ("control/noinline_wave", [true, false, false]),
        ("graphics/derivatives.ps", [true, true, false]),
    ] {
        assert_eq!(asked(name, &all), wanted, "{name}");
        assert_eq!(asked(name, &none), [false; 3], "{name}");
    }
}

/// Two resources on one binding may be the same memory: an optimiser must see that one's store changes what the other's load gives.
#[test]
fn resources_on_one_binding_are_aliased() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/rootsig/overlapping_ranges.dxil");
    let shader = Shader::parse(&std::fs::read(path).unwrap()).unwrap();
    let stages = [PipelineStage::new(&shader, shader.find_entry(None).unwrap())];
    let emit = |inputs: PlanInputs<'_>| {
        let plan = plan(&stages, &inputs).unwrap();
        let options = Options::new(VULKAN_1_3_DESKTOP);
        Module::read(&translate(&shader, stages[0].entry, &plan.stages[0], &options).unwrap().words)
    };
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP);
    let joined = emit(inputs);
    assert_eq!(joined.decorated(Decoration::Aliased), 2);
    assert_eq!(joined.decorated(Decoration::NonWritable), 0);
    // The third buffer, which has a binding of its own, is written only.
    assert_eq!(joined.decorated(Decoration::NonReadable), 1);
    // By registers each has a binding of its own.
    let apart = emit(inputs.with_options(BindingOptions::new(Model::Register, RegisterShifts::default())));
    assert_eq!(apart.decorated(Decoration::Aliased), 0);
    assert_eq!(apart.decorated(Decoration::NonWritable), 1);
    assert_eq!(apart.decorated(Decoration::NonReadable), 2);
}

/// SwiftShader stops the process where a length is asked for through an index that differs between
/// lanes. There, and only there, lengths are taken for one index after another.
#[test]
fn lengths_through_indexes_that_differ_between_lanes() {
    let name = "buffer/array_non_uniform_bounds";
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.features.set(Feature::RobustBufferAccess2, false);
    let ordinary = fixture(name, &profile).unwrap();
    ordinary.forbids(&[Capability::GroupNonUniformBallot]);
    assert_eq!((ordinary.count(Op::ArrayLength), ordinary.count(Op::LoopMerge)), (5, 0));
    profile.driver.id = dxil_translator::Driver::SWIFTSHADER;
    let apart = fixture(name, &profile).unwrap();
    apart.needs(&[Capability::GroupNonUniformBallot]);
    // The four arrays, but not the buffer of results.
    assert_eq!((apart.count(Op::ArrayLength), apart.count(Op::LoopMerge)), (5, 4));
    assert_eq!(apart.count(Op::GroupNonUniformBroadcastFirst), 4);
}

/// SwiftShader computes a loop's later iterations for lanes that have left the loop as well. There,
/// and only there, a value that leaves a loop without a phi of its own does so through a variable.
#[test]
fn values_that_leave_a_loop() {
    let name = "memory/static_global";
    let mut profile = VULKAN_1_1_FLOOR;
    assert_eq!(fixture(name, &profile).unwrap().count(Op::CopyMemory), 0);
    profile.driver.id = dxil_translator::Driver::SWIFTSHADER;
    // The depth of the stack after the first loop, and the sum after the second.
    assert_eq!(fixture(name, &profile).unwrap().count(Op::CopyMemory), 2);
}

/// Loads from and stores to memory other than the invocation's number.
fn accesses(name: &str, change: impl FnOnce(&mut Options)) -> (usize, usize) {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.features.set(Feature::RobustBufferAccess2, true);
    let module = run(&format!("../tests/fixtures/{name}.dxil"), &profile, change).expect("every device runs it");
    (module.count(Op::Load) - 1, module.count(Op::Store))
}

#[test]
fn proved_alignment_makes_vectors() {
    // thr * 16 + 16, and thr * 4 + 20.
    assert_eq!(accesses("buffer/raw_aligned", |_| ()), (1, 1));
    assert_eq!(accesses("buffer/raw_unaligned", |_| ()), (4, 1));
    // The counter of a loop that begins at id * 16 and advances by 65,536.
    assert_eq!(accesses("buffer/raw_copy", |_| ()), (1, 1));
    for name in ["buffer/raw_aligned", "buffer/raw_unaligned", "buffer/raw_copy"] {
        assert_eq!(accesses(name, |options| options.raw_vectors = RawVectors::Exact), (4, 4), "{name}");
    }
    // A check: the vector, or its components one by one.
    let emitted = |options: &mut Options| options.bounds = Bounds::Emit;
    assert_eq!(accesses("buffer/raw_aligned", emitted), (5, 5));
    assert_eq!(accesses("buffer/raw_unaligned", emitted), (4, 5));
}

/// Each word of a 64-bit component is accessed by itself where no vector is.
#[test]
fn components_of_two_words_are_stored_by_words() {
    let exact = |options: &mut Options| options.raw_vectors = RawVectors::Exact;
    let mut profile = desktop(&[Feature::RobustBufferAccess2], &[]);
    profile.features.set(Feature::Float64, true);
    let module = run("../tests/fixtures/buffer/raw_vectors_64.dxil", &profile, exact).expect("translated");
    // Seven stores of 17 integers, and three of 9 doubles.
    assert_eq!(module.count(Op::Store), 2 * (4 + 3 + 2 + 3 + 2 + 1 + 2) + 2 * (4 + 3 + 2));
}

/// A load without an offset adds none, and the first level of a texture is always there.
#[test]
fn loads_of_texels_do_what_they_need() {
    let trusted = desktop(&[Feature::RobustImageAccess, Feature::RobustImageAccess2], &[]);
    let module = fixture("texture/load_2d", &trusted).expect("images");
    // The offset of one of six loads, and the index of the result.
    assert_eq!((module.count(Op::ImageFetch), module.count(Op::IAdd), module.count(Op::Undef)), (6, 2, 0));
    let checked = desktop(&[], &[Feature::RobustImageAccess, Feature::RobustImageAccess2]);
    let module = fixture("texture/out_of_bounds", &checked).expect("images");
    // The level of one of two loads is not constant.
    assert_eq!((module.count(Op::ImageFetch), module.count(Op::ImageQueryLevels)), (2, 1));
}

#[test]
fn vectors_and_words_of_one_written_buffer_are_aliased() {
    let mut profile = VULKAN_1_3_DESKTOP;
    for feature in [Feature::RobustBufferAccess2, Feature::Float64, Feature::Int16, Feature::Float16] {
        profile.features.set(feature, true);
    }
    profile.features.set(Feature::StorageBuffer16Bit, true);
    let module = run("../tests/fixtures/buffer/raw_mixed.dxil", &profile, |_| ()).expect("translated");
    // Words, two and four of them, and numbers of 16 bits by four, as integers and as floats.
    assert!(module.decorated(Decoration::Aliased) >= 4, "{}", module.decorated(Decoration::Aliased));
    // A buffer that has one form, or that nothing writes, needs no such decoration.
    let module = fixture("buffer/raw_aligned", &profile).expect("translated");
    assert_eq!(module.decorated(Decoration::Aliased), 0);
    let module = fixture("buffer/raw_unaligned", &profile).expect("translated");
    assert_eq!(module.decorated(Decoration::Aliased), 0);
}

#[test]
fn rows_by_byte_offset_are_loaded_once() {
    // The invocation's number, a row by a number, two constant rows, a component that has a row of its
    // own, and one of a local copy.
    let module = fixture("cbuffer/byte_offset_rows", &VULKAN_1_3_DESKTOP).expect("every device runs it");
    assert_eq!(module.count(Op::Load), 1 + 1 + 2 + 1 + 1);
    assert_eq!(module.count(Op::Select), 0);
}

/// Acceleration structures in arrays need no feature for indexes.
#[test]
fn indexes_of_acceleration_structures_need_no_feature() {
    use Capability as C;
    let everything = DeviceProfile::named("everything").expect("a profile");
    let module = fixture("query/structures", &everything).expect("arrays of structures");
    module.needs(&[C::ShaderNonUniform]);
    module.forbids(&[C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing]);
}

#[test]
fn ray_queries_are_a_feature_of_their_own() {
    let rays = [Feature::AccelerationStructure, Feature::RayQuery];
    missing(fixture("query/committed", &desktop(&rays[..1], &[])), Feature::RayQuery);
    let module = fixture("query/committed", &desktop(&rays, &[])).unwrap();
    module.needs(&[Capability::RayQueryKHR]).forbids(&[Capability::RayTracingKHR, Capability::Int64]);
    assert!(module.extensions.iter().any(|name| name == "SPV_KHR_ray_query"), "{:?}", module.extensions);
    let mut old = desktop(&rays, &[]);
    old.spirv = (1, 3);
    let error = fixture("query/committed", &old).err().expect("SPIR-V 1.3 has no ray queries");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("RayQueryKHR needs SPIR-V 1.4 or later"), "{error}");
}

/// Flags that a query has as constants need the feature; flags from memory use it where it is there.
#[test]
fn rays_that_skip_primitives_need_their_feature() {
    let rays = [Feature::AccelerationStructure, Feature::RayQuery];
    let culling = Capability::RayTraversalPrimitiveCullingKHR;
    missing(fixture("query/flags", &desktop(&rays, &[])), Feature::RayTraversalPrimitiveCulling);
    let skips = desktop(&[rays[0], rays[1], Feature::RayTraversalPrimitiveCulling], &[]);
    fixture("query/flags", &skips).unwrap().needs(&[culling]);
    // The flags of this fixture are one of two, neither of which skips primitives.
    fixture("query/candidates", &skips).unwrap().forbids(&[culling]);
    fixture("query/loaded_flags", &skips).unwrap().needs(&[culling]);
    fixture("query/loaded_flags", &desktop(&rays, &[])).unwrap().forbids(&[culling]);
}

/// A query whose handle stays with it is a variable of the function, and what is proved of its state is
/// not checked: a loop over candidates and a look at the hit need no more branches than the source has.
#[test]
fn proved_states_of_ray_queries_are_not_checked() {
    let rays = desktop(&[Feature::AccelerationStructure, Feature::RayQuery], &[]);
    let module = fixture("query/candidates", &rays).unwrap();
    assert_eq!((module.count(Op::RayQueryProceedKHR), module.count(Op::RayQueryGetIntersectionTypeKHR)), (2, 1));
    // The guard of the loop, the loop, the branch by the candidate's type.
    assert_eq!(module.count(Op::BranchConditional), 3);
    let module = fixture("query/undefined", &rays).unwrap();
    assert!(module.count(Op::BranchConditional) > 30);
}

/// Vulkan's VUID-RuntimeSpirv-x-06432 and -Workgroup-06530: groups of a compute shader keep to the
/// device's limits.
#[test]
fn groups_keep_to_the_device() {
    // 256 threads with 3,888 bytes.
    let normals = "../tests/content/cloth/cloth.normals.cs.dxil";
    let limited = |threads: u32, bytes: u32| {
        let mut profile = desktop(&[Feature::Float16], &[]);
        profile.limits.max_compute_work_group_invocations = threads;
        profile.limits.max_compute_shared_memory_size = bytes;
        run(normals, &profile, |_| ()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(limited(256, 3888), Ok(()));
    let few = limited(255, 3888).unwrap_err();
    let threads = "the shader has 256 threads in a group; the device's limit maxComputeWorkGroupInvocations is 255";
    assert!(few.contains(threads), "{few}");
    let small = limited(256, 3887).unwrap_err();
    let bytes =
        "the shader has 3888 bytes of groupshared memory; the device's limit maxComputeSharedMemorySize is 3887";
    assert!(small.contains(bytes), "{small}");
}
