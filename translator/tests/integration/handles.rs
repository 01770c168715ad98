//! Handles that a phi or select chooses: which are refused, and which index is marked as
//! non-uniform. Fixtures (`tests/fixtures/handles`) execute those that are translated.

use dxil_test_support::read;
use dxil_translator::{
    BindingOptions, DeviceProfile, Error, ErrorKind, Model, Options, PipelineStage, PlanInputs, RegisterShifts, Shader,
    VULKAN_1_3_DESKTOP, lavapipe, plan, translate,
};
use rspirv::spirv::{Capability, Decoration, Op};

use dxil_test_support::spirv::instructions;

fn translated(path: &str, profile: &DeviceProfile) -> Result<Vec<u32>, Error> {
    let shader = Shader::parse(&read(path))?;
    let entry = shader.find_entry(None)?;
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let mut options = BindingOptions::new(Model::Register, shifts);
    options.heap_sets.resources = Some(1);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(profile).with_options(options))?;
    Ok(translate(&shader, entry, &plan.stages[0], &Options::new(profile.clone()))?.words)
}

/// The number of instructions with this opcode and this operand, counted from 0.
fn count(words: &[u32], op: Op, at: usize, operand: u32) -> usize {
    instructions(words).filter(|(found, operands)| *found == op as u32 && operands.get(at) == Some(&operand)).count()
}

#[test]
fn choices_between_resources_name_them() {
    let several = |resources: &str| {
        format!(
            "a handle that a phi or select chooses from several resources: {resources}; put them into one array, or into \
             one descriptor heap as the same kind of view"
        )
    };
    let (array, single) = ("t0[4] space0 ByteAddressBuffer", "t8 space0 ByteAddressBuffer");
    let view = "ResourceDescriptorHeap t";
    let cases = [
        ("select_of_two", several(&format!("{array} and {single}"))),
        ("select_of_two_created", several(&format!("{array} and {single}"))),
        ("phi_of_two", several(&format!("{single} and {array}"))),
        ("heap_and_array", several(&format!("{array} and ResourceDescriptorHeap"))),
        ("sampler_heap_and_array", several(&format!("{array} and SamplerDescriptorHeap"))),
        (
            "library_of_two",
            several("t2[4] space0 ByteAddressBuffer \"inputs\" and u0[2] space0 ByteAddressBuffer \"results\""),
        ),
        ("views_of_heap", several(&format!("{view} ByteAddressBuffer and {view} StructuredBuffer size 4"))),
        (
            "annotated_and_created",
            format!(
                "a handle that a phi or select chooses from {array}; that is translated only if all its handles are \
                 created by one operation and annotated alike"
            ),
        ),
    ];
    for (name, message) in cases {
        let error = translated(&format!("tests/shaders/handles/{name}.dxil"), &lavapipe()).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Unsupported, message.as_str()), "{name}");
    }
}

#[test]
fn indexes_that_may_differ_are_marked() {
    let fixture = |name: &str| translated(&format!("../tests/fixtures/handles/{name}.dxil"), &VULKAN_1_3_DESKTOP);
    let marks = |words: &[u32]| count(words, Op::Decorate, 1, Decoration::NonUniform as u32);
    let uniform = fixture("select_uniform").unwrap();
    assert_eq!(marks(&uniform), 0);
    assert_eq!(count(&uniform, Op::Capability, 0, Capability::ShaderNonUniform as u32), 0);
    // The mark is on each index and pointer of the three accesses.
    assert!(marks(&fixture("select").unwrap()) >= 6);
    assert!(marks(&fixture("loop").unwrap()) >= 4);
    // Images and samplers that are loaded through the pointer are marked as well.
    assert!(marks(&fixture("nested").unwrap()) >= 6);
}
