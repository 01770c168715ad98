//! Ray-tracing pipelines, and their shader binding tables.
//!
//! In: the groups and records of a pass, and the code of its libraries. Out: a pipeline, and tables
//! in memory. What must hold: every alignment and stride comes from the device, and a group's
//! handle comes from the pipeline in which it was linked.

use std::ffi::CString;

use ash::{khr, vk};

use super::bind::Bound;
use super::code::Code;
use super::made::{self, Name};
use super::pipeline::{How, Module, Pipeline, first_pipeline};
use crate::error::{Error, Result};
use crate::spec::Pass;
use crate::spec::rays::{Data, Rays, Record, Shaders, Table};
use crate::vulkan::Context;
use dxil_vulkan::Buffer;
use dxil_vulkan::Named as _;

/// How many calls of a fixture are nested at most. The stack that a pipeline has otherwise is one
/// for two callable shaders (Vulkan, "Ray Tracing Pipeline Stack").
const NESTED_CALLS: u64 = 16;

/// The properties of the device's ray-tracing pipelines.
fn properties(context: &Context) -> vk::PhysicalDeviceRayTracingPipelinePropertiesKHR<'static> {
    let mut properties = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut properties);
    // SAFETY: the physical device belongs to the instance, and the fixture's requirements say that
    // it has the extension of the chained struct.
    unsafe { context.gpu.instance.handle.get_physical_device_properties2(context.gpu.instance.physical, &mut all) };
    properties
}

/// Creates the pipeline of a pass. If it has pipeline libraries, it is linked of them.
pub(super) fn pipeline<'c>(
    pass: &Pass,
    context: &'c Context,
    layout: vk::PipelineLayout,
    how: How<'_>,
    code: &[Code<'_>],
) -> Result<Pipeline<'c>> {
    let limit = properties(context).max_ray_recursion_depth;
    if pass.rays.recursion > limit {
        return Err(Error::Skip(format!("the driver supports a ray recursion depth of {limit} only")));
    }
    let modules = code.iter().map(|code| Module::new(context, code)).collect::<Result<Vec<_>>>()?;
    let flags = how.flags | pass.rays.skip;
    let maker = Maker { pass, context, layout, how, code, modules: &modules };
    let mut libraries = Vec::new();
    for groups in &pass.rays.libraries {
        libraries.push(maker.make(groups, flags | vk::PipelineCreateFlags::LIBRARY_KHR, &[])?);
    }
    let handles: Vec<_> = libraries.iter().map(|library| library.handle).collect();
    let mut pipeline = maker.make(&pass.rays.own_groups(), flags, &handles)?;
    pipeline.libraries = libraries;
    Ok(pipeline)
}

/// What all pipelines and libraries of a pass have in common.
struct Maker<'a, 'c> {
    pass: &'a Pass,
    context: &'c Context,
    layout: vk::PipelineLayout,
    how: How<'a>,
    /// The code of the pass's stages. A library may be several modules.
    code: &'a [Code<'a>],
    /// The modules, in the order of the code.
    modules: &'a [Module<'c>],
}

