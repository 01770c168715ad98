//! The fake's commands for objects of a device: modules, layouts, render passes, pipelines,
//! shaders.

use std::ffi::{CStr, c_void};

use ash::vk;
use ash::vk::{Handle, TaggedStructure};

use super::seen::{
    Event, FakeDevice, PipelineSeen, ShaderSeen, StageSeen, address, chain, fresh, see_mappings, see_stage,
};

pub(super) unsafe extern "system" fn create_module(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderModule,
) -> vk::Result {
    // SAFETY: the device is the fake's, and the create info is valid.
    let (fake, create) = unsafe { (FakeDevice::from_handle(device), &*info) };
    if let Some(result) = fake.config.module_result {
        return result;
    }
    fake.module_allocators.lock().unwrap().push(address(allocator));
    // SAFETY: the code of a valid create info has `code_size` bytes.
    let words = unsafe { std::slice::from_raw_parts(create.p_code, create.code_size / 4) }.to_vec();
    let mut module: vk::ShaderModule = fresh();
    if fake.config.equal_handles {
        let mut modules = fake.modules.lock().unwrap();
        let at = modules.iter().position(|m| *m == words).unwrap_or_else(|| {
            modules.push(words.clone());
            modules.len() - 1
        });
        module = vk::ShaderModule::from_raw(0x100 + at as u64);
    }
    fake.push(Event::Module {
        info: address(info),
        code: address(create.p_code),
        next: address(create.p_next),
        words,
        handle: module.as_raw(),
    });
    // SAFETY: the caller passes a valid `out`.
    unsafe { *out = module };
    vk::Result::SUCCESS
}

macro_rules! destroys {
    ($($function:ident $ty:ident $event:ident;)*) => {$(
        pub(super) unsafe extern "system" fn $function(device: vk::Device, object: vk::$ty, _: *const vk::AllocationCallbacks<'_>) {
            // SAFETY: the device is the fake's.
            unsafe { FakeDevice::from_handle(device) }.push(Event::$event(object.as_raw()));
        }
    )*};
}
destroys! {
    destroy_module ShaderModule DestroyModule;
    destroy_set_layout DescriptorSetLayout DestroySetLayout;
    destroy_pipeline_layout PipelineLayout DestroyPipelineLayout;
}

macro_rules! creates {
    ($($function:ident $info:ident $ty:ident;)*) => {$(
        pub(super) unsafe extern "system" fn $function(
            _device: vk::Device,
            _info: *const vk::$info<'_>,
            _: *const vk::AllocationCallbacks<'_>,
            out: *mut vk::$ty,
        ) -> vk::Result {
            // SAFETY: the caller passes a valid `out`.
            unsafe { *out = fresh() };
            vk::Result::SUCCESS
        }
    )*};
}
creates! {
    create_render_pass RenderPassCreateInfo RenderPass;
    create_render_pass2 RenderPassCreateInfo2 RenderPass;
    create_sampler SamplerCreateInfo Sampler;
    create_conversion SamplerYcbcrConversionCreateInfo SamplerYcbcrConversion;
}

macro_rules! silently_destroys {
    ($($function:ident $ty:ident;)*) => {$(
        pub(super) unsafe extern "system" fn $function(
            _device: vk::Device,
            _object: vk::$ty,
            _: *const vk::AllocationCallbacks<'_>,
        ) {
        }
    )*};
}
silently_destroys! {
    destroy_render_pass RenderPass;
    destroy_sampler Sampler;
    destroy_conversion SamplerYcbcrConversion;
    destroy_pipeline Pipeline;
}

pub(super) unsafe extern "system" fn create_set_layout(
    device: vk::Device,
    info: *const vk::DescriptorSetLayoutCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::DescriptorSetLayout,
) -> vk::Result {
    // SAFETY: the device is the fake's, and `out` is valid.
    unsafe {
        *out = fresh();
        FakeDevice::from_handle(device).push(Event::SetLayout { info: address(info) });
    }
    vk::Result::SUCCESS
}

pub(super) unsafe extern "system" fn create_pipeline_layout(
    device: vk::Device,
    info: *const vk::PipelineLayoutCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::PipelineLayout,
) -> vk::Result {
    // SAFETY: the device is the fake's, and `out` is valid.
    unsafe {
        *out = fresh();
        FakeDevice::from_handle(device).push(Event::PipelineLayout { info: address(info) });
    }
    vk::Result::SUCCESS
}

