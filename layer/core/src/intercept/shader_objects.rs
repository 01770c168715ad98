//! Shader objects (VK_EXT_shader_object): DXIL in `vkCreateShadersEXT`.
//!
//! In: the application's create infos. Out: one call down. What must hold: a call without DXIL and
//! without root signatures is forwarded with the application's own pointers; code of type BINARY is
//! never inspected; linked stages fail together (`VK_SHADER_CREATE_LINK_STAGE_BIT_EXT`); after a
//! failure, the first null handle is that of the shader that failed, or of the first one linked to
//! it (`vkCreateShadersEXT`).
//!
//! A shader object has no pipeline: commands set its state, and only `nextStage` may tell which
//! stage follows.

use std::ffi::CStr;
use std::sync::Arc;

use ash::vk;
use log::Level;

use crate::intercept::dxil_stage::{
    self, Around, DxilStage, Refusal, check_pixel_shader, refused_by_driver, undefined_inputs,
};
use crate::intercept::guard::guard;
use crate::intercept::heaps::{HeapPlans, without_extension};
use crate::intercept::inspect::StageDxil;
use crate::intercept::layouts;
use crate::intercept::mappings::is_mapped;
use crate::intercept::objects::Device;
use crate::intercept::root_signatures;
use crate::intercept::scratch::{RequiredSize, Scratch};
use crate::intercept::subgroups;
use crate::messages::Id;
use crate::translate::{Failure, ParsedBlob, digest_of, dxil_in};
use crate::translator::{RootSignature, Tessellation};
use crate::vulkan::arrays::{bytes, slice};
use crate::vulkan::chain;
use crate::vulkan::newer::SHADER_CREATE_DESCRIPTOR_HEAP;
use crate::vulkan::pipeline_state::GraphicsState;

type Info = vk::ShaderCreateInfoEXT<'static>;

const LINKED: vk::ShaderCreateFlagsEXT = vk::ShaderCreateFlagsEXT::LINK_STAGE;

/// `vkCreateShadersEXT`.
pub unsafe extern "system" fn create_shaders(
    device: vk::Device,
    count: u32,
    infos: *const vk::ShaderCreateInfoEXT<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderEXT,
) -> vk::Result {
    let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
    guard(failed, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
        let Some(next) = device.table.create_shaders else { return failed };
        device.instance.messages.flush();
        // SAFETY: the array of the command's valid arguments.
        let list: &[Info] = unsafe { slice(infos.cast(), count) };
        let next = |list: &[Info], out: *mut vk::ShaderEXT| {
            // SAFETY: the application's arguments, with create infos made of the application's.
            unsafe { next(device.handle, list.len() as u32, list.as_ptr(), allocator, out) }
        };
        // SAFETY: valid create infos.
        if !list.iter().any(|info| unsafe { dxil_of(info).is_some() || root_signatures::is_in(info.p_next) }) {
            return next(list, out);
        }
        // SAFETY: no modules are made.
        let mut scratch = unsafe { Scratch::new(&device, std::ptr::null()) };
        // SAFETY: the command's output has one element per create info.
        let out = unsafe { std::slice::from_raw_parts_mut(out, list.len()) };
        // SAFETY: valid create infos, which outlive the scratch.
        let result = unsafe { translated(list, &mut scratch) };
        if let Some(capture) = &device.capture {
            // SAFETY: valid create infos.
            unsafe { capture.shaders(list, &scratch.requests) };
        }
        let (index, refusal) = match result {
            Ok(copies) => {
                if !scratch.mismatches.is_empty() {
                    let text = format!("linked shader objects: {}", undefined_inputs(&scratch.mismatches));
                    device.instance.messages.report(Level::Warn, Id::Interface, &[device.handle.into()], &text);
                }
                let result = next(&copies, out.as_mut_ptr());
                // SAFETY: valid create infos.
                unsafe { report_driver(&device, list, result) };
                return result;
            }
            Err(failure) => failure,
        };
        report(&device, index, &refusal);
        out.fill(vk::ShaderEXT::null());
        let created = before(list, index);
        // SAFETY: valid create infos, which outlive the scratch.
        match unsafe { translated(&list[..created], &mut scratch) } {
            Ok(copies) if !copies.is_empty() => {
                let result = next(&copies, out.as_mut_ptr());
                if result.as_raw() < 0 { result } else { failed }
            }
            _ => failed,
        }
    })
}

