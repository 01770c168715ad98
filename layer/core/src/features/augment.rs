//! Adds features that translated code can use to those that the application requests.
//!
//! In: the application's `VkDeviceCreateInfo` and what the device supports. Out: another create
//! info with more feature bits and extensions, made of copies; the application's memory is never
//! written. What must hold: a feature is enabled either in the aggregate structure or in the
//! individual one, whichever the application chained, and never in both; an extension is added only
//! if the next layer advertises it; no added feature changes the behaviour of the application's own
//! shaders. If the driver refuses the result, the caller creates the device with the application's
//! create info.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicBool, Ordering};

use ash::vk;

use crate::features::cap::Cap;
use crate::features::choice::{self, Additions};
use crate::features::support::Support;
use crate::translator::Feature;
use crate::vulkan::copies::{Node, Prefix};
use crate::vulkan::sizes::size_of_structure;
use dxil_vulkan_profile::Requested;
use dxil_vulkan_profile::structures::{Structure, VULKAN12, VULKAN12_EXTENSIONS, VULKAN12_PARTS};
use dxil_vulkan_profile::table::{self, EnabledBy, core_offset};

/// A create info that the layer made, with everything that it points to and that the application
/// does not own.
pub struct Augmented {
    /// The create info to pass down.
    pub info: vk::DeviceCreateInfo<'static>,
    /// Features that were added.
    pub added: Vec<Feature>,
    /// Extensions that were added.
    pub extensions: Vec<&'static CStr>,
    _core: Option<Box<vk::PhysicalDeviceFeatures>>,
    _prefix: Prefix,
    _own: Vec<Node>,
    _extensions: Vec<*const c_char>,
}

/// The structure that gets a feature's bit.
enum Destination {
    /// `pEnabledFeatures`, copied or new.
    Core(usize),
    /// A copy of a structure in the application's chain: its index, and the offset.
    Chain(usize, usize),
    /// A structure that the layer prepends.
    Own(&'static Structure, usize),
    /// The extension alone enables the feature.
    Nothing,
}

/// The create info with added features that translated code can use; `None` if there are none.
///
/// # Safety
/// `info` must be valid, and what it points to must outlive the result.
pub unsafe fn augment(
    info: &vk::DeviceCreateInfo<'_>,
    support: &Support,
    cap: &Cap,
    additions: &Additions,
) -> Option<Augmented> {
    // SAFETY: the caller's create info.
    let requested = unsafe { Requested::read(info, support.version) };
    let mut plan = Plan::default();
    for &feature in Feature::ALL {
        let may_add = choice::may_enable(feature, &requested) && cap.allows(feature) && additions.allows(feature);
        if may_add && !requested.has(feature) && !conflicts(feature, &requested, support, (cap, additions)) {
            plan.add(feature, &requested, support, cap);
        }
    }
    // SAFETY: the caller's create info, from which `requested` was read.
    unsafe { plan.build(info, &requested) }
}

/// The additions, collected before the create info is built.
#[derive(Default)]
struct Plan {
    destinations: Vec<(Feature, Destination)>,
    extensions: Vec<&'static CStr>,
}

impl Plan {
    /// Chooses the destination of a feature, if the device supports it.
    fn add(&mut self, feature: Feature, requested: &Requested<'_>, support: &Support, cap: &Cap) {
        if !support.supports(feature) {
            return;
        }
        let usable = |s: &Structure| s.core != 0 && support.version >= s.core && cap.version_allows(s.core);
        let mut extensions: Vec<&'static CStr> = Vec::new();
        let destination = match table::enabled_by(feature, support.version) {
            EnabledBy::Core { offset, .. } => match (requested.core, requested.core_in_chain) {
                (None, Some(index)) => Destination::Chain(index, core_offset(offset)),
                _ => Destination::Core(offset),
            },
            EnabledBy::Structure { own, offset, aggregate, .. } => {
                // A structure of the application is preferred, whether aggregate or individual.
                let in_aggregate = aggregate.and_then(|(a, offset)| Some((requested.position(a)?, offset)));
                if let Some((index, offset)) = in_aggregate {
                    Destination::Chain(index, offset)
                } else {
                    if !usable(own) {
                        let Some(extension) = own.extension else { return };
                        extensions.push(extension);
                        let missing = own.requires.iter().filter(|r| r.core == 0 || support.version < r.core);
                        extensions.extend(missing.map(|r| r.name));
                    }
                    match (requested.position(own), aggregate) {
                        (Some(index), _) => Destination::Chain(index, offset),
                        (None, Some((a, offset))) if vulkan12_as_a_whole(a, requested, support) => {
                            Destination::Own(a, offset)
                        }
                        (None, _) => Destination::Own(own, offset),
                    }
                }
            }
            EnabledBy::Aggregate { aggregate, offset, .. } => match requested.position(aggregate) {
                Some(index) => Destination::Chain(index, offset),
                None if vulkan12_as_a_whole(aggregate, requested, support) => Destination::Own(aggregate, offset),
                None => return,
            },
            EnabledBy::Extension { name, core } => {
                if core != 0 && support.version >= core {
                    return;
                }
                // From Vulkan 1.2 on, shaderOutputViewportIndex and shaderOutputLayer are used
                // instead.
                if feature == Feature::ViewportIndexLayer && support.version >= vk::API_VERSION_1_2 {
                    return;
                }
                extensions.push(name);
                Destination::Nothing
            }
        };
        // VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-03328: one of the two excludes the other.
        let excluded = requested.extensions.contains(&c"VK_EXT_buffer_device_address")
            && extensions.contains(&c"VK_KHR_buffer_device_address");
        if !excluded && extensions.iter().all(|e| requested.extensions.contains(e) || support.has_extension(e)) {
            for extension in extensions {
                if !requested.extensions.contains(&extension) && !self.extensions.contains(&extension) {
                    self.extensions.push(extension);
                }
            }
            self.destinations.push((feature, destination));
        }
    }

