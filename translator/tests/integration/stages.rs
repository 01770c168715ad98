//! Checks forms of stages that no driver of the fixtures can run, by looking at the SPIR-V words.

use std::sync::Arc;

use dxil_spirv_builder::disassemble;
use dxil_test_support::fixture;
use dxil_translator::analysis::program::Program;
use dxil_translator::ir::declarations::{Signature, SignatureElement, StageProperties};
use dxil_translator::lower;
use dxil_translator::ops::consts::{ComponentType, InterpolationMode, SemanticKind};
use dxil_translator::{
    BindingOptions, BindingPlan, DeviceProfile, EntryId, ErrorKind, Feature, Model, Options, PipelineStage, PlanInputs,
    RegisterShifts, Result, Shader, ShaderStage, VULKAN_1_3_DESKTOP, VertexLocations, lavapipe, plan,
};

/// The only entry point of each of these fixtures.
const ENTRY: EntryId = EntryId::FIRST;

fn shader(name: &str) -> Shader {
    Shader::parse(&fixture(&format!("{name}.dxil"))).unwrap()
}

fn default_plan(shader: &Shader, profile: &DeviceProfile) -> BindingPlan {
    let stages = [PipelineStage::new(shader, ENTRY)];
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let inputs = PlanInputs::new(profile).with_options(BindingOptions::new(Model::Register, shifts));
    plan(&stages, &inputs).unwrap().stages.pop().unwrap()
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
    // The four components of the position are copied.
    let entry = copied.split("OpFunction ").find(|function| function.contains("OpControlBarrier")).unwrap();
    let [before, _] = entry.split("OpControlBarrier").collect::<Vec<_>>()[..] else { panic!("{entry}") };
    assert_eq!(count(before, "OpStore"), 4, "{entry}");
}

#[test]
fn a_pass_through_hull_shader_needs_every_output_as_input() {
    let shader = shader("tessellation/tri_integer_cw.hs");
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let mut program = shader.program().clone();
    program.entries[ENTRY].func = program.entries[ENTRY].patch_function.unwrap();
    type Change = fn(&mut SignatureElement);
    let plain: Change = |element| (element.name, element.semantic) = ("PLACE".into(), SemanticKind::Arbitrary);
    plain(&mut Arc::make_mut(&mut program.entries[ENTRY].outputs).elements[0]);
    let with = |change: Change| {
        let mut program = program.clone();
        let input = &mut Arc::make_mut(&mut program.entries[ENTRY].inputs).elements[0];
        plain(input);
        change(input);
        lower(&program, &plan, &options)
    };
    with(|input| input.name = "Place".into()).unwrap();
    let changes: [Change; 5] = [
        |input| input.name = "OTHER".into(),
        |input| input.indices = [1].into(),
        |input| input.rows = 2,
        |input| input.semantic = SemanticKind::Position,
        |input| input.component = ComponentType::I32,
    ];
    for (n, change) in changes.into_iter().enumerate() {
        let error = with(change).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed, "{n}: {error}");
        assert!(error.message().contains("has no input that matches its output `PLACE`"), "{n}: {error}");
    }
}

/// Before the rasterizer, the layer is a plain value. A system value that no hull shader has is
/// refused.
#[test]
fn outputs_of_a_hull_shader_are_plain_values() {
    let shader = shader("tessellation/control_points.hs");
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let with = |semantic: SemanticKind| {
        let mut program = shader.program().clone();
        let outputs = &mut Arc::make_mut(&mut program.entries[ENTRY].outputs).elements;
        outputs.iter_mut().find(|element| element.semantic == SemanticKind::Arbitrary).unwrap().semantic = semantic;
        lower(&program, &plan, &options)
    };
    let plain = disassemble(&with(SemanticKind::RenderTargetArrayIndex).unwrap()).unwrap();
    assert_eq!(count(&plain, "BuiltIn Layer"), 0, "{plain}");
    let error = with(SemanticKind::Coverage).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.message().contains("a hull shader has the output SV_Coverage"), "{error}");
}

