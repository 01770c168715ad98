//! The shader stages of one pipeline: which are DXIL, and what the driver gets in their place.
//!
//! In: a pipeline's stages and layout. Out: `None`, where the modules that are there already fit;
//! else copies of the stages with other modules, names, code or robustness. What must hold: stages are never
//! reordered, added or dropped; `pNext` tails are shared, and only nodes that precede chained code
//! are copied; whatever is made for the call lives in the [`Scratch`] until it returns.

use std::cell::OnceCell;
use std::ffi::{CStr, CString};
use std::sync::Arc;

use ash::vk;

use crate::features::robustness::Robustness;
use crate::intercept::inspect::{StageDxil, dxil_of_stage};
use crate::intercept::objects::Device;
use crate::intercept::scratch::Scratch;
use crate::settings::DualSource;
use crate::translate::{Blob, Context, Emitted, EntryId, Facts, Failure, Request, Source};
use crate::translator::{Error, ErrorKind, Feature, Place, Plan};
use crate::vulkan::carriers::Stage;
use crate::vulkan::chain;
use crate::vulkan::pipeline_state::{Fact, GraphicsState};

/// Why a pipeline is not created.
pub enum Refusal {
    /// Its DXIL cannot be used.
    Failed(Failure),
    /// The application forbade compilation, and a translation is needed.
    CompileRequired,
    /// The driver refused a module.
    Driver(vk::Result),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<vk::Result> for Refusal {
    fn from(result: vk::Result) -> Self {
        Self::Driver(result)
    }
}

/// What substitution has to know of a pipeline beside its stages.
pub struct Pipeline<'a> {
    /// Its layout, which may be null.
    pub layout: vk::PipelineLayout,
    /// It takes its resources from descriptor heaps, so it has no layout to plan against.
    pub uses_descriptor_heaps: bool,
    /// The robustness that the application asks for in all stages without one of their own.
    pub robustness: Option<Robustness>,
    /// The application lets it be compiled; else only cached translations are used.
    pub may_compile: bool,
    /// Reads its graphics state. Called only if a shader depends on it.
    pub state: &'a dyn Fn() -> Option<GraphicsState>,
}

/// One DXIL stage of the pipeline.
struct Part<'a> {
    index: usize,
    source: Arc<Source>,
    entry: EntryId,
    dxil: StageDxil<'a>,
}

/// The stages as the driver is to see them; `None` where they are right as they are.
///
/// # Errors
/// Why the pipeline cannot be created.
///
/// # Safety
/// The stages must be valid and outlive the scratch.
pub unsafe fn substitute(
    stages: &[Stage],
    pipeline: &Pipeline<'_>,
    scratch: &mut Scratch<'_>,
) -> Result<Option<Vec<Stage>>, Refusal> {
    let device = scratch.device;
    let context = device.context();
    // SAFETY: the caller's stages.
    let parts = unsafe { parts(stages, pipeline, scratch, &context) }?;
    if parts.is_empty() {
        return Ok(None);
    }
    if pipeline.uses_descriptor_heaps {
        let reason = "DXIL in a pipeline of VK_EXT_descriptor_heap is not translated yet; create the pipeline without \
                      VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT, with a pipeline layout";
        return Err(Failure::unsupported(reason).into());
    }
    let layout = device.pipeline_layouts.get(pipeline.layout);
    let inputs: Vec<(&Source, EntryId)> = parts.iter().map(|p| (&*p.source, p.entry)).collect();
    let plans = context.plan(&inputs, layout.as_deref())?;
    let state = OnceCell::new();
    let mut out = None;
    for (part, plan) in parts.iter().zip(&plans) {
        let Some(stage) = stages.get(part.index) else { continue };
        let mut copy = *stage;
        let facts = facts(part, stage, (stages, &parts), device, || *state.get_or_init(|| (pipeline.state)()))?;
        // SAFETY: the caller's stage.
        let own = unsafe { chain::find(stage.p_next) }.map(Robustness::of).or(pipeline.robustness);
        // SAFETY: the caller's stage.
        if unsafe { rewrite(&mut copy, part, (plan, facts, own), pipeline.may_compile, scratch) }? {
            context.store.stats.substitution();
            let list = out.get_or_insert_with(|| stages.to_vec());
            if let Some(place) = list.get_mut(part.index) {
                *place = copy;
            }
        }
    }
    Ok(out)
}

