//! The temporaries of one call down: modules, copies of chains, names. They live until the call
//! returns, or, if the driver defers the call, until the operation completes.

use std::collections::HashMap;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::features::robustness::Robustness;
use crate::intercept::embedded_sampler::EmbeddedSampler;
use crate::intercept::objects::Device;
use crate::translate::{Emitted, ParsedBlob, Request};
use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::copies::Prefix;
use crate::vulkan::newer::{DescriptorMapping, DescriptorMappingInfo};
use crate::vulkan::shader_code::Stage;

/// The subgroup size that a stage or a shader object requires.
pub type RequiredSize = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'static>;

/// The temporaries of one call down.
pub struct Scratch<'d> {
    /// The device of the call.
    pub device: &'d Device,
    /// Blobs that were parsed during the call, by address and size of their code, or by the address
    /// of their module and 0. Many stages of one pipeline may have the same library in their
    /// chains, whose bytes are then hashed once, and whose PDB is read once.
    pub parsed: HashMap<(usize, usize), Arc<ParsedBlob>>,
    /// The requests of translations, for a capture: each with the index of its stage in the current
    /// create info.
    pub requests: Vec<(usize, Arc<Request>)>,
    /// What the stages of the current create info read and nothing gives them.
    pub mismatches: Vec<String>,
    /// If set, translations are collected here and not made, and no stage is replaced.
    pub collected: Option<Vec<(Arc<ParsedBlob>, Arc<Request>)>>,
    allocator: *const vk::AllocationCallbacks<'d>,
    made: Made,
}

/// The objects and structures that a call down refers to.
#[derive(Default)]
pub struct Made {
    modules: Vec<vk::ShaderModule>,
    /// The module of each translation, by the address of the translation in `emitted`.
    module_of: HashMap<usize, vk::ShaderModule>,
    prefixes: Vec<Prefix>,
    names: Vec<CString>,
    stages: Vec<Box<[Stage]>>,
    groups: Vec<Box<[vk::GraphicsShaderGroupCreateInfoNV<'static>]>>,
    #[expect(clippy::vec_box, reason = "stages point to them while the list grows")]
    sizes: Vec<Box<RequiredSize>>,
    #[expect(clippy::vec_box, reason = "as above")]
    robust: Vec<Box<vk::PipelineRobustnessCreateInfoEXT<'static>>>,
    emitted: Vec<Arc<Emitted>>,
    mappings: Vec<Box<[DescriptorMapping]>>,
    #[expect(clippy::vec_box, reason = "chains point to them while the list grows")]
    mapping_infos: Vec<Box<DescriptorMappingInfo>>,
    #[expect(clippy::vec_box, reason = "mappings point to them while the list grows")]
    samplers: Vec<Box<EmbeddedSampler>>,
}

impl Made {
    /// Destroys the modules.
    ///
    /// # Safety
    /// They must have been created on this device with this allocator, and no one may use them or
    /// the other temporaries any more.
    pub unsafe fn destroy(self, device: &Device, allocator: *const vk::AllocationCallbacks<'_>) {
        let Some(destroy) = device.table.destroy_shader_module else { return };
        for module in self.modules {
            // SAFETY: the caller's contract.
            unsafe { destroy(device.handle, module, allocator) };
        }
    }
}

/// Shader modules may be destroyed when pipeline creation has returned (specification, "Shader
/// Modules").
impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        // SAFETY: created by this scratch with the same allocator, and the call that used it has
        // returned.
        unsafe { std::mem::take(&mut self.made).destroy(self.device, self.allocator) };
    }
}

impl<'d> Scratch<'d> {
    /// An empty scratch.
    ///
    /// # Safety
    /// `allocator` must be null or valid for as long as the scratch lives.
    pub unsafe fn new(device: &'d Device, allocator: *const vk::AllocationCallbacks<'d>) -> Self {
        Self {
            device,
            parsed: HashMap::new(),
            requests: Vec::new(),
            mismatches: Vec::new(),
            collected: None,
            allocator,
            made: Made::default(),
        }
    }

    /// Records the request of a stage if the device is captured.
    pub fn record_request(&mut self, stage: usize, request: impl FnOnce() -> Option<Arc<Request>>) {
        if self.device.capture.is_some()
            && let Some(request) = request()
        {
            self.requests.push((stage, request));
        }
    }

    /// Takes the temporaries, which the caller must destroy.
    pub fn take(mut self) -> Made {
        std::mem::take(&mut self.made)
    }

