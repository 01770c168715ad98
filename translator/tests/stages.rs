//! Checks forms of stages that no driver of the fixtures can run, by looking at the SPIR-V words.

use std::sync::Arc;

use std::path::PathBuf;

use dxil_translator::internals::dxil::program::Program;
use dxil_translator::internals::lower;
use dxil_translator::internals::spirv::disassemble;
use dxil_translator::{
    BindingPlan, DeviceProfile, EntryId, ErrorKind, Feature, Options, PipelineStage, PlanInputs, Result, Shader,
    ShaderStage, VULKAN_1_3_DESKTOP, plan,
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
