//! The shader stages of one pipeline: which are DXIL, and what the driver gets in their place.
//!
//! In: a pipeline's stages and layout. Out: nothing, where the modules that are there already fit; else copies of the stages
//! with other modules, names or code. What must hold: stages are never reordered, added or dropped; `pNext` tails are shared,
//! and only nodes in front of chained code are copied; everything made for the call lives in [`Scratch`] until it returns.

use std::ffi::{CStr, CString, c_void};
use std::sync::Arc;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::blobs::{self, Emitted, Source};
use crate::cache::{CACHE, Key};
use crate::device::Device;
use crate::error::{BlobHash, Failure};
use crate::pnext::{self, Prefix};
use crate::shader_modules::Module;
use crate::stats::STATS;
use crate::translate::{Error, ErrorKind, Facts, Feature, PipelineLayout, Place, Plan};

/// A pipeline stage of the application, without its lifetime: it is only used during the application's call.
pub type Stage = vk::PipelineShaderStageCreateInfo<'static>;

/// Why a pipeline is not created.
pub enum Refusal {
    /// Its DXIL can not be used.
    Failed(Failure),
    /// The application forbade compilation, and translation is needed.
    CompileRequired,
    /// The driver refused a module.
    Driver(vk::Result),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// What was made for one call down.
pub struct Scratch<'d> {
    device: &'d Device,
    allocator: *const vk::AllocationCallbacks<'d>,
    modules: Vec<vk::ShaderModule>,
    prefixes: Vec<Prefix>,
    names: Vec<CString>,
    #[expect(clippy::vec_box, reason = "stages point to them while the list grows")]
    sizes: Vec<Box<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'static>>>,
    emitted: Vec<Arc<Emitted>>,
}

impl<'d> Scratch<'d> {
    /// Nothing yet.
    pub fn new(device: &'d Device, allocator: *const vk::AllocationCallbacks<'d>) -> Self {
        Self {
            device,
            allocator,
            modules: Vec::new(),
            prefixes: Vec::new(),
            names: Vec::new(),
            sizes: Vec::new(),
            emitted: Vec::new(),
        }
    }
}

/// Shader modules may be destroyed as soon as pipeline creation returned (specification, "Shader Modules").
impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if let Some(destroy) = self.device.table.destroy_shader_module {
            for &module in &self.modules {
                // SAFETY: made by this scratch with the same allocator, and no call uses it any more.
                unsafe { destroy(self.device.handle, module, self.allocator) };
            }
        }
    }
}

/// Where a stage's DXIL is.
enum Carrier<'a> {
    Module(Arc<Module>),
    /// Code chained on the stage.
    Chained(&'a [u8]),
}

/// The DXIL of a stage.
///
/// # Safety
/// The stage must be valid.
unsafe fn carrier<'a>(device: &Device, stage: &Stage) -> Option<Carrier<'a>> {
    if stage.module != vk::ShaderModule::null() {
        return device.modules.get(stage.module).map(Carrier::Module);
    }
    // SAFETY: the chain of a valid stage.
    unsafe {
        let info = pnext::find::<vk::ShaderModuleCreateInfo<'_>>(stage.p_next)?;
        blobs::sniff(info.p_code.cast(), info.code_size).map(Carrier::Chained)
    }
}

/// Whether any stage is DXIL.
///
/// # Safety
/// The stages must be valid.
pub unsafe fn any_dxil(device: &Device, stages: &[Stage]) -> bool {
    // SAFETY: the caller's stages.
    stages.iter().any(|stage| unsafe { carrier(device, stage) }.is_some())
}

/// One DXIL stage of the pipeline.
struct Part<'a> {
    index: usize,
    source: Arc<Source>,
    entry: String,
    carrier: Carrier<'a>,
}

