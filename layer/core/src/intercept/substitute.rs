//! The shader stages of one pipeline: which are DXIL, and their replacements.
//!
//! In: a pipeline's stages and layout. Out: `None` if the existing modules are already right; else
//! copies of the stages with other modules, names, code or robustness. What must hold: stages are
//! never reordered, added or dropped; `pNext` tails are shared, and only nodes that precede chained
//! code are copied; the temporaries of the call live in the [`Scratch`] until it returns.

use std::cell::OnceCell;
use std::ffi::CStr;
use std::sync::Arc;

use ash::vk;

use crate::features::robustness::Robustness;
use crate::intercept::dxil_stage::{self, Around, DxilStage, Refusal, check_pixel_shader};
use crate::intercept::heaps::{HeapPlans, InHeaps, without_extension};
use crate::intercept::inspect::{StageDxil, dxil_of_stage};
use crate::intercept::mappings::is_mapped;
use crate::intercept::names::name_module;
use crate::intercept::root_signatures;
use crate::intercept::scratch::{RequiredSize, Scratch};
use crate::intercept::subgroups;
use crate::translate::{DeviceProfile, EntryId, Failure, GivenRootSignatures, ParsedBlob, PipelineState, StageOfCode};
use crate::translator::Plan;
use crate::vulkan::chain;
use crate::vulkan::pipeline_state::GraphicsState;
use crate::vulkan::shader_code::Stage;

/// The properties of a pipeline that substitution needs besides its stages.
pub struct Pipeline<'a> {
    /// The root signatures that are chained to it.
    pub given: &'a GivenRootSignatures,
    /// Its layout, which may be null.
    pub layout: vk::PipelineLayout,
    /// It uses descriptor heaps, so it has no layout for a binding plan.
    pub uses_descriptor_heaps: bool,
    /// The robustness that the application requests for stages that do not request their own.
    pub robustness: Option<Robustness>,
    /// The application allows compilation; otherwise only cached translations are used.
    pub may_compile: bool,
    /// Reads its graphics state. Called only if a shader depends on it.
    pub state: &'a dyn Fn() -> Option<GraphicsState>,
    /// Reads its vertex attributes; `None` if they are unknown.
    pub attributes: &'a dyn Fn() -> Option<&'a [vk::VertexInputAttributeDescription]>,
}

/// The stages for the driver; `None` if no change is needed.
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
    let mut context = device.context();
    // SAFETY: the caller's stages.
    let dxil_stages = unsafe { dxil_stages(stages, pipeline, scratch) }?;
    if dxil_stages.is_empty() {
        // SAFETY: the caller's stages.
        return unsafe { without_root_signatures(stages, None, scratch) };
    }
    // SAFETY: the caller's stages.
    let given = unsafe { given(stages, &dxil_stages) }?;
    let global = match &pipeline.given.global {
        Some(global) => Some(global.clone()),
        None => root_signatures::common(&given)?,
    };
    let own = pipeline.given.local.as_ref();
    let locals: Vec<_> = given.into_iter().map(|given| given.local.or_else(|| own.cloned())).collect();
    context.signatures.global = global.as_deref().or(context.signatures.global);
    context.signatures.locals = &locals;
    let inputs: Vec<(&ParsedBlob, EntryId)> = dxil_stages.iter().map(|p| (&*p.blob, p.entry)).collect();
    let (planned, in_heaps) = match pipeline.uses_descriptor_heaps {
        false => (context.plan(&inputs, device.pipeline_layouts.get(pipeline.layout).as_deref())?, None),
        true => {
            let heaps = device.heaps.as_ref().ok_or_else(without_extension)?;
            let mut dxil = dxil_stages.iter().filter_map(|dxil| stages.get(dxil.index));
            // SAFETY: the caller's stages.
            let is_mapped = dxil.any(|stage| unsafe { is_mapped(stage.p_next) });
            let HeapPlans { planned, in_heaps } = heaps.plan(&context, &inputs, is_mapped)?;
            (planned, Some(in_heaps))
        }
    };
    let state = OnceCell::new();
    let read_state = || *state.get_or_init(|| (pipeline.state)());
    let feeds_stage = |dxil: &DxilStage<'_>| Some(stages.iter().any(|other| dxil.readers().intersects(other.stage)));
    let all: Vec<&DxilStage<'_>> = dxil_stages.iter().collect();
    let all_dxil = dxil_stage::are_whole(&all, stages.len());
    let around = Around { device, dxil_stages: &all, all_dxil, feeds_stage: &feeds_stage, state: &read_state };
    let (mut out, mut replaced) = (None, 0);
    for (dxil, plan) in dxil_stages.iter().zip(&planned.stages) {
        let Some(stage) = stages.get(dxil.index) else { continue };
        let mut copy = *stage;
        check_pixel_shader(dxil, read_state)?;
        let state = dxil_stage::pipeline_state(dxil, &around)?;
        // SAFETY: the caller's stage.
        let robustness = unsafe { chain::find(stage.p_next) }.map(Robustness::from_info).or(pipeline.robustness);
        let wanted = Wanted { plan, state, robustness, in_heaps: in_heaps.as_ref(), may_compile: pipeline.may_compile };
        // SAFETY: the caller's stage.
        if unsafe { rewrite(&mut copy, dxil, wanted, scratch) }? {
            context.store.stats.substitution();
            replaced += 1;
            let list = out.get_or_insert_with(|| stages.to_vec());
            if let Some(place) = list.get_mut(dxil.index) {
                *place = copy;
            }
        }
    }
    if scratch.collected.is_some() {
        return Ok(None);
    }
    let whole = all.len() == stages.len();
    scratch.mismatches = dxil_stage::interface_mismatches(device, &all, whole, pipeline.attributes);
    log::debug!("pipeline of {}: bindings {}, {replaced} stages replaced", listed(&dxil_stages), planned.model);
    // SAFETY: the caller's stages, or copies in the scratch.
    unsafe { without_root_signatures(stages, out, scratch) }
}

