//! The state of the fake, and what it records of the calls that reach it.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;
use ash::vk::{Handle, TaggedStructure};

use crate::loader::LayerCreateInfo;

/// When the fake does the work of a deferred operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deferral {
    /// It does not defer: `VK_OPERATION_NOT_DEFERRED_KHR`.
    Never,
    /// At the join with this number; the joins before it have nothing to do.
    AtJoin(u32),
    /// Before the command that defers it returns, as if another thread had joined by then.
    Early,
}

/// A deferred call, with the arguments that the fake reads later.
pub(super) struct Pending {
    pub(super) joins_left: u32,
    pub(super) count: u32,
    pub(super) infos: *const vk::RayTracingPipelineCreateInfoKHR<'static>,
    pub(super) out: *mut vk::Pipeline,
    /// Null, or the allocator and its user data.
    pub(super) allocator: *const vk::AllocationCallbacks<'static>,
    pub(super) user_data: usize,
}

// SAFETY: the arguments of a deferred call may be read by any thread that joins.
unsafe impl Send for Pending {}

/// The features of the fake, and its behaviour.
#[derive(Clone)]
pub struct Config {
    /// `VkPhysicalDeviceProperties::apiVersion`.
    pub api_version: u32,
    /// Whether the fake supports every feature; otherwise it supports none.
    pub all_features: bool,
    /// The features that the fake does not support all the same: a structure's `sType`, and the
    /// number of the member.
    pub lacks: &'static [(i32, usize)],
    /// The device extensions that the fake supports.
    pub extensions: &'static [&'static CStr],
    /// `minSubgroupSize`, `maxSubgroupSize` and `maxComputeWorkgroupSubgroups`. Compute shaders can
    /// require a size.
    pub subgroup_sizes: [u32; 3],
    /// The tools of the physical device: the layer and the version of each.
    pub tools: &'static [(&'static CStr, &'static CStr)],
    /// Returns true for commands that the fake does not have.
    pub missing: fn(&CStr) -> bool,
    /// Returns true for devices that the fake refuses to create.
    pub refuse_device: fn(&DeviceSeen) -> bool,
    /// Whether equal modules get equal handles, as Vulkan allows.
    pub equal_handles: bool,
    /// Whether the fake may read the stages of graphics pipelines. Some tests pass an invalid
    /// pointer where Vulkan ignores the stages.
    pub read_stages: bool,
    /// When the fake does the work of deferred operations.
    pub deferral: Deferral,
    /// What `vkCreateShaderModule` returns without doing anything, if not `None`.
    pub module_result: Option<vk::Result>,
    /// What `vkCreateComputePipelines` returns without creating a pipeline, if not `None`.
    pub compute_result: Option<vk::Result>,
    /// What `vkCreateShadersEXT` returns after creating all shaders.
    pub shaders_result: vk::Result,
    /// What `vkCreateRayTracingPipelinesKHR` returns without doing anything, if not `None`.
    pub rays_result: Option<vk::Result>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            api_version: vk::API_VERSION_1_3,
            all_features: true,
            lacks: &[],
            extensions: &[],
            subgroup_sizes: [0; 3],
            tools: &[],
            missing: |_| false,
            refuse_device: |_| false,
            equal_handles: false,
            read_stages: true,
            deferral: Deferral::Never,
            module_result: None,
            compute_result: None,
            shaders_result: vk::Result::SUCCESS,
            rays_result: None,
        }
    }
}

thread_local! {
    /// The configuration of the next instance that this thread creates.
    pub static NEXT_CONFIG: Cell<Option<Config>> = const { Cell::new(None) };
}

