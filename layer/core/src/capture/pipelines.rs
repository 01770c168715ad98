//! Pipelines and shader objects as a whole.
//!
//! In: a create info, and the requests of its translated stages. Out: a record, if the pipeline or
//! a library that it links has DXIL. A pipeline library is always recorded, because it may later be
//! linked with DXIL.

use std::sync::Arc;

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::Digest;
use dxil_capture::model::{Command, Graphics, Group, Interface, Pipeline, PipelineLayout, Record};

use crate::capture::chains::chain;
use crate::capture::graphics;
use crate::capture::objects::{Capture, Library};
use crate::capture::stages::{self, CodeLocation, Codes};
use crate::translator::Request;
use crate::vulkan::arrays::{bytes, slice};
use crate::vulkan::create_info::PipelineCreateInfo;
use crate::vulkan::newer::SHADER_CREATE_DESCRIPTOR_HEAP;
use crate::vulkan::reads::{self, Flags};
use crate::vulkan::{chain as chains, shader_code};

type Libraries = vk::PipelineLibraryCreateInfoKHR<'static>;
type Flags2 = vk::PipelineCreateFlags2CreateInfoKHR<'static>;

/// The requests of the translated stages, each with the index of its stage.
pub type Requests = [(usize, Arc<Request>)];

/// A create info that can be captured.
pub trait Captured: PipelineCreateInfo {
    /// Records the pipeline. Returns the library if the pipeline is one.
    ///
    /// # Safety
    /// The create info must be valid.
    unsafe fn capture(&self, capture: &Capture, requests: &Requests) -> Option<Library> {
        if !requests.is_empty() {
            capture.left_out(
                PIPELINE_IS,
                requests,
                "the format has no ray-tracing pipelines of NV and no execution graphs",
            );
        }
        None
    }
}

const PIPELINE_IS: [&str; 2] = ["a pipeline", "is"];
/// Why what uses VK_EXT_descriptor_heap is not captured.
const IN_HEAPS: &str = "it uses descriptor heaps (VK_EXT_descriptor_heap), whose mappings the format does not have";

/// The members that all pipeline create infos have.
struct Common<'a> {
    command: Command,
    flags: Flags,
    stages: &'a [shader_code::Stage],
    libraries: Option<&'a Libraries>,
}

impl Capture {
    /// Records a pipeline if necessary; `rest` adds the members specific to its kind.
    ///
    /// # Safety
    /// The stages and libraries must be valid.
    unsafe fn pipeline(
        &self,
        common: Common<'_>,
        requests: &Requests,
        rest: impl FnOnce(&mut Pipeline),
    ) -> Option<Library> {
        let Common { command, flags, stages, libraries } = common;
        // SAFETY: the array of a valid structure.
        let libraries = libraries.map_or(&[][..], |l| unsafe { slice(l.p_libraries, l.library_count) });
        let libraries: Vec<Option<Library>> =
            libraries.iter().map(|&library| self.libraries.get(library).map(|library| *library)).collect();
        // SAFETY: the caller's stages.
        let locations: Vec<CodeLocation<'_>> =
            stages.iter().map(|stage| unsafe { stages::code_location(self, stage) }).collect();
        let has_dxil =
            locations.iter().any(CodeLocation::is_dxil) || libraries.iter().flatten().any(|library| library.has_dxil);
        let is_library = flags.has(vk::PipelineCreateFlags::LIBRARY_KHR);
        if !has_dxil && !is_library {
            return None;
        }
        if flags.uses_descriptor_heaps() {
            self.left_out(PIPELINE_IS, requests, IN_HEAPS);
            return None;
        }
        if locations.iter().any(|location| matches!(location, CodeLocation::Forgotten)) {
            self.left_out(
                PIPELINE_IS,
                requests,
                "the layer's cache does not have the container that a shader module identifier names",
            );
            return None;
        }
        let mut codes = Codes::default();
        // SAFETY: the caller's stages.
        let stage = |(stage, location): (_, &CodeLocation<'_>)| unsafe {
            stages::stage(stage, location.code(self, &mut codes))
        };
        let mut pipeline = Pipeline::new(command, stages.iter().zip(&locations).map(stage).collect());
        pipeline.flags = flags.bits;
        pipeline.libraries = libraries.into_iter().map(|library| Some(library?.name)).collect();
        rest(&mut pipeline);
        // Computing the name serialises the record a second time.
        let library = is_library.then(|| Library { name: pipeline.digest(), has_dxil });
        self.record(pipeline, requests);
        library
    }

