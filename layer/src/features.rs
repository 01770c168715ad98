//! Adds to a device what translated code can use, beside what the application asked for.
//!
//! In: the application's `VkDeviceCreateInfo` and what the device supports. Out: another create info with more feature bits and
//! extensions, built of copies; the application's memory is never written. What must hold: a feature is enabled in the
//! structure the application chained, aggregate or individual, and never in both; an extension is added only where the next
//! layer advertises it; nothing that changes what the application's own shaders do is enabled. If the driver refuses the
//! result, the caller creates the device exactly as the application asked.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use ash::vk;
use ash::vk::TaggedStructure;

use crate::feature_table::{self as table, Home, Structure};
use crate::pnext::{self, Node, Prefix};
use crate::settings::Settings;
use crate::support::Support;
use crate::translate::Feature;

/// A create info of the layer's making, with everything it points to that is not the application's.
pub struct Augmented {
    /// What to pass down.
    pub info: vk::DeviceCreateInfo<'static>,
    /// Features that were added.
    pub added: Vec<Feature>,
    _core: Option<Box<vk::PhysicalDeviceFeatures>>,
    _prefix: Prefix,
    _own: Vec<Node>,
    _extensions: Vec<*const c_char>,
}

/// Where a feature's bit goes.
enum Spot {
    /// `pEnabledFeatures`, copied or new.
    Core(usize),
    /// A structure in the application's chain, by index, copied.
    Chain(usize, usize),
    /// A structure that the layer prepends.
    Own(&'static Structure, usize),
    /// Nothing but the extension.
    Nothing,
}

/// The names in an array of C strings.
///
/// # Safety
/// `names` must point to `count` valid strings that outlive the result.
pub unsafe fn names<'a>(names: *const *const c_char, count: u32) -> impl Iterator<Item = &'a CStr> {
    let count = if names.is_null() { 0 } else { count as usize };
    // SAFETY: the caller's array.
    (0..count).map(move |i| unsafe { *names.add(i) }).filter(|n| !n.is_null()).map(|n| unsafe { CStr::from_ptr(n) })
}

/// The create info with what translated code can use added; `None` where nothing is to add.
///
/// # Safety
/// `info` must be valid, and outlive the result.
pub unsafe fn augment(info: &vk::DeviceCreateInfo<'_>, support: &Support, settings: &Settings) -> Option<Augmented> {
    // SAFETY: all reads are of the application's valid create info, by the caller's contract.
    let request = unsafe { Request::read(info) };
    let mut plan = Plan::default();
    for &feature in Feature::ALL {
        if table::may_enable(feature) && settings.cap.allows(feature) && !request.has(feature) {
            plan.add(feature, &request, support, settings);
        }
    }
    // SAFETY: as above.
    unsafe { plan.build(info, &request) }
}

/// Whether a create info enables a feature, in whichever structure it is.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn enabled(info: &vk::DeviceCreateInfo<'_>, support: &Support) -> Vec<Feature> {
    // SAFETY: the caller's create info.
    let request = unsafe { Request::read(info) };
    let in_core = |core: u32| core != 0 && support.version >= core;
    Feature::ALL
        .iter()
        .copied()
        .filter(|&feature| match table::home(feature) {
            Home::Extension { name, core } => in_core(core) || request.extensions.contains(&name),
            // VK_KHR_shader_draw_parameters brings its capability without a bit.
            _ if feature == Feature::DrawParameters => {
                request.has(feature) || request.extensions.contains(&c"VK_KHR_shader_draw_parameters")
            }
            _ => request.has(feature),
        })
        .collect()
}

/// What a create info asks for.
struct Request<'a> {
    /// `sType`s of the chain, in order, with their nodes.
    chain: Vec<(vk::StructureType, *const c_void)>,
    core: Option<*const vk::PhysicalDeviceFeatures>,
    core_in_chain: Option<usize>,
    extensions: Vec<&'a CStr>,
}

impl<'a> Request<'a> {
    /// # Safety
    /// `info` must be valid and outlive the result.
    unsafe fn read(info: &vk::DeviceCreateInfo<'a>) -> Self {
        // SAFETY: the chain and the array of a valid create info.
        unsafe {
            let chain: Vec<_> = pnext::nodes(info.p_next).map(|n| ((*n).s_type, n.cast())).collect();
            let core_in_chain = chain.iter().position(|(t, _)| *t == vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE);
            let core = (!info.p_enabled_features.is_null()).then_some(info.p_enabled_features);
            let extensions = names(info.pp_enabled_extension_names, info.enabled_extension_count).collect();
            Self { chain, core, core_in_chain, extensions }
        }
    }

