//! Contracts of buffers, textures and what invocations share: formats, bounds, coherence, aliasing
//! and the width of accesses.

use super::*;

/// D3D12 has no view of a structured buffer whose elements have no bytes, so the number of elements
/// is any number. A division by the size of an element would be undefined in SPIR-V.
#[test]
fn the_length_of_empty_elements_divides_nothing() {
    let module = run("tests/shaders/empty_elements.dxil", &VULKAN_1_3_DESKTOP, |_| ()).unwrap();
    assert_eq!((module.count(Op::ArrayLength), module.count(Op::UDiv)), (1, 0));
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
    // A fragment sees what those before it wrote to a rasterizer-ordered UAV.
    let ordered = desktop(&[Feature::FragmentShaderPixelInterlock], &[]);
    for name in ["graphics/rasterizer_ordered.ps", "graphics/rasterizer_ordered_branch.ps"] {
        let shader = fixture(name, &ordered).expect("ordered");
        assert!(shader.decorated(Decoration::Coherent) > 0, "{name}");
    }
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
    // Vulkan 1.3 permits them by format. The fixture reads images of floats and of unsigned
    // integers.
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
    // Without the flag for loads from additional formats, D3D has loads of one 32-bit component
    // alone.
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

/// Groupshared memory of whose floats an atomic operation works on the bits is declared as
/// integers.
#[test]
fn structures_are_not_stored_to_the_bits_of_others() {
    let Err(error) = run("tests/shaders/stored_structure.dxil", &VULKAN_1_3_DESKTOP, |_| ()) else {
        panic!("a structure of floats is stored to one of integers");
    };
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert_eq!(error.message(), "a structure is stored through a pointer cast");
}

#[test]
fn wide_atomics_on_texels_need_their_feature() {
    let module = fixture("texture/atomics_64", &desktop(&[Feature::ImageInt64Atomics], &[])).expect("native");
    module.needs(&[Capability::Int64ImageEXT, Capability::Int64Atomics]);
    missing(fixture("texture/atomics_64", &desktop(&[], &[Feature::ImageInt64Atomics])), Feature::ImageInt64Atomics);
    // A vendor's atomic operations on the same textures.
    for name in ["vendor/ags_textures", "vendor/nvapi_textures"] {
        let module = fixture(name, &desktop(&[Feature::ImageInt64Atomics], &[])).expect(name);
        module.needs(&[Capability::Int64ImageEXT, Capability::Int64Atomics]);
        missing(fixture(name, &desktop(&[], &[Feature::ImageInt64Atomics])), Feature::ImageInt64Atomics);
    }
    // In a shader without atomic operations, 64-bit texels are pairs of words.
    fixture("buffer/typed_64", &VULKAN_1_3_DESKTOP).expect("words").forbids(&[Capability::Int64ImageEXT]);
}

/// An addition to a float of a texture is an extension; one to a float of a buffer is a loop of
/// compare-exchanges.
#[test]
fn additions_to_floats_of_texels_need_their_feature() {
    let feature = Feature::ImageFloat32AtomicAdd;
    let module = fixture("vendor/nvapi_float_textures", &desktop(&[feature], &[])).expect("native");
    module.needs(&[Capability::AtomicFloat32AddEXT]);
    missing(fixture("vendor/nvapi_float_textures", &desktop(&[], &[feature])), feature);
    let module = fixture("vendor/nvapi_float_atomics", &desktop(&[feature], &[])).expect("a loop");
    module.forbids(&[Capability::AtomicFloat32AddEXT]);
}

/// Two resources on one binding may be the same memory: an optimiser must see that one's store
/// changes what the other's load gives.
#[test]
fn resources_on_one_binding_are_aliased() {
    let shader = Shader::parse(&dxil_test_support::fixture("rootsig/overlapping_ranges.dxil")).unwrap();
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

/// SwiftShader stops the process if a length is queried through an index that differs between
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
    // The invocation's number, a row by a number, two constant rows, a component that has a row of
    // its own, and one of a local copy.
    let module = fixture("cbuffer/byte_offset_rows", &VULKAN_1_3_DESKTOP).expect("every device runs it");
    assert_eq!(module.count(Op::Load), 1 + 1 + 2 + 1 + 1);
    assert_eq!(module.count(Op::Select), 0);
}