    /// Records the shader objects of one call if one of them is DXIL.
    ///
    /// # Safety
    /// The create infos must be valid.
    pub unsafe fn shaders(&self, infos: &[vk::ShaderCreateInfoEXT<'static>], requests: &Requests) {
        let location = |info: &vk::ShaderCreateInfoEXT<'static>| match info.code_type {
            // SAFETY: the code of a valid create info.
            vk::ShaderCodeTypeEXT::SPIRV => CodeLocation::Bytes(unsafe { bytes(info.p_code, info.code_size) }),
            // A binary is usable only by its own driver.
            _ => CodeLocation::Missing,
        };
        let locations: Vec<CodeLocation<'_>> = infos.iter().map(location).collect();
        let in_heaps = |info: &vk::ShaderCreateInfoEXT<'_>| info.flags.contains(SHADER_CREATE_DESCRIPTOR_HEAP);
        if !locations.iter().any(CodeLocation::is_dxil) {
            return;
        }
        if infos.iter().any(in_heaps) {
            return self.left_out(["shader objects", "are"], requests, IN_HEAPS);
        }
        let mut codes = Codes::default();
        // SAFETY: the caller's create infos.
        let shader = |(info, location): (_, &CodeLocation<'_>)| unsafe {
            stages::shader(info, location.code(self, &mut codes), self)
        };
        self.record(
            Pipeline::new(Command::ShaderObjects, infos.iter().zip(&locations).map(shader).collect()),
            requests,
        );
    }

    /// Says that something with DXIL is not captured, and why. `what_is` has its name and a verb.
    fn left_out(&self, what_is: [&str; 2], requests: &Requests, reason: &str) {
        let [what, is] = what_is;
        let mut blobs: Vec<_> = requests.iter().map(|(_, request)| request.blob.short()).collect();
        blobs.dedup();
        // There is no request of DXIL that was refused.
        let of = if blobs.is_empty() { String::new() } else { format!(" of DXIL {}", blobs.join(", ")) };
        self.folder.warn(&format!("{what}{of} {is} not captured: {reason}"));
    }

    /// Writes a record, after the files that it refers to.
    fn record(&self, pipeline: Pipeline, requests: &Requests) {
        let mut names: Vec<Option<Digest>> = vec![None; pipeline.stages.len()];
        for (index, request) in requests {
            if let Some(name) = names.get_mut(*index) {
                *name = Some(self.folder.request(&request.to_string()));
            }
        }
        let device = self.device();
        self.folder.record(&Record { format: Record::FORMAT, device, requests: names, pipeline });
    }
}

impl Captured for vk::ComputePipelineCreateInfo<'static> {
    unsafe fn capture(&self, capture: &Capture, requests: &Requests) -> Option<Library> {
        // SAFETY: the chain of a valid create info.
        let (flags, from_binaries) = unsafe { (self.flags(), reads::made_from_binaries(self.p_next)) };
        let stages = if from_binaries { &[] } else { std::slice::from_ref(&self.stage) };
        let common = Common { command: Command::Compute, flags, stages, libraries: None };
        let rest = |pipeline: &mut Pipeline| {
            pipeline.layout = capture.layouts.named(self.layout);
            // SAFETY: the chain of a valid create info.
            pipeline.chain = unsafe { chain(self.p_next, &[Flags2::STRUCTURE_TYPE]) };
        };
        // SAFETY: the stage of a valid create info.
        unsafe { capture.pipeline(common, requests, rest) }
    }
}