    fn position(&self, structure: &Structure) -> Option<usize> {
        self.chain.iter().position(|(t, _)| *t == structure.s_type)
    }

    /// The bit of a feature, if a structure that has it is there.
    fn has(&self, feature: Feature) -> bool {
        // SAFETY: the node has the type that the table's offset is for.
        let bit = |index: usize, offset: usize| unsafe {
            self.chain.get(index).is_some_and(|(_, node)| *node.byte_add(offset).cast::<vk::Bool32>() != vk::FALSE)
        };
        match table::home(feature) {
            Home::Core { offset, .. } => match (self.core, self.core_in_chain) {
                // SAFETY: offset of a member of the structure.
                (Some(core), _) => unsafe { *core.byte_add(offset).cast::<vk::Bool32>() != vk::FALSE },
                (None, Some(index)) => bit(index, core_offset(offset)),
                (None, None) => false,
            },
            Home::Structure { own, offset, aggregate, .. } => {
                self.position(own).is_some_and(|i| bit(i, offset))
                    || aggregate.is_some_and(|(a, offset)| self.position(a).is_some_and(|i| bit(i, offset)))
            }
            Home::Aggregate { aggregate, offset, .. } => self.position(aggregate).is_some_and(|i| bit(i, offset)),
            Home::Extension { name, .. } => self.extensions.contains(&name),
        }
    }
}

