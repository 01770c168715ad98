//! Runs one fixture with one set of code blobs on one device.
//!
//! In: the specification, a context, the code of every stage. Out: the words of every output. What holds: nothing but the
//! code differs between a run as DXIL and a run as SPIR-V; resources, layouts and commands are the same.

mod bind;
mod compute;
mod draw;

use std::ffi::CString;

use ash::vk;

use crate::error::{Error, Named, Result};
use crate::spec::{Fixture, Stage, Work};
use crate::vulkan::Context;
use bind::Bound;

/// The outputs by name, in the order of [`Fixture::outputs`].
pub type Outputs = Vec<(String, Vec<u32>)>;

/// A stage's code, as the application hands it to vkCreateShaderModule.
pub struct Code<'f> {
    /// The stage.
    pub stage: &'f Stage,
    /// SPIR-V or a DXIL container, padded to whole words.
    words: Vec<u32>,
    /// Its length before the padding.
    length: usize,
}

impl<'f> Code<'f> {
    /// Takes the bytes of a stage's code.
    #[must_use]
    pub fn new(stage: &'f Stage, bytes: &[u8]) -> Self {
        let word = |chunk: &[u8]| {
            let mut word = [0; 4];
            word.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
            u32::from_le_bytes(word)
        };
        Self { stage, words: bytes.chunks(4).map(word).collect(), length: bytes.len() }
    }
}

/// A shader module and what a stage's create info needs; destroyed with it.
struct Shader<'c> {
    context: &'c Context,
    module: vk::ShaderModule,
    entry: CString,
    flag: vk::ShaderStageFlags,
}

impl<'c> Shader<'c> {
    fn new(context: &'c Context, code: &Code<'_>) -> Result<Self> {
        let flag = code.stage.flag().ok_or_else(|| Error::Spec(format!("no stage {}", code.stage.profile)))?;
        let entry = CString::new(code.stage.entry.as_str()).map_err(|e| Error::Spec(e.to_string()))?;
        let mut info = vk::ShaderModuleCreateInfo::default().code(&code.words);
        info.code_size = code.length;
        // SAFETY: the code lives through the call and is at least `code_size` long.
        let module = unsafe { context.device.create_shader_module(&info, None) }.named("vkCreateShaderModule")?;
        Ok(Self { context, module, entry, flag })
    }

    fn info(&self) -> vk::PipelineShaderStageCreateInfo<'_> {
        vk::PipelineShaderStageCreateInfo::default().stage(self.flag).module(self.module).name(&self.entry)
    }
}

impl Drop for Shader<'_> {
    fn drop(&mut self) {
        // SAFETY: the module belongs to this device and nothing uses it any more.
        unsafe { self.context.device.destroy_shader_module(self.module, None) };
    }
}

/// A pipeline, destroyed with its owner.
struct Pipeline<'c> {
    context: &'c Context,
    handle: vk::Pipeline,
}

impl Drop for Pipeline<'_> {
    fn drop(&mut self) {
        // SAFETY: the queue is idle (`Context::submit` waits) and the pipeline belongs to this device.
        unsafe { self.context.device.destroy_pipeline(self.handle, None) };
    }
}

/// The one pipeline that a create call returned, or its error.
fn first_pipeline<'c>(
    context: &'c Context,
    command: &'static str,
    result: std::result::Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>,
) -> Result<Pipeline<'c>> {
    match result.map_err(|(_, result)| result).named(command)?.first() {
        Some(&handle) if handle != vk::Pipeline::null() => Ok(Pipeline { context, handle }),
        _ => Err(Error::Wrong(format!("{command} succeeded without a pipeline"))),
    }
}

/// Checks that the device has what the fixture requires.
///
/// # Errors
/// A skip that names the missing feature.
pub fn check_requirements(fixture: &Fixture, context: &Context) -> Result<()> {
    let has = |name: &str| match name {
        // An extension without features.
        "stencil_export" => context.extensions.contains(&ash::ext::shader_stencil_export::NAME),
        _ => context.features.has(name),
    };
    match fixture.require.iter().find(|name| !has(name)) {
        Some(missing) => Err(Error::Skip(format!("the driver has no {missing}"))),
        None => Ok(()),
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).filter_map(|chunk| chunk.try_into().ok().map(u32::from_le_bytes)).collect()
}

/// Runs the fixture.
///
/// # Errors
/// The command that failed, or a skip.
pub fn run(fixture: &Fixture, context: &Context, code: &[Code<'_>]) -> Result<Outputs> {
    check_requirements(fixture, context)?;
    let bound = Bound::new(fixture, context)?;
    let shaders = code.iter().map(|code| Shader::new(context, code)).collect::<Result<Vec<_>>>()?;
    let mut targets = match fixture.work {
        Work::Dispatch(groups) => compute::dispatch(context, &bound, &shaders, groups)?,
        Work::Draw { .. } => draw::draw(fixture, context, &bound, &shaders)?,
    };
    let mut outputs = bound.outputs(fixture)?;
    outputs.append(&mut targets);
    Ok(outputs)
}