pub(super) unsafe extern "system" fn create_compute(
    device: vk::Device,
    _cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    let seen = |info: &vk::ComputePipelineCreateInfo<'_>| PipelineSeen {
        flags: info.flags.as_raw(),
        base_index: info.base_pipeline_index,
        stages_at: address(&raw const info.stage),
        // SAFETY: the stage of a valid create info is valid.
        stages: vec![unsafe { see_stage(&info.stage) }],
        groups: Vec::new(),
        next: address(info.p_next),
    };
    // SAFETY: `infos` has `count` elements.
    let pipelines = unsafe { std::slice::from_raw_parts(infos, count as usize) }.iter().map(seen).collect();
    // SAFETY: the device is the fake's.
    let fake = unsafe { FakeDevice::from_handle(device) };
    fake.push(Event::Pipelines { infos: address(infos), out: address(out), pipelines });
    let failed = fake.config.compute_result;
    let pipeline = || if failed.is_some() { vk::Pipeline::null() } else { fresh() };
    // SAFETY: `out` has space for `count` elements.
    (0..count as usize).for_each(|i| unsafe { *out.add(i) = pipeline() });
    failed.unwrap_or(vk::Result::SUCCESS)
}

pub(super) unsafe extern "system" fn create_graphics(
    device: vk::Device,
    _cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::GraphicsPipelineCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: the device is the fake's.
    let fake = unsafe { FakeDevice::from_handle(device) };
    let stages = |info: &vk::GraphicsPipelineCreateInfo<'_>| {
        let count = if fake.config.read_stages { info.stage_count as usize } else { 0 };
        // SAFETY: a valid create info has `stage_count` valid stages, unless Vulkan ignores them,
        // in which case the test clears `read_stages`.
        (0..count).map(|i| unsafe { see_stage(&*info.p_stages.add(i)) }).collect()
    };
    let seen = |info: &vk::GraphicsPipelineCreateInfo<'_>| PipelineSeen {
        flags: info.flags.as_raw(),
        base_index: info.base_pipeline_index,
        stages_at: address(info.p_stages),
        stages: stages(info),
        // SAFETY: the chain of a valid create info.
        groups: unsafe { see_groups(info.p_next) },
        next: address(info.p_next),
    };
    // SAFETY: `infos` has `count` elements.
    let pipelines = unsafe { std::slice::from_raw_parts(infos, count as usize) }.iter().map(seen).collect();
    fake.push(Event::Pipelines { infos: address(infos), out: address(out), pipelines });
    // SAFETY: `out` has space for `count` elements.
    (0..count as usize).for_each(|i| unsafe { *out.add(i) = fresh() });
    vk::Result::SUCCESS
}

/// The stages of the shader groups of a graphics pipeline.
///
/// # Safety
/// The chain must be valid.
unsafe fn see_groups(next: *const c_void) -> Vec<Vec<StageSeen>> {
    type Groups = vk::GraphicsPipelineShaderGroupsCreateInfoNV<'static>;
    // SAFETY: `sType` determines the type of each node, whose arrays have the sizes that it says.
    unsafe {
        let found = chain(next).into_iter().find(|(s_type, _)| *s_type == Groups::STRUCTURE_TYPE.as_raw());
        let Some((_, at)) = found else { return Vec::new() };
        let groups = &*(at as *const Groups);
        let list = std::slice::from_raw_parts(groups.p_groups, groups.group_count as usize);
        let stages = |group: &vk::GraphicsShaderGroupCreateInfoNV<'_>| {
            (0..group.stage_count as usize).map(|i| see_stage(&*group.p_stages.add(i))).collect()
        };
        list.iter().map(stages).collect()
    }
}

/// # Safety
/// The create info must be valid.
unsafe fn see_shader(info: &vk::ShaderCreateInfoEXT<'_>) -> ShaderSeen {
    // SAFETY: the code and the arrays of a valid create info have the sizes that it says.
    unsafe {
        ShaderSeen {
            flags: info.flags.as_raw(),
            stage: info.stage.as_raw(),
            code_type: info.code_type.as_raw(),
            code: std::slice::from_raw_parts(info.p_code.cast::<u8>(), info.code_size).to_vec(),
            name: (!info.p_name.is_null()).then(|| CStr::from_ptr(info.p_name).to_owned()),
            chain: chain(info.p_next),
            set_layouts: address(info.p_set_layouts),
            mappings: see_mappings(info.p_next),
        }
    }
}

pub(super) unsafe extern "system" fn create_shaders(
    device: vk::Device,
    count: u32,
    infos: *const vk::ShaderCreateInfoEXT<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderEXT,
) -> vk::Result {
    // SAFETY: the device is the fake's, and `infos` has `count` elements.
    let (fake, list) = unsafe { (FakeDevice::from_handle(device), std::slice::from_raw_parts(infos, count as usize)) };
    // SAFETY: valid create infos.
    let shaders = list.iter().map(|info| unsafe { see_shader(info) }).collect();
    fake.push(Event::Shaders { infos: address(infos), out: address(out), shaders });
    // SAFETY: `out` has space for `count` elements.
    (0..count as usize).for_each(|i| unsafe { *out.add(i) = fresh() });
    fake.config.shaders_result
}

pub(super) unsafe extern "system" fn module_identifier(
    device: vk::Device,
    module: vk::ShaderModule,
    out: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    // SAFETY: the device is the fake's, and `out` is valid.
    unsafe {
        (*out).identifier_size = 7;
        FakeDevice::from_handle(device).push(Event::ModuleIdentifier(module.as_raw()));
    }
}

