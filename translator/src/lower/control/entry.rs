//! The entry point: its execution model and modes, and the lowering of the functions that it
//! reaches.

use std::cell::OnceCell;

use rspirv::spirv::{Capability, ExecutionMode, ExecutionModel};

use super::function;
use crate::analysis::entry::{AnalysisInputs, Device, EntryAnalysis, FunctionQueries};
use crate::analysis::program::names;
use crate::analysis::program::names::Names;
use crate::analysis::program::{Entry, Program};
use crate::binding::plan::{BindingPlan, Location};
use crate::ir::{Denormals, Func, Type};
use crate::lower::cx::{EntryCx, FunctionIds, Inputs, Limit, MeshLinks, ModuleIds, SourceIds, Uses};
use crate::lower::rays::parameters;
use crate::lower::resources::{bounds, handle};
use crate::lower::source;
use crate::lower::stages::{
    amplification, geometry, group, interface, interlock, mesh, pixel, stream_output, tessellation, views,
};
use crate::lower::waves::{lanes, quad_shape};
use crate::ops::OpCode;
use crate::ops::consts::ShaderStage;
use crate::options::{Debug, Options, RawVectors};
use crate::reflect::{Binding, Reflection, Registers};
use dxil_base::entity::EntitySet;
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits::{Budget, Fuel, GROUP_THREADS};
use dxil_base::profile::{Feature, FloatControls};
use dxil_spirv_builder::{Caps, Id, Module};

/// Lowers one entry point of a program, to a module of its own.
///
/// # Errors
/// `Unsupported`, naming an operation or construct that is not lowered; `MissingFeature` for a
/// feature that the profile does not have; `Binding` for a resource without a place.
pub fn lower(
    program: &Program,
    entry: &Entry,
    plan: &BindingPlan,
    options: &Options,
) -> Result<(Vec<u32>, Reflection)> {
    lower_with_fuel(program, entry, plan, options).map(|(words, reflection, _)| (words, reflection))
}

/// [`lower`], with what the translation cost.
///
/// # Errors
/// Those of [`lower`].
pub fn lower_with_fuel(
    program: &Program,
    entry: &Entry,
    plan: &BindingPlan,
    options: &Options,
) -> Result<(Vec<u32>, Reflection, Budget)> {
    let names = names_of(program, options);
    Uses::lower(|uses| {
        let mut module = new_module(program, options);
        let source = source_of(&mut module, program, options)?;
        let mut shared = SharedByEntries::new(&names, source.as_ref(), uses);
        let reflection = lower_entry(&mut module, program, EntryWithPlan { entry, plan }, options, &mut shared)?;
        let spent = module.fuel.spent();
        Ok((module.finish()?, reflection, spent))
    })
}

/// Lowers several entry points of a program to one module. Types and constants are shared, and
/// functions and variables belong to one entry point each, because they depend on its plan.
///
/// # Errors
/// Those of [`lower`]; the message names the entry point.
pub fn lower_library(
    program: &Program,
    entries: &[EntryWithPlan<'_>],
    options: &Options,
) -> Result<(Vec<u32>, Vec<Reflection>)> {
    if let (Some(name), true) = (&options.entry_point_name, entries.len() > 1) {
        let count = entries.len();
        return Err(unsupported!(Place::Input, "{count} entry points of one module cannot all have the name `{name}`"));
    }
    let names = names_of(program, options);
    Uses::lower(|uses| {
        let mut module = new_module(program, options);
        let mut reflections = Vec::with_capacity(entries.len());
        charge_repetitions(&module.fuel, program, entries)?;
        let source = source_of(&mut module, program, options)?;
        let mut shared = SharedByEntries::new(&names, source.as_ref(), uses);
        for &planned in entries {
            let lowered = lower_entry(&mut module, program, planned, options, &mut shared);
            reflections.push(lowered.map_err(|error| {
                let name = planned.entry.name.escape_debug();
                Error::new(error.kind(), error.place(), format!("entry point `{name}`: {}", error.message()))
            })?);
        }
        Ok((module.finish()?, reflections))
    })
}

/// A module without entry points.
fn new_module<'o>(program: &Program, options: &'o Options) -> Module<'o> {
    let mut module = Module::new(&options.profile, SPIRV_VERSION, has_names(program, options));
    module.fuel = Fuel::new(options.budget, program.input_bytes);
    module.precise = options.precise;
    module
}

