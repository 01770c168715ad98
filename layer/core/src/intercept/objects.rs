//! The layer's state of instances and devices, and the process's store of translations.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use ash::vk;
use dashmap::DashMap;
use once_cell::sync::Lazy;
use parking_lot::Mutex;

use crate::capture::{Capture, Folder};
use crate::features::absent::Absent;
use crate::features::robustness::Robustness;
use crate::intercept::heaps::Heaps;
use crate::intercept::work::Work;
use crate::messages::Messages;
use crate::settings::Settings;
use crate::translate::{Context, Dump, Failure, Module, Overrides, RootSignatures, Scope, Store, Validator};
use crate::translator::{BindingMap, DeviceProfile, Error, ErrorKind, LayoutBinding, PipelineLayout, RootSignature};
use crate::vulkan::dispatch::{DeviceTable, InstanceTable, Key, PipelineBinaryTable};
use crate::vulkan::handles::Handles;

/// The parsed blobs and translations of all instances of the process, which are freed with the last
/// instance.
pub fn store() -> Arc<Store> {
    static STORE: Mutex<Weak<Store>> = Mutex::new(Weak::new());
    let mut store = STORE.lock();
    store.upgrade().unwrap_or_else(|| {
        let new = Arc::default();
        *store = Arc::downgrade(&new);
        new
    })
}

static INSTANCES: Lazy<DashMap<Key, Arc<Instance>>> = Lazy::new(DashMap::new);
static DEVICES: Lazy<DashMap<Key, Arc<Device>>> = Lazy::new(DashMap::new);

/// The layer's state of an instance.
pub struct Instance {
    /// The instance.
    pub handle: vk::Instance,
    /// `vkGetInstanceProcAddr` of the next layer.
    pub next_get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    /// Commands of the next layer.
    pub table: InstanceTable,
    /// The Vulkan version that the application asked for.
    pub api_version: u32,
    /// Its settings.
    pub settings: Settings,
    /// The log, and the application's messengers.
    pub messages: Messages,
    /// The cache, which all instances share.
    pub store: Arc<Store>,
    /// The application has been warned of an old validation layer.
    pub advised: AtomicBool,
    /// The folder of the setting `dump_dir`.
    pub dump: Option<Dump>,
    /// The folder of the setting `capture_dir`.
    pub capture: Option<Arc<Folder>>,
    /// The folder of the setting `override_dir`.
    pub overrides: Option<Overrides>,
    /// The validator, if the setting `validate` is on and the library was built with it.
    pub validator: Option<Validator>,
}

/// The layer's state of a device.
pub struct Device {
    /// The device.
    pub handle: vk::Device,
    /// `vkGetDeviceProcAddr` of the next layer.
    pub next_get_device_proc_addr: vk::PFN_vkGetDeviceProcAddr,
    /// Commands of the next layer.
    pub table: DeviceTable,
    /// Commands of the next layer for pipeline binaries.
    pub binaries: PipelineBinaryTable,
    /// Its instance.
    pub instance: Arc<Instance>,
    /// The root signature of the setting `root_signature`.
    pub root_signature: Option<RootSignature>,
    /// The root signature of the setting `local_root_signature`.
    pub local_root_signature: Option<RootSignature>,
    /// Identifies everything that a shader module depends on besides its code.
    pub scope: Scope,
    /// The enabled features, and the properties.
    pub profile: Arc<DeviceProfile>,
    /// Why other features are not enabled.
    pub absent: Absent,
    /// The binding map of the setting `map`, or why it cannot be used.
    pub map: Option<Result<BindingMap, Error>>,
    /// The descriptor heaps, if VK_EXT_descriptor_heap is enabled.
    pub heaps: Option<Heaps>,
    /// The robustness that the layer requests in DXIL stages, and their profile.
    pub robust_stages: Option<(Robustness, Arc<DeviceProfile>)>,
    /// Shader modules made of DXIL.
    pub modules: Handles<Module>,
    /// Descriptor set layouts.
    pub set_layouts: Handles<Vec<LayoutBinding>>,
    /// Pipeline layouts.
    pub pipeline_layouts: Handles<PipelineLayout>,
    /// The number of colour attachments of each subpass, by render pass.
    pub render_passes: Handles<Vec<u32>>,
    /// The application itself enabled `dualSrcBlend`.
    pub blends_two_sources: bool,
    /// Its capture state; `None` without the setting `capture_dir`.
    pub capture: Option<Capture>,
    /// The translation that the threads do which join a deferred operation, by its handle.
    pub translations: Mutex<HashMap<u64, Arc<Work<Self>>>>,
    /// The completions of pending deferred operations, by handle.
    pub completions: Mutex<HashMap<u64, Completion>>,
}