/// A pipeline stage as it reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSeen {
    pub stage: u32,
    pub module: u64,
    pub name: CString,
    pub flags: u32,
    /// `sType` and address of each node.
    pub chain: Vec<(i32, usize)>,
    pub chained_words: Option<Vec<u32>>,
    pub required_size: Option<u32>,
    /// The size of a module identifier in the chain.
    pub identifier_size: Option<u32>,
    /// `storageBuffers`, `uniformBuffers`, `vertexInputs` and `images` of a
    /// `VkPipelineRobustnessCreateInfo`.
    pub robustness: Option<[i32; 4]>,
    pub mappings: Vec<MappingSeen>,
}

/// A `VkDescriptorSetAndBindingMappingEXT` as it reached the fake, with the data of a constant
/// offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MappingSeen {
    pub set: u32,
    pub binding: u32,
    pub count: u32,
    pub mask: u32,
    pub source: u32,
    pub offset: u32,
    pub stride: u32,
    /// `magFilter` and `addressModeU` of the embedded sampler.
    pub sampler: Option<[i32; 2]>,
}

/// A pipeline's create info as it reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineSeen {
    pub flags: u32,
    pub base_index: i32,
    pub stages_at: usize,
    pub stages: Vec<StageSeen>,
    /// The stages of each shader group.
    pub groups: Vec<Vec<StageSeen>>,
    pub next: usize,
}

/// The create info of a shader object as it reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderSeen {
    pub flags: u32,
    pub stage: u32,
    pub code_type: i32,
    pub code: Vec<u8>,
    pub name: Option<CString>,
    /// `sType` and address of each node.
    pub chain: Vec<(i32, usize)>,
    pub set_layouts: usize,
    pub mappings: Vec<MappingSeen>,
}

/// The create info of a ray-tracing pipeline as it reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaysSeen {
    pub flags: u32,
    pub base_index: i32,
    pub base: u64,
    pub layout: u64,
    pub stages_at: usize,
    pub stages: Vec<StageSeen>,
    pub groups_at: usize,
    pub groups: Vec<GroupSeen>,
    pub next: usize,
    /// The pointers `pLibraryInfo`, `pLibraryInterface` and `pDynamicState`, which
    /// `VkRayTracingPipelineCreateInfoNV` does not have.
    pub others: Vec<usize>,
}

/// All members of a shader group: `sType`, `pNext`, `type`, the four shaders, and
/// `pShaderGroupCaptureReplayHandle`.
pub type GroupSeen = (i32, usize, i32, [u32; 4], usize);

/// A call that reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Module {
        info: usize,
        code: usize,
        next: usize,
        words: Vec<u32>,
        handle: u64,
    },
    DestroyModule(u64),
    Pipelines {
        infos: usize,
        out: usize,
        pipelines: Vec<PipelineSeen>,
    },
    SetLayout {
        info: usize,
    },
    DestroySetLayout(u64),
    PipelineLayout {
        info: usize,
    },
    DestroyPipelineLayout(u64),
    /// A deferred call is seen when its work is done.
    RayTracing {
        operation: u64,
        infos: usize,
        out: usize,
        pipelines: Vec<RaysSeen>,
    },
    DestroyOperation(u64),
    Shaders {
        infos: usize,
        out: usize,
        shaders: Vec<ShaderSeen>,
    },
    ModuleIdentifier(u64),
    CreateInfoIdentifier {
        info: usize,
        words: Vec<u32>,
    },
    /// The stages are those of the nested create info.
    PipelineKey {
        info: usize,
        stages: Vec<StageSeen>,
    },
    PipelineBinaries {
        info: usize,
        stages: Vec<StageSeen>,
    },
    IndirectRequirements {
        info: usize,
        stages: Vec<StageSeen>,
    },
    Name {
        info: usize,
        object: u64,
        name: Option<CString>,
    },
}

/// A device's create info as it reached the fake.
#[derive(Clone, Debug, Default)]
pub struct DeviceSeen {
    pub info: usize,
    /// The link in the loader's structure.
    pub link: Option<usize>,
    /// `sType` and address of each node.
    pub chain: Vec<(i32, usize)>,
    /// Members of the feature structures that the fake knows, by `sType`.
    pub features: HashMap<i32, Vec<u32>>,
    /// `pEnabledFeatures`.
    pub core_at: usize,
    pub core: Option<Vec<u32>>,
    pub extensions: Vec<CString>,
}

