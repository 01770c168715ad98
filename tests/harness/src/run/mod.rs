//! Runs one compiled form of a fixture on one device.
//!
//! In: the specification, a context, and the code of every stage of every pass. Out: the words of
//! every output. What must hold: a run as DXIL and a run as SPIR-V differ in the code only;
//! resources, layouts and commands are the same. All steps are in one submission, and a barrier
//! separates each step from the next.

mod attach;
mod bind;
pub mod capture;
mod code;
mod descriptor_buffer;
mod descriptors;
pub mod device_heaps;
mod geometry;
mod heap_buffers;
mod layouts;
mod made;
pub mod objects;
mod outputs;
mod pipeline;
mod rays;
mod state;
pub mod structures;
mod subpass;
pub mod time;
mod uses;

use std::time::{Duration, Instant};

use ash::vk;

use crate::error::{Error, Result};
use crate::spec::{Draw, Fixture, Pass, Step, Work};
use crate::vulkan::Context;
use attach::Attachments;
use bind::Bound;
use capture::Capture;
use geometry::Geometry;
use objects::Objects;
use pipeline::{How, Layouts, Pipeline, pipeline};
use rays::Tables;
use subpass::Subpass;

pub use code::Code;
pub use outputs::Outputs;

/// Checks that the device has the features that the fixture requires.
///
/// # Errors
/// A skip with the name of a missing feature.
pub fn check_requirements(fixture: &Fixture, context: &Context) -> Result<()> {
    let has = |name: &str| match name {
        // This extension has no feature struct.
        "stencil_export" => context.extensions.contains(&ash::ext::shader_stencil_export::NAME),
        _ => context.features.has(name),
    };
    match fixture.require.iter().find(|name| !has(name)) {
        Some(missing) => Err(Error::Skip(format!("the driver does not support {missing}"))),
        None => Ok(()),
    }
}

/// The compiled stages of a pass.
enum Shaders<'c> {
    Pipeline(Pipeline<'c>),
    Objects(Objects<'c>),
}

/// A pass, ready to run.
struct Prepared<'c> {
    shaders: Shaders<'c>,
    /// The shader binding tables of a ray-tracing pipeline.
    tables: Option<Tables<'c>>,
    /// The attachments and the vertex and index buffers of a graphics pipeline.
    drawing: Option<(Attachments<'c>, Geometry<'c>)>,
}

impl<'c> Prepared<'c> {
    fn new(
        pass: &Pass,
        draws: &[Draw],
        context: &'c Context,
        bound: &Bound<'c>,
        shaders: Shaders<'c>,
        subpass: Option<Subpass<'c>>,
    ) -> Result<Self> {
        let tables = match &shaders {
            Shaders::Pipeline(pipeline) if pass.is_rays() => Some(Tables::new(context, &pass.rays, pipeline, bound)?),
            _ => None,
        };
        let drawing = if pass.is_drawing() {
            Some((Attachments::new(context, bound, pass, subpass)?, Geometry::new(pass, draws, context)?))
        } else {
            None
        };
        Ok(Self { shaders, tables, drawing })
    }
}

/// A fixture with its resources and pipelines. It can run many times.
pub struct Program<'a> {
    fixture: &'a Fixture,
    context: &'a Context,
    // Fields are dropped in this order. The passes own views of images in `bound`, so they come
    // first.
    passes: Vec<Prepared<'a>>,
    bound: Bound<'a>,
    /// The buffers to which transform feedback writes, if it does.
    pub capture: Option<Capture<'a>>,
    /// The time that the creation of shader modules and pipelines, or of shader objects, took.
    pub pipelines_made_in: Duration,
}

impl<'a> Program<'a> {
    /// Creates the resources and pipelines, or shader objects if the context has them. `code` is in
    /// the order of [`Fixture::stages`].
    ///
    /// # Errors
    /// A skip, or else the Vulkan command that failed.
    pub fn new(fixture: &'a Fixture, context: &'a Context, code: &[Code<'_>]) -> Result<Self> {
        check_requirements(fixture, context)?;
        let mut bound = Bound::new(fixture, context)?;
        match &context.heaps {
            Some(commands) => bound.make_heaps(fixture, commands)?,
            None => {
                bound.make_layouts(fixture)?;
                bound.make_descriptors(fixture)?;
            }
        }
        let mut code = code;
        let (mut passes, mut pipelines_made_in) = (Vec::new(), Duration::ZERO);
        for (index, pass) in fixture.passes.iter().enumerate() {
            // A library may be several modules, one for each entry point.
            let is_own = |code: &&Code<'_>| pass.stages.iter().any(|stage| std::ptr::eq(stage, code.stage));
            let own = code.iter().take_while(is_own).count();
            let of_pass = code.split_off(..own).filter(|own| own.len() >= pass.stages.len());
            let of_pass = of_pass.ok_or_else(|| Error::Spec("the code of a stage is missing".into()))?;
            let layouts = match &pass.libraries {
                None => Layouts::Whole(bound.layout),
                Some(sets) => Layouts::Libraries {
                    linked: bound.layout,
                    vertex: bound.library_layout(&sets.vertex)?,
                    fragment: bound.library_layout(&sets.fragment)?,
                },
            };
            let start = Instant::now();
            let subpass = Subpass::new(context, fixture, pass)?;
            let of_buffers = fixture.descriptor_buffer && context.heaps.is_none();
            let flags = match of_buffers {
                true => vk::PipelineCreateFlags::DESCRIPTOR_BUFFER_EXT,
                false => vk::PipelineCreateFlags::empty(),
            };
            let how = How { flags, heaps: bound.heaps.as_ref() };
            let shaders = match &context.shader_objects {
                Some(commands) => Shaders::Objects(Objects::new(context, commands, &bound, pass, of_pass)?),
                None => Shaders::Pipeline(match layouts {
                    Layouts::Whole(layout) if pass.is_rays() => rays::pipeline(pass, context, layout, how, of_pass)?,
                    _ => pipeline(pass, context, layouts, how, subpass.as_ref(), of_pass)?,
                }),
            };
            pipelines_made_in += start.elapsed();
            let draws: Vec<_> = fixture.draws(index).collect();
            passes.push(Prepared::new(pass, &draws, context, &bound, shaders, subpass)?);
        }
        Ok(Self { fixture, context, passes, bound, capture: None, pipelines_made_in })
    }

    /// Restores the initial contents of every resource.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn reset(&self) -> Result<()> {
        self.bound.fill(self.fixture)
    }

