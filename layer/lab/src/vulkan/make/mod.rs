//! Vulkan objects of records.
//!
//! In: a record and its capture. Out: a pipeline on the lab's device. What must hold: the create
//! infos say what the record says and nothing more; whatever was made is destroyed again, also when
//! a later command fails.
//!
//! | file | subject |
//! |---|---|
//! | `maker` | what these files share: the device, the capture, what was made |
//! | `error` | why there is no pipeline |
//! | `chain` | the structures of a `pNext` chain |
//! | `counts` | counts and indexes, before anything is made |
//! | `layout` | samplers, set layouts and pipeline layouts |
//! | `limits` | the limits of a device on the descriptors of a layout |
//! | `render_pass` | render passes |
//! | `stages` | modules and stages |
//! | `graphics` | the state of graphics pipelines |

mod chain;
mod counts;
mod error;
mod graphics;
mod layout;
mod limits;
mod maker;
mod render_pass;
mod stages;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use ash::vk;
use dxil_capture::model::{Command, Group, Pipeline, Record};
use dxil_capture::{Capture, Digest};
use dxil_vulkan::Objects;

use super::arena::Arena;
use super::device::Lab;
use maker::Maker;

pub use error::{Beyond, Incomplete, MakeError};

/// The deepest nesting of pipeline libraries. Vulkan has four subsets of a graphics pipeline.
const LIBRARY_DEPTH: u32 = 8;

/// A pipeline, with everything that it was made of. It is destroyed with this.
pub struct Made<'a> {
    _objects: Objects<'a>,
    /// The structures that were in the application's chains and are not in the capture, by `sType`.
    pub lost: Vec<i32>,
    /// The pipeline.
    pub pipeline: vk::Pipeline,
    /// Its layout; null for a pipeline library without one.
    pub layout: vk::PipelineLayout,
    /// Its render pass; null for a pipeline without one.
    pub render_pass: vk::RenderPass,
    /// The set layouts of the layout; null where another library defines the set.
    pub sets: Vec<vk::DescriptorSetLayout>,
}

/// Makes the pipeline of a record.
///
/// # Errors
/// What the capture lacks, or the command that failed.
pub fn make<'a>(lab: &'a Lab, capture: &Capture, record: &Record) -> Result<Made<'a>, MakeError> {
    let mut objects = Objects::new(&lab.gpu);
    let maker = Maker {
        lab,
        capture,
        arena: Arena::default(),
        libraries: RefCell::default(),
        lost: RefCell::default(),
        render_pass: Cell::default(),
    };
    let (pipeline, layout, sets) = maker.pipeline(&mut objects, &record.pipeline, 0)?;
    let render_pass = maker.render_pass.get();
    Ok(Made { _objects: objects, lost: maker.lost.into_inner(), pipeline, layout, render_pass, sets })
}

type MadePipeline = (vk::Pipeline, vk::PipelineLayout, Vec<vk::DescriptorSetLayout>);

/// The result of a command that creates pipelines: also a command that fails may have created some.
type Created = Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>;

/// The members that the create infos of all kinds of pipelines have.
struct Common {
    layout: vk::PipelineLayout,
    stages: Vec<vk::PipelineShaderStageCreateInfo<'static>>,
    flags: vk::PipelineCreateFlags,
    next: *const std::ffi::c_void,
}

