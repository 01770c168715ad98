//! What is made for one call down: modules, copies of chains, names. It lives until the call
//! returns.

use std::ffi::{CString, c_void};
use std::sync::Arc;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::features::robustness::Robustness;
use crate::intercept::objects::Device;
use crate::translate::Emitted;
use crate::vulkan::carriers::Stage;
use crate::vulkan::chain;
use crate::vulkan::copies::Prefix;

type RequiredSize = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'static>;

/// What was made for one call down.
pub struct Scratch<'d> {
    /// The device of the call.
    pub device: &'d Device,
    allocator: *const vk::AllocationCallbacks<'d>,
    modules: Vec<vk::ShaderModule>,
    prefixes: Vec<Prefix>,
    names: Vec<CString>,
    #[expect(clippy::vec_box, reason = "stages point to them while the list grows")]
    sizes: Vec<Box<RequiredSize>>,
    #[expect(clippy::vec_box, reason = "as above")]
    robust: Vec<Box<vk::PipelineRobustnessCreateInfoEXT<'static>>>,
    emitted: Vec<Arc<Emitted>>,
}

/// Shader modules may be destroyed when pipeline creation has returned (specification, "Shader
/// Modules").
impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if let Some(destroy) = self.device.table.destroy_shader_module {
            for &module in &self.modules {
                // SAFETY: made by this scratch with the same allocator, and the call that used it
                // has returned.
                unsafe { destroy(self.device.handle, module, self.allocator) };
            }
        }
    }
}

impl<'d> Scratch<'d> {
    /// An empty one.
    ///
    /// # Safety
    /// `allocator` must be null or valid for as long as the scratch lives.
    pub unsafe fn new(device: &'d Device, allocator: *const vk::AllocationCallbacks<'d>) -> Self {
        Self {
            device,
            allocator,
            modules: Vec::new(),
            prefixes: Vec::new(),
            names: Vec::new(),
            sizes: Vec::new(),
            robust: Vec::new(),
            emitted: Vec::new(),
        }
    }

    /// Makes a driver module.
    ///
    /// # Errors
    /// The driver's.
    pub fn module(&mut self, emitted: &Emitted) -> Result<vk::ShaderModule, vk::Result> {
        let create = self.device.table.create_shader_module.ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
        let info = vk::ShaderModuleCreateInfo::default().code(&emitted.words);
        let mut module = vk::ShaderModule::null();
        // SAFETY: a live device and a valid create info.
        let result = unsafe { create(self.device.handle, &info, self.allocator, &mut module) };
        if result != vk::Result::SUCCESS {
            return Err(result);
        }
        self.modules.push(module);
        Ok(module)
    }

    /// Replaces code in the chain of a stage. Where a structure of unknown size precedes it, the
    /// stage gets a module instead: Vulkan takes the code from the module then and ignores the
    /// chained code.
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
        self.prefixes.push(prefix);
        self.emitted.push(emitted.clone());
        Ok(())
    }

    /// Gives a stage another entry point name.
    pub fn name(&mut self, stage: &mut Stage, name: CString) {
        stage.p_name = name.as_ptr();
        self.names.push(name);
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
        let mut required = Box::new(RequiredSize { required_subgroup_size: size, ..Default::default() });
        required.p_next = stage.p_next.cast_mut();
        stage.p_next = (&raw const *required).cast::<c_void>();
        // VUID-VkPipelineShaderStageCreateInfo-pNext-02754: the two exclude each other.
        let varying = vk::PipelineShaderStageCreateFlags::ALLOW_VARYING_SUBGROUP_SIZE.as_raw();
        stage.flags = vk::PipelineShaderStageCreateFlags::from_raw(stage.flags.as_raw() & !varying);
        self.sizes.push(required);
        true
    }

    /// Asks for a stage's robustness. The stage must not ask for one itself.
    pub fn robustness(&mut self, stage: &mut Stage, asked: Robustness) {
        let mut info = Box::new(asked.info());
        info.p_next = stage.p_next.cast_mut();
        stage.p_next = (&raw const *info).cast::<c_void>();
        self.robust.push(info);
    }
}
