//! Checks parts of modules that the drivers of the tests take no notice of: what a module says
//! about memory, precision and critical sections.

use dxil_spirv_builder::disassemble;
use dxil_test_support::spirv::count;
use dxil_test_support::{fixture, read};
use dxil_translator::{
    BindingOptions, DeviceProfile, Feature, Model, Options, PipelineStage, PlanInputs, RegisterShifts, Shader,
    VULKAN_1_3_DESKTOP, plan, translate,
};

/// The text of a fixture's module, or of that of a shader in `tests/shaders`, for a device with
/// everything.
fn text(name: &str) -> String {
    let folder = if name.contains('/') { "../tests/fixtures" } else { "tests/shaders" };
    let shader = Shader::parse(&read(format!("{folder}/{name}.dxil"))).unwrap();
    let profile = DeviceProfile::named("everything").unwrap();
    let entry = shader.find_entry(None).unwrap();
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let mut options = BindingOptions::new(Model::Register, shifts);
    (options.heap_sets.resources, options.heap_sets.samplers) = (Some(1), Some(2));
    let inputs = PlanInputs::new(&profile).with_options(options);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &inputs).unwrap();
    disassemble(&translate(&shader, entry, &plan.stages[0], &Options::new(profile)).unwrap().words).unwrap()
}

/// The text of a module under the plan of the shader's own root signature, for a device that
/// `change` changes.
fn by_root_signature(path: &str, change: impl Fn(&mut DeviceProfile)) -> String {
    let shader = Shader::parse(&read(path)).unwrap();
    let mut profile = VULKAN_1_3_DESKTOP;
    change(&mut profile);
    let stages = [PipelineStage::new(&shader, shader.find_entry(None).unwrap())];
    let plan = plan(&stages, &PlanInputs::new(&profile)).unwrap();
    let words = translate(&shader, stages[0].entry, &plan.stages[0], &Options::new(profile)).unwrap().words;
    disassemble(&words).unwrap()
}

/// Where an instruction is first, by the number of its line.
fn line_of(text: &str, what: &str) -> usize {
    text.lines().position(|line| line.contains(what)).unwrap_or_else(|| panic!("no {what} in\n{text}"))
}

/// Every invocation begins and ends the critical section once (SPV_EXT_fragment_shader_interlock).
#[test]
fn a_critical_section_of_branches_is_the_whole_shader() {
    let text = text("graphics/rasterizer_ordered_branch.ps");
    assert_eq!(count(&text, "OpBeginInvocationInterlockEXT"), 1, "{text}");
    assert!(line_of(&text, "OpBeginInvocationInterlockEXT") < line_of(&text, "OpSelectionMerge"), "{text}");
}

/// A buffer with words of 32 and of 64 bits is several variables on one binding, and stores to the
/// one are seen by loads of the others.
#[test]
fn words_of_two_sizes_are_aliased() {
    let text = text("buffer/atomics_64");
    // Of one of the buffers: words, pairs of words, and words of 64 bits.
    assert_eq!(count(&text, " Aliased"), 3, "{text}");
    // Atomic operations of 32 bits need no second variable.
    assert_eq!(count(&self::text("buffer/atomics_raw"), " Aliased"), 0);
}

/// So is a buffer that is accessed by vectors and by single words, but not one with vectors alone.
#[test]
fn vectors_and_words_are_aliased() {
    let text = text("two_forms");
    assert_eq!(count(&text, " Binding 200"), 2, "{text}");
    assert_eq!(count(&text, " Binding 201"), 1, "{text}");
    assert_eq!(count(&text, " Aliased"), 2, "{text}");
}

/// If one resource of a binding is globally coherent, so is the memory behind all of them.
#[test]
fn resources_on_one_binding_are_coherent_together() {
    let together = by_root_signature("tests/shaders/coherent_overlap.dxil", |_| ());
    assert_eq!(count(&together, " Coherent"), 2, "{together}");
    // By registers each has a binding of its own.
    let apart = text("coherent_overlap");
    assert_eq!(count(&apart, " Coherent"), 1, "{apart}");
}

