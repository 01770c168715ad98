//! The commands between the layer and the Vulkan loader.
//!
//! In: the calls of the layer. Out: the same calls, to the loader, and a [`Trace`]: how long the
//! driver takes to make pipelines, and which SPIR-V it gets. What must hold: nothing is changed but
//! the structures that link the layer to what is below it, which are removed.
//!
//! A process has one lab, so the state is static.

use std::ffi::{CStr, CString, c_char};
use std::sync::OnceLock;
use std::time::Instant;

use ash::vk;

use super::calls;
use super::count;
use super::inject::{miscompiled, suffer};
use super::observer::{self, Created};
use super::passed;
use super::trace::{self, Trace, TracedStage};

/// Structures for the layer alone: `VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO` and `…_DEVICE_…`
/// (`vk_layer.h`), and `VkLayerSettingsCreateInfoEXT`.
const LAYER_TYPES: [i32; 3] = [47, 48, vk::StructureType::LAYER_SETTINGS_CREATE_INFO_EXT.as_raw()];

static LOADER: OnceLock<vk::PFN_vkGetInstanceProcAddr> = OnceLock::new();
static INSTANCE: OnceLock<vk::Instance> = OnceLock::new();
static DEVICE: OnceLock<Device> = OnceLock::new();

/// The loader's commands that this file stands before.
struct Device {
    get: vk::PFN_vkGetDeviceProcAddr,
    modules: Option<vk::PFN_vkCreateShaderModule>,
    compute: Option<vk::PFN_vkCreateComputePipelines>,
    graphics: Option<vk::PFN_vkCreateGraphicsPipelines>,
    rays: Option<vk::PFN_vkCreateRayTracingPipelinesKHR>,
}

/// The loader's commands that make a device.
pub(super) struct DeviceCommands {
    pub create_device: vk::PFN_vkCreateDevice,
    pub get_device_proc_addr: vk::PFN_vkGetDeviceProcAddr,
}

static DEVICE_COMMANDS: OnceLock<DeviceCommands> = OnceLock::new();

/// Sets the commands that make a device, once there is an instance.
pub(super) fn set_device_commands(commands: DeviceCommands) {
    let _ = DEVICE_COMMANDS.set(commands);
}

/// Sets the loader, once.
pub fn set_loader(get: vk::PFN_vkGetInstanceProcAddr) {
    let _ = LOADER.set(get);
}

/// A command as what `vkGet*ProcAddr` returns.
macro_rules! command {
    ($function:ident: $pfn:ident) => {
        // SAFETY: all function pointers have one size, and whoever asked by this name calls it as
        // what it is.
        unsafe { std::mem::transmute::<vk::$pfn, vk::PFN_vkVoidFunction>($function) }
    };
}

/// `vkGetInstanceProcAddr`.
pub unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: a null-terminated name, by the command's valid usage.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"vkGetInstanceProcAddr" => command!(get_instance_proc_addr: PFN_vkGetInstanceProcAddr),
        b"vkGetDeviceProcAddr" => command!(get_device_proc_addr: PFN_vkGetDeviceProcAddr),
        b"vkCreateInstance" => command!(create_instance: PFN_vkCreateInstance),
        b"vkCreateDevice" => command!(create_device: PFN_vkCreateDevice),
        // SAFETY: the caller's arguments, to the loader.
        _ => unsafe { LOADER.get()?(instance, name) },
    }
}

/// `vkGetDeviceProcAddr`.
pub unsafe extern "system" fn get_device_proc_addr(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    let below = DEVICE.get()?;
    // SAFETY: a null-terminated name, by the command's valid usage.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"vkGetDeviceProcAddr" => command!(get_device_proc_addr: PFN_vkGetDeviceProcAddr),
        b"vkCreateShaderModule" => command!(create_shader_module: PFN_vkCreateShaderModule),
        b"vkCreateComputePipelines" => command!(create_compute: PFN_vkCreateComputePipelines),
        b"vkCreateGraphicsPipelines" => command!(create_graphics: PFN_vkCreateGraphicsPipelines),
        b"vkCreateRayTracingPipelinesKHR" if below.rays.is_some() => {
            command!(create_rays: PFN_vkCreateRayTracingPipelinesKHR)
        }
        other => {
            let own = observer::command(other).or_else(|| passed::command(other));
            // SAFETY: the caller's arguments, to the loader.
            own.or_else(|| unsafe { (below.get)(device, name) })
        }
    }
}

/// What `vkGet*ProcAddr` returned as the command that it is; to be used where `unsafe` is allowed.
macro_rules! typed {
    ($pointer:expr => $pfn:ident) => {
        std::mem::transmute::<vk::PFN_vkVoidFunction, Option<vk::$pfn>>($pointer)
    };
}

