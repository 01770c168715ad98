//! `vkCreateGraphicsPipelines` and `vkCreateComputePipelines`.
//!
//! In: the application's create infos. Out: one call down. What must hold: without DXIL, and where the modules that are there
//! already fit, the call goes down by the application's own pointers. Else the array is copied, with the stages of affected
//! elements replaced. Elements that fail are left out and come back as `VK_NULL_HANDLE`, as Vulkan fails elements one by one.

use ash::vk;

use crate::device::Device;
use crate::layouts::slice;
use crate::stages::{self, Refusal, Scratch, Stage};
use crate::translate::{Error, ErrorKind, Place};
use crate::{guard, log, pnext};

const DERIVATIVE: u64 = vk::PipelineCreateFlags::DERIVATIVE.as_raw() as u64;
const LIBRARY: u64 = vk::PipelineCreateFlags::LIBRARY_KHR.as_raw() as u64;
const FAIL_ON_COMPILE: u64 = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED.as_raw() as u64;
const EARLY_RETURN: u64 = vk::PipelineCreateFlags::EARLY_RETURN_ON_FAILURE.as_raw() as u64;

/// `VkPipelineBinaryInfoKHR`, newer than `ash`: sType, pNext, binaryCount, pBinaries.
const PIPELINE_BINARY_INFO: vk::StructureType = vk::StructureType::from_raw(1_000_483_002);
#[repr(C)]
struct PipelineBinaryInfo {
    s_type: vk::StructureType,
    p_next: *const std::ffi::c_void,
    binary_count: u32,
}

/// What graphics and compute create infos have in common.
trait Pipeline: Copy {
    fn p_next(&self) -> *const std::ffi::c_void;
    fn legacy_flags(&mut self) -> &mut vk::PipelineCreateFlags;
    fn layout(&self) -> vk::PipelineLayout;
    fn base_index(&mut self) -> &mut i32;
    fn base_handle(&self) -> vk::Pipeline;
    /// The stages that Vulkan looks at.
    ///
    /// # Safety
    /// The create info must be valid.
    unsafe fn stages(&self, flags: u64) -> &[Stage];
    /// Whether target 0 is blended with two sources, as far as the create info says it.
    ///
    /// # Safety
    /// The create info must be valid and have a pixel shader with two outputs.
    unsafe fn dual_source(&self) -> bool;
    /// Samples of the targets; 0 where the create info does not say, or puts them elsewhere than usual.
    ///
    /// # Safety
    /// The create info must be valid and have a pixel shader.
    unsafe fn samples(&self) -> u32;
    /// Other stages, as many.
    fn set_stages(&mut self, stages: &[Stage]);
}

/// The members of [`Pipeline`] for fields that both create infos have by one name.
macro_rules! common_fields {
    () => {
        fn p_next(&self) -> *const std::ffi::c_void {
            self.p_next
        }
        fn legacy_flags(&mut self) -> &mut vk::PipelineCreateFlags {
            &mut self.flags
        }
        fn layout(&self) -> vk::PipelineLayout {
            self.layout
        }
        fn base_index(&mut self) -> &mut i32 {
            &mut self.base_pipeline_index
        }
        fn base_handle(&self) -> vk::Pipeline {
            self.base_pipeline_handle
        }
    };
}

impl Pipeline for vk::ComputePipelineCreateInfo<'static> {
    common_fields!();
    unsafe fn stages(&self, _flags: u64) -> &[Stage] {
        std::slice::from_ref(&self.stage)
    }
    unsafe fn dual_source(&self) -> bool {
        false
    }
    unsafe fn samples(&self) -> u32 {
        0
    }
    fn set_stages(&mut self, stages: &[Stage]) {
        if let Some(stage) = stages.first() {
            self.stage = *stage;
        }
    }
}