    /// # Safety
    /// `info` must be the create info that `requested` was read from.
    unsafe fn build(mut self, info: &vk::DeviceCreateInfo<'_>, requested: &Requested<'_>) -> Option<Augmented> {
        // The chain is copied up to the last structure that changes. A structure of unknown size
        // cannot be copied.
        let unknown = requested.chain.iter().position(|(t, _)| size_of_structure(*t).is_none());
        self.destinations.retain(|(feature, destination)| match (destination, unknown) {
            (Destination::Chain(index, _), Some(unknown)) if *index > unknown => {
                warn_unknown_structure(*feature, requested.chain.get(unknown).map_or(0, |(t, _)| t.as_raw()));
                false
            }
            _ => true,
        });
        if self.destinations.is_empty() {
            return None;
        }
        let changed = self
            .destinations
            .iter()
            .filter_map(|(_, s)| if let Destination::Chain(i, _) = s { Some(i + 1) } else { None })
            .max();
        // SAFETY: the application's chain, whose first nodes are known.
        let mut prefix = unsafe { Prefix::copy(info.p_next, changed.unwrap_or(0)) }.ok()?;
        let mut core = None;
        let mut own: BTreeMap<i32, Node> = BTreeMap::new();
        for (_, destination) in &self.destinations {
            match *destination {
                Destination::Core(offset) => {
                    let given = requested.core.copied().unwrap_or_default();
                    let features: &mut Box<vk::PhysicalDeviceFeatures> = core.get_or_insert_with(|| Box::new(given));
                    // SAFETY: the table has the offset of a VkBool32 member of this structure.
                    unsafe { *(&raw mut **features).byte_add(offset).cast::<vk::Bool32>() = vk::TRUE };
                }
                Destination::Chain(index, offset) => {
                    if let Some(node) = prefix.nodes.get_mut(index) {
                        node.set_bool(offset);
                    }
                }
                Destination::Own(structure, offset) => own
                    .entry(structure.s_type.as_raw())
                    .or_insert_with(|| Node::new(structure.s_type, structure.size))
                    .set_bool(offset),
                Destination::Nothing => {}
            }
        }
        let mut head = prefix.head(info.p_next);
        let mut own: Vec<Node> = own.into_values().collect();
        for node in &mut own {
            node.set_next(head);
            head = node.as_ptr();
        }
        // SAFETY: only lifetimes change; what is pointed to outlives the result by the caller's
        // contract.
        let mut out: vk::DeviceCreateInfo<'static> = unsafe { std::mem::transmute(*info) };
        out.p_next = head;
        if let Some(core) = &core {
            out.p_enabled_features = &raw const **core;
        }
        let mut extensions: Vec<*const c_char> = requested.extensions.iter().map(|e| e.as_ptr()).collect();
        extensions.extend(self.extensions.iter().map(|e| e.as_ptr()));
        if !self.extensions.is_empty() {
            out.enabled_extension_count = extensions.len() as u32;
            out.pp_enabled_extension_names = extensions.as_ptr();
        }
        let added = self.destinations.iter().map(|(feature, _)| *feature).collect();
        let added_extensions = self.extensions;
        Some(Augmented {
            info: out,
            added,
            extensions: added_extensions,
            _core: core,
            _prefix: prefix,
            _own: own,
            _extensions: extensions,
        })
    }
}

/// Whether bits of Vulkan 1.2 go into a `VkPhysicalDeviceVulkan12Features` that the layer prepends.
/// Two of them exist in no other structure. The aggregate must not be chained together with an
/// individual structure that it contains. It is not prepended if the application enables an
/// extension that enables a feature of Vulkan 1.2 without a structure: the aggregate's bit would
/// then decide, and the application did not set it.
fn vulkan12_as_a_whole(aggregate: &Structure, requested: &Requested<'_>, support: &Support) -> bool {
    aggregate.s_type == VULKAN12.s_type
        && support.version >= vk::API_VERSION_1_2
        && !requested.chain.iter().any(|(t, _)| VULKAN12_PARTS.contains(t))
        && !requested.extensions.iter().any(|e| VULKAN12_EXTENSIONS.contains(e))
}

/// Whether an addition would violate a valid usage rule about combinations of features, or change
/// the application's own shaders. The layer does not add update-after-bind, which some devices do
/// not support together with `robustBufferAccess`.
fn conflicts(
    feature: Feature,
    requested: &Requested<'_>,
    support: &Support,
    (cap, additions): (&Cap, &Additions),
) -> bool {
    match feature {
        // VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-03328: the EXT and the core form exclude
        // each other.
        Feature::BufferDeviceAddress => requested.extensions.contains(&c"VK_EXT_buffer_device_address"),
        // VUID-RuntimeSpirv-vulkanMemoryModel-06265: with the memory model and without its device
        // scope, no shader may use that scope, and the atomic operations of GLSL do.
        Feature::VulkanMemoryModel => {
            let scope = Feature::VulkanMemoryModelDeviceScope;
            let is_added = support.supports(scope) && cap.allows(scope) && additions.allows(scope);
            !is_added && !requested.has(scope)
        }
        _ => false,
    }
}

fn warn_unknown_structure(feature: Feature, s_type: i32) {
    static ONCE: AtomicBool = AtomicBool::new(false);
    if !ONCE.swap(true, Ordering::Relaxed) {
        log::warn!(
            "the layer cannot enable {feature} or later features in the device's pNext chain, because a structure of the \
             unknown type {s_type} precedes them; chain that structure after the feature structures"
        );
    }
}