/// The number of leading create infos that are created although the one at `index` fails: those
/// before it, without an incomplete group of linked stages.
fn before(list: &[Info], index: usize) -> usize {
    let first_linked = list.iter().position(|info| info.flags.contains(LINKED)).unwrap_or(list.len());
    let last_linked = list.iter().rposition(|info| info.flags.contains(LINKED)).unwrap_or(0);
    if first_linked < index && index <= last_linked { first_linked } else { index }
}

fn report(device: &Device, index: usize, refusal: &Refusal) {
    let reason = match refusal {
        Refusal::Failed(failure) => device.describe(failure),
        Refusal::CompileRequired => "its translation is not in the cache".into(),
        Refusal::Driver(error) => format!("the driver returned {}", error.as_raw()),
    };
    let text = format!("shader object {index} is not created: {reason}");
    device.instance.messages.report(Level::Error, Id::ShaderObject, &[device.handle.into()], &text);
}

/// Reports that the driver did not create all shader objects of a call with DXIL.
///
/// # Safety
/// The create infos must be valid.
unsafe fn report_driver(device: &Device, list: &[Info], result: vk::Result) {
    if result.as_raw() >= 0 {
        return;
    }
    // SAFETY: the caller's create infos.
    let codes = list.iter().filter_map(|info| unsafe { dxil_of(info) });
    let mut blobs: Vec<_> = codes.filter_map(|code| digest_of(code).ok()).collect();
    blobs.dedup();
    let text = format!("shader objects are not created: {}", refused_by_driver("the driver", result, &blobs));
    device.instance.messages.report(Level::Error, Id::ShaderObject, &[device.handle.into()], &text);
}

/// The DXIL of a create info, if it has any.
///
/// # Safety
/// The create info must be valid and outlive the result.
unsafe fn dxil_of<'a>(info: &Info) -> Option<&'a [u8]> {
    // A binary is in the driver's own format.
    if info.code_type != vk::ShaderCodeTypeEXT::SPIRV {
        return None;
    }
    // SAFETY: the code of a valid create info.
    dxil_in(unsafe { bytes(info.p_code, info.code_size) })
}

/// Copies of all create infos, with SPIR-V in place of DXIL.
///
/// # Errors
/// The index of the first create info that cannot be translated, and why.
///
/// # Safety
/// The create infos must be valid and outlive the scratch.
unsafe fn translated(list: &[Info], scratch: &mut Scratch<'_>) -> Result<Vec<Info>, (usize, Refusal)> {
    let mut dxil_stages = Vec::new();
    for (index, info) in list.iter().enumerate() {
        // SAFETY: the caller's create info.
        let Some(code) = (unsafe { dxil_of(info) }) else { continue };
        // SAFETY: null or a valid string, by the structure's valid usage.
        let name = if info.p_name.is_null() { c"main" } else { unsafe { CStr::from_ptr(info.p_name) } };
        let dxil = DxilStage::new(index, info.stage, StageDxil::Code(code), &name.to_string_lossy(), true, scratch);
        dxil_stages.push(dxil.map_err(|refusal| (index, refusal))?);
    }
    // SAFETY: the caller's create infos.
    let linked = unsafe { Linked::new(list, &dxil_stages) }?;
    let whole = linked.dxil_stages.len() == linked.stages.len();
    scratch.mismatches = dxil_stage::interface_mismatches(scratch.device, &linked.dxil_stages, whole, || None);
    let alone = Linked::default();
    let mut out = list.to_vec();
    for dxil in &dxil_stages {
        if let Some(copy) = out.get_mut(dxil.index) {
            let linked = if copy.flags.contains(LINKED) { &linked } else { &alone };
            // SAFETY: the caller's create infos.
            unsafe { translate(copy, dxil, linked, scratch) }.map_err(|refusal| (dxil.index, refusal))?;
        }
    }
    for (index, copy) in out.iter_mut().enumerate() {
        // SAFETY: the chain of the caller's create info, or what was prepended to it.
        let without = unsafe { root_signatures::take_out(copy.p_next, scratch) };
        copy.p_next = without.map_err(|failure| (index, failure.into()))?.unwrap_or(copy.p_next);
    }
    Ok(out)
}

/// The shaders of a call that are linked with each other. They are collected once, because the call
/// may create many others.
#[derive(Default)]
struct Linked<'a> {
    /// The stages of all of them.
    stages: Vec<vk::ShaderStageFlags>,
    /// Those that are DXIL.
    dxil_stages: Vec<&'a DxilStage<'a>>,
    /// Whether the application chains mappings of descriptor heaps to one of these.
    is_mapped: bool,
    /// The root signature that the application chains to these.
    root_signature: Option<Arc<RootSignature>>,
}