/// The stages as the driver is to see them; `None` where they are right as they are.
///
/// # Errors
/// Why the pipeline can not be created.
///
/// # Safety
/// The stages must be valid and outlive the scratch.
pub unsafe fn substitute(
    stages: &[Stage],
    layout: vk::PipelineLayout,
    may_compile: bool,
    dual_source: impl Fn() -> bool,
    samples: impl Fn() -> u32,
    scratch: &mut Scratch<'_>,
) -> Result<Option<Vec<Stage>>, Refusal> {
    let device = scratch.device;
    let context = device.context();
    let mut parts = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        // SAFETY: the caller's stages.
        let Some(carrier) = (unsafe { carrier(device, stage) }) else { continue };
        let source = match &carrier {
            Carrier::Module(module) => module.source.clone(),
            Carrier::Chained(bytes) => {
                if !may_compile && !CACHE.has(&Key::Source(BlobHash::of(bytes))) {
                    return Err(Refusal::CompileRequired);
                }
                Source::parse(bytes, &context)?
            }
        };
        // SAFETY: pName is a valid string, by the structure's valid usage.
        let name = unsafe { stage.p_name.as_ref().map_or(c"main", |name| CStr::from_ptr(name)) };
        let entry = source.entry(&name.to_string_lossy())?.to_string();
        parts.push(Part { index, source, entry, carrier });
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let layout: Option<Arc<PipelineLayout>> = device.pipeline_layouts.get(layout);
    let inputs: Vec<(&Source, &str)> = parts.iter().map(|p| (&*p.source, p.entry.as_str())).collect();
    let plans = blobs::plan(&inputs, layout.as_deref(), &context)?;
    let mut out = None;
    for (part, plan) in parts.iter().zip(&plans) {
        let Some(stage) = stages.get(part.index) else { continue };
        let mut copy = *stage;
        // SAFETY: the caller's stage.
        let second =
            scratch.device.profile.has(Feature::DualSrcBlend) && part.source.shader.has_second_target(&part.entry);
        let counted = part.source.shader.asks_for_samples(&part.entry);
        let facts = Facts {
            dual_source: second && dual_source(),
            feeds_stage: part.source.shader.writes_for_rasterizer(&part.entry) && feeds_stage(stages, stage.stage),
            samples: if counted { samples() } else { 0 },
        };
        // SAFETY: the caller's stage.
        if unsafe { rewrite(&mut copy, part, (plan, facts), may_compile, scratch) }? {
            STATS.substitution();
            let list = out.get_or_insert_with(|| stages.to_vec());
            if let Some(place) = list.get_mut(part.index) {
                *place = copy;
            }
        }
    }
    Ok(out)
}

/// Whether another shader stage takes the outputs of this one before the rasterizer does.
fn feeds_stage(stages: &[Stage], stage: vk::ShaderStageFlags) -> bool {
    use vk::ShaderStageFlags as S;
    let takers = match stage {
        S::VERTEX => S::TESSELLATION_CONTROL | S::GEOMETRY,
        S::TESSELLATION_EVALUATION => S::GEOMETRY,
        _ => return false,
    };
    stages.iter().any(|other| takers.contains(other.stage))
}

/// Makes a stage what the driver is to see; `false` where nothing had to change.
///
/// # Safety
/// The stage must be valid and outlive the scratch.
unsafe fn rewrite(
    stage: &mut Stage,
    part: &Part<'_>,
    (plan, facts): (&Plan, Facts),
    may_compile: bool,
    scratch: &mut Scratch<'_>,
) -> Result<bool, Refusal> {
    let device = scratch.device;
    let context = device.context();
    let mut changed = false;
    let default = match &part.carrier {
        Carrier::Module(module) => {
            module.default.as_ref().filter(|default| default.plan == *plan && facts == Facts::default())
        }
        Carrier::Chained(_) => None,
    };
    let emitted = match default {
        Some(default) => default.emitted.clone(),
        None => {
            if !may_compile && !CACHE.has(&part.source.key(&part.entry, plan, facts, &context)) {
                return Err(Refusal::CompileRequired);
            }
            let emitted = part.source.emit(&part.entry, plan, facts, &context)?;
            match &part.carrier {
                // Another plan may well give the same words: a dynamic buffer, for one, is no other code.
                Carrier::Module(module)
                    if module.default.as_ref().is_some_and(|d| d.emitted.words == emitted.words) => {}
                Carrier::Module(_) => {
                    stage.module = scratch.module(&emitted)?;
                    changed = true;
                }
                Carrier::Chained(_) => {
                    // SAFETY: the caller's stage, which has code in its chain.
                    unsafe { scratch.chain(stage, &emitted) }?;
                    changed = true;
                }
            }
            emitted
        }
    };
    // SAFETY: pName is a valid string, by the structure's valid usage.
    let name = unsafe { stage.p_name.as_ref().map_or(c"", |name| CStr::from_ptr(name)) };
    if name.to_bytes() != emitted.entry.as_bytes() {
        let name = CString::new(emitted.entry.as_str()).map_err(|_| {
            let error = Error::new(ErrorKind::Unsupported, Place::Input, "the entry point's name contains a NUL");
            part.source.failure(Some(&part.entry), error)
        })?;
        stage.p_name = name.as_ptr();
        scratch.names.push(name);
        changed = true;
    }
    if let Some(size) = emitted.required_subgroup_size {
        // SAFETY: the caller's stage.
        changed |= unsafe { scratch.subgroup_size(stage, size) };
    }
    Ok(changed)
}