impl Captured for vk::GraphicsPipelineCreateInfo<'static> {
    unsafe fn capture(&self, capture: &Capture, requests: &Requests) -> Option<Library> {
        // SAFETY: the chain of a valid create info, and the stages that Vulkan reads.
        let (flags, stages, libraries) = unsafe { (self.flags(), reads::stages(self), chains::find(self.p_next)) };
        let common = Common { command: Command::Graphics, flags, stages, libraries };
        let rest = |pipeline: &mut Pipeline| {
            // SAFETY: a valid create info.
            let (state, layout): (Graphics, Option<PipelineLayout>) = unsafe {
                let what = graphics::read_of(self, capture);
                let layout = if what.reads.layout { capture.layouts.named(self.layout) } else { None };
                (graphics::graphics(self, &what, capture), layout)
            };
            (pipeline.graphics, pipeline.layout) = (Some(state), layout);
            let elsewhere = [&[Flags2::STRUCTURE_TYPE, Libraries::STRUCTURE_TYPE], &graphics::STRUCTURES[..]].concat();
            // SAFETY: the chain of a valid create info.
            pipeline.chain = unsafe { chain(self.p_next, &elsewhere) };
        };
        // SAFETY: the stages and libraries of a valid create info.
        unsafe { capture.pipeline(common, requests, rest) }
    }
}

impl Captured for vk::RayTracingPipelineCreateInfoKHR<'static> {
    unsafe fn capture(&self, capture: &Capture, requests: &Requests) -> Option<Library> {
        // SAFETY: the members of a valid create info.
        let (flags, from_binaries, libraries) =
            unsafe { (self.flags(), reads::made_from_binaries(self.p_next), self.p_library_info.as_ref()) };
        // SAFETY: as above.
        let stages = if from_binaries { &[] } else { unsafe { slice(self.p_stages, self.stage_count) } };
        let common = Common { command: Command::RayTracing, flags, stages, libraries };
        let rest = |pipeline: &mut Pipeline| {
            // SAFETY: the members of a valid create info.
            let (groups, interface, dynamic) = unsafe {
                let dynamic = self.p_dynamic_state.as_ref();
                (
                    slice(self.p_groups, self.group_count),
                    self.p_library_interface.as_ref(),
                    dynamic.map_or(&[][..], |state| slice(state.p_dynamic_states, state.dynamic_state_count)),
                )
            };
            pipeline.layout = capture.layouts.named(self.layout);
            pipeline.groups = groups.iter().map(group).collect();
            pipeline.max_recursion = Some(self.max_pipeline_ray_recursion_depth);
            pipeline.interface = interface.map(|interface| Interface {
                max_payload: interface.max_pipeline_ray_payload_size,
                max_attributes: interface.max_pipeline_ray_hit_attribute_size,
            });
            pipeline.dynamic = dynamic.iter().map(|state| state.as_raw()).collect();
            // SAFETY: the chain of a valid create info.
            pipeline.chain = unsafe { chain(self.p_next, &[Flags2::STRUCTURE_TYPE]) };
        };
        // SAFETY: the stages and libraries of a valid create info.
        unsafe { capture.pipeline(common, requests, rest) }
    }
}

// The record format does not support these pipelines.
impl Captured for vk::RayTracingPipelineCreateInfoNV<'static> {}
impl Captured for vk::ExecutionGraphPipelineCreateInfoAMDX<'static> {}

fn group(group: &vk::RayTracingShaderGroupCreateInfoKHR<'static>) -> Group {
    let shader = |index: u32| (index != vk::SHADER_UNUSED_KHR).then_some(index);
    Group {
        ty: group.ty.as_raw(),
        general: shader(group.general_shader),
        closest_hit: shader(group.closest_hit_shader),
        any_hit: shader(group.any_hit_shader),
        intersection: shader(group.intersection_shader),
    }
}