/// A uniform block with an array is an array of rows, where uniform buffers have no arrays of
/// words. The push-constant block is as the shader reads it on every device.
#[test]
fn root_constants_in_rows() {
    let strides = |name: &str, words: bool| {
        let text = by_root_signature(&format!("../tests/fixtures/rootsig/{name}.dxil"), |profile| {
            profile.features.set(Feature::ScalarBlockLayout, words);
            profile.features.set(Feature::UniformBufferStandardLayout, words);
        });
        let strides = text.lines().filter_map(|line| line.split_once(" ArrayStride ")?.1.parse::<u32>().ok());
        let mut strides: Vec<u32> = strides.collect();
        strides.sort_unstable();
        strides
    };
    // The first is that of the buffers.
    assert_eq!(strides("constants_dynamic", false), [4, 4]);
    assert_eq!(strides("constants_dynamic", true), [4, 4]);
    assert_eq!(strides("long_constants", false), [4]);
    assert_eq!(strides("long_constants_rows", false), [4, 16]);
    assert_eq!(strides("long_constants_rows", true), [4, 4]);
}

/// HLSL has no volatile variables, but DXIL has volatile loads and stores: the compiler's output
/// with `volatile` added, assembled with `-assemble`.
#[test]
fn volatile_accesses_are_volatile() {
    let text = text("volatile");
    let accesses = |op: &str| {
        let lines = text.lines().filter(|line| line.contains(op));
        lines.filter(|line| line.split_whitespace().any(|word| word == "Volatile")).count()
    };
    assert_eq!((accesses("OpLoad "), accesses("OpStore ")), (1, 1), "{text}");
}

/// Vulkan, «Shader Resource Interface»: an image that is combined with a sampler is NonUniform
/// where the index of either may differ between lanes.
#[test]
fn what_samples_through_an_index_that_differs_is_marked() {
    // An array of samplers, and a heap of textures.
    for name in ["handles/nested", "heaps/bindless.ps"] {
        let text = text(name);
        let marked = |id: &str| text.lines().any(|line| line == format!("OpDecorate {id} NonUniform"));
        let combined: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.contains("= OpSampledImage"))
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(combined.len(), 1, "{text}");
        for words in combined {
            let [result, _, _, _, image, sampler] = words[..] else { panic!("{words:?}") };
            assert!(marked(image) != marked(sampler), "{name}: one of both is in an array\n{text}");
            assert!(marked(result), "{name}: {result}\n{text}");
        }
    }
}

/// RelaxedPrecision is for numbers of 32 bits, which stand for minimum precision (SPIR-V 1.6,
/// "Decoration", RelaxedPrecision).
#[test]
fn native_halves_are_not_relaxed() {
    let native = text("types/half");
    assert_eq!(count(&native, " RelaxedPrecision"), 0, "{native}");
}

/// The barriers of a module, and their operands.
fn barriers(text: &str) -> Vec<(&str, Vec<u32>)> {
    let number = |id: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("{id} = OpConstant ")));
        line.and_then(|line| line.split_whitespace().last()?.parse::<u32>().ok()).unwrap_or_else(|| panic!("{id}"))
    };
    text.lines()
        .filter(|line| line.starts_with("OpMemoryBarrier") || line.starts_with("OpControlBarrier"))
        .map(|line| {
            let mut words = line.split_whitespace();
            (words.next().unwrap(), words.map(number).collect())
        })
        .collect()
}