/// The root signatures that are given with each stage: those of its chain, or of its module.
///
/// # Errors
/// A root signature cannot be read.
///
/// # Safety
/// The stages must be valid.
unsafe fn given(stages: &[Stage], dxil_stages: &[DxilStage<'_>]) -> Result<Vec<GivenRootSignatures>, Failure> {
    let of = |dxil: &DxilStage<'_>| {
        let p_next = stages.get(dxil.index).map_or(std::ptr::null(), |stage| stage.p_next);
        // SAFETY: the chain of the caller's stage.
        let chained = unsafe { root_signatures::read(p_next) }?;
        let module = match &dxil.code {
            StageDxil::Module(module) => module.given.clone(),
            StageDxil::Code(_) | StageDxil::Identified(_) => GivenRootSignatures::default(),
        };
        let (global, local) = (chained.global.or(module.global), chained.local.or(module.local));
        Ok(GivenRootSignatures { global, local })
    };
    dxil_stages.iter().map(of).collect()
}

/// The stages without the layer's structure in their chains. `out` has those that are replaced
/// already.
///
/// # Errors
/// The structure cannot be taken out.
///
/// # Safety
/// The stages must be valid and outlive the scratch.
unsafe fn without_root_signatures(
    stages: &[Stage],
    mut out: Option<Vec<Stage>>,
    scratch: &mut Scratch<'_>,
) -> Result<Option<Vec<Stage>>, Refusal> {
    for index in 0..stages.len() {
        let Some(stage) = out.as_deref().unwrap_or(stages).get(index) else { continue };
        // SAFETY: the chain of a valid stage.
        if let Some(head) = unsafe { root_signatures::take_out(stage.p_next, scratch) }?
            && let Some(stage) = out.get_or_insert_with(|| stages.to_vec()).get_mut(index)
        {
            stage.p_next = head;
        }
    }
    Ok(out)
}

/// The stages for the log.
fn listed(dxil_stages: &[DxilStage<'_>]) -> String {
    let named = |dxil: &DxilStage<'_>| {
        let (shader, blob) = (&dxil.blob.shader, dxil.blob.hash.short());
        format!("{} `{}` (blob {blob})", shader.stage_name(dxil.entry), shader.entry_name(dxil.entry).escape_debug())
    };
    dxil_stages.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// The stages that are DXIL, parsed, with their entry points.
///
/// # Safety
/// As for [`substitute`].
unsafe fn dxil_stages<'a>(
    stages: &[Stage],
    pipeline: &Pipeline<'_>,
    scratch: &mut Scratch<'_>,
) -> Result<Vec<DxilStage<'a>>, Refusal> {
    let mut dxil_stages = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        // SAFETY: the caller's stages.
        let Some(code) = (unsafe { dxil_of_stage(scratch.device, stage) }) else { continue };
        // SAFETY: the caller's stage.
        let name = unsafe { entry_name(stage) }.unwrap_or(c"main");
        let name = name.to_string_lossy();
        dxil_stages.push(DxilStage::new(index, stage.stage, code, &name, pipeline.may_compile, scratch)?);
    }
    Ok(dxil_stages)
}

/// The stage's `pName`.
///
/// # Safety
/// The stage must be valid and outlive the result.
unsafe fn entry_name(stage: &Stage) -> Option<&CStr> {
    // SAFETY: null or a valid string, by the structure's valid usage.
    (!stage.p_name.is_null()).then(|| unsafe { CStr::from_ptr(stage.p_name) })
}

/// What the translation of a stage depends on besides its code.
struct Wanted<'a> {
    plan: &'a Plan,
    state: PipelineState,
    /// The robustness that the application requests for this stage. If it requests none, the layer
    /// does.
    robustness: Option<Robustness>,
    /// The heaps of the device, if descriptors are there.
    in_heaps: Option<&'a InHeaps<'a>>,
    /// As in [`Pipeline`].
    may_compile: bool,
}