/// Takes the structures of [`LAYER_TYPES`] out of a chain. Only these are of the lab's own making;
/// the layer copies what it changes.
///
/// # Safety
/// `next` must be a valid chain, whose structures nothing else reads at the time.
unsafe fn without_links(next: &mut *const vk::BaseInStructure<'static>) {
    let mut link: *mut *const vk::BaseInStructure<'static> = next;
    // SAFETY: every structure of a valid chain begins with its type and the address of the next.
    unsafe {
        while let Some(node) = (*link).as_ref() {
            if LAYER_TYPES.contains(&node.s_type.as_raw()) {
                *link = node.p_next;
            } else {
                link = (&raw const node.p_next).cast_mut();
            }
        }
    }
}

/// Sends the application a message, as the validation layer does.
fn say(text: &str) {
    let (Some(get), Some(instance), Ok(text)) = (LOADER.get(), INSTANCE.get(), CString::new(text)) else { return };
    let data = vk::DebugUtilsMessengerCallbackDataEXT::default().message(&text);
    let severity = vk::DebugUtilsMessageSeverityFlagsEXT::ERROR;
    // SAFETY: the loader's command of that name, with a live instance and valid data.
    unsafe {
        let submit =
            typed!(get(*instance, c"vkSubmitDebugUtilsMessageEXT".as_ptr()) => PFN_vkSubmitDebugUtilsMessageEXT);
        if let Some(submit) = submit {
            submit(*instance, severity, vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION, &data);
        }
    }
}

unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Instance,
) -> vk::Result {
    let Some(get) = LOADER.get() else { return vk::Result::ERROR_INITIALIZATION_FAILED };
    // SAFETY: the loader's command of that name, with the caller's arguments.
    unsafe {
        let Some(create) = get(vk::Instance::null(), c"vkCreateInstance".as_ptr()) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        let create: vk::PFN_vkCreateInstance = std::mem::transmute(create);
        let mut info = *info;
        let mut next = info.p_next.cast();
        without_links(&mut next);
        info.p_next = next.cast();
        let result = create(&info, allocator, out);
        if result == vk::Result::SUCCESS {
            let _ = INSTANCE.set(*out);
            observer::notify(Created::Instance(info.p_application_info.as_ref()));
        }
        result
    }
}

unsafe extern "system" fn create_device(
    physical: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Device,
) -> vk::Result {
    let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
    let Some(loader) = DEVICE_COMMANDS.get() else { return failed };
    // SAFETY: the loader's commands, with the caller's arguments and the device that they made.
    unsafe {
        let mut info = *info;
        let mut next = info.p_next.cast();
        without_links(&mut next);
        info.p_next = next.cast();
        let result = (loader.create_device)(physical, &info, allocator, out);
        if result == vk::Result::SUCCESS {
            let get = |name: &CStr| (loader.get_device_proc_addr)(*out, name.as_ptr());
            let _ = DEVICE.set(Device {
                get: loader.get_device_proc_addr,
                modules: typed!(get(c"vkCreateShaderModule") => PFN_vkCreateShaderModule),
                compute: typed!(get(c"vkCreateComputePipelines") => PFN_vkCreateComputePipelines),
                graphics: typed!(get(c"vkCreateGraphicsPipelines") => PFN_vkCreateGraphicsPipelines),
                rays: typed!(get(c"vkCreateRayTracingPipelinesKHR") => PFN_vkCreateRayTracingPipelinesKHR),
            });
            observer::set_device(loader.get_device_proc_addr, *out);
            passed::set_device(&get);
            observer::notify(Created::Device(&info));
        }
        result
    }
}

/// Records the code of a module.
///
/// # Safety
/// `info` must be valid.
unsafe fn record_module(info: &vk::ShaderModuleCreateInfo<'_>) {
    // SAFETY: the words of a valid create info.
    let words = unsafe { std::slice::from_raw_parts(info.p_code, info.code_size / 4) };
    trace::record(|trace| trace.modules.push(words.to_vec()));
}

unsafe extern "system" fn create_shader_module(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderModule,
) -> vk::Result {
    let Some(create) = DEVICE.get().and_then(|below| below.modules) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    // SAFETY: the caller's arguments, and the module that the driver made.
    unsafe {
        record_module(&*info);
        if observer::is_set() {
            *out = observer::handle();
            trace::record(|trace| trace.handles.insert(0, (*out, trace.modules.len().saturating_sub(1))));
            observer::notify(Created::Module(*out, &*info));
            return vk::Result::SUCCESS;
        }
        let _call = calls::enter(c"vkCreateShaderModule");
        let words = std::slice::from_raw_parts((*info).p_code, (*info).code_size / 4);
        let changed = miscompiled(words);
        if changed.is_some() {
            trace::record(|trace| trace.miscompiled = true);
        }
        let result = match count::counting(changed.as_deref().unwrap_or(words)).or(changed) {
            Some(words) => {
                let info = vk::ShaderModuleCreateInfo { p_next: (*info).p_next, ..Default::default() }.code(&words);
                create(device, &info, allocator, out)
            }
            None => create(device, info, allocator, out),
        };
        if result == vk::Result::SUCCESS {
            // Of two modules with one handle, the later one lives.
            trace::record(|trace| trace.handles.insert(0, (*out, trace.modules.len().saturating_sub(1))));
        }
        trace::checked("vkCreateShaderModule", result)
    }
}