/// Whether names are written. Debuggers show them beside the variables of the source.
fn has_names(program: &Program, options: &Options) -> bool {
    options.names || options.debug != Debug::None && program.module.debug.is_some()
}

/// The names of the program's resources, if names are written.
fn names_of(program: &Program, options: &Options) -> Names {
    if has_names(program, options) { names::resource_names(program, options.budget) } else { Names::default() }
}

/// Declares the source, if the options ask for it and the program was parsed with it.
fn source_of<'o>(module: &mut Module<'_>, program: &'o Program, options: &Options) -> Result<Option<SourceIds<'o>>> {
    let info = program.module.debug.as_deref();
    info.map_or(Ok(None), |info| source::declare(module, info, options.debug))
}

/// An entry point and its plan.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct EntryWithPlan<'a> {
    /// The entry point.
    pub entry: &'a Entry,
    /// Its plan.
    pub plan: &'a BindingPlan,
}

/// What the entry points of a module share.
struct SharedByEntries<'n, 'o> {
    names: &'n Names,
    /// What is declared of the source.
    source: Option<&'n SourceIds<'n>>,
    /// The outputs of the pipeline's mesh shader, by name. They are sorted for the first pixel
    /// shader.
    mesh_links: OnceCell<MeshLinks<'o>>,
    /// The SPIR-V types and constants: those of entry points that widen minimum-precision types,
    /// and of those that do not.
    ids: [Option<ModuleIds>; 2],
    /// The ray queries of functions that were looked at.
    queries: FunctionQueries,
    /// The uses that no definition dominates.
    uses: &'n Uses,
}

impl<'n> SharedByEntries<'n, '_> {
    fn new(names: &'n Names, source: Option<&'n SourceIds<'n>>, uses: &'n Uses) -> Self {
        let (mesh_links, queries) = (OnceCell::new(), FunctionQueries::default());
        Self { names, source, mesh_links, ids: Default::default(), queries, uses }
    }
}

/// Charges what entry points repeat that others do as well: walks over the functions that they
/// share, and over the resources of the module.
fn charge_repetitions(fuel: &Fuel, program: &Program, entries: &[EntryWithPlan<'_>]) -> Result<()> {
    let mut reached = EntitySet::new();
    for EntryWithPlan { entry, .. } in entries {
        let mut steps = program.resources.len();
        for &func in &program.reached[entry.reachable.functions] {
            if !reached.insert(func) {
                let function = &program.module.functions[func];
                steps += function.insts.len() + function.blocks.len() + STEPS_OF_A_FUNCTION;
            }
        }
        fuel.steps(
            Place::Function(program.module.functions[entry.func].number),
            "functions and resources that entry points share",
            steps,
        )?;
    }
    Ok(())
}

/// Steps that a function costs besides those of its blocks and instructions.
const STEPS_OF_A_FUNCTION: usize = 16;

/// Lowers one entry point into a module that may have others already.
fn lower_entry<'o>(
    module: &mut Module<'_>,
    program: &'o Program,
    planned: EntryWithPlan<'o>,
    options: &'o Options,
    shared: &mut SharedByEntries<'_, 'o>,
) -> Result<Reflection> {
    let EntryWithPlan { entry, plan } = planned;
    let model = execution_model(entry.stage)?;
    module.begin_entry();
    refuse_recursion(program, entry)?;
    let analysis = EntryAnalysis::new(&analysis_inputs(program, planned, options, &module.caps), &mut shared.queries)?;
    let mesh_outputs = options.pipeline.mesh_outputs.as_deref().filter(|_| entry.stage == ShaderStage::Pixel);
    let mesh_links = mesh_outputs.map(|outputs| shared.mesh_links.get_or_init(|| MeshLinks::new(outputs)));
    let input = Inputs {
        program,
        entry,
        plan,
        options,
        names: shared.names,
        analysis: &analysis,
        mesh_links,
        source: shared.source,
        uses: shared.uses,
    };
    let ids = &mut shared.ids[usize::from(analysis.widens)];
    let mut cx = EntryCx::new(input, ids.take().unwrap_or_else(|| ModuleIds::new(&program.module)));
    cx.interface.captured = stream_output::resolve(input)?;
    views::check(input)?;
    let main = functions(&mut cx, module)?;
    if entry.runs_per_sample() && !module.caps.has(Capability::SampleRateShading) {
        pixel::run_per_sample(&mut cx, module)?;
    }
    let name = options.entry_point_name.as_deref().unwrap_or(&entry.name);
    module.entry_point(model, main, name);
    module.name(main, name);
    if let Some(ids) = shared.source {
        source::entry(module, ids, entry.func);
    }
    let mut reflection = Reflection { entry: name.into(), stage: Some(entry.stage), ..Reflection::default() };
    modes(&mut cx, module, main, &mut reflection)?;
    if analysis.pixel.interlock.is_some() {
        interlock::declare(module, main)?;
    }
    bindings(cx.input, &mut reflection);
    *ids = Some(cx.ids);
    Ok(reflection)
}