/// The stages that are DXIL, parsed, with their entry points.
///
/// # Safety
/// As for [`substitute`].
unsafe fn parts<'a>(
    stages: &[Stage],
    pipeline: &Pipeline<'_>,
    scratch: &mut Scratch<'_>,
    context: &Context<'_>,
) -> Result<Vec<Part<'a>>, Refusal> {
    let mut parts = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        // SAFETY: the caller's stages.
        let Some(dxil) = (unsafe { dxil_of_stage(scratch.device, stage) }) else { continue };
        let source = match &dxil {
            StageDxil::Module(module) => module.source.clone(),
            StageDxil::Chained(bytes) => {
                let key = (bytes.as_ptr() as usize, bytes.len());
                match scratch.parsed.get(&key) {
                    Some(source) => source.clone(),
                    None => {
                        let blob = Blob::of(bytes)?;
                        if !pipeline.may_compile && !context.store.has_source(blob.hash) {
                            return Err(Refusal::CompileRequired);
                        }
                        let source = context.parse_blob(&blob)?;
                        scratch.parsed.insert(key, source.clone());
                        source
                    }
                }
            }
        };
        // SAFETY: the caller's stage.
        let name = unsafe { entry_name(stage) }.unwrap_or(c"main");
        let entry = source.entry(&name.to_string_lossy())?;
        check_stage(stage, &source, entry)?;
        parts.push(Part { index, source, entry, dxil });
    }
    Ok(parts)
}

/// Refuses an entry point of another kind than the pipeline's stage
/// (VUID-VkPipelineShaderStageCreateInfo-pName-00707): a driver would take its SPIR-V unseen. In a
/// library, a wrong `pName` is all that this takes.
fn check_stage(stage: &Stage, source: &Source, entry: EntryId) -> Result<(), Failure> {
    let flag = source.shader.stage_flag(entry);
    if flag == stage.stage.as_raw() {
        return Ok(());
    }
    let reason = format!(
        "the entry point is of {}, and the pipeline's stage of {}",
        stage_name(flag),
        stage_name(stage.stage.as_raw())
    );
    Err(source.failure(Some(entry), Error::new(ErrorKind::Unsupported, Place::Input, reason)))
}

/// The name of a bit of `VkShaderStageFlagBits`.
fn stage_name(flag: u32) -> String {
    const NAMES: [&str; 14] = [
        "VERTEX_BIT",
        "TESSELLATION_CONTROL_BIT",
        "TESSELLATION_EVALUATION_BIT",
        "GEOMETRY_BIT",
        "FRAGMENT_BIT",
        "COMPUTE_BIT",
        "TASK_BIT_EXT",
        "MESH_BIT_EXT",
        "RAYGEN_BIT_KHR",
        "ANY_HIT_BIT_KHR",
        "CLOSEST_HIT_BIT_KHR",
        "MISS_BIT_KHR",
        "INTERSECTION_BIT_KHR",
        "CALLABLE_BIT_KHR",
    ];
    match NAMES.get(flag.trailing_zeros() as usize) {
        Some(name) if flag.is_power_of_two() => format!("VK_SHADER_STAGE_{name}"),
        _ => format!("no known stage (bits {flag:#x})"),
    }
}

/// The stage's `pName`.
///
/// # Safety
/// The stage must be valid and outlive the result.
unsafe fn entry_name(stage: &Stage) -> Option<&CStr> {
    // SAFETY: null or a valid string, by the structure's valid usage.
    (!stage.p_name.is_null()).then(|| unsafe { CStr::from_ptr(stage.p_name) })
}