/// The offset in `VkPhysicalDeviceFeatures2` of a member of `VkPhysicalDeviceFeatures`.
pub fn core_offset(offset: usize) -> usize {
    std::mem::offset_of!(vk::PhysicalDeviceFeatures2<'_>, features) + offset
}

/// What will be added, before it is built.
#[derive(Default)]
struct Plan {
    spots: Vec<(Feature, Spot)>,
    extensions: Vec<&'static CStr>,
}

impl Plan {
    /// Finds the spot for a feature, where it is supported and may stand beside what the application has.
    fn add(&mut self, feature: Feature, request: &Request<'_>, support: &Support, settings: &Settings) {
        if !support.supports(feature) || conflicts(feature, request) {
            return;
        }
        let usable = |s: &Structure| s.core != 0 && support.version >= s.core && settings.cap.version_allows(s.core);
        let mut extensions: Vec<&'static CStr> = Vec::new();
        let spot = match table::home(feature) {
            Home::Core { offset, .. } => match (request.core, request.core_in_chain) {
                (None, Some(index)) => Spot::Chain(index, core_offset(offset)),
                _ => Spot::Core(offset),
            },
            Home::Structure { own, offset, aggregate, .. } => {
                // By the application's own structures first: the aggregate or the individual one, as it chose.
                let in_aggregate = aggregate.and_then(|(a, offset)| Some((request.position(a)?, offset)));
                if let Some((index, offset)) = in_aggregate {
                    Spot::Chain(index, offset)
                } else {
                    if !usable(own) {
                        let Some(extension) = own.extension else { return };
                        extensions.push(extension);
                        extensions.extend(own.requires);
                    }
                    match (request.position(own), aggregate) {
                        (Some(index), _) => Spot::Chain(index, offset),
                        (None, Some((a, offset))) if vulkan12_as_a_whole(a, request, support) => Spot::Own(a, offset),
                        (None, _) => Spot::Own(own, offset),
                    }
                }
            }
            Home::Aggregate { aggregate, offset, .. } => match request.position(aggregate) {
                Some(index) => Spot::Chain(index, offset),
                None if vulkan12_as_a_whole(aggregate, request, support) => Spot::Own(aggregate, offset),
                None => return,
            },
            Home::Extension { name, core } => {
                if core != 0 && support.version >= core {
                    return;
                }
                // Only stands in for shaderOutputViewportIndex and shaderOutputLayer where Vulkan 1.2 does not have them.
                if feature == Feature::ViewportIndexLayer && support.version >= vk::API_VERSION_1_2 {
                    return;
                }
                extensions.push(name);
                Spot::Nothing
            }
        };
        if extensions.iter().all(|e| request.extensions.contains(e) || support.has_extension(e)) {
            for extension in extensions {
                if !request.extensions.contains(&extension) && !self.extensions.contains(&extension) {
                    self.extensions.push(extension);
                }
            }
            self.spots.push((feature, spot));
        }
    }

    /// # Safety
    /// `info` must be the create info that `request` was read from.
    unsafe fn build(mut self, info: &vk::DeviceCreateInfo<'_>, request: &Request<'_>) -> Option<Augmented> {
        // Only the chain's front up to the last structure that changes is copied, and only if every node of it is known.
        let known = request.chain.iter().position(|(t, _)| pnext::size_of_structure(*t).is_none());
        self.spots.retain(|(feature, spot)| match (spot, known) {
            (Spot::Chain(index, _), Some(unknown)) if *index > unknown => {
                warn_unknown_structure(*feature, request.chain.get(unknown).map_or(0, |(t, _)| t.as_raw()));
                false
            }
            _ => true,
        });
        if self.spots.is_empty() {
            return None;
        }
        let changed =
            self.spots.iter().filter_map(|(_, s)| if let Spot::Chain(i, _) = s { Some(i + 1) } else { None }).max();
        // SAFETY: the application's chain, whose first nodes are known.
        let mut prefix = unsafe { Prefix::copy(info.p_next, changed.unwrap_or(0)) }.ok()?;
        let mut core = None;
        let mut own: BTreeMap<i32, Node> = BTreeMap::new();
        for (_, spot) in &self.spots {
            match *spot {
                Spot::Core(offset) => {
                    // SAFETY: pEnabledFeatures is null or valid.
                    let given = request.core.map(|core| unsafe { *core }).unwrap_or_default();
                    let features: &mut Box<vk::PhysicalDeviceFeatures> = core.get_or_insert_with(|| Box::new(given));
                    // SAFETY: offset of a member of the structure.
                    unsafe { *(&raw mut **features).byte_add(offset).cast::<vk::Bool32>() = vk::TRUE };
                }
                Spot::Chain(index, offset) => {
                    if let Some(node) = prefix.nodes.get_mut(index) {
                        node.set_bool(offset);
                    }
                }
                Spot::Own(structure, offset) => own
                    .entry(structure.s_type.as_raw())
                    .or_insert_with(|| Node::new(structure.s_type, structure.size))
                    .set_bool(offset),
                Spot::Nothing => {}
            }
        }
        let mut head = prefix.head(info.p_next);
        let mut own: Vec<Node> = own.into_values().collect();
        for node in &mut own {
            node.set_next(head);
            head = node.as_ptr();
        }
        // SAFETY: only lifetimes change; what is pointed to outlives the result by the caller's contract.
        let mut out: vk::DeviceCreateInfo<'static> = unsafe { std::mem::transmute(*info) };
        out.p_next = head;
        if let Some(core) = &core {
            out.p_enabled_features = &raw const **core;
        }
        let mut extensions: Vec<*const c_char> = request.extensions.iter().map(|e| e.as_ptr()).collect();
        extensions.extend(self.extensions.iter().map(|e| e.as_ptr()));
        if !self.extensions.is_empty() {
            out.enabled_extension_count = extensions.len() as u32;
            out.pp_enabled_extension_names = extensions.as_ptr();
        }
        let added = self.spots.iter().map(|(feature, _)| *feature).collect();
        Some(Augmented { info: out, added, _core: core, _prefix: prefix, _own: own, _extensions: extensions })
    }
}

/// Whether bits of Vulkan 1.2 go into an own `VkPhysicalDeviceVulkan12Features`: two of them exist nowhere else, and beside
/// one of its parts the aggregate must not stand. Nor beside the extensions that enable a feature of Vulkan 1.2 without a
/// structure: with the aggregate there its bit would count, and it is the application's to set.
fn vulkan12_as_a_whole(aggregate: &Structure, request: &Request<'_>, support: &Support) -> bool {
    aggregate.s_type == table::VULKAN12.s_type
        && support.version >= vk::API_VERSION_1_2
        && !request.chain.iter().any(|(t, _)| table::VULKAN12_PARTS.contains(t))
        && !request.extensions.iter().any(|e| table::VULKAN12_EXTENSIONS.contains(e))
}

/// Cross-feature rules of `VkDeviceCreateInfo` that an addition could break. Update-after-bind, which must not meet
/// robustBufferAccess on some devices, is not among what the layer adds.
fn conflicts(feature: Feature, request: &Request<'_>) -> bool {
    // VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-03328: the EXT and the core form exclude each other.
    feature == Feature::BufferDeviceAddress && request.extensions.contains(&c"VK_EXT_buffer_device_address")
}

fn warn_unknown_structure(feature: Feature, s_type: i32) {
    static ONCE: AtomicBool = AtomicBool::new(false);
    if !ONCE.swap(true, Ordering::Relaxed) {
        log::warn!(
            "{feature} and what follows in the device's pNext chain can not be enabled: structure type {s_type} before it \
             is not known to this layer; chain it behind the feature structures"
        );
    }
}