    /// The driver module of a translation, shared by all stages of the call that need it.
    ///
    /// # Errors
    /// The driver's.
    pub fn module(&mut self, emitted: &Arc<Emitted>) -> Result<vk::ShaderModule, vk::Result> {
        let key = Arc::as_ptr(emitted) as usize;
        if let Some(&module) = self.made.module_of.get(&key) {
            return Ok(module);
        }
        let create = self.device.table.create_shader_module.ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
        let info = vk::ShaderModuleCreateInfo::default().code(&emitted.words);
        let mut module = vk::ShaderModule::null();
        // SAFETY: a live device and a valid create info.
        let result = unsafe { create(self.device.handle, &info, self.allocator, &mut module) };
        if result != vk::Result::SUCCESS {
            return Err(result);
        }
        self.made.modules.push(module);
        self.made.module_of.insert(key, module);
        // While the translation is alive, no other translation has its address.
        self.made.emitted.push(emitted.clone());
        Ok(module)
    }

    /// Replaces code in the chain of a stage. If a structure of unknown size precedes it, the stage
    /// gets a module instead: Vulkan then ignores the chained code.
    ///
    /// # Errors
    /// The driver's, for a module.
    ///
    /// # Safety
    /// The stage must be valid, with a `VkShaderModuleCreateInfo` in its chain, and outlive the
    /// scratch.
    pub unsafe fn chain(&mut self, stage: &mut Stage, emitted: &Arc<Emitted>) -> Result<(), vk::Result> {
        // SAFETY: the chain of a valid stage, whose nodes start with a header.
        let at = unsafe { chain::nodes(stage.p_next) }
            .position(|node| unsafe { (*node).s_type } == vk::ShaderModuleCreateInfo::STRUCTURE_TYPE)
            .unwrap_or(0);
        // SAFETY: the chain has as many nodes.
        let Ok(mut prefix) = (unsafe { Prefix::copy(stage.p_next, at + 1) }) else {
            stage.module = self.module(emitted)?;
            return Ok(());
        };
        if let Some(node) = prefix.nodes.last_mut() {
            // SAFETY: the last copied node is the one that was found above.
            let info = unsafe { &mut *node.as_mut_ptr().cast::<vk::ShaderModuleCreateInfo<'_>>() };
            info.code_size = size_of_val(emitted.words.as_slice());
            info.p_code = emitted.words.as_ptr();
        }
        stage.p_next = prefix.head(stage.p_next);
        self.made.prefixes.push(prefix);
        self.made.emitted.push(emitted.clone());
        Ok(())
    }

    /// Empties the identifier in the chain of a stage that has a module then.
    ///
    /// # Errors
    /// The index of a structure of unknown size before it, which cannot be copied.
    ///
    /// # Safety
    /// The stage must be valid, with an identifier in its chain, and outlive the scratch.
    pub unsafe fn without_identifier(&mut self, stage: &mut Stage) -> Result<(), usize> {
        type Identifier = vk::PipelineShaderStageModuleIdentifierCreateInfoEXT<'static>;
        // SAFETY: the chain of a valid stage, whose nodes start with a header.
        let at = unsafe { chain::nodes(stage.p_next) }
            .position(|node| unsafe { (*node).s_type } == Identifier::STRUCTURE_TYPE)
            .unwrap_or(0);
        // SAFETY: the chain has as many nodes.
        let mut prefix = unsafe { Prefix::copy(stage.p_next, at + 1) }?;
        if let Some(node) = prefix.nodes.last_mut() {
            // SAFETY: the last copied node is the one that was found above.
            unsafe { (*node.as_mut_ptr().cast::<Identifier>()).identifier_size = 0 };
        }
        stage.p_next = prefix.head(stage.p_next);
        self.made.prefixes.push(prefix);
        Ok(())
    }

    /// Adds mappings of descriptors to a chain, behind those that it has.
    ///
    /// # Errors
    /// The index of a structure of unknown size before the mappings of the chain, which cannot be
    /// copied.
    ///
    /// # Safety
    /// The chain must be valid, and outlive the scratch.
    pub unsafe fn map_descriptors(
        &mut self,
        p_next: *const c_void,
        more: &[DescriptorMapping],
    ) -> Result<*const c_void, usize> {
        // SAFETY: the caller's chain.
        let own = unsafe { chain::find::<DescriptorMappingInfo>(p_next) };
        // SAFETY: the array of a valid structure.
        let own_mappings = own.map_or(&[][..], |own| unsafe { slice(own.mappings, own.count) });
        let all: Box<[_]> = own_mappings.iter().chain(more).copied().collect();
        let head = if own.is_some() {
            // SAFETY: the chain of a valid structure, whose nodes start with a header.
            let at = unsafe { chain::nodes(p_next) }
                .position(|node| unsafe { (*node).s_type } == DescriptorMappingInfo::STRUCTURE_TYPE)
                .unwrap_or(0);
            // SAFETY: the chain has as many nodes.
            let mut prefix = unsafe { Prefix::copy(p_next, at + 1) }?;
            if let Some(node) = prefix.nodes.last_mut() {
                // SAFETY: the last copied node is the one that was found above.
                unsafe { (*node.as_mut_ptr().cast::<DescriptorMappingInfo>()).set(&all) };
            }
            let head = prefix.head(p_next);
            self.made.prefixes.push(prefix);
            head
        } else {
            let info = Box::new(DescriptorMappingInfo::before(p_next, &all));
            let head = (&raw const *info).cast();
            self.made.mapping_infos.push(info);
            head
        };
        self.made.mappings.push(all);
        Ok(head)
    }

    /// Stores a sampler that a mapping embeds.
    pub fn embedded_sampler(&mut self, mut sampler: Box<EmbeddedSampler>) -> *const vk::SamplerCreateInfo<'static> {
        let at = sampler.info();
        self.made.samplers.push(sampler);
        at
    }

