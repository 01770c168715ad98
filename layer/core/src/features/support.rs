//! The support of the next layer's physical device, read once before the device is created.
//!
//! In: the instance's commands. Out: version, extensions and feature bits. What must hold: a
//! structure is chained into a query only if the device has its version or extension.

use std::collections::{BTreeMap, HashSet};
use std::ffi::{CStr, CString};

use ash::vk;
use ash::vk::TaggedStructure;

use crate::translator::Feature;
use crate::vulkan::copies::Node;
use crate::vulkan::dispatch::InstanceTable;
use crate::vulkan::newer::minor_version;
use dxil_vulkan_profile::structures::Structure;
use dxil_vulkan_profile::table::{self, EnabledBy, core_offset};

/// What a physical device supports.
pub struct Support {
    /// The lower of the instance's and the device's Vulkan version, without its patch number.
    pub version: u32,
    /// The device has a newer version than the instance.
    pub is_lowered: bool,
    /// The properties of Vulkan 1.0, limits among them.
    pub properties: vk::PhysicalDeviceProperties,
    extensions: HashSet<CString>,
    features: HashSet<Feature>,
}

impl Support {
    /// Queries the next layer.
    ///
    /// # Safety
    /// `table` must be the table of the instance that `device` belongs to.
    pub unsafe fn read(table: &InstanceTable, device: vk::PhysicalDevice, instance_version: u32) -> Option<Self> {
        let mut properties = vk::PhysicalDeviceProperties::default();
        // SAFETY: the device is the instance's.
        unsafe { table.get_properties?(device, &mut properties) };
        let version = minor_version(instance_version).min(minor_version(properties.api_version));
        // SAFETY: as above.
        let extensions = unsafe { extensions(table, device) };
        let is_lowered = version < minor_version(properties.api_version);
        let mut support = Self { version, is_lowered, properties, extensions, features: HashSet::new() };
        // SAFETY: as above.
        unsafe { support.read_features(table, device) };
        Some(support)
    }

    /// Whether the device advertises the extension.
    pub fn has_extension(&self, name: &CStr) -> bool {
        self.extensions.contains(name)
    }

    /// Whether the device supports the feature, in core or by an extension that it advertises.
    pub fn supports(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// Whether a structure may be chained into a query.
    fn knows(&self, structure: &Structure) -> bool {
        (structure.core != 0 && self.version >= structure.core)
            || (self.version >= structure.least && structure.extension.is_some_and(|e| self.has_extension(e)))
    }

    /// Reads the features; version and extensions must be set already.
    ///
    /// # Safety
    /// As for [`Support::read`].
    unsafe fn read_features(&mut self, table: &InstanceTable, device: vk::PhysicalDevice) {
        let Some(query) = table.features2(self.version) else {
            // Vulkan 1.0 without VK_KHR_get_physical_device_properties2, which the extensions with
            // feature structures require.
            let mut core = vk::PhysicalDeviceFeatures::default();
            if let Some(get_features) = table.get_features {
                // SAFETY: the device is the instance's.
                unsafe { get_features(device, &mut core) };
            }
            for &feature in Feature::ALL {
                let supported = match table::enabled_by(feature, self.version) {
                    // SAFETY: the table has the offset of a VkBool32 member of this structure.
                    EnabledBy::Core { offset, .. } => unsafe {
                        *(&raw const core).byte_add(offset).cast::<vk::Bool32>() != vk::FALSE
                    },
                    // Of these extensions, only this one requires
                    // VK_KHR_get_physical_device_properties2.
                    EnabledBy::Extension { .. } if feature == Feature::ConservativeRasterization => false,
                    EnabledBy::Extension { name, .. } => self.has_extension(name),
                    EnabledBy::Structure { .. } | EnabledBy::Aggregate { .. } => false,
                };
                if supported {
                    self.features.insert(feature);
                }
            }
            return;
        };
        let mut nodes: BTreeMap<i32, Node> = BTreeMap::new();
        for &feature in Feature::ALL {
            let structure = match table::enabled_by(feature, self.version) {
                EnabledBy::Structure { own, .. } => own,
                EnabledBy::Aggregate { aggregate, .. } => aggregate,
                EnabledBy::Core { .. } | EnabledBy::Extension { .. } => continue,
            };
            if self.knows(structure) {
                nodes.entry(structure.s_type.as_raw()).or_insert_with(|| Node::new(structure.s_type, structure.size));
            }
        }
        let features2 = vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE;
        let mut core = Node::new(features2, size_of::<vk::PhysicalDeviceFeatures2<'_>>());
        let mut head = std::ptr::null();
        for node in nodes.values_mut() {
            node.set_next(head);
            head = node.as_ptr();
        }
        core.set_next(head);
        // SAFETY: a chain of structures that the device knows, each with its full size.
        unsafe { query(device, core.as_mut_ptr().cast()) };
        for &feature in Feature::ALL {
            let bit = |s: &Structure, offset| nodes.get(&s.s_type.as_raw()).is_some_and(|n| n.get_bool(offset));
            let supported = match table::enabled_by(feature, self.version) {
                EnabledBy::Core { offset, .. } => core.get_bool(core_offset(offset)),
                EnabledBy::Structure { own, offset, .. } => bit(own, offset),
                EnabledBy::Aggregate { aggregate, offset, .. } => bit(aggregate, offset),
                EnabledBy::Extension { name, core } => self.has_extension(name) || (core != 0 && self.version >= core),
            };
            if supported {
                self.features.insert(feature);
            }
        }
    }
}

/// The names of the extensions that a device advertises.
///
/// # Safety
/// As for [`Support::read`].
unsafe fn extensions(table: &InstanceTable, device: vk::PhysicalDevice) -> HashSet<CString> {
    let Some(enumerate) = table.enumerate_device_extensions else { return HashSet::new() };
    let mut list: Vec<vk::ExtensionProperties> = Vec::new();
    // The loader reads the manifests of all implicit layers at each call. So the first call asks
    // for more than any device has, instead of for the count.
    for most in [512, 4096, 32768] {
        list.resize(most, vk::ExtensionProperties::default());
        let mut count = list.len() as u32;
        // SAFETY: the array has `count` elements.
        let result = unsafe { enumerate(device, std::ptr::null(), &mut count, list.as_mut_ptr()) };
        list.truncate(count as usize);
        match result {
            vk::Result::SUCCESS => break,
            vk::Result::INCOMPLETE => {}
            _ => return HashSet::new(),
        }
    }
    list.iter().filter_map(|e| e.extension_name_as_c_str().ok().map(CStr::to_owned)).collect()
}