/// The state of the pipeline that the code of a stage depends on. Where the number of samples is
/// unknown it is 0, which the translator refuses in a shader that needs it. A pixel shader finds the
/// outputs of a mesh shader by what that shader says of them, if it is DXIL too.
fn facts(
    part: &Part<'_>,
    stage: &Stage,
    (stages, parts): (&[Stage], &[Part<'_>]),
    device: &Device,
    state: impl Fn() -> Option<GraphicsState>,
) -> Result<Facts, Failure> {
    let shader = &part.source.shader;
    let mut facts = Facts::default();
    facts.feeds_stage = shader.writes_for_rasterizer(part.entry) && feeds_stage(stages, stage.stage);
    if device.profile.has(Feature::DualSrcBlend) && shader.has_second_target(part.entry) {
        facts.dual_source = dual_source(part, device, state().as_ref())?;
    }
    if stage.stage == vk::ShaderStageFlags::FRAGMENT {
        facts.mesh_outputs = parts.iter().find_map(|other| other.source.shader.mesh_outputs(other.entry));
    }
    if shader.asks_for_samples(part.entry) {
        facts.samples = state().map_or(0, |s| s.samples.or(0));
    }
    Ok(facts)
}

/// Whether the second target of a pixel shader is the second source of blending.
fn dual_source(part: &Part<'_>, device: &Device, state: Option<&GraphicsState>) -> Result<bool, Failure> {
    match device.instance.settings.dual_source {
        DualSource::On => return Ok(true),
        DualSource::Off => return Ok(false),
        DualSource::Auto => {}
    }
    match state.map_or(Fact::Known(false), GraphicsState::second_source) {
        Fact::Known(known) => Ok(known),
        // Only with the feature may a command set a blend factor of the second source
        // (VUID-VkColorBlendEquationEXT-dualSrcBlend-07357), and it is the application that knows its commands.
        Fact::Unknown if !device.blends_two_sources => Ok(false),
        Fact::Unknown => {
            let reason = "whether SV_Target1 is a second colour attachment or the second source of blending is not known \
                          here: blending is dynamic or in another pipeline library, and so is the number of colour \
                          attachments; create the pixel shader's library together with the fragment output state, or set \
                          dual_source to on or off";
            Err(part.source.failure(Some(part.entry), Error::new(ErrorKind::Binding, Place::Input, reason)))
        }
    }
}

/// Whether another shader stage reads the outputs of this one before the rasterizer does.
fn feeds_stage(stages: &[Stage], stage: vk::ShaderStageFlags) -> bool {
    use vk::ShaderStageFlags as S;
    let readers = match stage {
        S::VERTEX => S::TESSELLATION_CONTROL | S::GEOMETRY,
        S::TESSELLATION_EVALUATION => S::GEOMETRY,
        _ => return false,
    };
    stages.iter().any(|other| readers.contains(other.stage))
}

/// Makes a stage what the driver is to see; `false` where it needs no change. `own` is the robustness
/// that the application asks for in this stage: where it asks for none, the layer does.
///
/// # Safety
/// The stage must be valid and outlive the scratch.
unsafe fn rewrite(
    stage: &mut Stage,
    part: &Part<'_>,
    (plan, facts, own): (&Plan, Facts, Option<Robustness>),
    may_compile: bool,
    scratch: &mut Scratch<'_>,
) -> Result<bool, Refusal> {
    let device = scratch.device;
    let profile = own.map(|own| Arc::new(own.profile(&device.profile)));
    let context = profile.as_ref().map_or_else(|| device.context(), |profile| device.context_with(profile));
    let default = match &part.dxil {
        StageDxil::Module(module) => module.default.as_ref(),
        StageDxil::Chained(_) => None,
    };
    let mut changed = false;
    let emitted = match default {
        Some(default) if default.plan == *plan && facts == Facts::default() && own.is_none() => default.emitted.clone(),
        _ => {
            let request = context.request(&part.source, part.entry, plan, facts)?;
            let emitted = translate(&context, &part.source, &request, may_compile)?;
            match &part.dxil {
                // Another plan may give the same words: a dynamic buffer, for one, does not change
                // the code.
                StageDxil::Module(_) if default.is_some_and(|d| d.emitted.words == emitted.words) => {}
                StageDxil::Module(_) => {
                    stage.module = scratch.module(&emitted)?;
                    changed = true;
                }
                StageDxil::Chained(_) => {
                    // SAFETY: the caller's stage, which has code in its chain.
                    unsafe { scratch.chain(stage, &emitted) }?;
                    changed = true;
                }
            }
            emitted
        }
    };
    // SAFETY: the caller's stage.
    let name = unsafe { entry_name(stage) }.unwrap_or_default();
    if name.to_bytes() != emitted.entry.as_bytes() {
        let name = CString::new(emitted.entry.as_str()).map_err(|_| {
            let error = Error::new(ErrorKind::Unsupported, Place::Input, "the entry point's name contains a NUL");
            part.source.failure(Some(part.entry), error)
        })?;
        scratch.name(stage, name);
        changed = true;
    }
    if let (None, Some((asked, _))) = (own, &device.robust_stages) {
        scratch.robustness(stage, *asked);
        changed = true;
    }
    if let Some(size) = emitted.required_subgroup_size {
        // SAFETY: the caller's stage.
        changed |= unsafe { scratch.subgroup_size(stage, size) };
    }
    Ok(changed)
}

fn translate(
    context: &Context<'_>,
    source: &Source,
    request: &Arc<Request>,
    may_compile: bool,
) -> Result<Arc<Emitted>, Refusal> {
    if !may_compile && !context.store.has(request) {
        return Err(Refusal::CompileRequired);
    }
    Ok(context.emit(source, request)?)
}