impl Pipeline for vk::GraphicsPipelineCreateInfo<'static> {
    common_fields!();
    unsafe fn stages(&self, flags: u64) -> &[Stage] {
        // SAFETY: a valid create info; pStages is only valid where a subset with shaders is required.
        unsafe {
            if has_shader_subset(self.p_next, flags) { slice(self.p_stages.cast(), self.stage_count) } else { &[] }
        }
    }
    unsafe fn dual_source(&self) -> bool {
        // SAFETY: a valid create info. Vulkan looks at the blend state unless there is no output or nothing is drawn to.
        unsafe {
            let nothing = pnext::find::<vk::PipelineRenderingCreateInfo<'_>>(self.p_next)
                .is_some_and(|rendering| rendering.color_attachment_count == 0);
            if nothing || !has_output_state(self) {
                return false;
            }
            self.p_color_blend_state.as_ref().is_some_and(|state| {
                slice(state.p_attachments, state.attachment_count).iter().any(|target| {
                    let factors = [
                        target.src_color_blend_factor,
                        target.dst_color_blend_factor,
                        target.src_alpha_blend_factor,
                        target.dst_alpha_blend_factor,
                    ];
                    target.blend_enable == vk::TRUE && factors.iter().any(|&factor| takes_second_source(factor))
                })
            })
        }
    }
    unsafe fn samples(&self) -> u32 {
        // SAFETY: a valid create info. Vulkan looks at the state of samples unless there is no output.
        unsafe {
            let dynamic = self.p_dynamic_state.as_ref().is_some_and(|state| {
                slice(state.p_dynamic_states, state.dynamic_state_count).iter().any(|&s| moves_samples(s))
            });
            if dynamic || !has_output_state(self) {
                return 0;
            }
            let Some(state) = self.p_multisample_state.as_ref() else { return 0 };
            let moved = pnext::find::<vk::PipelineSampleLocationsStateCreateInfoEXT<'_>>(state.p_next)
                .is_some_and(|locations| locations.sample_locations_enable == vk::TRUE);
            if moved { 0 } else { state.rasterization_samples.as_raw() }
        }
    }
    fn set_stages(&mut self, stages: &[Stage]) {
        self.p_stages = stages.as_ptr();
    }
}

/// Whether the create info has the state of the fragment output: not if nothing is rasterised, or another library brings it.
///
/// # Safety
/// The create info must be valid.
unsafe fn has_output_state(info: &vk::GraphicsPipelineCreateInfo<'static>) -> bool {
    // SAFETY: by the caller's contract.
    unsafe {
        let elsewhere =
            pnext::find::<vk::GraphicsPipelineLibraryCreateInfoEXT<'_>>(info.p_next).is_some_and(|library| {
                !library.flags.contains(vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_OUTPUT_INTERFACE)
            });
        let discarded = info.p_rasterization_state.as_ref().is_some_and(|r| r.rasterizer_discard_enable == vk::TRUE);
        !elsewhere && !discarded
    }
}

/// Whether samples, or their places, are not the pipeline's with this state.
fn moves_samples(state: vk::DynamicState) -> bool {
    use vk::DynamicState as S;
    matches!(state, S::RASTERIZATION_SAMPLES_EXT | S::SAMPLE_LOCATIONS_EXT | S::SAMPLE_LOCATIONS_ENABLE_EXT)
}

fn takes_second_source(factor: vk::BlendFactor) -> bool {
    use vk::BlendFactor as F;
    matches!(factor, F::SRC1_COLOR | F::ONE_MINUS_SRC1_COLOR | F::SRC1_ALPHA | F::ONE_MINUS_SRC1_ALPHA)
}

/// Whether a graphics pipeline has a subset with shaders, so that Vulkan reads its stages (VkGraphicsPipelineLibraryCreateInfoEXT
/// and what its omission means).
///
/// # Safety
/// `p_next` must be a valid chain.
unsafe fn has_shader_subset(p_next: *const std::ffi::c_void, flags: u64) -> bool {
    use vk::GraphicsPipelineLibraryFlagsEXT as Subset;
    // SAFETY: the caller's chain.
    unsafe {
        if let Some(library) = pnext::find::<vk::GraphicsPipelineLibraryCreateInfoEXT<'_>>(p_next) {
            return library.flags.intersects(Subset::PRE_RASTERIZATION_SHADERS | Subset::FRAGMENT_SHADER);
        }
        let linked = pnext::find::<vk::PipelineLibraryCreateInfoKHR<'_>>(p_next).is_some_and(|l| l.library_count > 0);
        flags & LIBRARY == 0 && !linked
    }
}