impl<'c> Maker<'_, 'c> {
    /// Makes a pipeline or library of some groups, and of earlier libraries.
    fn make(
        &self,
        groups: &[usize],
        flags: vk::PipelineCreateFlags,
        libraries: &[vk::Pipeline],
    ) -> Result<Pipeline<'c>> {
        let rays = &self.pass.rays;
        let entries = rays.entries_of(groups);
        let (mut found, mut names) = (Vec::new(), Vec::new());
        for (entry, flag) in &entries {
            let library = self.code.iter().zip(self.modules).find(|(code, _)| code.has(entry));
            let (code, module) =
                library.ok_or_else(|| Error::Spec(format!("no library has the entry point `{entry}`")))?;
            let name = CString::new(code.name_of(entry)).map_err(|e| Error::Spec(e.to_string()))?;
            names.push(Name::new(code, *flag, &name.to_string_lossy()));
            found.push((*flag, module, name));
        }
        // Libraries are captured with and without DXIL of their own.
        let linked = flags.contains(vk::PipelineCreateFlags::LIBRARY_KHR) || !libraries.is_empty();
        made::say("ray-tracing", linked && self.has_dxil(), &names.iter().collect::<Vec<_>>());
        let stage = |(flag, module, name): &'_ (_, &Module<'_>, CString)| vk::PipelineShaderStageCreateInfo {
            stage: *flag,
            module: module.handle,
            p_name: name.as_ptr(),
            p_next: self.how.stage_chain(),
            ..Default::default()
        };
        let stages: Vec<_> = found.iter().map(stage).collect();
        let index = |entry: &str, flag| {
            let found = entries.iter().position(|other| *other == (entry, flag));
            found.and_then(|index| u32::try_from(index).ok()).unwrap_or(vk::SHADER_UNUSED_KHR)
        };
        let groups: Vec<_> = groups.iter().map(|&group| group_info(rays, group, index)).collect();
        let parts = vk::PipelineLibraryCreateInfoKHR::default().libraries(libraries);
        let [payload, attributes] = rays.sizes;
        let interface = vk::RayTracingPipelineInterfaceCreateInfoKHR::default()
            .max_pipeline_ray_payload_size(payload)
            .max_pipeline_ray_hit_attribute_size(attributes);
        let dynamic = vk::PipelineDynamicStateCreateInfo::default()
            .dynamic_states(&[vk::DynamicState::RAY_TRACING_PIPELINE_STACK_SIZE_KHR]);
        let mut info = vk::RayTracingPipelineCreateInfoKHR::default()
            .flags(flags)
            .stages(&stages)
            .groups(&groups)
            .max_pipeline_ray_recursion_depth(rays.recursion)
            .layout(self.layout);
        info = match rays.libraries.is_empty() {
            true => info.dynamic_state(&dynamic),
            false => info.library_interface(&interface),
        };
        if !libraries.is_empty() {
            info = info.library_info(&parts);
        }
        let mut all_flags = self.how.all_flags(flags);
        if self.how.heaps.is_some() {
            info = info.push_next(&mut all_flags);
        }
        let handle = self.create(&info)?;
        first_pipeline(self.context, "vkCreateRayTracingPipelinesKHR", Ok(vec![handle]))
    }
}

impl Maker<'_, '_> {
    /// Whether the code of some stage is DXIL, as that of a library.
    fn has_dxil(&self) -> bool {
        self.code.iter().any(|code| made::has_dxil(&[&Name::new(code, vk::ShaderStageFlags::empty(), "")]))
    }

    /// Creates a pipeline. A deferred operation has ended when this returns.
    fn create(&self, info: &vk::RayTracingPipelineCreateInfoKHR<'_>) -> Result<vk::Pipeline> {
        let (instance, device) = (&self.context.gpu.instance.handle, &self.context.gpu.device);
        let commands = khr::ray_tracing_pipeline::Device::new(instance, device);
        let deferring = khr::deferred_host_operations::Device::new(instance, device);
        // SAFETY: the device has the extension, which VK_KHR_acceleration_structure requires.
        let operation = || unsafe { deferring.create_deferred_operation(None) };
        let operation = match self.pass.rays.deferred {
            true => operation().named("vkCreateDeferredOperationKHR")?,
            false => vk::DeferredOperationKHR::null(),
        };
        let mut pipeline = vk::Pipeline::null();
        let create = commands.fp().create_ray_tracing_pipelines_khr;
        let (cache, none) = (vk::PipelineCache::null(), std::ptr::null());
        // SAFETY: every pointer in the create info lives until the operation has ended below, as do
        // the modules, the libraries, the layout and `pipeline`.
        let mut result = unsafe { create(device.handle(), operation, cache, 1, info, none, &raw mut pipeline) };
        if result == vk::Result::OPERATION_DEFERRED_KHR {
            loop {
                // SAFETY: the operation belongs to this device and was deferred.
                match unsafe { deferring.deferred_operation_join(operation) } {
                    // Other threads, which are the driver's own, still work.
                    Err(vk::Result::THREAD_IDLE_KHR) => std::thread::yield_now(),
                    Ok(()) | Err(vk::Result::THREAD_DONE_KHR) => break,
                    Err(error) => return Ok(Err(error).named("vkDeferredOperationJoinKHR")?),
                }
            }
            // SAFETY: as above.
            let ended = || unsafe { deferring.get_deferred_operation_result(operation) };
            result = loop {
                match ended() {
                    Err(vk::Result::NOT_READY) => std::thread::yield_now(),
                    ended => break ended.err().unwrap_or(vk::Result::SUCCESS),
                }
            };
        }
        // SAFETY: the operation is null or of this device, and has ended.
        unsafe { deferring.destroy_deferred_operation(operation, None) };
        let done = matches!(result, vk::Result::SUCCESS | vk::Result::OPERATION_NOT_DEFERRED_KHR);
        if !done {
            Err(result).named("vkCreateRayTracingPipelinesKHR")?;
        }
        Ok(pipeline)
    }
}

