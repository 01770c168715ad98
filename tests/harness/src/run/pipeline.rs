//! Creates shader modules and pipelines.

use std::ffi::{CString, c_void};

use ash::vk;

use super::attach::view_mask;
use super::code::Code;
use super::heap_buffers::DeviceHeaps;
use super::made::{self, Name};
use super::state;
use super::subpass::Subpass;
use crate::error::{Error, Result};
use crate::spec::{Depth, Pass};
use crate::vulkan::{Context, Format, heap};
use dxil_vulkan::Named as _;

/// A shader module, which is destroyed when this is dropped.
pub(super) struct Module<'c> {
    context: &'c Context,
    pub(super) handle: vk::ShaderModule,
}

impl<'c> Module<'c> {
    pub(super) fn new(context: &'c Context, code: &Code<'_>) -> Result<Self> {
        let mut info = vk::ShaderModuleCreateInfo::default().code(&code.words);
        info.code_size = code.length;
        // SAFETY: the code outlives the call and has at least `code_size` bytes. It is DXIL only if
        // the layer is enabled, which accepts it.
        let handle = unsafe { context.gpu.device.create_shader_module(&info, None) }.named("vkCreateShaderModule")?;
        Ok(Self { context, handle })
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: the module belongs to this device, and the pipeline does not need it after its
        // creation.
        unsafe { self.context.gpu.device.destroy_shader_module(self.handle, None) };
    }
}

/// How pipelines are created beside their layout.
#[derive(Clone, Copy)]
pub(super) struct How<'h> {
    /// The flags of a whole pipeline, not of libraries.
    pub(super) flags: vk::PipelineCreateFlags,
    /// The heaps of the device, if the descriptors are there.
    pub(super) heaps: Option<&'h DeviceHeaps<'h>>,
}

impl How<'_> {
    /// The chain of each stage.
    pub(super) fn stage_chain(self) -> *const c_void {
        self.heaps.map_or(std::ptr::null(), DeviceHeaps::mapping_info)
    }

    /// The flags with those that only a chained structure has. They are those of the pipeline.
    pub(super) fn all_flags(self, own: vk::PipelineCreateFlags) -> vk::PipelineCreateFlags2CreateInfoKHR<'static> {
        let flags = vk::PipelineCreateFlags2KHR::from_raw(u64::from((self.flags | own).as_raw()));
        let more = self.heaps.map_or(vk::PipelineCreateFlags2KHR::empty(), |_| heap::PIPELINE);
        vk::PipelineCreateFlags2CreateInfoKHR::default().flags(flags | more)
    }
}

/// A shader module, and the other values that a stage's create info needs.
struct Shader<'c> {
    module: Module<'c>,
    entry: CString,
    flag: vk::ShaderStageFlags,
    name: Name,
    /// The structures that the stage's create info points to.
    chain: *const c_void,
}

impl<'c> Shader<'c> {
    fn new(context: &'c Context, code: &Code<'_>, how: How<'_>) -> Result<Self> {
        let flag = code.stage.flag().ok_or_else(|| Error::Spec(format!("unknown stage `{}`", code.stage.profile)))?;
        let entry = CString::new(code.name_of(code.stage.entry())).map_err(|e| Error::Spec(e.to_string()))?;
        let name = Name::new(code, flag, &entry.to_string_lossy());
        Ok(Self { module: Module::new(context, code)?, entry, flag, name, chain: how.stage_chain() })
    }

    fn info(&self) -> vk::PipelineShaderStageCreateInfo<'_> {
        let info = vk::PipelineShaderStageCreateInfo { p_next: self.chain, ..Default::default() };
        info.stage(self.flag).module(self.module.handle).name(&self.entry)
    }
}

/// A pipeline, which is destroyed when this is dropped.
pub(super) struct Pipeline<'c> {
    context: &'c Context,
    pub(super) handle: vk::Pipeline,
    /// The libraries of which it was linked.
    pub(super) libraries: Vec<Pipeline<'c>>,
}

impl Drop for Pipeline<'_> {
    fn drop(&mut self) {
        // SAFETY: no pending command uses the pipeline, because `Gpu::submit` waits for the
        // queue.
        unsafe { self.context.gpu.device.destroy_pipeline(self.handle, None) };
    }
}