impl Maker<'_> {
    fn pipeline(&self, objects: &mut Objects<'_>, pipeline: &Pipeline, depth: u32) -> Result<MadePipeline, MakeError> {
        counts::check(pipeline)?;
        let (layout, sets) = match &pipeline.layout {
            Some(layout) => self.layout(objects, layout)?,
            None => Default::default(),
        };
        let stages = self.stages(objects, &pipeline.stages)?;
        let mut next = self.chained(&pipeline.chain)?;
        let statistics = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR.as_raw();
        let flags = pipeline.flags | if self.lab.executables.is_some() { u64::from(statistics) } else { 0 };
        let short_flags = u32::try_from(flags).unwrap_or_else(|_| {
            // The older member has no space for them, and is not read then.
            let flags = vk::PipelineCreateFlags2KHR::from_raw(flags);
            let long = vk::PipelineCreateFlags2CreateInfoKHR { flags, p_next: next, ..Default::default() };
            next = self.arena.one(long).cast();
            0
        });
        let flags = vk::PipelineCreateFlags::from_raw(short_flags);
        let common = Common { layout, stages, flags, next };
        let (command, result) = match pipeline.command {
            Command::Compute => ("vkCreateComputePipelines", self.make_compute(common)?),
            Command::Graphics => ("vkCreateGraphicsPipelines", self.make_graphics(objects, pipeline, common, depth)?),
            Command::RayTracing => {
                ("vkCreateRayTracingPipelinesKHR", self.make_rays(objects, pipeline, common, depth)?)
            }
            Command::ShaderObjects => return Err(Incomplete::ShaderObjects.into()),
        };
        let (Ok(made) | Err((made, _))) = &result;
        let made: Vec<_> = made.iter().map(|pipeline| objects.pipeline(*pipeline)).collect();
        match result {
            Ok(_) => Ok((made.first().copied().unwrap_or_default(), layout, sets)),
            Err((_, result)) => Err(MakeError::Vulkan(dxil_vulkan::Error::Vulkan { command, result })),
        }
    }

    fn make_compute(&self, Common { layout, stages, flags, next }: Common) -> Result<Created, MakeError> {
        let [stage] = stages[..] else { return Err(Incomplete::ComputeStages(stages.len()).into()) };
        let info = vk::ComputePipelineCreateInfo { stage, layout, flags, p_next: next, ..Default::default() };
        // SAFETY: a create info of live objects.
        Ok(unsafe { self.lab.gpu.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) })
    }

    fn make_graphics(
        &self,
        objects: &mut Objects<'_>,
        pipeline: &Pipeline,
        Common { layout, stages, flags, next }: Common,
        depth: u32,
    ) -> Result<Created, MakeError> {
        let mut info = vk::GraphicsPipelineCreateInfo {
            stage_count: stages.len() as u32,
            p_stages: self.arena.all(stages),
            layout,
            flags,
            p_next: next,
            ..Default::default()
        };
        if let Some(state) = &pipeline.graphics {
            self.graphics(objects, state, &mut info)?;
        }
        if let Some(libraries) = self.libraries(objects, &pipeline.libraries, depth)? {
            let libraries = vk::PipelineLibraryCreateInfoKHR { p_next: info.p_next, ..libraries };
            info.p_next = self.arena.one(libraries).cast();
        }
        // SAFETY: a create info of live objects.
        Ok(unsafe { self.lab.gpu.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) })
    }

    fn make_rays(
        &self,
        objects: &mut Objects<'_>,
        pipeline: &Pipeline,
        Common { layout, stages, flags, next }: Common,
        depth: u32,
    ) -> Result<Created, MakeError> {
        let Some(rays) = &self.lab.rays else { return Err(Beyond::Rays.into()) };
        let groups: Vec<_> = pipeline.groups.iter().map(group).collect();
        let libraries = self.libraries(objects, &pipeline.libraries, depth)?;
        let interface = pipeline.interface.map(|interface| vk::RayTracingPipelineInterfaceCreateInfoKHR {
            max_pipeline_ray_payload_size: interface.max_payload,
            max_pipeline_ray_hit_attribute_size: interface.max_attributes,
            ..Default::default()
        });
        let info = vk::RayTracingPipelineCreateInfoKHR {
            stage_count: stages.len() as u32,
            p_stages: self.arena.all(stages),
            group_count: groups.len() as u32,
            p_groups: self.arena.all(groups),
            max_pipeline_ray_recursion_depth: pipeline.max_recursion.unwrap_or(1),
            p_library_info: libraries.map_or(std::ptr::null(), |libraries| self.arena.one(libraries)),
            p_dynamic_state: self.dynamic(&pipeline.dynamic),
            p_library_interface: interface.map_or(std::ptr::null(), |interface| self.arena.one(interface)),
            layout,
            flags,
            p_next: next,
            ..Default::default()
        };
        let (deferred, cache) = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
        // SAFETY: a create info of live objects.
        Ok(unsafe { rays.create_ray_tracing_pipelines(deferred, cache, &[info], None) })
    }

    /// The pipeline libraries that a pipeline links; `None` without any.
    fn libraries(
        &self,
        objects: &mut Objects<'_>,
        names: &[Option<Digest>],
        depth: u32,
    ) -> Result<Option<vk::PipelineLibraryCreateInfoKHR<'static>>, MakeError> {
        if names.is_empty() {
            return Ok(None);
        }
        if depth >= LIBRARY_DEPTH {
            return Err(Incomplete::Depth(LIBRARY_DEPTH).into());
        }
        let mut made = Vec::new();
        for name in names {
            let name = name.ok_or_else(|| MakeError::from(Incomplete::Library))?;
            made.push(once(&self.libraries, name, || {
                let record = self.capture.record(name)?;
                Ok::<_, MakeError>(self.pipeline(objects, &record.pipeline, depth + 1)?.0)
            })?);
        }
        Ok(Some(vk::PipelineLibraryCreateInfoKHR {
            library_count: made.len() as u32,
            p_libraries: self.arena.all(made),
            ..Default::default()
        }))
    }
}

/// What was made by this name, or what is made now. A library may be linked any number of times,
/// and so may those that link it, so the number of links has no bound; the number of records in the
/// capture has.
fn once<T: Copy, E>(
    made: &RefCell<BTreeMap<Digest, T>>,
    name: Digest,
    make: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    if let Some(known) = made.borrow().get(&name) {
        return Ok(*known);
    }
    let new = make()?;
    made.borrow_mut().insert(name, new);
    Ok(new)
}

fn group(group: &Group) -> vk::RayTracingShaderGroupCreateInfoKHR<'static> {
    let shader = |index: Option<u32>| index.unwrap_or(vk::SHADER_UNUSED_KHR);
    vk::RayTracingShaderGroupCreateInfoKHR {
        ty: vk::RayTracingShaderGroupTypeKHR::from_raw(group.ty),
        general_shader: shader(group.general),
        closest_hit_shader: shader(group.closest_hit),
        any_hit_shader: shader(group.any_hit),
        intersection_shader: shader(group.intersection),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a library that links the one below it a hundred times, and gives the number of those
    /// made.
    fn link(made: &RefCell<BTreeMap<Digest, u32>>, depth: u8, count: &mut u32) -> Result<u32, String> {
        for _ in 0..if depth == 0 { 0 } else { 100 } {
            once(made, Digest::new(&[depth]), || link(made, depth - 1, count))?;
        }
        *count += 1;
        Ok(*count)
    }

    #[test]
    fn a_library_is_made_once_however_often_it_is_linked() {
        let mut count = 0;
        link(&RefCell::default(), 8, &mut count).unwrap();
        assert_eq!(count, 9);
    }

    #[test]
    fn what_failed_is_not_cached() {
        let (made, name) = (RefCell::default(), Digest::new(b"library"));
        assert_eq!(once(&made, name, || Err("first")), Err::<u32, _>("first"));
        assert_eq!(once(&made, name, || Ok::<_, &str>(2)), Ok(2));
        assert_eq!(once(&made, name, || Err("third")), Ok(2));
    }
}
