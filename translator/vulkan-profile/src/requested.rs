//! The features that the create info of a device requests and enables.
//!
//! In: a `VkDeviceCreateInfo`. It is only read.

use std::ffi::{CStr, c_char, c_void};

use ash::vk;
use ash::vk::TaggedStructure;

use dxil_base::profile::Feature;

use crate::chain;
use crate::structures::Structure;
use crate::table::{self, EnabledBy, core_offset};

/// The features and extensions that a device create info requests.
pub struct Requested<'a> {
    /// The `sType`s of the chain, in order, with their nodes.
    pub chain: Vec<(vk::StructureType, *const c_void)>,
    /// `pEnabledFeatures`, if it is not null.
    pub core: Option<&'a vk::PhysicalDeviceFeatures>,
    /// The index of `VkPhysicalDeviceFeatures2` in the chain.
    pub core_in_chain: Option<usize>,
    /// The names of the extensions.
    pub extensions: Vec<&'a CStr>,
    /// The Vulkan version that is used.
    version: u32,
}

impl<'a> Requested<'a> {
    /// Reads the create info of a device that is used with this Vulkan version.
    ///
    /// # Safety
    /// `info` must be valid, and what it points to must outlive the result.
    pub unsafe fn read(info: &vk::DeviceCreateInfo<'_>, version: u32) -> Self {
        // SAFETY: the chain of a valid create info, whose nodes start with a header.
        let chain: Vec<_> = unsafe { chain::nodes(info.p_next) }.map(|n| (unsafe { (*n).s_type }, n.cast())).collect();
        let core_in_chain = chain.iter().position(|(t, _)| *t == vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE);
        // SAFETY: null or valid.
        let core = unsafe { info.p_enabled_features.as_ref() };
        let (names, count) = (info.pp_enabled_extension_names, info.enabled_extension_count as usize);
        let names: &[*const c_char] = match names.is_null() || count == 0 {
            true => &[],
            // SAFETY: the array of a valid create info.
            false => unsafe { std::slice::from_raw_parts(names, count) },
        };
        // SAFETY: the texts of a valid create info.
        let extensions =
            names.iter().filter(|name| !name.is_null()).map(|&name| unsafe { CStr::from_ptr(name) }).collect();
        Self { chain, core, core_in_chain, extensions, version }
    }

    /// The index in the chain of a structure.
    pub fn position(&self, structure: &Structure) -> Option<usize> {
        self.chain.iter().position(|(t, _)| *t == structure.s_type)
    }

    /// Whether the bit of a feature is set in any structure.
    pub fn has(&self, feature: Feature) -> bool {
        match table::enabled_by(feature, self.version) {
            EnabledBy::Core { offset, .. } => match (self.core, self.core_in_chain) {
                // SAFETY: the table has the offset of a VkBool32 member of this structure.
                (Some(core), _) => unsafe { bit((&raw const *core).cast(), offset) },
                (None, Some(index)) => self.bit(index, core_offset(offset)),
                (None, None) => false,
            },
            EnabledBy::Structure { own, offset, aggregate, .. } => {
                self.position(own).is_some_and(|i| self.bit(i, offset))
                    || aggregate.is_some_and(|(a, offset)| self.position(a).is_some_and(|i| self.bit(i, offset)))
            }
            EnabledBy::Aggregate { aggregate, offset, .. } => {
                self.position(aggregate).is_some_and(|i| self.bit(i, offset))
            }
            EnabledBy::Extension { name, .. } => self.extensions.contains(&name),
        }
    }

    /// The features that the create info enables.
    pub fn enabled(&self) -> Vec<Feature> {
        let in_core = |core: u32| core != 0 && self.version >= core;
        Feature::ALL
            .iter()
            .copied()
            .filter(|&feature| match table::enabled_by(feature, self.version) {
                EnabledBy::Extension { name, core } => in_core(core) || self.extensions.contains(&name),
                // VK_KHR_shader_draw_parameters enables its capability without a bit, even in
                // versions that have the bit.
                _ if feature == Feature::DrawParameters => {
                    self.has(feature) || self.extensions.contains(&c"VK_KHR_shader_draw_parameters")
                }
                _ => self.has(feature),
            })
            .collect()
    }

    /// The bit at an offset of the structure with this index, which must be of the offset's type.
    fn bit(&self, index: usize, offset: usize) -> bool {
        // SAFETY: the node has the type to which the table's offset belongs.
        self.chain.get(index).is_some_and(|(_, node)| unsafe { bit(*node, offset) })
    }
}

/// The `VkBool32` at a byte offset.
///
/// # Safety
/// The structure must be valid and have a `VkBool32` there.
unsafe fn bit(structure: *const c_void, offset: usize) -> bool {
    // SAFETY: by the caller's contract.
    unsafe { *structure.byte_add(offset).cast::<vk::Bool32>() != vk::FALSE }
}