/// The pipeline of a command that was asked to create one, or the command's error.
pub(super) fn first_pipeline<'c>(
    context: &'c Context,
    command: &'static str,
    result: std::result::Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>,
) -> Result<Pipeline<'c>> {
    match result.map_err(|(_, result)| result).named(command)?.first() {
        Some(&handle) if handle != vk::Pipeline::null() => Ok(Pipeline { context, handle, libraries: Vec::new() }),
        _ => Err(Error::Wrong(format!("{command} succeeded without a pipeline"))),
    }
}

/// The pipeline layouts of a pass.
#[derive(Clone, Copy)]
pub(super) enum Layouts {
    /// One pipeline with one layout.
    Whole(vk::PipelineLayout),
    /// A pipeline that is linked of libraries.
    Libraries {
        /// The layout with all sets.
        linked: vk::PipelineLayout,
        /// The layout of the library with the stages before rasterization.
        vertex: vk::PipelineLayout,
        /// The layout of the library with the pixel shader.
        fragment: vk::PipelineLayout,
    },
}

/// Creates the compute or graphics pipeline of a pass.
pub(super) fn pipeline<'c>(
    pass: &Pass,
    context: &'c Context,
    layouts: Layouts,
    how: How<'_>,
    subpass: Option<&Subpass<'_>>,
    code: &[Code<'_>],
) -> Result<Pipeline<'c>> {
    let shaders = code.iter().map(|code| Shader::new(context, code, how)).collect::<Result<Vec<_>>>()?;
    match (&shaders[..], layouts) {
        ([shader], Layouts::Whole(layout)) if pass.is_compute() => compute(context, layout, how, shader),
        _ => graphics(pass, context, layouts, how, subpass, &shaders),
    }
}

fn compute<'c>(
    context: &'c Context,
    layout: vk::PipelineLayout,
    how: How<'_>,
    shader: &Shader<'_>,
) -> Result<Pipeline<'c>> {
    made::say("compute", false, &[&shader.name]);
    let mut all_flags = how.all_flags(vk::PipelineCreateFlags::empty());
    let mut info = vk::ComputePipelineCreateInfo::default().flags(how.flags).stage(shader.info()).layout(layout);
    if how.heaps.is_some() {
        info = info.push_next(&mut all_flags);
    }
    // SAFETY: the module, its entry point's name and the layout outlive the call.
    let result = unsafe { context.gpu.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
    first_pipeline(context, "vkCreateComputePipelines", result)
}

/// Creates the graphics pipeline of a pass.
fn graphics<'c>(
    pass: &Pass,
    context: &'c Context,
    layouts: Layouts,
    how: How<'_>,
    subpass: Option<&Subpass<'_>>,
    shaders: &[Shader<'_>],
) -> Result<Pipeline<'c>> {
    let stages: Vec<_> = shaders.iter().map(Shader::info).collect();
    let (bindings, attributes) = state::vertex_input(pass);
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(pass.topology);
    let patches = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(pass.control_points);
    let (viewports, scissors) = state::viewports(pass);
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let raster =
        vk::PipelineRasterizationStateCreateInfo::default().front_face(pass.front).cull_mode(pass.cull).line_width(1.0);
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(pass.samples));
    let mut depth = vk::PipelineDepthStencilStateCreateInfo::default();
    if let Some(Depth { compare, .. }) = pass.depth {
        depth = depth.depth_test_enable(true).depth_write_enable(true).depth_compare_op(compare);
    }
    if pass.stencil {
        depth = depth.stencil_test_enable(true).front(state::STENCIL).back(state::STENCIL);
    }
    let blends = vec![state::blending(pass); pass.targets.len()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let formats: Vec<_> = pass.targets.iter().map(|target| target.format.vk).collect();
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    if pass.depth.is_some() {
        rendering = rendering.depth_attachment_format(Format::DEPTH.vk);
    }
    rendering = rendering.view_mask(view_mask(pass));
    if pass.stencil {
        rendering = rendering.stencil_attachment_format(Format::STENCIL.vk);
    }
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend);
    // A pipeline with a mesh shader has no state of vertices and patches.
    if !pass.is_mesh() {
        info = info.tessellation_state(&patches).vertex_input_state(&vertex_input).input_assembly_state(&assembly);
    }
    info = match subpass {
        Some(subpass) => info.render_pass(subpass.render_pass),
        None => info.push_next(&mut rendering),
    };
    match layouts {
        Layouts::Whole(layout) => {
            let mut all_flags = how.all_flags(vk::PipelineCreateFlags::empty());
            let mut info = info.layout(layout).flags(how.flags);
            if how.heaps.is_some() {
                info = info.push_next(&mut all_flags);
            }
            made::say("graphics", false, &shaders.iter().map(|shader| &shader.name).collect::<Vec<_>>());
            // SAFETY: every pointer in the create info outlives the call, and the modules and the
            // layout are alive.
            let result =
                unsafe { context.gpu.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
            first_pipeline(context, "vkCreateGraphicsPipelines", result)
        }
        Layouts::Libraries { linked, vertex, fragment } => link(context, &info, shaders, linked, [vertex, fragment]),
    }
}