/// The create info of a group. `index` gives the index of an entry point's stage.
fn group_info(
    rays: &Rays,
    group: usize,
    index: impl Fn(&str, vk::ShaderStageFlags) -> u32,
) -> vk::RayTracingShaderGroupCreateInfoKHR<'static> {
    use vk::RayTracingShaderGroupTypeKHR as Kind;
    let unused = vk::SHADER_UNUSED_KHR;
    let mut info = vk::RayTracingShaderGroupCreateInfoKHR::default()
        .ty(match rays.groups.get(group).map(|group| &group.shaders) {
            Some(Shaders::Hit { intersection: None, .. }) => Kind::TRIANGLES_HIT_GROUP,
            Some(Shaders::Hit { .. }) => Kind::PROCEDURAL_HIT_GROUP,
            _ => Kind::GENERAL,
        })
        .general_shader(unused)
        .closest_hit_shader(unused)
        .any_hit_shader(unused)
        .intersection_shader(unused);
    for (entry, flag) in rays.entries(group) {
        let index = index(entry, flag);
        match flag {
            vk::ShaderStageFlags::CLOSEST_HIT_KHR => info.closest_hit_shader = index,
            vk::ShaderStageFlags::ANY_HIT_KHR => info.any_hit_shader = index,
            vk::ShaderStageFlags::INTERSECTION_KHR => info.intersection_shader = index,
            _ => info.general_shader = index,
        }
    }
    info
}

/// The shader binding tables of a pass.
pub(super) struct Tables<'c> {
    commands: khr::ray_tracing_pipeline::Device,
    raygen: vk::StridedDeviceAddressRegionKHR,
    /// The tables of miss, hit and callable records.
    others: [vk::StridedDeviceAddressRegionKHR; 3],
    /// The bytes of a ray's stack, if it is dynamic. That of a pipeline with libraries is not,
    /// because Debian 12's validation layer does not count the groups of libraries (VUID 03608).
    stack: Option<u32>,
    _buffers: Vec<Buffer<'c>>,
}

impl<'c> Tables<'c> {
    pub(super) fn new(context: &'c Context, rays: &Rays, pipeline: &Pipeline<'_>, bound: &Bound<'_>) -> Result<Self> {
        let properties = properties(context);
        let commands = khr::ray_tracing_pipeline::Device::new(&context.gpu.instance.handle, &context.gpu.device);
        let size = properties.shader_group_handle_size as usize;
        let count = u32::try_from(rays.groups.len()).unwrap_or(u32::MAX);
        // SAFETY: the pipeline has this number of groups, its libraries' included, and the size is
        // that of their handles.
        let handles = unsafe {
            commands.get_ray_tracing_shader_group_handles(pipeline.handle, 0, count, size * rays.groups.len())
        };
        let handles = handles.named("vkGetRayTracingShaderGroupHandlesKHR")?;
        let mut buffers = Vec::new();
        let mut table = |table: Table| -> Result<vk::StridedDeviceAddressRegionKHR> {
            let records: Vec<_> = rays.table(table).collect();
            if records.is_empty() {
                return Ok(vk::StridedDeviceAddressRegionKHR::default());
            }
            let base = u64::from(properties.shader_group_base_alignment).max(1);
            // Every record of a ray generation shader is the start of a table.
            let alignment = match table {
                Table::Raygen => base,
                _ => u64::from(properties.shader_group_handle_alignment).max(1),
            };
            let longest = records.iter().map(|record| record.data_bytes()).max().unwrap_or(0);
            let stride = (size as u64 + longest).next_multiple_of(alignment);
            if stride > u64::from(properties.max_shader_group_stride) {
                return Err(Error::Skip(format!("the driver does not support a record stride of {stride} bytes")));
            }
            let mut bytes = Vec::new();
            for record in &records {
                let mut one = match record.group.and_then(|group| rays.place(group)) {
                    None => vec![0; size],
                    Some(place) => handles.chunks_exact(size).nth(place as usize).unwrap_or_default().to_vec(),
                };
                one.extend(record_data(record, bound)?);
                one.resize(usize::try_from(stride).unwrap_or(usize::MAX), 0xa5);
                bytes.extend(one);
            }
            let usage = vk::BufferUsageFlags::SHADER_BINDING_TABLE_KHR | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
            let size = bytes.len() + usize::try_from(base).unwrap_or(0);
            let buffer = Buffer::new(&context.gpu, usage, &vec![0; size])?;
            // A buffer need not be aligned as a table must be.
            let start = buffer.address().next_multiple_of(base);
            let before = usize::try_from(start - buffer.address()).unwrap_or(0);
            let region = vk::StridedDeviceAddressRegionKHR::default().device_address(start).stride(stride);
            let region = region.size(bytes.len() as u64);
            buffer.write(&[vec![0; before], bytes].concat());
            buffers.push(buffer);
            Ok(region)
        };
        let raygen = table(Table::Raygen)?;
        let others = [table(Table::Miss)?, table(Table::Hit)?, table(Table::Callable)?];
        let stack = rays.libraries.is_empty().then(|| stack_size(&commands, rays, pipeline.handle));
        Ok(Self { commands, raygen, others, stack, _buffers: buffers })
    }