    /// Stores an array of stages.
    pub fn stages(&mut self, stages: Vec<Stage>) -> &[Stage] {
        self.made.stages.push(stages.into_boxed_slice());
        self.made.stages.last().map_or(&[], |stages| stages)
    }

    /// Stores an array of shader groups.
    pub fn groups(&mut self, groups: Vec<vk::GraphicsShaderGroupCreateInfoNV<'static>>) -> *const c_void {
        self.made.groups.push(groups.into_boxed_slice());
        self.made.groups.last().map_or(std::ptr::null(), |groups| groups.as_ptr().cast())
    }

    /// Stores a copied prefix of a chain.
    pub fn prefix(&mut self, prefix: Prefix) {
        self.made.prefixes.push(prefix);
    }

    /// Stores a translation, so that its words stay valid until the call is over.
    pub fn words(&mut self, emitted: &Arc<Emitted>) {
        self.made.emitted.push(emitted.clone());
    }

    /// Stores an entry point name.
    pub fn entry_name(&mut self, name: CString) -> *const c_char {
        let at = name.as_ptr();
        self.made.names.push(name);
        at
    }

    /// Sets the entry point name of a stage.
    pub fn name(&mut self, stage: &mut Stage, name: CString) {
        stage.p_name = self.entry_name(name);
    }

    /// Requires a subgroup size for `[WaveSize]`, unless the application requires one itself.
    /// Returns whether the stage changed.
    ///
    /// # Safety
    /// The stage must be valid.
    pub unsafe fn subgroup_size(&mut self, stage: &mut Stage, size: u32) -> bool {
        // SAFETY: the chain of a valid stage.
        if unsafe { chain::find::<RequiredSize>(stage.p_next) }.is_some() {
            return false;
        }
        stage.p_next = self.required_size(stage.p_next, size);
        // VUID-VkPipelineShaderStageCreateInfo-pNext-02754: the two exclude each other.
        let varying = vk::PipelineShaderStageCreateFlags::ALLOW_VARYING_SUBGROUP_SIZE.as_raw();
        stage.flags = vk::PipelineShaderStageCreateFlags::from_raw(stage.flags.as_raw() & !varying);
        true
    }

    /// Prepends a required subgroup size to a chain.
    pub fn required_size(&mut self, p_next: *const c_void, size: u32) -> *const c_void {
        let mut required = Box::new(RequiredSize { required_subgroup_size: size, ..Default::default() });
        required.p_next = p_next.cast_mut();
        let head = (&raw const *required).cast();
        self.made.sizes.push(required);
        head
    }

    /// Requests the robustness of a stage, which must not request one itself.
    pub fn robustness(&mut self, stage: &mut Stage, asked: Robustness) {
        let mut info = Box::new(asked.info());
        info.p_next = stage.p_next.cast_mut();
        stage.p_next = (&raw const *info).cast::<c_void>();
        self.made.robust.push(info);
    }
}