pub(super) unsafe extern "system" fn create_info_identifier(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    out: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    // SAFETY: the device is the fake's, and `out` is valid.
    unsafe {
        (*out).identifier_size = 7;
        let words = std::slice::from_raw_parts((*info).p_code, (*info).code_size / 4).to_vec();
        FakeDevice::from_handle(device).push(Event::CreateInfoIdentifier { info: address(info), words });
    }
}

/// The stages of the create info in the chain of a `VkPipelineCreateInfoKHR`.
///
/// # Safety
/// The structure must be null or valid.
unsafe fn nested_stages(info: *const c_void) -> Vec<StageSeen> {
    if info.is_null() {
        return Vec::new();
    }
    // SAFETY: `sType` determines the type of each node in the chain of a valid structure.
    unsafe {
        let next = (*info.cast::<vk::BaseInStructure<'_>>()).p_next;
        for (s_type, at) in chain(next.cast()) {
            match vk::StructureType::from_raw(s_type) {
                vk::ComputePipelineCreateInfo::STRUCTURE_TYPE => {
                    return vec![see_stage(&(*(at as *const vk::ComputePipelineCreateInfo<'_>)).stage)];
                }
                vk::GraphicsPipelineCreateInfo::STRUCTURE_TYPE => {
                    let info = &*(at as *const vk::GraphicsPipelineCreateInfo<'_>);
                    let stages = std::slice::from_raw_parts(info.p_stages, info.stage_count as usize);
                    return stages.iter().map(|stage| see_stage(stage)).collect();
                }
                _ => {}
            }
        }
    }
    Vec::new()
}

pub(super) unsafe extern "system" fn pipeline_key(
    device: vk::Device,
    info: *const c_void,
    _key: *mut c_void,
) -> vk::Result {
    // SAFETY: the device is the fake's, and the structure null or valid.
    let (fake, stages) = unsafe { (FakeDevice::from_handle(device), nested_stages(info)) };
    fake.push(Event::PipelineKey { info: address(info), stages });
    vk::Result::SUCCESS
}

pub(super) unsafe extern "system" fn pipeline_binaries(
    device: vk::Device,
    info: *const c_void,
    _: *const c_void,
    _out: *mut c_void,
) -> vk::Result {
    // VkPipelineBinaryCreateInfoKHR: sType, pNext, pKeysAndDataInfo, pipeline, pPipelineCreateInfo.
    // SAFETY: the device is the fake's, and the structure valid.
    let (fake, stages) =
        unsafe { (FakeDevice::from_handle(device), nested_stages(*info.cast::<*const c_void>().add(4))) };
    fake.push(Event::PipelineBinaries { info: address(info), stages });
    vk::Result::SUCCESS
}

pub(super) unsafe extern "system" fn indirect_requirements(
    device: vk::Device,
    info: *const vk::ComputePipelineCreateInfo<'_>,
    out: *mut vk::MemoryRequirements2<'_>,
) {
    // SAFETY: the device is the fake's, and the structures are valid.
    unsafe {
        (*out).memory_requirements.size = 64;
        let stages = vec![see_stage(&(*info).stage)];
        FakeDevice::from_handle(device).push(Event::IndirectRequirements { info: address(info), stages });
    }
}

pub(super) unsafe extern "system" fn create_execution_graphs(
    device: vk::Device,
    _cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ExecutionGraphPipelineCreateInfoAMDX<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    let seen = |info: &vk::ExecutionGraphPipelineCreateInfoAMDX<'_>| PipelineSeen {
        flags: info.flags.as_raw(),
        base_index: info.base_pipeline_index,
        stages_at: address(info.p_stages),
        // SAFETY: a valid create info has `stage_count` valid stages.
        stages: (0..info.stage_count as usize).map(|i| unsafe { see_stage(&*info.p_stages.add(i)) }).collect(),
        groups: Vec::new(),
        next: address(info.p_next),
    };
    // SAFETY: `infos` has `count` elements, and the device is the fake's.
    let (fake, list) = unsafe { (FakeDevice::from_handle(device), std::slice::from_raw_parts(infos, count as usize)) };
    let pipelines = list.iter().map(seen).collect();
    fake.push(Event::Pipelines { infos: address(infos), out: address(out), pipelines });
    // SAFETY: `out` has space for `count` elements.
    (0..count as usize).for_each(|i| unsafe { *out.add(i) = fresh() });
    vk::Result::SUCCESS
}

pub(super) unsafe extern "system" fn set_object_name(
    device: vk::Device,
    info: *const vk::DebugUtilsObjectNameInfoEXT<'_>,
) -> vk::Result {
    // SAFETY: the device is the fake's, and the structure valid.
    unsafe {
        let name = (!(*info).p_object_name.is_null()).then(|| CStr::from_ptr((*info).p_object_name).to_owned());
        FakeDevice::from_handle(device).push(Event::Name { info: address(info), object: (*info).object_handle, name });
    }
    vk::Result::SUCCESS
}