/// What the six barriers of HLSL order: the memory semantics and the scope of each (SPIR-V 1.6,
/// "Memory Semantics"). Bit 3 is acquire and release, bit 6 buffers, bit 8 memory of the group, bit
/// 11 images.
#[test]
fn barriers_order_what_d3d_says() {
    let text = text("groupshared/barriers");
    let (group, memory) = (1 << 3 | 1 << 8, 1 << 3 | 1 << 6 | 1 << 11);
    let (device_scope, group_scope) = (1, 2);
    let found = barriers(&text);
    let all = group | memory;
    assert_eq!(
        found,
        [
            ("OpMemoryBarrier", vec![group_scope, group]),
            ("OpMemoryBarrier", vec![device_scope, memory]),
            ("OpControlBarrier", vec![group_scope, device_scope, all]),
            ("OpControlBarrier", vec![group_scope, group_scope, group]),
            ("OpMemoryBarrier", vec![device_scope, all]),
            ("OpControlBarrier", vec![group_scope, device_scope, memory]),
            ("OpControlBarrier", vec![group_scope, device_scope, all]),
        ],
        "{text}"
    );
}

/// What the barriers of shader model 6.8 order, for all flags that the validator takes
/// (DirectX-Specs, "Work Graphs", "Barrier"): the memory that is named, for the scope that is
/// named. Groupshared memory is seen by the group alone, and without a scope nothing is ordered.
#[test]
fn barriers_with_flags_order_what_d3d_says() {
    const ACQUIRE_RELEASE: u32 = 1 << 3;
    const UAVS: u32 = 1 << 6 | 1 << 11;
    const GROUPSHARED: u32 = 1 << 8;
    const DEVICE: u32 = 1;
    const GROUP: u32 = 2;
    // The memory of each of the arguments, for a scope that is named.
    let by_type = [0, UAVS, GROUPSHARED, UAVS | GROUPSHARED, UAVS | GROUPSHARED];
    let of_groups = by_type.into_iter().chain([UAVS]);
    let expected = |memory: u32, semantics: u32| {
        let (sync, has_scope, of_device) = (semantics & 1 != 0, semantics & 6 != 0, semantics & 4 != 0);
        let ordered = if has_scope && memory != 0 { memory | ACQUIRE_RELEASE } else { 0 };
        let scope = if of_device && ordered & UAVS != 0 { DEVICE } else { GROUP };
        match (sync, ordered) {
            (true, _) => Some(("OpControlBarrier", vec![GROUP, scope, ordered])),
            (false, 0) => None,
            (false, _) => Some(("OpMemoryBarrier", vec![scope, ordered])),
        }
    };
    let flags = |memory| (0..8).filter_map(move |semantics| expected(memory, semantics));
    let mut all: Vec<_> = of_groups.flat_map(flags).collect();
    // The last barrier of the fixture.
    all.push(("OpControlBarrier", vec![GROUP, GROUP, UAVS | ACQUIRE_RELEASE]));
    let text_of_groups = text("groupshared/barriers_of_all_flags");
    assert_eq!(barriers(&text_of_groups), all, "{text_of_groups}");

    // A pixel shader has no group: the same without its memory.
    let device = ("OpMemoryBarrier", vec![DEVICE, UAVS | ACQUIRE_RELEASE]);
    let text_of_pixels = text("stages/barriers_of_pixels.ps");
    assert_eq!(barriers(&text_of_pixels), [device.clone(), device.clone(), device], "{text_of_pixels}");
}

/// For which shaders the layer has to know the number of samples, and whether the pipeline shades
/// each sample.
#[test]
fn what_depends_on_samples() {
    let found = |name: &str| {
        let shader = Shader::parse(&fixture(&format!("{name}.dxil"))).unwrap();
        let entry = shader.entry(shader.find_entry(None).unwrap()).unwrap();
        (entry.asks_for_samples(), entry.reads_samples())
    };
    assert!(found("stages/target_samples_4.ps").0);
    assert_eq!(found("graphics/rasterizer_ordered_branch.ps"), (false, true));
    assert_eq!(found("graphics/rasterizer_ordered_branch.vs"), (false, false));
    assert_eq!(found("groupshared/barriers"), (false, false));
}