/// The flags that count: those of `VkPipelineCreateFlags2CreateInfo` where it is chained.
///
/// # Safety
/// `info` must be valid.
unsafe fn flags<T: Pipeline>(info: &T) -> (u64, bool) {
    // SAFETY: the chain of a valid create info.
    match unsafe { pnext::find::<vk::PipelineCreateFlags2CreateInfoKHR<'_>>(info.p_next()) } {
        Some(flags2) => (flags2.flags.as_raw(), true),
        None => (u64::from((*info).clone().legacy_flags().as_raw()), false),
    }
}

/// Whether the pipeline is made from binaries, so that its stages are not looked at.
///
/// # Safety
/// `p_next` must be a valid chain.
unsafe fn from_binaries(p_next: *const std::ffi::c_void) -> bool {
    // SAFETY: the caller's chain; the sType says what the node is.
    unsafe {
        pnext::nodes(p_next)
            .find(|node| (**node).s_type == PIPELINE_BINARY_INFO)
            .is_some_and(|node| (*node.cast::<PipelineBinaryInfo>()).binary_count > 0)
    }
}

/// The stages of a graphics pipeline that Vulkan looks at.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn graphics_stages<'a>(info: &'a vk::GraphicsPipelineCreateInfo<'static>) -> &'a [Stage] {
    // SAFETY: the caller's create info.
    unsafe { if from_binaries(info.p_next) { &[] } else { info.stages(flags(info).0) } }
}

/// Stages nested in shader groups (VK_NV_device_generated_commands) that are DXIL: not built yet.
///
/// # Safety
/// `p_next` must be a valid chain.
unsafe fn dxil_in_groups(device: &Device, p_next: *const std::ffi::c_void) -> bool {
    // SAFETY: the caller's chain.
    unsafe {
        pnext::find::<vk::GraphicsPipelineShaderGroupsCreateInfoNV<'_>>(p_next).is_some_and(|groups| {
            slice(groups.p_groups, groups.group_count)
                .iter()
                .any(|group| stages::any_dxil(device, slice(group.p_stages.cast(), group.stage_count)))
        })
    }
}

/// Creates pipelines through `next`, which gets count, create infos and outputs.
///
/// # Safety
/// `infos` and `out` must be valid, `out` with one element per create info.
unsafe fn create<T: Pipeline>(
    device: &Device,
    infos: &[T],
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
    next: impl FnOnce(u32, *const T, *mut vk::Pipeline) -> vk::Result,
) -> vk::Result {
    let mut scratch = Scratch::new(device, allocator);
    let mut replaced: Vec<(usize, Vec<Stage>)> = Vec::new();
    let mut refused: Vec<(usize, Refusal)> = Vec::new();
    let mut end = infos.len();
    for (index, info) in infos.iter().enumerate() {
        // SAFETY: a valid create info.
        unsafe {
            let (flags, flags2) = flags(info);
            if from_binaries(info.p_next()) {
                continue;
            }
            let mut result = stages::substitute(
                info.stages(flags),
                info.layout(),
                flags & FAIL_ON_COMPILE == 0,
                || info.dual_source(),
                || info.samples(),
                &mut scratch,
            );
            if dxil_in_groups(device, info.p_next()) {
                result = Err(unsupported("DXIL in VkGraphicsPipelineShaderGroupsCreateInfoNV is not supported"));
            }
            // A derivative whose base is left out is made without it, which only its flags can say.
            let base_refused = flags & DERIVATIVE != 0
                && info.base_handle() == vk::Pipeline::null()
                && usize::try_from(*info.clone().base_index()).is_ok_and(|b| refused.iter().any(|(i, _)| *i == b));
            if base_refused && flags2 && result.is_ok() {
                result = Err(unsupported("the base of this derivative pipeline could not be created"));
            }
            match result {
                Ok(None) => {}
                Ok(Some(stages)) => replaced.push((index, stages)),
                Err(refusal) => {
                    refused.push((index, refusal));
                    if flags & EARLY_RETURN != 0 {
                        end = index;
                        break;
                    }
                }
            }
        }
    }
    if refused.is_empty() && replaced.is_empty() {
        return next(infos.len() as u32, infos.as_ptr(), out);
    }
    let mut copies: Vec<T> = infos.to_vec();
    for (index, stages) in &replaced {
        if let Some(copy) = copies.get_mut(*index) {
            copy.set_stages(stages);
        }
    }
    if refused.is_empty() {
        return next(copies.len() as u32, copies.as_ptr(), out);
    }
    // SAFETY: `out` has one element per create info.
    let out = unsafe { std::slice::from_raw_parts_mut(out, infos.len()) };
    out.fill(vk::Pipeline::null());
    let kept: Vec<usize> = (0..end).filter(|i| refused.iter().all(|(r, _)| r != i)).collect();
    let mut result = vk::Result::SUCCESS;
    if !kept.is_empty() {
        let mut some: Vec<T> = kept.iter().filter_map(|&i| copies.get(i).copied()).collect();
        for info in &mut some {
            remap_base(info, &kept);
        }
        let mut made = vec![vk::Pipeline::null(); some.len()];
        result = next(some.len() as u32, some.as_ptr(), made.as_mut_ptr());
        for (&index, pipeline) in kept.iter().zip(made) {
            if let Some(place) = out.get_mut(index) {
                *place = pipeline;
            }
        }
    }
    drop(scratch);
    let own = report(device, &refused);
    if result.as_raw() < 0 { result } else { own }
}

