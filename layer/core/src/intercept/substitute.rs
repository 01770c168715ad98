//! The shader stages of one pipeline: which are DXIL, and what the driver gets in their place.
//!
//! In: a pipeline's stages and layout. Out: `None`, where the modules that are there already fit;
//! else copies of the stages with other modules, names, code or robustness. What must hold: stages are
//! never reordered, added or dropped; `pNext` tails are shared, and only nodes that precede chained code
//! are copied; whatever is made for the call lives in the [`Scratch`] until it returns.

use std::cell::OnceCell;
use std::ffi::CStr;
use std::sync::Arc;

use ash::vk;

use crate::features::robustness::Robustness;
use crate::intercept::dxil_stage::{self, Around, Part, Refusal, check_pixel_shader};
use crate::intercept::inspect::{StageDxil, dxil_of_stage};
use crate::intercept::names::name_module;
use crate::intercept::scratch::Scratch;
use crate::translate::{EntryId, Facts, Failure, Source};
use crate::translator::Plan;
use crate::vulkan::carriers::Stage;
use crate::vulkan::chain;
use crate::vulkan::pipeline_state::GraphicsState;
use crate::vulkan::reads::Fact;

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
    let parts = unsafe { parts(stages, pipeline, scratch) }?;
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
    let planned = context.plan(&inputs, layout.as_deref())?;
    let state = OnceCell::new();
    let read_state = || *state.get_or_init(|| (pipeline.state)());
    let feeds_stage = |part: &Part<'_>| Fact::Known(stages.iter().any(|other| part.readers().intersects(other.stage)));
    let all: Vec<&Part<'_>> = parts.iter().collect();
    let all_dxil = dxil_stage::are_whole(&all, stages.len());
    let around = Around { device, parts: &all, all_dxil, feeds_stage: &feeds_stage, state: &read_state };
    let (mut out, mut replaced) = (None, 0);
    for (part, plan) in parts.iter().zip(&planned.stages) {
        let Some(stage) = stages.get(part.index) else { continue };
        let mut copy = *stage;
        check_pixel_shader(part, read_state)?;
        let facts = dxil_stage::facts(part, &around)?;
        // SAFETY: the caller's stage.
        let own = unsafe { chain::find(stage.p_next) }.map(Robustness::of).or(pipeline.robustness);
        // SAFETY: the caller's stage.
        if unsafe { rewrite(&mut copy, part, (plan, facts, own), pipeline.may_compile, scratch) }? {
            context.store.stats.substitution();
            replaced += 1;
            let list = out.get_or_insert_with(|| stages.to_vec());
            if let Some(place) = list.get_mut(part.index) {
                *place = copy;
            }
        }
    }
    log::debug!("pipeline of {}: bindings {}, {replaced} stages replaced", listed(&parts), planned.model);
    Ok(out)
}

/// The stages for the log.
fn listed(parts: &[Part<'_>]) -> String {
    let named = |part: &Part<'_>| {
        let (shader, blob) = (&part.source.shader, part.source.hash.short());
        format!("{} `{}` (blob {blob})", shader.stage_name(part.entry), shader.entry_name(part.entry).escape_debug())
    };
    parts.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// The stages that are DXIL, parsed, with their entry points.
///
/// # Safety
/// As for [`substitute`].
unsafe fn parts<'a>(
    stages: &[Stage],
    pipeline: &Pipeline<'_>,
    scratch: &mut Scratch<'_>,
) -> Result<Vec<Part<'a>>, Refusal> {
    let mut parts = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        // SAFETY: the caller's stages.
        let Some(dxil) = (unsafe { dxil_of_stage(scratch.device, stage) }) else { continue };
        // SAFETY: the caller's stage.
        let name = unsafe { entry_name(stage) }.unwrap_or(c"main");
        let name = name.to_string_lossy();
        parts.push(Part::new((index, stage.stage), dxil, &name, pipeline.may_compile, scratch)?);
    }
    Ok(parts)
}

/// The stage's `pName`.
///
/// # Safety
/// The stage must be valid and outlive the result.
unsafe fn entry_name(stage: &Stage) -> Option<&CStr> {
    // SAFETY: null or a valid string, by the structure's valid usage.
    (!stage.p_name.is_null()).then(|| unsafe { CStr::from_ptr(stage.p_name) })
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
        StageDxil::Code(_) => None,
    };
    let mut changed = false;
    let emitted = match default {
        Some(default) if default.plan == *plan && facts == Facts::default() && own.is_none() => {
            scratch.note(part.index, || context.request(&part.source, part.entry, plan, facts).ok());
            default.emitted.clone()
        }
        _ => {
            let request = context.request(&part.source, part.entry, plan, facts)?;
            scratch.note(part.index, || Some(request.clone()));
            let emitted = dxil_stage::translate(&context, &part.source, &request, may_compile)?;
            match &part.dxil {
                // Another plan may give the same words: a dynamic buffer, for one, does not change
                // the code.
                StageDxil::Module(_) if default.is_some_and(|d| d.emitted.words == emitted.words) => {}
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
            }
            emitted
        }
    };
    // SAFETY: the caller's stage.
    let name = unsafe { entry_name(stage) }.unwrap_or_default();
    if name.to_bytes() != emitted.entry.as_bytes() {
        scratch.name(stage, part.emitted_name(&emitted)?);
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