/// A message of VK_EXT_debug_utils.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    pub id: String,
    pub number: i32,
    pub objects: Vec<(vk::ObjectType, u64)>,
    pub text: String,
}

/// The fake instance. Its physical device is the address of `physical`, whose first word is the
/// same dispatch pointer.
#[repr(C)]
pub struct FakeInstance {
    pub(super) dispatch: *const u8,
    pub(super) physical: [*const c_void; 2],
    pub(super) config: Config,
    pub(super) devices: Mutex<Vec<DeviceSeen>>,
    pub(super) messages: Mutex<Vec<Message>>,
}

/// The fake device.
#[repr(C)]
pub struct FakeDevice {
    pub(super) dispatch: *const u8,
    pub(super) config: Config,
    pub(super) events: Mutex<Vec<Event>>,
    pub(super) modules: Mutex<Vec<Vec<u32>>>,
    pub(super) pending: Mutex<HashMap<u64, Pending>>,
    pub(super) module_allocators: Mutex<Vec<usize>>,
}

impl FakeInstance {
    /// # Safety
    /// The instance must be one of the fake, and alive for `'a`.
    pub unsafe fn from_handle<'a>(instance: vk::Instance) -> &'a Self {
        // SAFETY: the handle is the address of the fake instance that `create_instance` has made.
        unsafe { &*(instance.as_raw() as usize as *const Self) }
    }
    /// The one physical device.
    pub fn physical_device(&self) -> vk::PhysicalDevice {
        vk::PhysicalDevice::from_raw(self.physical.as_ptr() as usize as u64)
    }
    /// The device create infos that reached the fake.
    pub fn devices(&self) -> Vec<DeviceSeen> {
        self.devices.lock().unwrap().clone()
    }
    /// The VK_EXT_debug_utils messages that reached the fake since this was last called.
    pub fn messages(&self) -> Vec<(vk::DebugUtilsMessageSeverityFlagsEXT, String)> {
        self.submitted().into_iter().map(|message| (message.severity, message.text)).collect()
    }
    /// [`messages`](Self::messages) with their ids and objects.
    pub fn submitted(&self) -> Vec<Message> {
        std::mem::take(&mut self.messages.lock().unwrap())
    }
    /// # Safety
    /// The physical device must be one of the fake, and its instance alive for `'a`.
    pub(super) unsafe fn from_physical_device<'a>(device: vk::PhysicalDevice) -> &'a Self {
        // SAFETY: the handle is the address of the array `physical`, whose second element is the
        // address of the fake instance.
        unsafe { &*(*(device.as_raw() as usize as *const *const Self).add(1)) }
    }
}

impl FakeDevice {
    /// # Safety
    /// The device must be one of the fake, and alive for `'a`.
    pub unsafe fn from_handle<'a>(device: vk::Device) -> &'a Self {
        // SAFETY: the handle is the address of the fake device that `create_device` has made.
        unsafe { &*(device.as_raw() as usize as *const Self) }
    }
    /// The calls that reached the fake since this was last called.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.events.lock().unwrap())
    }
    /// The addresses of the allocators with which modules were created, in order.
    pub fn module_allocators(&self) -> Vec<usize> {
        self.module_allocators.lock().unwrap().clone()
    }
    pub(super) fn push(&self, event: Event) {
        self.events.lock().unwrap().push(event);
    }
}

/// The handle with this value.
pub fn handle<T: Handle>(raw: u64) -> T {
    T::from_raw(raw)
}

pub(super) fn fresh<T: Handle>() -> T {
    static NEXT: AtomicU64 = AtomicU64::new(0x1_0000);
    T::from_raw(NEXT.fetch_add(1, Ordering::Relaxed))
}

