//! Features and extensions of the lab's device, besides those that the layer adds.
//!
//! In: a physical device, and the record of a captured one or nothing. Out: a chain of feature
//! structures and the names of extensions. What must hold: only what the device supports is
//! enabled; for a captured device, only what the application had enabled there.

use std::ffi::{CStr, CString, c_void};

use ash::vk::TaggedStructure as _;
use ash::{amd, ext, khr, vk};
use dxil_capture::model;
use dxil_layer_core::plain_bytes;
use dxil_vulkan::Instance;
use thiserror::Error;

/// Feature structures: `sType`, size in bytes, and the extension that has it; `None` for those of
/// Vulkan 1.3.
macro_rules! structures {
    ($($name:ident: $extension:expr,)*) => {
        &[$((vk::$name::STRUCTURE_TYPE.as_raw(), size_of::<vk::$name<'_>>(), $extension),)*]
    };
}

/// Feature structures of extensions, each with the number of its bits.
macro_rules! older {
    ($($name:ident: $extension:expr, $bits:expr,)*) => {
        &[$(((vk::$name::STRUCTURE_TYPE.as_raw(), size_of::<vk::$name<'_>>(), Some($extension)), $bits),)*]
    };
}

type Row = (i32, usize, Option<&'static CStr>);

/// What pipelines without an application get: everything that a pipeline of DXIL can ask for.
const ALL: &[Row] = structures! {
    PhysicalDeviceFeatures2: None,
    PhysicalDeviceVulkan11Features: None,
    PhysicalDeviceVulkan12Features: None,
    PhysicalDeviceVulkan13Features: None,
    PhysicalDeviceMeshShaderFeaturesEXT: Some(ext::mesh_shader::NAME),
    PhysicalDeviceAccelerationStructureFeaturesKHR: Some(khr::acceleration_structure::NAME),
    PhysicalDeviceRayTracingPipelineFeaturesKHR: Some(khr::ray_tracing_pipeline::NAME),
    PhysicalDeviceRayQueryFeaturesKHR: Some(khr::ray_query::NAME),
    PhysicalDevicePipelineExecutablePropertiesFeaturesKHR: Some(khr::pipeline_executable_properties::NAME),
};

/// The bits of `VkPhysicalDeviceVulkan13Features` in their order, as the structures of a device of
/// Vulkan 1.2 have them: structures, each with the number of its bits.
const OLDER: &[(Row, usize)] = older! {
    PhysicalDeviceImageRobustnessFeatures: ext::image_robustness::NAME, 1,
    PhysicalDeviceInlineUniformBlockFeatures: ext::inline_uniform_block::NAME, 2,
    PhysicalDevicePipelineCreationCacheControlFeatures: ext::pipeline_creation_cache_control::NAME, 1,
    PhysicalDevicePrivateDataFeatures: ext::private_data::NAME, 1,
    PhysicalDeviceShaderDemoteToHelperInvocationFeatures: ext::shader_demote_to_helper_invocation::NAME, 1,
    PhysicalDeviceShaderTerminateInvocationFeatures: khr::shader_terminate_invocation::NAME, 1,
    PhysicalDeviceSubgroupSizeControlFeatures: ext::subgroup_size_control::NAME, 2,
    PhysicalDeviceSynchronization2Features: khr::synchronization2::NAME, 1,
    PhysicalDeviceTextureCompressionASTCHDRFeatures: ext::texture_compression_astc_hdr::NAME, 1,
    PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures: khr::zero_initialize_workgroup_memory::NAME, 1,
    PhysicalDeviceDynamicRenderingFeatures: khr::dynamic_rendering::NAME, 1,
    PhysicalDeviceShaderIntegerDotProductFeatures: khr::shader_integer_dot_product::NAME, 1,
    PhysicalDeviceMaintenance4Features: khr::maintenance4::NAME, 1,
};

/// Structures that a device of Vulkan 1.2 does not know, or that are of addresses of buffers.
const NEWER: [i32; 3] = [
    vk::PhysicalDeviceVulkan13Features::STRUCTURE_TYPE.as_raw(),
    // `VkPhysicalDeviceVulkan14Features`, which ash 0.38 lacks.
    55,
    vk::PhysicalDeviceBufferDeviceAddressFeatures::STRUCTURE_TYPE.as_raw(),
];
/// The bits of addresses of buffers in their structure: the first byte, and the one behind them.
const ADDRESSES: (i32, std::ops::Range<usize>) = {
    let first = std::mem::offset_of!(vk::PhysicalDeviceVulkan12Features<'_>, buffer_device_address);
    (vk::PhysicalDeviceVulkan12Features::STRUCTURE_TYPE.as_raw(), first..first + 12)
};

/// Extensions without features: those that others require, and one that tells what machine code
/// needs.
const PLAIN: &[&CStr] = &[khr::deferred_host_operations::NAME, khr::pipeline_library::NAME, amd::shader_info::NAME];

/// The command's own structure.
const CORE: i32 = vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE.as_raw();

/// `robustBufferAccess`, by its structure and its offset there. It would change what shaders do.
const ROBUST_ACCESS: (i32, usize) = (CORE, 16);

/// What is wanted of a structure's bits, as far as the device has them.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// All that leave shaders as they are.
    All,
    /// Those that an application enabled: the bytes behind the header.
    These(&'a [u8]),
}

/// A feature structure as words, so that one loop serves them all.
struct Node {
    words: Vec<u64>,
}

impl Node {
    fn new(s_type: i32, size: usize) -> Self {
        let mut words = vec![0; size.div_ceil(8).max(2)];
        words[0] = u64::from(s_type as u32);
        Self { words }
    }
    fn address(&mut self) -> *mut c_void {
        self.words.as_mut_ptr().cast()
    }
    fn set_next(&mut self, next: *mut c_void) {
        self.words[1] = next as u64;
    }
    /// The feature bits, which are 32-bit words behind the header.
    fn mask(&mut self, wanted: impl Fn(usize) -> u32) {
        for (index, word) in self.words.iter_mut().enumerate().skip(2) {
            let mask = u64::from(wanted(index * 8)) | u64::from(wanted(index * 8 + 4)) << 32;
            *word &= mask;
        }
    }
}

/// Whether a captured device has structures of numbers alone, each of its size. A driver writes
/// into them as their `sType` says, and a capture is a file, which may say anything.
///
/// # Errors
/// What the record has instead.
pub fn check(device: &model::Device) -> Result<(), Malformed> {
    for (&s_type, bytes) in &device.features {
        let (found, expected) = (bytes.0.len(), plain_bytes(s_type));
        if expected != Some(found) {
            return Err(Malformed { s_type, found, expected });
        }
    }
    Ok(())
}

/// A structure of a captured device that has another size than its `sType` says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "the captured device has {found} bytes of the structure {s_type}, which {}",
    expected.map_or("is unknown here".to_owned(), |expected| format!("has {expected}"))
)]
pub struct Malformed {
    s_type: i32,
    found: usize,
    /// The size in bytes without the header; `None` for a structure that is unknown or no plain
    /// data.
    expected: Option<usize>,
}

/// The chain, and the extensions.
pub struct Enabled {
    nodes: Vec<Node>,
    extensions: Vec<CString>,
}

impl Enabled {
    /// What to enable on a device, which is `older` if it is one of Vulkan 1.2.
    pub fn new(instance: &Instance, captured: Option<&model::Device>, older: bool) -> Self {
        let captured = captured.filter(|device| !device.features.is_empty());
        // The structures: `sType`, size, and what is wanted of the bits.
        let mut rows: Vec<(i32, usize, Wanted<'_>)> = Vec::new();
        let mut extensions: Vec<CString> = Vec::new();
        let has = |name: &CStr| instance.supports(name);
        match captured {
            Some(device) => {
                for (&s_type, bytes) in &device.features {
                    rows.push((s_type, 16 + bytes.0.len(), Wanted::These(&bytes.0)));
                }
                let names = device.extensions.iter().filter_map(|name| CString::new(name.as_str()).ok());
                extensions.extend(names.filter(|name| has(name)));
            }
            None => {
                for &(s_type, size, extension) in ALL.iter().filter(|(_, _, extension)| extension.is_none_or(has)) {
                    rows.push((s_type, size, Wanted::All));
                    extensions.extend(extension.map(CStr::to_owned));
                }
                extensions.extend(PLAIN.iter().filter(|name| has(name)).map(|name| (*name).to_owned()));
            }
        }
        if older {
            let newer = rows.iter().find(|(s_type, ..)| *s_type == NEWER[0]).map(|(.., wanted)| *wanted);
            rows.retain(|(s_type, ..)| !NEWER.contains(s_type));
            let mut at = 0;
            for &((s_type, size, extension), bits) in newer.iter().flat_map(|_| OLDER) {
                let wanted = match newer {
                    Some(Wanted::These(bytes)) => Wanted::These(bytes.get(at..at + bits * 4).unwrap_or_default()),
                    _ => Wanted::All,
                };
                at += bits * 4;
                let is_there = extension.is_some_and(has) && rows.iter().all(|(other, ..)| *other != s_type);
                if is_there {
                    rows.push((s_type, size, wanted));
                    extensions.extend(extension.map(CStr::to_owned));
                }
            }
            extensions.sort_unstable();
            extensions.dedup();
        }
        // The command's own structure is the head of the chain.
        rows.sort_by_key(|(s_type, ..)| *s_type != CORE);
        if rows.first().is_none_or(|(s_type, ..)| *s_type != CORE) {
            rows.insert(0, (CORE, size_of::<vk::PhysicalDeviceFeatures2<'_>>(), Wanted::These(&[])));
        }
        let mut nodes: Vec<Node> = rows.iter().map(|&(s_type, size, _)| Node::new(s_type, size)).collect();
        let mut next = std::ptr::null_mut();
        for node in nodes.iter_mut().rev() {
            node.set_next(next);
            next = node.address();
        }
        // SAFETY: the chain begins with the command's structure, and each node has its size.
        unsafe { (instance.handle.fp_v1_1().get_physical_device_features2)(instance.physical, next.cast()) };
        for (node, (s_type, _, wanted)) in nodes.iter_mut().zip(&rows) {
            node.mask(|at| match wanted {
                _ if older && *s_type == ADDRESSES.0 && ADDRESSES.1.contains(&at) => 0,
                Wanted::All if (*s_type, at) == ROBUST_ACCESS => 0,
                Wanted::All => u32::MAX,
                Wanted::These(bytes) => {
                    let word = bytes.get(at - 16..at - 12).and_then(|word| word.try_into().ok());
                    if word.is_some_and(|word| u32::from_le_bytes(word) != 0) { u32::MAX } else { 0 }
                }
            });
        }
        Self { nodes, extensions }
    }

    /// The names of the extensions.
    pub fn names(&self) -> Vec<&CStr> {
        self.extensions.iter().map(CString::as_c_str).collect()
    }

    /// Whether an extension is enabled.
    pub fn has(&self, name: &CStr) -> bool {
        self.extensions.iter().any(|extension| extension.as_c_str() == name)
    }

    /// The head of the chain.
    pub fn head(&mut self) -> *const c_void {
        self.nodes.first_mut().map_or(std::ptr::null(), |node| node.address().cast_const())
    }
}

#[cfg(test)]
mod tests {
    use dxil_capture::digest::Bytes;

    use super::*;

    #[test]
    fn captured_structures_have_their_size() {
        let with = |s_type: vk::StructureType, bytes| {
            let features = [(s_type.as_raw(), Bytes(vec![0; bytes]))].into();
            check(&model::Device { features, ..Default::default() })
        };
        // 55 features, and padding.
        assert_eq!(with(vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE, 224), Ok(()));
        let error = with(vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE, 4).unwrap_err().to_string();
        assert!(error.contains("4 bytes") && error.contains("has 224"), "{error}");
        assert!(with(vk::ShaderModuleCreateInfo::STRUCTURE_TYPE, 24).unwrap_err().to_string().contains("unknown"));
    }
}