/// Refuses recursion, which DXIL does not allow (DXIL.rst, "Restrictions").
fn refuse_recursion(program: &Program, entry: &Entry) -> Result<()> {
    let Some(func) = entry.reachable.recursion else { return Ok(()) };
    let function = &program.module.functions[func];
    Err(malformed!(
        Place::Function(function.number),
        "function `{}` is recursive, which DXIL does not allow",
        function.name
    ))
}

/// What the analysis of an entry depends on.
fn analysis_inputs<'o>(
    program: &'o Program,
    EntryWithPlan { entry, plan }: EntryWithPlan<'o>,
    options: &Options,
    caps: &Caps<'_>,
) -> AnalysisInputs<'o> {
    AnalysisInputs {
        program,
        entry,
        plan,
        device: Device {
            scalar_layout: caps.enabled(Feature::ScalarBlockLayout),
            native_16_bit: caps.native_16_bit(),
            demotes: caps.native_demote(),
        },
        sample_shading: options.pipeline.sample_shading,
        aligned_vectors: options.raw_vectors == RawVectors::Aligned,
        checks_buffers: !bounds::driver_bounds_buffers(options, caps),
    }
}

/// Lowers the functions that the entry reaches. The result is the function that is its entry point.
fn functions(cx: &mut EntryCx<'_>, module: &mut Module<'_>) -> Result<Id> {
    let Inputs { program, entry, .. } = cx.input;
    let void = module.type_void();
    let main = FunctionIds { ty: module.type_function(void, &[]), id: module.fresh() };
    let hull = entry.stage == ShaderStage::Hull;
    for &func in &program.reached[entry.reachable.functions] {
        // The SPIR-V entry of a hull shader is a function of its own, which calls both of its
        // phases.
        cx.functions[func] = Some(if func == entry.func && !hull { main.id } else { module.fresh() });
    }
    for &func in &program.reached[entry.reachable.functions] {
        let lowered = &program.module.functions[func];
        let Some(id) = cx.functions[func] else { continue };
        let ty = if func == entry.func || Some(func) == entry.patch_function {
            if entry.stage.is_rays() {
                parameters::check(cx.input)?;
            } else if *cx.input.ir_type(lowered.ret) != Type::Void || !lowered.args.is_empty() {
                let place = Place::Function(lowered.number);
                return Err(malformed!(place, "entry function `{}` has parameters or a return value", lowered.name));
            }
            main.ty
        } else {
            function_type(cx, module, func)?
        };
        function::lower_function(cx, module, func, FunctionIds { id, ty })?;
    }
    if hull {
        let phases = tessellation::Phases {
            control_points: cx.functions[entry.func].filter(|_| !entry.is_pass_through_hull()),
            patch: entry.patch_function.and_then(|func| cx.functions[func]),
        };
        tessellation::hull_entry(cx, module, main, &phases)?;
    }
    Ok(main.id)
}