pub(super) fn address<T: ?Sized>(pointer: *const T) -> usize {
    pointer.cast::<u8>() as usize
}

/// The number of `VkBool32` members of a feature structure that tests inspect.
pub(super) fn members(s_type: i32) -> Option<usize> {
    let of = |size: usize| Some((size - 16) / 4);
    match vk::StructureType::from_raw(s_type) {
        vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE => Some(55),
        vk::PhysicalDeviceVulkan11Features::STRUCTURE_TYPE => Some(12),
        vk::PhysicalDeviceVulkan12Features::STRUCTURE_TYPE => Some(47),
        vk::PhysicalDeviceVulkan13Features::STRUCTURE_TYPE => Some(15),
        vk::PhysicalDevice16BitStorageFeatures::STRUCTURE_TYPE => {
            of(size_of::<vk::PhysicalDevice16BitStorageFeatures<'_>>())
        }
        vk::PhysicalDeviceDescriptorIndexingFeatures::STRUCTURE_TYPE => Some(20),
        vk::PhysicalDeviceShaderFloat16Int8Features::STRUCTURE_TYPE => Some(2),
        vk::PhysicalDeviceShaderDemoteToHelperInvocationFeatures::STRUCTURE_TYPE
        | vk::PhysicalDeviceMaintenance4Features::STRUCTURE_TYPE
        | vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR::STRUCTURE_TYPE
        | vk::PhysicalDeviceShaderDrawParametersFeatures::STRUCTURE_TYPE => Some(1),
        vk::PhysicalDeviceVulkanMemoryModelFeatures::STRUCTURE_TYPE => Some(3),
        vk::PhysicalDeviceSubgroupSizeControlFeatures::STRUCTURE_TYPE => Some(2),
        vk::PhysicalDeviceRobustness2FeaturesEXT::STRUCTURE_TYPE => Some(3),
        vk::PhysicalDevicePipelineRobustnessFeaturesEXT::STRUCTURE_TYPE => Some(1),
        vk::PhysicalDeviceAccelerationStructureFeaturesKHR::STRUCTURE_TYPE
        | vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::STRUCTURE_TYPE
        | vk::PhysicalDeviceMeshShaderFeaturesEXT::STRUCTURE_TYPE => Some(5),
        vk::PhysicalDeviceRayQueryFeaturesKHR::STRUCTURE_TYPE => Some(1),
        _ => None,
    }
}

/// # Safety
/// `next` must be a valid `pNext` chain.
pub(super) unsafe fn chain(mut next: *const c_void) -> Vec<(i32, usize)> {
    let mut out = Vec::new();
    while !next.is_null() {
        // SAFETY: every node of a valid chain starts with the members of `VkBaseInStructure`.
        let node = unsafe { &*next.cast::<vk::BaseInStructure<'_>>() };
        out.push((node.s_type.as_raw(), address(next)));
        next = node.p_next.cast();
    }
    out
}

/// # Safety
/// There must be `count` initialised words at `at + offset`.
unsafe fn bools(at: usize, offset: usize, count: usize) -> Vec<u32> {
    // SAFETY: by this function's contract.
    unsafe { std::slice::from_raw_parts((at + offset) as *const u32, count) }.to_vec()
}

/// # Safety
/// The create info must be valid.
pub(super) unsafe fn see_device(info: &vk::DeviceCreateInfo<'_>) -> DeviceSeen {
    // SAFETY: the pointers of a valid create info refer to as many elements as it says, `sType`
    // determines the type of each node in its chain, and `members` has their number of members.
    unsafe {
        let chain = chain(info.p_next);
        let link = chain.iter().find(|(t, _)| *t == 48).map(|(_, at)| (*(*at as *const LayerCreateInfo)).link as usize);
        let features =
            chain.iter().filter_map(|&(t, at)| Some((t, bools(at, 16, members(t)?)))).collect::<HashMap<_, _>>();
        let core = (!info.p_enabled_features.is_null()).then(|| bools(address(info.p_enabled_features), 0, 55));
        let extensions = (0..info.enabled_extension_count as usize)
            .map(|i| CStr::from_ptr(*info.pp_enabled_extension_names.add(i)).to_owned())
            .collect();
        DeviceSeen {
            info: address(info),
            link,
            chain,
            features,
            core_at: address(info.p_enabled_features),
            core,
            extensions,
        }
    }
}

/// # Safety
/// The stage must be valid.
pub(super) unsafe fn see_stage(stage: &vk::PipelineShaderStageCreateInfo<'_>) -> StageSeen {
    // SAFETY: `sType` determines the type of each node in a valid stage's chain, the code of a
    // module has `code_size` bytes, and the name is null-terminated.
    unsafe {
        let chain = chain(stage.p_next);
        let find = |t: vk::StructureType| chain.iter().find(|(s, _)| *s == t.as_raw()).map(|(_, at)| *at);
        let chained_words = find(vk::ShaderModuleCreateInfo::STRUCTURE_TYPE).map(|at| {
            let info = &*(at as *const vk::ShaderModuleCreateInfo<'_>);
            std::slice::from_raw_parts(info.p_code, info.code_size / 4).to_vec()
        });
        let required_size = find(vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::STRUCTURE_TYPE).map(|at| {
            (*(at as *const vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'_>)).required_subgroup_size
        });
        let robustness = find(vk::PipelineRobustnessCreateInfoEXT::STRUCTURE_TYPE).map(|at| {
            let info = &*(at as *const vk::PipelineRobustnessCreateInfoEXT<'_>);
            let buffers = [info.storage_buffers, info.uniform_buffers, info.vertex_inputs].map(|one| one.as_raw());
            [buffers[0], buffers[1], buffers[2], info.images.as_raw()]
        });
        let identifier_size = find(vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::STRUCTURE_TYPE)
            .map(|at| (*(at as *const vk::PipelineShaderStageModuleIdentifierCreateInfoEXT<'_>)).identifier_size);
        StageSeen {
            stage: stage.stage.as_raw(),
            module: stage.module.as_raw(),
            name: CStr::from_ptr(stage.p_name).to_owned(),
            flags: stage.flags.as_raw(),
            chain,
            chained_words,
            required_size,
            identifier_size,
            robustness,
            mappings: see_mappings(stage.p_next),
        }
    }
}

/// `VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT`.
pub const MAPPING_INFO: i32 = 1_000_135_006;

/// The mappings in a chain.
///
/// # Safety
/// The chain must be valid.
pub(super) unsafe fn see_mappings(next: *const c_void) -> Vec<MappingSeen> {
    // SAFETY: the caller's chain. `mappingCount` is at byte 16 of the structure and `pMappings`
    // at 24. A mapping has 96 bytes, with its words from byte 16 on and its data from byte 40 on.
    unsafe {
        let Some((_, at)) = chain(next).into_iter().find(|(s_type, _)| *s_type == MAPPING_INFO) else {
            return Vec::new();
        };
        let (count, mappings) = (*((at + 16) as *const u32), *((at + 24) as *const usize));
        let see = |index: usize| {
            let at = mappings + 96 * index;
            let word = |byte: usize| *((at + byte) as *const u32);
            let sampler = (*((at + 48) as *const *const vk::SamplerCreateInfo<'_>)).as_ref();
            MappingSeen {
                set: word(16),
                binding: word(20),
                count: word(24),
                mask: word(28),
                source: word(32),
                offset: word(40),
                stride: word(44),
                sampler: sampler.map(|info| [info.mag_filter.as_raw(), info.address_mode_u.as_raw()]),
            }
        };
        (0..count as usize).map(see).collect()
    }
}