impl Scratch<'_> {
    /// A driver module that lives through the call.
    fn module(&mut self, emitted: &Emitted) -> Result<vk::ShaderModule, Refusal> {
        let Some(create) = self.device.table.create_shader_module else {
            return Err(Refusal::Driver(vk::Result::ERROR_INITIALIZATION_FAILED));
        };
        let info = vk::ShaderModuleCreateInfo::default().code(&emitted.words);
        let mut module = vk::ShaderModule::null();
        // SAFETY: a live device and a valid create info.
        let result = unsafe { create(self.device.handle, &info, self.allocator, &mut module) };
        if result != vk::Result::SUCCESS {
            return Err(Refusal::Driver(result));
        }
        self.modules.push(module);
        Ok(module)
    }

    /// Replaces code that is chained on a stage. Where a structure of unknown size stands before it, the stage gets a module
    /// instead: Vulkan takes the code from there then and does not look at the chained code.
    ///
    /// # Safety
    /// The stage must be valid, with a `VkShaderModuleCreateInfo` in its chain, and outlive the scratch.
    unsafe fn chain(&mut self, stage: &mut Stage, emitted: &Arc<Emitted>) -> Result<(), Refusal> {
        // SAFETY: the caller's chain.
        unsafe {
            let at = pnext::nodes(stage.p_next)
                .position(|node| (*node).s_type == vk::ShaderModuleCreateInfo::STRUCTURE_TYPE)
                .unwrap_or(0);
            match Prefix::copy(stage.p_next, at + 1) {
                Ok(mut prefix) => {
                    if let Some(node) = prefix.nodes.last_mut() {
                        let info = node.as_mut_ptr().cast::<vk::ShaderModuleCreateInfo<'_>>();
                        (*info).code_size = emitted.words.len() * 4;
                        (*info).p_code = emitted.words.as_ptr();
                    }
                    stage.p_next = prefix.head(stage.p_next);
                    self.prefixes.push(prefix);
                    self.emitted.push(emitted.clone());
                }
                Err(_) => stage.module = self.module(emitted)?,
            }
        }
        Ok(())
    }

    /// `[WaveSize]`: asks for the subgroup size, where the application asked for none.
    ///
    /// # Safety
    /// The stage must be valid.
    unsafe fn subgroup_size(&mut self, stage: &mut Stage, size: u32) -> bool {
        type Required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'static>;
        // SAFETY: the chain of a valid stage.
        if unsafe { pnext::find::<Required>(stage.p_next) }.is_some() {
            return false;
        }
        let mut required = Box::new(Required { required_subgroup_size: size, ..Default::default() });
        required.p_next = stage.p_next.cast_mut();
        stage.p_next = (&raw const *required).cast::<c_void>();
        // VUID-VkPipelineShaderStageCreateInfo-pNext-02754: the two exclude each other.
        let varying = vk::PipelineShaderStageCreateFlags::ALLOW_VARYING_SUBGROUP_SIZE.as_raw();
        stage.flags = vk::PipelineShaderStageCreateFlags::from_raw(stage.flags.as_raw() & !varying);
        self.sizes.push(required);
        true
    }
}