/// The execution model of a stage.
///
/// # Errors
/// `Unsupported` for a stage that is not lowered.
pub fn execution_model(stage: ShaderStage) -> Result<ExecutionModel> {
    Ok(match stage {
        ShaderStage::Compute => ExecutionModel::GLCompute,
        ShaderStage::Vertex => ExecutionModel::Vertex,
        ShaderStage::Pixel => ExecutionModel::Fragment,
        ShaderStage::Geometry => ExecutionModel::Geometry,
        ShaderStage::Hull => ExecutionModel::TessellationControl,
        ShaderStage::Domain => ExecutionModel::TessellationEvaluation,
        ShaderStage::Amplification => ExecutionModel::TaskEXT,
        ShaderStage::Mesh => ExecutionModel::MeshEXT,
        ShaderStage::RayGeneration => ExecutionModel::RayGenerationKHR,
        ShaderStage::Intersection => ExecutionModel::IntersectionKHR,
        ShaderStage::AnyHit => ExecutionModel::AnyHitKHR,
        ShaderStage::ClosestHit => ExecutionModel::ClosestHitKHR,
        ShaderStage::Miss => ExecutionModel::MissKHR,
        ShaderStage::Callable => ExecutionModel::CallableKHR,
        ShaderStage::Node => {
            return Err(unsupported!(
                Place::Input,
                "a node of a work graph, which Vulkan has only by VK_AMDX_shader_enqueue: nodes are not translated"
            ));
        }
        other => return Err(unsupported!(Place::Input, "{other} shaders are not lowered yet")),
    })
}

/// The SPIR-V version that is written where the device takes it: the highest that lowering is
/// written for, and the one of Vulkan 1.3.
const SPIRV_VERSION: (u8, u8) = (1, 6);

fn function_type(cx: &mut EntryCx<'_>, module: &mut Module<'_>, func: Func) -> Result<Id> {
    let function = &cx.input.program.module.functions[func];
    let ret = cx.ty(module, function.ret)?;
    let mut params = Vec::with_capacity(function.args.len());
    for &arg in &function.args {
        let ty = cx.input.program.module.type_of(function, arg);
        if !matches!(cx.input.ir_type(ty), Type::Int(_) | Type::Float(_) | Type::Vector { .. }) {
            let name = &function.name;
            return Err(unsupported!(
                Place::Function(function.number),
                "function `{name}` has a parameter that is a handle, pointer or structure; only numbers and vectors \
                 are supported"
            ));
        }
        params.push(cx.ty(module, ty)?);
    }
    Ok(module.type_function(ret, &params))
}

fn modes(cx: &mut EntryCx<'_>, module: &mut Module<'_>, main: Id, reflection: &mut Reflection) -> Result<()> {
    let entry = cx.input.entry;
    match entry.stage {
        ShaderStage::Compute => {
            let most = module.caps.limits().max_compute_work_group_invocations;
            let limit = Limit { name: "maxComputeWorkGroupInvocations", most };
            reflection.workgroup_size = Some(group::local_size(entry, module, main, GROUP_THREADS, Some(limit))?);
        }
        ShaderStage::Mesh => reflection.workgroup_size = Some(mesh::modes(cx.input, module, main)?),
        ShaderStage::Amplification => reflection.workgroup_size = Some(amplification::modes(cx.input, module, main)?),
        ShaderStage::Pixel => {
            module.execution_mode(main, ExecutionMode::OriginUpperLeft, &[]);
            if entry.flags.early_depth_stencil() {
                module.execution_mode(main, ExecutionMode::EarlyFragmentTests, &[]);
            }
            interface::pixel_modes(cx, module, main);
        }
        ShaderStage::Geometry => {
            module.caps.capability(Capability::Geometry)?;
            geometry::modes(&entry.properties, module, main)?;
        }
        ShaderStage::Hull | ShaderStage::Domain => {
            module.caps.capability(Capability::Tessellation)?;
            // This state applies to domain shaders only.
            let linked = cx.input.options.pipeline.tessellation.filter(|_| entry.stage == ShaderStage::Domain);
            tessellation::modes(&entry.properties, linked, module, main)?;
        }
        stage if stage.is_rays() => module.caps.capability(Capability::RayTracingKHR)?,
        _ => {}
    }
    if reflection.workgroup_size.is_some() {
        reflection.wave_size = entry.properties.wave_size();
    }
    stream_output::modes(cx, module, main)?;
    tangle_modes(cx.input, module, main)?;
    float_modes(cx, module, main)
}

