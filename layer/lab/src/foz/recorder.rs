//! Records objects into an archive as they are created.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ash::vk;
use ash::vk::Handle as _;
use serde_json::Value;

use super::application::{Application, Instance};
use super::chain::Around;
use super::dynamic::Dynamic;
use super::objects::Objects;
use super::unsupported::Unsupported;
use super::{graphics, layouts, passes, pipelines};
use crate::archive::{Archive, ArchiveError, Name, Tag};
use crate::vulkan::{Created, Observer};

/// The state of the recorder.
struct State {
    archive: Archive,
    objects: Objects,
    instance: Option<Instance>,
    application: Option<Application>,
    /// Why the last object with a reason was left out.
    left_out: Option<String>,
    /// The file could not be written.
    failed: Option<ArchiveError>,
}

/// Writes the objects that are created below the layer into an archive.
#[derive(Clone)]
pub struct Recorder(Arc<Mutex<State>>);

/// The fate of the objects since the last call.
#[derive(Debug, PartialEq, Eq)]
pub enum Written {
    /// All of them are in the archive.
    All,
    /// One has no form in Fossilize; why.
    LeftOut(String),
}

impl Recorder {
    /// A recorder into a file, which is continued if it is there.
    ///
    /// # Errors
    /// The file cannot be written, or is no archive.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let state = State {
            archive: Archive::open(path)?,
            objects: Objects::default(),
            instance: None,
            application: None,
            left_out: None,
            failed: None,
        };
        Ok(Self(Arc::new(Mutex::new(state))))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fate of the objects since the last call.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn written(&self) -> Result<Written, ArchiveError> {
        let mut state = self.state();
        if let Some(error) = state.failed.take() {
            return Err(error);
        }
        Ok(state.left_out.take().map_or(Written::All, Written::LeftOut))
    }
}

impl Observer for Recorder {
    unsafe fn created(&mut self, what: Created<'_>) {
        let mut state = self.state();
        // SAFETY: the caller's create info.
        if let Err(Unsupported(why)) = unsafe { state.created(what) } {
            // The first reason is the cause of the others.
            state.left_out.get_or_insert(why);
        }
    }
}

impl State {
    /// # Safety
    /// The create info must be valid.
    unsafe fn created(&mut self, what: Created<'_>) -> Result<(), Unsupported> {
        let dynamic = Dynamic::default();
        let subsets = vk::GraphicsPipelineLibraryFlagsEXT::empty();
        let around = Around { objects: &self.objects, dynamic: &dynamic, subsets };
        // SAFETY: the caller's create info.
        unsafe {
            match what {
                Created::Instance(info) => {
                    self.instance = Some(Instance::new(info)?);
                    Ok(())
                }
                Created::Device(info) => {
                    let anonymous = Instance::new(None)?;
                    let application = Application::new(self.instance.as_ref().unwrap_or(&anonymous), info)?;
                    let (name, payload) = application.entry();
                    let result = self.archive.add(name, payload);
                    self.keep_error(result);
                    self.application = Some(application);
                    Ok(())
                }
                Created::Sampler(object, info) => {
                    let made = layouts::sampler(info, around);
                    self.object(Tag::Sampler, "samplers", object, made)
                }
                Created::Conversion(object, info) => {
                    super::chain::none("VkSamplerYcbcrConversionCreateInfo", info.p_next)?;
                    // Without its chain, the structure has no pointers.
                    let info = vk::SamplerYcbcrConversionCreateInfo { p_next: std::ptr::null(), ..*info };
                    let info: vk::SamplerYcbcrConversionCreateInfo<'static> = std::mem::transmute(info);
                    self.objects.conversions.insert(object.as_raw(), info);
                    Ok(())
                }
                Created::SetLayout(object, info) => {
                    let made = layouts::set_layout(info, around);
                    self.object(Tag::SetLayout, "setLayouts", object, made)
                }
                Created::Layout(object, info) => {
                    let made = layouts::pipeline_layout(info, around);
                    self.object(Tag::PipelineLayout, "pipelineLayouts", object, made)
                }
                Created::RenderPass(object, info) => {
                    let made = passes::render_pass(info, around);
                    let all = super::chain::array(info.p_subpasses, info.subpass_count).iter();
                    let uses = passes::uses(all.map(|it| {
                        let depth = it.p_depth_stencil_attachment.as_ref();
                        (it.color_attachment_count, depth.map(|depth| depth.attachment))
                    }));
                    if let Ok((hash, _)) = &made {
                        self.objects.subpasses.insert(*hash, uses);
                    }
                    self.object(Tag::RenderPass, "renderPasses2", object, made)
                }
                Created::Module(object, info) => {
                    let made = layouts::module(info);
                    self.objects.set(object, made.as_ref().ok().map(|(hash, _)| *hash));
                    let (hash, payload) = made?;
                    self.add((Tag::Module, hash), &payload);
                    Ok(())
                }
                Created::Compute(object, info) => {
                    self.modules(std::slice::from_ref(&info.stage))?;
                    let made = pipelines::compute(info, Around { objects: &self.objects, dynamic: &dynamic, subsets });
                    self.object(Tag::Compute, "computePipelines", object, made)
                }
                Created::Graphics(object, info) => {
                    self.modules(super::chain::array(info.p_stages, info.stage_count))?;
                    let made = graphics::graphics(info, &self.objects);
                    self.object(Tag::Graphics, "graphicsPipelines", object, made)
                }
                Created::Rays(object, info) => {
                    self.modules(super::chain::array(info.p_stages, info.stage_count))?;
                    let made = pipelines::rays(info, Around { objects: &self.objects, dynamic: &dynamic, subsets });
                    self.object(Tag::Rays, "raytracingPipelines", object, made)
                }
            }
        }
    }

    /// Writes the modules that are in the chains of stages.
    ///
    /// # Safety
    /// The stages must be valid.
    unsafe fn modules(&mut self, stages: &[vk::PipelineShaderStageCreateInfo<'_>]) -> Result<(), Unsupported> {
        for stage in stages.iter().filter(|stage| stage.module == vk::ShaderModule::null()) {
            // SAFETY: the chain of a valid stage.
            unsafe {
                if let Some(info) = super::chain::find::<vk::ShaderModuleCreateInfo<'_>>(stage.p_next) {
                    // The rest of the chain is the stage's.
                    let alone = vk::ShaderModuleCreateInfo { p_next: std::ptr::null(), ..*info };
                    let (hash, payload) = layouts::module(&alone)?;
                    self.add((Tag::Module, hash), &payload);
                }
            }
        }
        Ok(())
    }

    /// Stores the hash of an object and writes the object.
    fn object<T: vk::Handle>(
        &mut self,
        tag: Tag,
        list: &'static str,
        object: T,
        made: Result<(u64, Value), Unsupported>,
    ) -> Result<(), Unsupported> {
        self.objects.set(object, made.as_ref().ok().map(|(hash, _)| *hash));
        let (hash, value) = made?;
        self.add((tag, hash), &super::document::document(list, hash, value));
        Ok(())
    }

    /// Writes an entry and its link to the application.
    fn add(&mut self, name: Name, payload: &[u8]) {
        let result = self.archive.add(name, payload);
        self.keep_error(result);
        if let Some((name, payload)) = self.application.as_ref().map(|application| application.link(name)) {
            let result = self.archive.add(name, &payload);
            self.keep_error(result);
        }
    }

    fn keep_error(&mut self, result: Result<(), ArchiveError>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
    }
}