/// A scope that is unique to a device.
pub fn new_scope() -> Scope {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    Scope(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Runs when a deferred operation is complete. The argument is true if the application cannot know
/// that yet.
pub type Completion = Box<dyn FnOnce(&Device, bool) + Send>;

impl Instance {
    /// The state of an instance, or of the instance of a physical device.
    ///
    /// # Safety
    /// The handle must be live.
    pub unsafe fn from_handle(handle: impl vk::Handle) -> Option<Arc<Self>> {
        // SAFETY: the caller's live handle.
        let key = unsafe { Key::from_handle(handle) };
        INSTANCES.get(&key).map(|instance| instance.clone())
    }

    /// Whether the application has been warned of an old validation layer. Later calls return true.
    pub fn is_advised(&self) -> bool {
        self.advised.swap(true, Ordering::Relaxed)
    }

    /// Registers the state of a new instance.
    ///
    /// # Safety
    /// Its handle must be live.
    pub unsafe fn register(self) {
        // SAFETY: the caller's live handle.
        let key = unsafe { Key::from_handle(self.handle) };
        INSTANCES.insert(key, Arc::new(self));
    }

    /// Removes the state of an instance. A new instance may have the same key as soon as the
    /// destruction is forwarded.
    pub fn take(key: Key) -> Option<Arc<Self>> {
        INSTANCES.remove(&key).map(|(_, state)| state)
    }
}

impl Device {
    /// The state of a device.
    ///
    /// # Safety
    /// The handle must be live.
    pub unsafe fn from_handle(handle: vk::Device) -> Option<Arc<Self>> {
        // SAFETY: the caller's live handle.
        let key = unsafe { Key::from_handle(handle) };
        DEVICES.get(&key).map(|device| device.clone())
    }

    /// Registers the state of a new device.
    ///
    /// # Safety
    /// Its handle must be live.
    pub unsafe fn register(self) {
        // SAFETY: the caller's live handle.
        let key = unsafe { Key::from_handle(self.handle) };
        DEVICES.insert(key, Arc::new(self));
    }

    /// Removes the state of a device. A new device may have the same key as soon as the destruction
    /// is forwarded.
    pub fn take(key: Key) -> Option<Arc<Self>> {
        DEVICES.remove(&key).map(|(_, state)| state)
    }

    /// The context of translations for this device, for pipelines whose robustness the layer
    /// chooses.
    pub fn context(&self) -> Context<'_> {
        let profile = self.robust_stages.as_ref().map_or(&self.profile, |(_, profile)| profile);
        Context { scope: Some(self.scope), ..self.context_with(profile) }
    }

    /// The number of colour attachments that a subpass uses.
    pub fn colors_of_subpass(&self, pass: vk::RenderPass, subpass: u32) -> Option<u32> {
        let pass = self.render_passes.get(pass);
        pass.and_then(|pass| pass.get(subpass as usize).copied())
    }

    /// The message of a failure, with advice if a feature is missing.
    pub fn describe(&self, failure: &Failure) -> String {
        match failure.error.kind() {
            ErrorKind::MissingFeature(feature) => format!("{failure} ({})", self.absent.advice(feature)),
            _ => failure.to_string(),
        }
    }

    /// The context of translations with this profile.
    pub fn context_with<'a>(&'a self, profile: &'a Arc<DeviceProfile>) -> Context<'a> {
        let settings = &self.instance.settings;
        Context {
            bindings: &settings.bindings,
            signatures: RootSignatures {
                global: self.root_signature.as_ref(),
                local: self.local_root_signature.as_ref(),
                locals: &[],
            },
            map: self.map.as_ref(),
            code: settings.code,
            profile,
            pdb_path: settings.pdb_path.as_deref(),
            dump: self.instance.dump.as_ref(),
            overrides: self.instance.overrides.as_ref(),
            validator: self.instance.validator.as_ref(),
            store: &self.instance.store,
            scope: None,
        }
    }
}