/// Declares the execution modes that tangled operations need, if the device has them. With maximal
/// reconvergence, lanes reconverge as the source says, which D3D's wave operations rely on. The
/// other modes keep quads complete.
fn tangle_modes(input: Inputs<'_>, module: &mut Module<'_>, main: Id) -> Result<()> {
    let tangles = input.analysis.tangles;
    // After a shader call the lanes may be in other subgroups (Vulkan,
    // VUID-StandaloneSpirv-MaximallyReconvergesKHR-09565).
    let repacks = [
        OpCode::TraceRay,
        OpCode::CallShader,
        OpCode::ReportHit,
        OpCode::HitObject_TraceRay,
        OpCode::HitObject_Invoke,
        OpCode::MaybeReorderThread,
        OpCode::VendorReorder,
        OpCode::VendorTraceReorder,
    ];
    let repacks = repacks.iter().any(|&op| input.entry.reachable.operations.has(op));
    if tangles.any() && !repacks && module.caps.use_maximal_reconvergence() {
        module.execution_mode(main, ExecutionMode::MaximallyReconvergesKHR, &[]);
    }
    if let Some(quads) = quad_shape::quads(input)
        && quad_shape::has_native_quads(input, &module.caps)
    {
        let (capability, mode) = quads.native();
        module.caps.capability(capability)?;
        module.execution_mode(main, mode, &[]);
    }
    let is_pixel = input.entry.stage == ShaderStage::Pixel;
    let quad_control = module.caps.allows(Capability::QuadControlKHR);
    // With this mode derivatives are defined wherever the four lanes of a quad run together.
    // Without it the derivative group, in which control flow must be uniform, may be larger than
    // the quad.
    if is_pixel && quad_control && tangles.gradient {
        module.caps.capability(Capability::QuadControlKHR)?;
        module.execution_mode(main, ExecutionMode::QuadDerivativesKHR, &[]);
    }
    // The mode guarantees helper lanes for quad operations. Wave operations that include helper
    // lanes require it: without the mode, the device chooses whether helper lanes take part
    // (Vulkan, "Helper Invocations").
    if is_pixel && (quad_control && tangles.quad || tangles.wave && lanes::counts_helpers(input)) {
        module.caps.capability(Capability::QuadControlKHR)?;
        module.execution_mode(main, ExecutionMode::RequireFullQuadsKHR, &[]);
    }
    Ok(())
}

/// Declares the execution modes for floats: the handling of denormals that the entry asks for
/// (DXIL.rst, "fp32-denorm-mode"), and the preservation of NaN, infinity and signed zero, as in
/// D3D, if the device has that.
fn float_modes(cx: &mut EntryCx<'_>, module: &mut Module<'_>, main: Id) -> Result<()> {
    // The attribute speaks of 32-bit floats only, so no other width gets a mode. Whether the device
    // can have modes that differ between widths (`denorm_independence` of the profile) is not
    // checked.
    let denorm = match cx.input.program.module.functions[cx.input.entry.func].attributes.denormals {
        Denormals::Preserve if module.caps.has_float_control(32, FloatControls::DENORM_PRESERVE) => {
            Some((Capability::DenormPreserve, ExecutionMode::DenormPreserve))
        }
        Denormals::FlushToZero if module.caps.has_float_control(32, FloatControls::DENORM_FLUSH_TO_ZERO) => {
            Some((Capability::DenormFlushToZero, ExecutionMode::DenormFlushToZero))
        }
        _ => None,
    };
    if let Some((capability, mode)) = denorm
        && module.caps.allows(capability)
    {
        module.caps.capability(capability)?;
        module.execution_mode(main, mode, &[32]);
    }
    for width in [16, 32, 64] {
        let used = width == 32 || module.caps.has(if width == 16 { Capability::Float16 } else { Capability::Float64 });
        let kept = module.caps.has_float_control(width, FloatControls::SIGNED_ZERO_INF_NAN_PRESERVE);
        if used && kept && module.caps.allows(Capability::SignedZeroInfNanPreserve) {
            module.caps.capability(Capability::SignedZeroInfNanPreserve)?;
            module.execution_mode(main, ExecutionMode::SignedZeroInfNanPreserve, &[width]);
        }
    }
    Ok(())
}