fn unsupported(text: &str) -> Refusal {
    Refusal::Failed(crate::error::Failure {
        blob: crate::error::BlobHash([0; 32]),
        entry: None,
        error: Error::new(ErrorKind::Unsupported, Place::Input, text),
    })
}

/// Points `basePipelineIndex` at where the base is in the shorter array, or drops the derivation: it is only a hint.
fn remap_base<T: Pipeline>(info: &mut T, kept: &[usize]) {
    let Ok(base) = usize::try_from(*info.base_index()) else { return };
    match kept.iter().position(|&i| i == base) {
        Some(new) => *info.base_index() = new as i32,
        None => {
            *info.base_index() = -1;
            if info.base_handle() == vk::Pipeline::null() {
                let flags = info.legacy_flags();
                *flags = vk::PipelineCreateFlags::from_raw(flags.as_raw() & !(DERIVATIVE as u32));
            }
        }
    }
}

/// Tells the application what was refused. The worst of it is the call's result.
fn report(device: &Device, refused: &[(usize, Refusal)]) -> vk::Result {
    let mut result = vk::Result::PIPELINE_COMPILE_REQUIRED;
    for (index, refusal) in refused {
        match refusal {
            Refusal::Failed(failure) => {
                let text = format!("pipeline {index} is not created: {failure}");
                log::report(&device.instance, ::log::Level::Error, &text);
                result = vk::Result::ERROR_INVALID_SHADER_NV;
            }
            Refusal::Driver(error) => {
                if result.as_raw() > 0 {
                    result = *error;
                }
            }
            Refusal::CompileRequired => {}
        }
    }
    result
}

/// `vkCreateGraphicsPipelines`.
pub unsafe extern "system" fn create_graphics(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::GraphicsPipelineCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    guard(vk::Result::ERROR_INVALID_SHADER_NV, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let Some(next) = device.table.create_graphics_pipelines else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            create(&device, slice(infos.cast(), count), allocator, out, |count, infos, out| {
                next(device.handle, cache, count, infos, allocator, out)
            })
        }
    })
}

/// `vkCreateComputePipelines`.
pub unsafe extern "system" fn create_compute(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    guard(vk::Result::ERROR_INVALID_SHADER_NV, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let Some(next) = device.table.create_compute_pipelines else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            create(&device, slice(infos.cast(), count), allocator, out, |count, infos, out| {
                next(device.handle, cache, count, infos, allocator, out)
            })
        }
    })
}