/// Records stages, and the code that is in their chains.
///
/// # Safety
/// The stages must be valid.
unsafe fn record_stages(stages: &[vk::PipelineShaderStageCreateInfo<'_>]) {
    for stage in stages {
        let handle = stage.module;
        let known = |trace: &Trace| trace.handles.iter().find(|(made, _)| *made == handle).map(|(_, at)| *at);
        let mut traced = TracedStage {
            stage: stage.stage.as_raw(),
            flags: stage.flags.as_raw(),
            // SAFETY: a null-terminated name, by the structure's valid usage.
            entry: unsafe { CStr::from_ptr(stage.p_name) }.to_string_lossy().into_owned(),
            module: None,
            subgroup_size: None,
            robustness: None,
        };
        trace::record(|trace| traced.module = known(trace));
        let mut next = stage.p_next.cast::<vk::BaseInStructure<'_>>();
        // SAFETY: every structure of a valid chain begins with its type and the address of the
        // next, and is what its type says.
        unsafe {
            while let Some(node) = next.as_ref() {
                match node.s_type {
                    vk::StructureType::SHADER_MODULE_CREATE_INFO if handle == vk::ShaderModule::null() => {
                        record_module(&*next.cast());
                        trace::record(|trace| traced.module = trace.modules.len().checked_sub(1));
                    }
                    vk::StructureType::PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO => {
                        let info = &*next.cast::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'_>>();
                        traced.subgroup_size = Some(info.required_subgroup_size);
                    }
                    vk::StructureType::PIPELINE_ROBUSTNESS_CREATE_INFO_EXT => {
                        let info = &*next.cast::<vk::PipelineRobustnessCreateInfoEXT<'_>>();
                        traced.robustness = Some([
                            info.storage_buffers.as_raw(),
                            info.uniform_buffers.as_raw(),
                            info.vertex_inputs.as_raw(),
                            info.images.as_raw(),
                        ]);
                    }
                    _ => {}
                }
                next = node.p_next;
            }
        }
        trace::record(|trace| trace.stages.push(traced));
    }
}

/// The stages of a create info.
///
/// # Safety
/// `first` must be the address of `count` stages, or null.
unsafe fn stages_at<'a>(
    first: *const vk::PipelineShaderStageCreateInfo<'a>,
    count: u32,
) -> &'a [vk::PipelineShaderStageCreateInfo<'a>] {
    // SAFETY: the caller's array.
    if first.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(first, count as usize) } }
}

macro_rules! pipelines {
    ($(fn $name:ident: $field:ident = $call:literal $command:literal $kind:ident($info:ident; $($deferred:ident)?) {
        $stages:expr
    })*) => {$(
        unsafe extern "system" fn $name(
            device: vk::Device,
            $($deferred: vk::DeferredOperationKHR,)?
            cache: vk::PipelineCache,
            count: u32,
            infos: *const vk::$info<'_>,
            allocator: *const vk::AllocationCallbacks<'_>,
            out: *mut vk::Pipeline,
        ) -> vk::Result {
            let Some(create) = DEVICE.get().and_then(|below| below.$field) else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            let stages: unsafe fn(&vk::$info<'_>) = $stages;
            // SAFETY: the caller's arguments: `count` valid create infos.
            unsafe {
                let all = std::slice::from_raw_parts(infos, count as usize);
                all.iter().for_each(|info| stages(info));
                if observer::is_set() {
                    for (info, out) in all.iter().zip(std::slice::from_raw_parts_mut(out, all.len())) {
                        *out = observer::handle();
                        observer::notify(Created::$kind(*out, info));
                    }
                    return vk::Result::SUCCESS;
                }
                let _call = calls::enter($call);
                let start = Instant::now();
                let result = match suffer(trace::modules, say) {
                    Some(result) => {
                        std::slice::from_raw_parts_mut(out, count as usize).fill(vk::Pipeline::null());
                        result
                    }
                    None => create(device, $($deferred,)? cache, count, infos, allocator, out),
                };
                trace::record(|trace| trace.time += start.elapsed());
                trace::checked($command, result)
            }
        }
    )*};
}

pipelines! {
    fn create_compute: compute = c"vkCreateComputePipelines" "vkCreateComputePipelines" Compute(ComputePipelineCreateInfo;) {
        // SAFETY: a valid create info.
        |info| unsafe { record_stages(std::slice::from_ref(&info.stage)) }
    }
    fn create_graphics: graphics = c"vkCreateGraphicsPipelines" "vkCreateGraphicsPipelines" Graphics(GraphicsPipelineCreateInfo;) {
        // SAFETY: as above; the lab gives no stages where Vulkan reads none.
        |info| unsafe { record_stages(stages_at(info.p_stages, info.stage_count)) }
    }
    fn create_rays: rays = c"vkCreateRayTracingPipelinesKHR" "vkCreateRayTracingPipelinesKHR" Rays(RayTracingPipelineCreateInfoKHR; deferred) {
        // SAFETY: as above.
        |info| unsafe { record_stages(stages_at(info.p_stages, info.stage_count)) }
    }
}