/// Rewrites a stage for the driver; returns `false` if no change is needed.
///
/// # Safety
/// The stage must be valid and outlive the scratch.
unsafe fn rewrite(
    stage: &mut Stage,
    dxil: &DxilStage<'_>,
    Wanted { plan, state, robustness, in_heaps, may_compile }: Wanted<'_>,
    scratch: &mut Scratch<'_>,
) -> Result<bool, Refusal> {
    let device = scratch.device;
    let profile = robustness.map(|own| Arc::new(own.profile(&device.profile)));
    let context = profile.as_ref().map_or_else(|| device.context(), |profile| device.context_with(profile));
    let default = match &dxil.code {
        StageDxil::Module(module) => module.default.as_ref(),
        StageDxil::Code(_) | StageDxil::Identified(_) => None,
    };
    let mut changed = false;
    let code = match default {
        Some(default) if default.request.plan == *plan && state == PipelineState::default() && robustness.is_none() => {
            scratch.record_request(dxil.index, || Some(default.request.clone()));
            default.stage.clone()
        }
        _ => {
            let request = context.request(&dxil.blob, dxil.entry, plan, state)?;
            scratch.record_request(dxil.index, || Some(request.clone()));
            if let Some(collected) = &mut scratch.collected {
                collected.push((dxil.blob.clone(), request));
                return Ok(false);
            }
            let emitted = dxil_stage::translate(&context, &dxil.blob, &request, may_compile)?;
            match &dxil.code {
                // Another plan may result in the same words: a dynamic buffer, for example, does
                // not change the code.
                StageDxil::Module(module) if module.emitted.upgrade().is_some_and(|own| own.words == emitted.words) => {
                }
                StageDxil::Module(module) => {
                    stage.module = scratch.module(&emitted)?;
                    if let Some(name) = &*module.name.lock() {
                        name_module(device, stage.module, name);
                    }
                    changed = true;
                }
                StageDxil::Code(_) => {
                    // SAFETY: the caller's stage, which has code in its chain.
                    unsafe { scratch.chain(stage, &emitted) }?;
                    changed = true;
                }
                StageDxil::Identified(_) => {
                    stage.module = scratch.module(&emitted)?;
                    // SAFETY: the caller's stage, which has an identifier in its chain.
                    unsafe { scratch.without_identifier(stage) }.map_err(unknown_before_identifier)?;
                    changed = true;
                }
            }
            emitted.stage.clone()
        }
    };
    // SAFETY: the caller's stage.
    let name = unsafe { entry_name(stage) }.unwrap_or_default();
    if name.to_bytes() != code.entry.as_bytes() {
        scratch.name(stage, dxil.emitted_name(&code)?);
        changed = true;
    }
    if let (None, Some((asked, _))) = (robustness, &device.robust_stages) {
        scratch.robustness(stage, *asked);
        changed = true;
    }
    if let Some(size) = code.required_subgroup_size {
        // SAFETY: the caller's stage.
        changed |= unsafe { scratch.subgroup_size(stage, size) };
    }
    if let Some(in_heaps) = in_heaps {
        // SAFETY: the caller's stage, or the chain that this function has made of its.
        let mapped = unsafe { in_heaps.mapped(stage.p_next, plan, scratch) };
        let mapped = mapped.map_err(|error| dxil.blob.failure(Some(dxil.entry), error))?;
        changed |= mapped != stage.p_next;
        stage.p_next = mapped;
    }
    // SAFETY: the caller's stage, or the chain that this function has made of its.
    changed |= unsafe { require_full_subgroups(stage, &code, &device.profile) };
    Ok(changed)
}

/// Sets the flags of a stage with wave operations. Returns whether the stage changed.
///
/// # Safety
/// The stage must be valid.
unsafe fn require_full_subgroups(stage: &mut Stage, code: &StageOfCode, profile: &DeviceProfile) -> bool {
    use vk::PipelineShaderStageCreateFlags as F;
    // SAFETY: the chain of a valid stage.
    let required = unsafe { chain::find::<RequiredSize>(stage.p_next) }.map(|info| info.required_subgroup_size);
    let varies = stage.flags.contains(F::ALLOW_VARYING_SUBGROUP_SIZE);
    let own = subgroups::flags(code, stage.stage, required, varies, profile);
    let before = stage.flags;
    for (is_set, flag) in [(own.varies, F::ALLOW_VARYING_SUBGROUP_SIZE), (own.full, F::REQUIRE_FULL_SUBGROUPS)] {
        stage.flags |= if is_set { flag } else { F::empty() };
    }
    stage.flags != before
}

fn unknown_before_identifier(unknown: usize) -> Failure {
    Failure::unsupported(format!(
        "an identifier of DXIL needs a copy of the stage's pNext chain, whose structure {unknown} is unknown to the layer; \
         chain that structure after the identifier"
    ))
}