impl<'a> Linked<'a> {
    /// # Errors
    /// The index of a create info whose root signature cannot be used, and why.
    ///
    /// # Safety
    /// The create infos must be valid.
    unsafe fn new(list: &[Info], dxil_stages: &'a [DxilStage<'a>]) -> Result<Self, (usize, Refusal)> {
        let is_linked = |info: &&Info| info.flags.contains(LINKED);
        let own = |dxil: &&DxilStage<'_>| list.get(dxil.index).filter(is_linked);
        let dxil_stages: Vec<_> = dxil_stages.iter().filter(|dxil| own(dxil).is_some()).collect();
        let infos = || dxil_stages.iter().filter_map(own);
        let mut given = Vec::new();
        for (dxil, info) in dxil_stages.iter().zip(infos()) {
            // SAFETY: the chain of a valid create info.
            given.push(unsafe { root_signatures::read(info.p_next) }.map_err(|failure| (dxil.index, failure.into()))?);
        }
        let first = dxil_stages.first().map_or(0, |dxil| dxil.index);
        Ok(Self {
            stages: list.iter().filter(is_linked).map(|info| info.stage).collect(),
            // SAFETY: the chain of a valid create info.
            is_mapped: infos().any(|info| unsafe { is_mapped(info.p_next) }),
            root_signature: root_signatures::common(&given).map_err(|failure| (first, failure.into()))?,
            dxil_stages,
        })
    }

    /// Whether one of them has one of these stages.
    fn has(&self, stages: vk::ShaderStageFlags) -> bool {
        self.stages.iter().any(|stage| stages.contains(*stage))
    }
}