/// Links a pipeline of libraries, one for each subset of its state; one with a mesh shader has no
/// vertex input. Each library's create info has the state of the whole pipeline, of which Vulkan
/// ignores what is not in the subset.
fn link<'c>(
    context: &'c Context,
    whole: &vk::GraphicsPipelineCreateInfo<'_>,
    shaders: &[Shader<'_>],
    linked: vk::PipelineLayout,
    [vertex, fragment]: [vk::PipelineLayout; 2],
) -> Result<Pipeline<'c>> {
    use vk::GraphicsPipelineLibraryFlagsEXT as Subset;
    let is_pixel = |shader: &&Shader<'_>| shader.flag == vk::ShaderStageFlags::FRAGMENT;
    let before: Vec<_> = shaders.iter().filter(|shader| !is_pixel(shader)).collect();
    let pixel: Vec<_> = shaders.iter().filter(is_pixel).collect();
    let of_dxil = shaders.iter().any(|shader| made::has_dxil(&[&shader.name]));
    let none = vk::PipelineLayout::null();
    let subsets = [
        (Subset::VERTEX_INPUT_INTERFACE, &[][..], none),
        (Subset::PRE_RASTERIZATION_SHADERS, &before[..], vertex),
        (Subset::FRAGMENT_SHADER, &pixel[..], fragment),
        (Subset::FRAGMENT_OUTPUT_INTERFACE, &[][..], none),
    ];
    let mut libraries = Vec::new();
    let is_mesh = before.iter().any(|shader| shader.flag == vk::ShaderStageFlags::MESH_EXT);
    for (subset, shaders, layout) in subsets.into_iter().skip(usize::from(is_mesh)) {
        let mut part = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(subset);
        let stages: Vec<_> = shaders.iter().map(|shader| shader.info()).collect();
        made::say("graphics", of_dxil, &shaders.iter().map(|shader| &shader.name).collect::<Vec<_>>());
        let info =
            whole.flags(vk::PipelineCreateFlags::LIBRARY_KHR).stages(&stages).layout(layout).push_next(&mut part);
        // SAFETY: every pointer in the create info outlives the call, and the modules and the
        // layout are alive.
        let result = unsafe { context.gpu.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
        libraries.push(first_pipeline(context, "vkCreateGraphicsPipelines", result)?);
    }
    let handles: Vec<_> = libraries.iter().map(|library| library.handle).collect();
    made::say("graphics", of_dxil, &[]);
    let mut parts = vk::PipelineLibraryCreateInfoKHR::default().libraries(&handles);
    let info = vk::GraphicsPipelineCreateInfo::default().layout(linked).push_next(&mut parts);
    // SAFETY: the libraries and the layout are alive.
    let result = unsafe { context.gpu.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    let mut pipeline = first_pipeline(context, "vkCreateGraphicsPipelines", result)?;
    // lavapipe uses the libraries whenever it draws with the linked pipeline.
    pipeline.libraries = libraries;
    Ok(pipeline)
}