/// DirectX-Specs, Mesh Shader: vertices and primitives together have the rows of one signature.
#[test]
fn rows_of_vertices_and_primitives_are_limited_together() {
    let shader = shader("mesh/attributes.ms");
    let options = Options::new(DeviceProfile::named("everything").unwrap());
    let plan = default_plan(&shader, &options.profile);
    let rows = |signature: &Signature| {
        let ends = signature.elements.iter().filter_map(|element| Some(element.start_row? + element.rows));
        ends.max().unwrap()
    };
    let with = |all: u32| {
        let mut program = shader.program().clone();
        let entry = &mut program.entries[ENTRY];
        let start = all - rows(&entry.outputs) - 1;
        let primitives = &mut Arc::make_mut(&mut entry.patch_constants).elements;
        let last = primitives.iter_mut().filter(|element| element.rows == 1).max_by_key(|element| element.start_row);
        last.unwrap().start_row = Some(start);
        assert_eq!(rows(&entry.outputs) + rows(&entry.patch_constants), all);
        lower(&program, &plan, &options)
    };
    with(32).unwrap();
    let error = with(33).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
    assert!(error.message().starts_with("the outputs of a mesh shader have 33 rows"), "{error}");
}

/// The shape of quads is that of the group, and a group of other threads has none
/// (HLSL_SM_6_6_Derivatives).
#[test]
fn derivatives_need_a_group_of_quads() {
    let shader = shader("wave/derivative_square");
    let options = Options::new(lavapipe());
    let plan = default_plan(&shader, &options.profile);
    let with = |threads: [u32; 3]| {
        let mut program = shader.program().clone();
        let StageProperties::Compute { num_threads, .. } = &mut program.entries[ENTRY].properties else {
            panic!("a compute shader")
        };
        *num_threads = threads;
        lower(&program, &plan, &options)
    };
    for threads in [[2, 2, 3], [6, 2, 1], [4, 1, 1], [12, 1, 1]] {
        with(threads).unwrap();
    }
    for threads in [[3, 3, 1], [3, 2, 1], [2, 3, 1], [6, 1, 1], [4, 1, 2], [1, 1, 1]] {
        let error = with(threads).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed, "{threads:?}: {error}");
        assert_eq!(error.message(), "a derivative in a thread group that does not divide into quads");
    }
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
    assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
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
    assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
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

/// A pixel shader's `SV_Position.w` is 1/w of Vulkan's FragCoord. Before rasterization, w is what
/// the previous stage wrote.
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

/// Where barycentrics are interpolated, as for any other input.
#[test]
fn barycentrics_at_samples_and_centroids() {
    let shader = shader("stages/attribute_at_vertex.ps");
    let mut options = Options::new(VULKAN_1_3_DESKTOP);
    options.profile.features.set(Feature::FragmentShaderBarycentric, true);
    let plan = default_plan(&shader, &options.profile);
    let with = |interpolation: InterpolationMode| {
        let mut program = shader.program().clone();
        let inputs = &mut Arc::make_mut(&mut program.entries[ENTRY].inputs).elements;
        let found = inputs.iter_mut().find(|element| element.semantic == SemanticKind::Barycentrics);
        found.unwrap().interpolation = interpolation;
        let text = text(&program, &plan, &options);
        let ended = |what: &str| text.lines().filter(|line| line.ends_with(what)).count();
        [ended(" BuiltIn BaryCoordKHR"), ended(" Centroid"), ended(" Sample"), ended(" SampleRateShading")]
    };
    assert_eq!(with(InterpolationMode::Linear), [1, 0, 0, 0]);
    assert_eq!(with(InterpolationMode::LinearCentroid), [1, 1, 0, 0]);
    assert_eq!(with(InterpolationMode::LinearSample), [1, 0, 1, 1]);
    assert_eq!(with(InterpolationMode::LinearNoperspectiveSample), [0, 0, 1, 1]);
}

#[test]
fn two_sources_have_one_location() {
    let shader = shader("stages/dual_source.ps");
    let mut options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = default_plan(&shader, &options.profile);
    let program = shader.program();
    assert_eq!(count(&text(program, &plan, &options), " Index "), 0);
    options.pipeline.dual_source = true;
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