/// Puts SPIR-V into the copy of a create info.
///
/// # Errors
/// Why it cannot be translated.
///
/// # Safety
/// As for [`translated`].
unsafe fn translate(
    copy: &mut Info,
    dxil: &DxilStage<'_>,
    linked: &Linked<'_>,
    scratch: &mut Scratch<'_>,
) -> Result<(), Refusal> {
    let device = scratch.device;
    let given = match &linked.root_signature {
        Some(shared) => Some(shared.clone()),
        // SAFETY: the chain of the caller's create info.
        None => unsafe { root_signatures::read(copy.p_next) }?.global,
    };
    // Robustness by stage belongs to pipelines; a shader object has the device's.
    let mut context = device.context_with(&device.profile);
    context.signatures.global = given.as_deref().or(context.signatures.global);
    // SAFETY: the arrays of the caller's create info.
    let (sets, ranges) = unsafe {
        (
            slice(copy.p_set_layouts, copy.set_layout_count),
            slice(copy.p_push_constant_ranges, copy.push_constant_range_count),
        )
    };
    let layout = layouts::layout_of(device, sets, ranges);
    // Linked stages are planned together, like those of a pipeline: one of them may have the root
    // signature of all. The set layouts of this create info apply to all of them, because a draw
    // needs identical set layouts in its stages (VUID-vkCmdDraw-None-08879).
    let alone = [dxil];
    let group: &[&DxilStage<'_>] = if linked.dxil_stages.is_empty() { &alone } else { &linked.dxil_stages };
    let stages: Vec<(&ParsedBlob, _)> = group.iter().map(|dxil| (&*dxil.blob, dxil.entry)).collect();
    let own = group.iter().position(|other| other.index == dxil.index).unwrap_or(0);
    let (planned, in_heaps) = match copy.flags.contains(SHADER_CREATE_DESCRIPTOR_HEAP) {
        false => (context.plan(&stages, Some(&layout))?, None),
        true => {
            let heaps = device.heaps.as_ref().ok_or_else(without_extension)?;
            // SAFETY: the chain of the caller's create info.
            let is_mapped = linked.is_mapped || unsafe { is_mapped(copy.p_next) };
            let HeapPlans { planned, in_heaps } = heaps.plan(&context, &stages, is_mapped)?;
            (planned, Some(in_heaps))
        }
    };
    let plan = planned.stages.into_iter().nth(own).unwrap_or_default();

    let (next_stage, stage) = (copy.next_stage, copy.stage);
    let state = || {
        let pixel_shader_elsewhere = !linked.has(vk::ShaderStageFlags::FRAGMENT);
        Some(GraphicsState { pixel_shader_elsewhere, ..GraphicsState::UNKNOWN })
    };
    let feeds_stage = |_: &DxilStage<'_>| {
        let readers = dxil.readers();
        if readers.is_empty() {
            return Some(false);
        }
        if linked.stages.iter().any(|other| other.as_raw() > stage.as_raw()) {
            return Some(linked.has(readers));
        }
        match (next_stage.intersects(readers), next_stage.intersects(!readers)) {
            (true, true) => None,
            (reads, _) => Some(reads),
        }
    };
    let all_dxil = dxil_stage::are_whole(&linked.dxil_stages, linked.stages.len());
    let around =
        Around { device, dxil_stages: &linked.dxil_stages, all_dxil, feeds_stage: &feeds_stage, state: &state };
    check_pixel_shader(dxil, state)?;
    let mut pipeline_state = dxil_stage::pipeline_state(dxil, &around)?;
    if stage == vk::ShaderStageFlags::TESSELLATION_EVALUATION {
        pipeline_state.tessellation = Some(tessellation(dxil, &linked.dxil_stages)?);
    }
    let request = context.request(&dxil.blob, dxil.entry, &plan, pipeline_state)?;
    scratch.record_request(dxil.index, || Some(request.clone()));
    let emitted = dxil_stage::translate(&context, &dxil.blob, &request, true)?;

    copy.code_size = size_of_val(emitted.words.as_slice());
    copy.p_code = emitted.words.as_ptr().cast();
    copy.p_name = scratch.entry_name(dxil.emitted_name(&emitted.stage)?);
    // SAFETY: the chain of the caller's create info.
    let has_size = unsafe { chain::find::<RequiredSize>(copy.p_next) }.is_some();
    if let Some(size) = emitted.stage.required_subgroup_size
        && !has_size
    {
        copy.p_next = scratch.required_size(copy.p_next, size);
        copy.flags &= !vk::ShaderCreateFlagsEXT::ALLOW_VARYING_SUBGROUP_SIZE;
    }
    // SAFETY: the chain of the caller's create info, or what was prepended to it.
    let required = unsafe { chain::find::<RequiredSize>(copy.p_next) }.map(|info| info.required_subgroup_size);
    let varies = copy.flags.contains(vk::ShaderCreateFlagsEXT::ALLOW_VARYING_SUBGROUP_SIZE);
    let own = subgroups::flags(&emitted.stage, copy.stage, required, varies, &device.profile);
    let flag = |is_set, flag| if is_set { flag } else { vk::ShaderCreateFlagsEXT::empty() };
    copy.flags |= flag(own.varies, vk::ShaderCreateFlagsEXT::ALLOW_VARYING_SUBGROUP_SIZE);
    copy.flags |= flag(own.full, vk::ShaderCreateFlagsEXT::REQUIRE_FULL_SUBGROUPS);
    if let Some(in_heaps) = in_heaps {
        // SAFETY: the chain of the caller's create info, or what was prepended to it.
        let mapped = unsafe { in_heaps.mapped(copy.p_next, &plan, scratch) };
        copy.p_next = mapped.map_err(|error| dxil.blob.failure(Some(dxil.entry), error))?;
    }
    scratch.words(&emitted);
    context.store.stats.substitution();
    Ok(())
}

/// The tessellation modes of a domain shader's hull shader. Unlike in a pipeline, the code of a
/// domain shader object must declare them (VUID-VkShaderCreateInfoEXT-codeType-08873 to 08875), and
/// in D3D only the hull shader does.
fn tessellation(dxil: &DxilStage<'_>, linked: &[&DxilStage<'_>]) -> Result<Tessellation, Failure> {
    let found = linked.iter().find_map(|other| other.blob.shader.tessellation(other.entry));
    found.ok_or_else(|| {
        let reason = "the shader object of a domain shader has to say how patches are divided, and in DXIL the hull \
                      shader says it: link both (VK_SHADER_CREATE_LINK_STAGE_BIT_EXT), with a hull shader that is DXIL \
                      too";
        dxil.failure(reason)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_created_before_a_failure() {
        let free = Info::default();
        let linked = Info { flags: LINKED, ..free };
        assert_eq!(before(&[free, free, free], 1), 1);
        assert_eq!(before(&[free, linked, free, linked], 3), 1, "linked stages fail together");
        assert_eq!(before(&[free, linked, free, linked], 2), 1, "half of them cannot be created");
        assert_eq!(before(&[free, linked, free, linked], 1), 1);
        assert_eq!(before(&[linked, linked, free, free], 3), 3);
    }
}