    /// Runs all steps and waits for the queue.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn submit(&self) -> Result<()> {
        Ok(self.context.gpu.submit(|commands| self.record(commands, |_| {}))?)
    }

    /// Records all steps. `after` is called with the index of each step after it is recorded.
    pub fn record(&self, commands: vk::CommandBuffer, mut after: impl FnMut(u32)) {
        for (attachments, _) in self.passes.iter().filter_map(|pass| pass.drawing.as_ref()) {
            attachments.prepare(commands);
        }
        for (index, step) in (0..).zip(&self.fixture.steps) {
            match step {
                Step::Update(resource, words) => self.bound.update(self.fixture, commands, *resource, words),
                Step::Run(pass, work) => {
                    if let Some(pass) = self.passes.get(*pass) {
                        self.run(commands, pass, *work);
                    }
                }
            }
            self.context.gpu.barrier(commands);
            after(index);
        }
    }

    /// The names of the steps: the name of the pass, or `update`.
    pub fn step_names(&self) -> impl Iterator<Item = &str> {
        self.fixture.steps.iter().map(|step| match step {
            Step::Run(pass, _) => self.fixture.passes.get(*pass).map_or("", |pass| pass.name.as_str()),
            Step::Update(..) => "update",
        })
    }

    /// The number of steps.
    #[must_use]
    pub fn step_count(&self) -> usize {
        self.fixture.steps.len()
    }

    fn run(&self, commands: vk::CommandBuffer, pass: &Prepared<'_>, work: Work) {
        let point = match work {
            Work::Dispatch(_) => vk::PipelineBindPoint::COMPUTE,
            Work::Draw(_) | Work::Mesh(_) => vk::PipelineBindPoint::GRAPHICS,
            Work::Rays { .. } => vk::PipelineBindPoint::RAY_TRACING_KHR,
        };
        let device = &self.context.gpu.device;
        self.bound.bind(commands, point);
        match &pass.shaders {
            // SAFETY: the command buffer is recording, and the pipeline lives until `Gpu::submit`
            // has waited for the queue.
            Shaders::Pipeline(pipeline) => unsafe { device.cmd_bind_pipeline(commands, point, pipeline.handle) },
            Shaders::Objects(objects) => objects.bind(commands),
        }
        match (work, &pass.drawing) {
            (Work::Rays { size, raygen }, _) => {
                pass.tables.iter().for_each(|tables| tables.trace(commands, raygen, size));
            }
            // SAFETY: the command buffer is recording, and the pipeline and the sets and push
            // constants that it uses are bound.
            (Work::Dispatch([x, y, z]), _) => unsafe { device.cmd_dispatch(commands, x, y, z) },
            (Work::Draw(draw), Some((attachments, geometry))) => {
                let draw = || geometry.draw(self.context, commands, draw);
                attachments.render(commands, || match &self.capture {
                    Some(capture) => capture.around(commands, draw),
                    None => draw(),
                });
            }
            (Work::Mesh(groups), Some((attachments, _))) => {
                attachments.render(commands, || geometry::draw_mesh(self.context, commands, groups));
            }
            (Work::Draw(_) | Work::Mesh(_), None) => {}
        }
    }

    /// Reads every output.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn outputs(&self) -> Result<Outputs> {
        let mut outputs = self.bound.outputs(self.fixture)?;
        let drawings = self.passes.iter().filter_map(|pass| pass.drawing.as_ref());
        drawings.map(|(attachments, _)| attachments).try_for_each(|attachments| attachments.read(&mut outputs))?;
        Ok(outputs)
    }
}

/// Runs the fixture once and returns its outputs.
///
/// # Errors
/// A skip, or else the Vulkan command that failed.
pub fn run(fixture: &Fixture, context: &Context, code: &[Code<'_>]) -> Result<Outputs> {
    let program = Program::new(fixture, context, code)?;
    program.submit()?;
    program.outputs()
}
