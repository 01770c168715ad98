//! Runs synthesised pipelines, and compares what two drivers make of them.
//!
//! In: a pipeline on a device, its record and its SPIR-V. Out: what its resources and targets
//! contain afterwards. What must hold: the inputs depend on the seed alone; a pipeline that the lab
//! cannot run is said with its reason; results that may differ between correct drivers are said to.
//!
//! | file | subject |
//! |---|---|
//! | `declared`, `survey`, `reader` | the resources that the modules declare, and how they are found |
//! | `usage`, `sum` | which words of buffers are floating-point numbers, and which are indexes of descriptors |
//! | `slots` | which descriptors of an array are what |
//! | `depends` | what results may depend on besides the inputs |
//! | `texel`, `formats` | the dimensions, formats and contents of images |
//! | `fill` | what the inputs contain |
//! | `picture` | images with their views |
//! | `scene` | an acceleration structure |
//! | `bind` | descriptor sets with a resource in every descriptor |
//! | `target`, `pass` | what pipelines draw to, without and with a render pass |
//! | `draw` | vertices, and the draw |
//! | `called` | what the stages of ray-tracing pipelines call |
//! | `rays`, `turns` | shader tables, and the trace of rays |
//! | `submit` | one run |
//! | `cover` | which blocks of the code ran |
//! | `compare` | the results of two drivers side by side |

mod bind;
mod called;
pub mod compare;
mod cover;
mod declared;
mod depends;
mod draw;
mod fill;
mod formats;
mod pass;
mod picture;
mod rays;
mod reader;
mod scene;
mod slots;
mod stop;
mod submit;
mod sum;
mod survey;
mod target;
mod texel;
mod turns;
mod usage;

use std::path::Path;

use dxil_capture::Digest;
use dxil_capture::model::{PipelineLayout, Record};

use crate::files::At as _;
use crate::results::{Execution, Inputs, Output, output_path};
use crate::vulkan::{Lab, Made, SetBinding};
use cover::Counters;
pub use cover::add_counters;
use declared::Declared;
use fill::{NumberRange, NumberSource};
pub use stop::{CannotRun, Stop};
use submit::Runner;

/// How often a pipeline runs. What differs from run to run depends on the order of threads.
const RUNS: u32 = 4;
/// How often it runs in each further round.
const LATER_RUNS: u32 = 2;

/// The largest integer of the inputs. An index beyond an array of descriptors is undefined, in D3D
/// as in Vulkan, and shaders add small numbers to what they read. Words that the lab knows to be
/// indexes have values of their own.
fn most(layout: &PipelineLayout, declared: &Declared) -> u32 {
    let bindings = (0..).zip(&layout.sets).flat_map(|(number, set)| {
        set.iter().flat_map(|set| &set.bindings).map(move |binding| ((number, binding.binding), binding.count))
    });
    let is_open = |(place, count): &((u32, u32), u32)| {
        declared.resources.get(place).is_some_and(|views| views.iter().any(|view| !view.is_followed(*count)))
    };
    let used = bindings.filter(is_open);
    used.map(|(_, count)| (count / 2).max(1)).min().unwrap_or(fill::MOST).min(fill::MOST)
}

/// A pipeline to run.
pub struct Subject<'a> {
    /// Its name.
    pub pipeline: Digest,
    /// The pipeline on the device.
    pub made: &'a Made<'a>,
    /// Its record.
    pub record: &'a Record,
    /// The SPIR-V that this driver got.
    pub modules: &'a [Vec<u32>],
    /// The SPIR-V of the stages that is the same on every machine, by which the inputs are chosen.
    pub everywhere: &'a [Vec<u32>],
    /// The place of the counters in its layout, and the stores of the blocks that are counted.
    pub counted: Option<(SetBinding, Vec<usize>)>,
    /// It runs once in each round. A capture of RenderDoc lacks what the host writes again between
    /// two runs, because RenderDoc looks for what the host changed.
    pub once: bool,
}

/// Runs a pipeline, and writes what it changed into the folder `outputs`.
///
/// # Errors
/// Why it was not run to its end.
pub fn execute(lab: &Lab, subject: Subject<'_>, how: Inputs, outputs: &Path) -> Result<Execution, Stop> {
    let Subject { pipeline, made, record, modules, everywhere, counted, once } = subject;
    let mut declared = survey::declared(modules)?;
    declared.take_numbers(survey::declared(everywhere)?);
    let Some(layout) = &record.pipeline.layout else { return Err(CannotRun::NoLayout.into()) };
    let bounds = if how.edges { NumberRange::Edge } else { NumberRange::Inside };
    let most = most(layout, &declared);
    let slots = slots::assign(layout, &mut declared)?;
    let mut execution = Execution {
        outputs: Vec::new(),
        is_stable: true,
        coverage: None,
        rounds: how.rounds,
        depends: Vec::new(),
        inputs: Digest([0; 32]),
        device_ns: None,
    };
    let counters = counted.map(|(place, blocks)| Counters::new(&lab.gpu, place, blocks)).transpose()?;
    for round in how.rounds.first..how.rounds.first.saturating_add(how.rounds.count) {
        let source = NumberSource { seed: how.seed, bounds, most, round };
        let bound = bind::bind(&lab.gpu, made, layout, (&declared, &slots), source)?;
        if let Some(counters) = &counters {
            counters.bind(&lab.gpu, &bound.sets);
            Runner::new(&lab.gpu, made, &record.pipeline, bound, source, &declared)?.run()?;
            execution.coverage = Some(counters.coverage());
            continue;
        }
        let runner = Runner::new(&lab.gpu, made, &record.pipeline, bound, source, &declared)?;
        execution.inputs = Digest::new(&[execution.inputs.0, runner.digest().0].concat());
        let first = runner.run()?;
        let mut shortest = runner.device_time()?;
        let mut is_stable = true;
        let runs = match round == how.rounds.first {
            _ if once => 1,
            true => RUNS,
            false => LATER_RUNS,
        };
        for _ in 1..runs {
            let again = runner.run()?;
            is_stable &= first.iter().zip(&again).all(|(first, again)| first.bytes == again.bytes);
            shortest = shortest.min(runner.device_time()?);
        }
        let shortest = shortest.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        execution.device_ns = execution.device_ns.map_or(shortest, |sum| Some(sum.saturating_add(shortest?)));
        execution.is_stable &= is_stable;
        for raw in first {
            let index = execution.outputs.len();
            if raw.is_changed {
                let path = output_path(outputs, pipeline, index);
                path.parent().map_or(Ok(()), std::fs::create_dir_all).at(&path)?;
                std::fs::write(&path, &raw.bytes).at(&path)?;
            }
            execution.outputs.push(Output {
                name: if round == 0 { raw.name } else { format!("round {round}, {}", raw.name) },
                element: raw.element,
                components: raw.components,
                bytes: raw.bytes.len(),
                digest: Digest::new(&raw.bytes),
                is_changed: raw.is_changed,
                round,
                is_stable,
                has_edges: raw.has_edges,
            });
        }
    }
    execution.depends = declared.depends;
    Ok(execution)
}