fn bindings(input: Inputs<'_>, reflection: &mut Reflection) {
    let used = &input.entry.reachable.resources;
    reflection.bindings.reserve(used.iter().count());
    for id in used.iter() {
        let resource = &input.program.resources[id];
        let Ok(location) = handle::location(input, id) else { continue };
        let block = match location {
            Location::Inline { block, .. } => Some(block),
            _ => None,
        };
        if let Location::Bindings(bindings) = location {
            let class = resource.class.letter();
            reflection.bindings.extend((0..bindings.count).map(|number| {
                let first = resource.lower_bound.saturating_add(number);
                let registers = Some(Registers { class, first, count: 1, space: resource.space });
                Binding { resource: resource.clone(), registers, descriptor: bindings.nth(number) }
            }));
        }
        if let Some(descriptor) = location.descriptor().or(block) {
            let registers = resource.is_declared().then(|| Registers {
                class: resource.class.letter(),
                first: resource.lower_bound,
                count: resource.count,
                space: resource.space,
            });
            reflection.bindings.push(Binding { resource: resource.clone(), registers, descriptor });
        }
        if let Some(bytes) = location.push_bytes() {
            reflection.push_constant_size = reflection.push_constant_size.max(bytes.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::strict::is_strict;
    use crate::binding::PlanInputs;
    use crate::ir::{Block, InstData, Module, Value};
    use crate::shader::{PipelineStage, Shader, plan};
    use dxil_base::profile::VULKAN_1_3_DESKTOP;

    /// Puts another operand into the first sum or product of a block. Both have the same type.
    fn replace_operand(module: &mut Module, func: Func, block: Block, value: Value) -> bool {
        let ty = module.type_of(&module.functions[func], value);
        for inst in module.functions[func].blocks[block].insts.clone() {
            if let InstData::Binary { lhs, .. } = module.functions[func].insts[inst]
                && module.type_of(&module.functions[func], lhs) == ty
            {
                if let InstData::Binary { lhs, .. } = &mut module.functions[func].insts[inst] {
                    *lhs = value;
                }
                return true;
            }
        }
        false
    }

    /// The verifier allows uses that no definition dominates.
    #[test]
    fn uses_without_a_dominating_definition_are_repaired() {
        let path = format!("{}/../tests/corpus/fxaa.high.dxil", env!("CARGO_MANIFEST_DIR"));
        let shader = Shader::parse(&std::fs::read(path).unwrap()).unwrap();
        let (id, entry) = shader.entries().next().unwrap();
        let options = Options::new(VULKAN_1_3_DESKTOP);
        let plans = plan(&[PipelineStage::new(&shader, id)], &PlanInputs::new(&options.profile)).unwrap();
        let function = &shader.program().module.functions[entry.func];
        let mut repaired = 0;
        for (from, data) in function.blocks.iter().skip(1) {
            let Some(value) = data.insts.iter().find_map(|&inst| function.result(inst)) else { continue };
            for to in function.blocks.keys().filter(|&to| to != from) {
                let mut program = shader.program().clone();
                if replace_operand(&mut program.module, entry.func, to, value) && !is_strict(&program.module) {
                    lower(&program, &program.entries[id], &plans.stages[0], &options).unwrap();
                    repaired += 1;
                }
            }
        }
        assert!(repaired > 10, "{repaired} uses");
    }
}
