//! Checks forms of stages that no driver of the fixtures can run, by looking at the SPIR-V words.

use std::sync::Arc;

use std::path::PathBuf;

use dxil_translator::internals::dxil::program::Program;
use dxil_translator::internals::lower;
use dxil_translator::internals::spirv::disassemble;
use dxil_translator::{
    BindingPlan, DeviceProfile, EntryId, ErrorKind, Feature, Options, PipelineStage, PlanInputs, Result, Shader,
    ShaderStage, VULKAN_1_3_DESKTOP, VertexLocations, plan,
};

/// The only entry point of each of these fixtures.
const ENTRY: EntryId = EntryId::FIRST;

fn shader(fixture: &str) -> Shader {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let bytes = std::fs::read(folder.join(format!("{fixture}.dxil"))).unwrap();
    Shader::parse(&bytes).unwrap()
}

fn default_plan(shader: &Shader, profile: &DeviceProfile) -> BindingPlan {
    let stages = [PipelineStage::new(shader, ENTRY)];
    plan(&stages, &PlanInputs::new(profile)).unwrap().stages.pop().unwrap()
}

fn lower(program: &Program, plan: &BindingPlan, options: &Options) -> Result<Vec<u32>> {
    lower::lower(program, &program.entries[ENTRY], plan, options).map(|(words, _)| words)
}

fn text(program: &Program, plan: &BindingPlan, options: &Options) -> String {
    disassemble(&lower(program, plan, options).unwrap()).unwrap()
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// Today's compilers always emit the control-point phase. Converted DXBC leaves out one that only
/// passes control points through (DXIL.rst, "Hull Shader").
#[test]
fn a_hull_shader_without_control_point_phase_copies() {
    let shader = shader("tessellation/tri_integer_cw.hs");
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let mut program = shader.program().clone();
    let both = text(&program, &plan, &options);
    assert_eq!(count(&both, "OpFunctionCall"), 2);
    program.entries[ENTRY].func = program.entries[ENTRY].patch_function.unwrap();
    let copied = text(&program, &plan, &options);
    assert_eq!(count(&copied, "OpFunctionCall"), 1, "{copied}");
    assert_eq!(count(&copied, "BuiltIn Position"), 2, "{copied}");
    assert_eq!(count(&copied, "OpControlBarrier"), 1);
}

#[test]
fn a_pass_through_hull_shader_needs_every_output_as_input() {
    let shader = shader("tessellation/tri_integer_cw.hs");
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let mut program = shader.program().clone();
    program.entries[ENTRY].func = program.entries[ENTRY].patch_function.unwrap();
    Arc::make_mut(&mut program.entries[ENTRY].inputs).elements.clear();
    assert_eq!(lower(&program, &plan, &options).unwrap_err().kind(), ErrorKind::Malformed);
}

/// Control points and patch constants have 16 of D3D's 32 rows each, because Vulkan has a single
/// space of locations for both.
#[test]
fn control_points_beyond_their_locations_are_refused() {
    let shader = shader("tessellation/control_points.hs");
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let mut program = shader.program().clone();
    Arc::make_mut(&mut program.entries[ENTRY].outputs).elements[0].start_row = Some(16);
    let error = lower(&program, &plan, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

#[test]
fn patch_constants_beyond_their_locations_are_refused() {
    let shader = shader("tessellation/control_points.hs");
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let mut program = shader.program().clone();
    let constants = &mut Arc::make_mut(&mut program.entries[ENTRY].patch_constants).elements;
    constants.iter_mut().find(|element| element.name.as_ref() == "MEAN").unwrap().start_row = Some(16);
    let error = lower(&program, &plan, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.message().starts_with("`MEAN` begins at row 16"), "{error}");
}

/// What a domain shader outputs is not per patch, so it has all locations.
#[test]
fn outputs_of_a_domain_shader_have_all_locations() {
    let shader = shader("tessellation/control_points.ds");
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let mut program = shader.program().clone();
    let outputs = &mut Arc::make_mut(&mut program.entries[ENTRY].outputs).elements;
    outputs.iter_mut().find(|element| element.name.as_ref() == "COLOR").unwrap().start_row = Some(20);
    let text = text(&program, &plan, &options);
    assert_eq!(count(&text, " Location 20"), 1, "{text}");
}

/// The choice `texcoord`: the location is the index of the semantic, and no other semantic has one.
#[test]
fn vertex_inputs_at_the_index_of_their_semantic() {
    let shader = shader("graphics/indexed.vs");
    let mut options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let mut program = shader.program().clone();
    options.vertex_locations = VertexLocations::Texcoord;
    let error = lower(&program, &plan, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
    assert!(error.message().contains("needs the semantic TEXCOORD"), "{error}");
    let inputs = &mut Arc::make_mut(&mut program.entries[ENTRY].inputs).elements;
    for (element, index) in inputs.iter_mut().zip(5..) {
        (element.name, element.indices) = ("TexCoord".into(), vec![index].into());
    }
    let (text, inputs) = (text(&program, &plan, &options), program.entries[ENTRY].inputs.elements.len());
    for index in 5..5 + inputs {
        assert!(count(&text, &format!(" Location {index}\n")) == 1, "{text}");
    }
}

/// A pixel shader's `SV_Position.w` is 1/w of Vulkan's FragCoord. Before rasterization, w is what the
/// previous stage wrote.
#[test]
fn only_fragments_have_the_reciprocal_of_w() {
    let divisions = |fixture: &str| {
        let shader = shader(fixture);
        let options = Options::new(VULKAN_1_3_DESKTOP);
        count(&text(shader.program(), &default_plan(&shader, &options.profile), &options), "OpFDiv")
    };
    // The shader itself divides once.
    assert_eq!(divisions("graphics/position_w.ps"), 2);
    assert_eq!(divisions("geometry/lines.gs"), 0);
}

#[test]
fn barycentrics_and_attributes_per_vertex() {
    let shader = shader("stages/attribute_at_vertex.ps");
    let without = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &without.profile);
    let program = shader.program();
    let error = lower(program, &plan, &without).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingFeature(Feature::FragmentShaderBarycentric));
    let mut with = without.clone();
    with.profile.features.set(Feature::FragmentShaderBarycentric, true);
    let text = text(program, &plan, &with);
    assert_eq!(count(&text, "OpCapability FragmentBarycentricKHR"), 1, "{text}");
    assert_eq!(count(&text, "BuiltIn BaryCoordKHR"), 1);
    // The two inputs per vertex are arrays of three. Interpolated inputs are not decorated.
    assert_eq!(count(&text, " PerVertexKHR"), 2);
}

#[test]
fn two_sources_have_one_location() {
    let shader = shader("stages/dual_source.ps");
    let mut options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let program = shader.program();
    assert_eq!(count(&text(program, &plan, &options), " Index "), 0);
    options.facts.dual_source = true;
    let text = text(program, &plan, &options);
    assert_eq!((count(&text, " Index 0"), count(&text, " Index 1")), (1, 1), "{text}");
}

/// The table of operations says in which stages an operation is valid, and every lowering relies on
/// it.
#[test]
fn an_operation_of_another_stage_is_refused() {
    let shader = shader("graphics/discard.ps");
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let mut program = shader.program().clone();
    program.entries[ENTRY].stage = ShaderStage::Vertex;
    let error = lower(&program, &plan, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Malformed);
    assert!(error.message().contains("is not allowed in a vertex shader"), "{}", error.message());
}