    /// Records vkCmdTraceRaysKHR with the ray generation record of this index.
    pub(super) fn trace(&self, commands: vk::CommandBuffer, raygen: u32, [width, height, depth]: [u32; 3]) {
        let stride = self.raygen.stride;
        let address = self.raygen.device_address + u64::from(raygen) * stride;
        let one = vk::StridedDeviceAddressRegionKHR::default().device_address(address).stride(stride).size(stride);
        let [miss, hit, callable] = &self.others;
        if let Some(stack) = self.stack {
            // SAFETY: the command buffer is recording, and the pipeline's stack is dynamic.
            unsafe { self.commands.cmd_set_ray_tracing_pipeline_stack_size(commands, stack) };
        }
        // SAFETY: the command buffer is recording with the pass's pipeline, sets and push constants
        // bound. The tables hold handles of that pipeline, and live until `Gpu::submit` has waited
        // for the queue. The specification was checked to have this ray generation record.
        unsafe { self.commands.cmd_trace_rays(commands, &one, miss, hit, callable, width, height, depth) };
    }
}

/// The bytes of stack for [`NESTED_CALLS`] calls of any shaders.
fn stack_size(commands: &khr::ray_tracing_pipeline::Device, rays: &Rays, pipeline: vk::Pipeline) -> u32 {
    use vk::ShaderGroupShaderKHR as Shader;
    let most =
        (0..rays.groups.len()).flat_map(|group| rays.entries(group).into_iter().map(move |entry| (group, entry)));
    let most = most.map(|(group, (_, flag))| {
        let shader = match flag {
            vk::ShaderStageFlags::CLOSEST_HIT_KHR => Shader::CLOSEST_HIT,
            vk::ShaderStageFlags::ANY_HIT_KHR => Shader::ANY_HIT,
            vk::ShaderStageFlags::INTERSECTION_KHR => Shader::INTERSECTION,
            _ => Shader::GENERAL,
        };
        let group = u32::try_from(group).unwrap_or(u32::MAX);
        // SAFETY: the pipeline has this group, and the group has this shader.
        unsafe { commands.get_ray_tracing_shader_group_stack_size(pipeline, group, shader) }
    });
    let bytes = most.max().unwrap_or_default() * (1 + NESTED_CALLS);
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// The bytes that follow the handle of a record.
fn record_data(record: &Record, bound: &Bound<'_>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for data in &record.data {
        match *data {
            Data::Word(word) => bytes.extend(word.to_le_bytes()),
            Data::Address(register, plus) => {
                let address = bound.address(register);
                let address = address.ok_or_else(|| Error::Spec(format!("{} has no address", register.output())))?;
                bytes.extend((address + plus).to_le_bytes());
            }
        }
    }
    Ok(bytes)
}
