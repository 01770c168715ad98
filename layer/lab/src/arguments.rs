//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use dxil_lab::exec::compare::Tolerance;
use dxil_lab::results::{Inputs, Rounds};
use dxil_lab::run::{Job, Selection, Shard, WorkerLimits};
use dxil_lab::suite::Filter;
use dxil_lab::vulkan::Injection;

/// Turns DXIL into findings about Vulkan drivers.
#[derive(Parser)]
#[command(name = "dxil-lab", version)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
pub enum Command {
    /// Make pipelines of DXIL containers, without an application
    Synth(Synth),
    /// Make the pipelines of a capture on drivers
    Run(Run),
    /// Run synthesised pipelines on drivers, and compare what they write
    Exec(Exec),
    /// Run pipelines as tests of GoogleTest's protocol, for deqp-runner
    Suite(Suite),
    /// Make the smallest pipeline on which a driver still fails
    Reduce(Reduce),
    /// Join the results of several shards
    Merge(Merge),
    /// Compare the sizes, statistics and times of two builds of a driver
    Diff(Diff),
    /// Measure how long two builds of a driver take to make pipelines, in turn
    Time(Time),
    /// Print results as comma-separated values
    Csv(Csv),
    /// Write the pipelines of a capture into a Fossilize database
    Foz(Foz),
    /// Show what `run`, `exec` and `reduce` found on one HTML page
    Report(Report),
    /// A process of `run`, `exec`, `reduce` and `foz`
    #[command(hide = true)]
    Worker(Worker),
}

/// `synth`.
#[derive(Args)]
pub struct Synth {
    /// Containers, databases and recordings that have some, or folders that are searched for .dxil,
    /// .dxbc, .cso, .dxo, .foz, .gfxr and .sodb files
    #[arg(required = true)]
    pub inputs: Vec<PathBuf>,
    /// The root signature of shaders that have none: a file in any form that the layer's setting
    /// takes
    #[arg(long, value_name = "FILE")]
    pub root_signature: Option<PathBuf>,
    /// The capture to add the pipelines to
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Print the list of pipelines as JSON
    #[arg(long)]
    pub json: bool,
}

/// `run`.
#[derive(Args)]
pub struct Run {
    /// A capture: of the layer (setting `capture_dir`) or of `dxil-lab synth`
    pub capture: PathBuf,
    /// A driver: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, default_value = "system")]
    pub driver: Vec<String>,
    /// The folder of the results [default: `results` in the capture]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Also write a recording of each pipeline for gfxrecon-replay, on each driver, into this
    /// folder
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// How pipelines are made.
    #[command(flatten)]
    pub how: WorkerArguments,
}

/// `exec`.
#[derive(Args)]
pub struct Exec {
    /// A capture of `dxil-lab synth`
    pub capture: PathBuf,
    /// A driver: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, default_value = "system")]
    pub driver: Vec<String>,
    /// The driver that the others are compared with
    #[arg(long, default_value = "lavapipe", value_name = "DRIVER")]
    pub against: String,
    /// The folder of the results [default: `exec` in the capture]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Which device of that driver: its index, or a part of its name [default: the first]
    #[arg(long, value_name = "NAME|INDEX")]
    pub against_device: Option<String>,
    /// What pipelines run with.
    #[command(flatten)]
    pub inputs: InputArguments,
    /// Also tell which blocks and which stores of the shaders ran on the reference
    #[arg(long)]
    pub coverage: bool,
    /// The part by which floating-point numbers may differ and are still close
    #[arg(long, default_value_t = Tolerance::default().float, value_name = "PART", value_parser = part)]
    pub tolerance: f64,
    /// Also write a recording of each pipeline for gfxrecon-replay, and a capture for RenderDoc, on
    /// each driver, into this folder
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// How pipelines are made.
    #[command(flatten)]
    pub how: WorkerArguments,
}

/// What pipelines run with.
#[derive(Args)]
pub struct InputArguments {
    /// The seed of the inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the numbers of the inputs lie; `edge` puts some beyond every buffer, or makes them
    /// infinite
    #[arg(long, value_enum, default_value_t = Bounds::Inside)]
    bounds: Bounds,
    /// How often each pipeline runs with other inputs: around zero, positive, wide, and so on
    #[arg(long, default_value_t = 3, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Run this round alone, counted from 0
    #[arg(long, value_name = "NUMBER", conflicts_with = "rounds", value_parser = clap::value_parser!(u32).range(..1000))]
    round: Option<u32>,
}

impl InputArguments {
    /// The inputs.
    pub fn inputs(&self) -> Inputs {
        let rounds = match self.round {
            Some(first) => Rounds { first, count: 1 },
            None => Rounds { first: 0, count: self.rounds },
        };
        Inputs { seed: self.seed, edges: self.bounds == Bounds::Edge, rounds }
    }
}

/// `merge`.
#[derive(Args)]
pub struct Merge {
    /// Folders of results
    #[arg(required = true)]
    pub results: Vec<PathBuf>,
    /// The folder of the joined results
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
}

/// `diff`.
#[derive(Args)]
pub struct Diff {
    /// The results of the first build: a file of `run`
    pub before: PathBuf,
    /// The results of the second build
    pub after: PathBuf,
    /// Print the numbers as JSON
    #[arg(long)]
    pub json: bool,
}

/// `time`.
#[derive(Args)]
pub struct Time {
    /// A capture: of the layer (setting `capture_dir`) or of `dxil-lab synth`
    pub capture: PathBuf,
    /// The first build: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, value_name = "DRIVER")]
    pub before: String,
    /// The second build
    #[arg(long, value_name = "DRIVER")]
    pub after: String,
    /// How often each build makes each pipeline
    #[arg(long, default_value_t = 5, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub repeat: u32,
    /// The folder of the results [default: `times` in the capture]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How pipelines are made.
    #[command(flatten)]
    pub how: WorkerArguments,
}

/// `csv`.
#[derive(Args)]
pub struct Csv {
    /// A file of results
    pub results: PathBuf,
    /// The capture, for the labels of its pipelines
    #[arg(long, value_name = "DIR")]
    pub capture: Option<PathBuf>,
}

/// `suite`.
#[derive(Args)]
pub struct Suite {
    /// A capture: of the layer (setting `capture_dir`) or of `dxil-lab synth`
    pub capture: PathBuf,
    /// A driver: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, default_value = "system")]
    pub driver: String,
    /// The driver whose results are right; without it, pipelines are made and not run
    #[arg(long, value_name = "DRIVER")]
    pub against: Option<String>,
    /// Which device of that driver: its index, or a part of its name [default: the first]
    #[arg(long, value_name = "NAME|INDEX", requires = "against")]
    pub against_device: Option<String>,
    /// The part by which floating-point numbers may differ and are still close
    #[arg(long, default_value_t = Tolerance::default().float, value_name = "PART", value_parser = part)]
    pub tolerance: f64,
    /// What pipelines run with.
    #[command(flatten)]
    pub inputs: InputArguments,
    /// Which pipelines.
    #[command(flatten)]
    pub selected: SelectionArguments,
    /// What a pipeline is made with.
    #[command(flatten)]
    pub made: PipelineArguments,
    /// Print the names of the tests
    #[arg(long = "gtest_list_tests")]
    pub list: bool,
    /// The tests to run: patterns with * and ?, with a : between them, and behind a - those to
    /// leave out
    #[arg(long = "gtest_filter", default_value = "*", value_name = "PATTERNS")]
    pub gtest_filter: Filter,
    /// Options of GoogleTest that change nothing here
    #[arg(long = "gtest_color", hide = true)]
    color: Option<String>,
    #[arg(long = "gtest_print_time", hide = true)]
    print_time: Option<String>,
    #[arg(long = "gtest_output", hide = true)]
    output: Option<String>,
}

/// `report`.
#[derive(Args)]
pub struct Report {
    /// The capture
    pub capture: PathBuf,
    /// A folder of results or bundles [default: `results`, `exec` and `bundles` in the capture]
    #[arg(long, value_name = "DIR")]
    pub results: Vec<PathBuf>,
    /// The page [default: `report.html` in the capture]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print the totals as JSON, and no progress
    #[arg(long)]
    pub json: bool,
}

/// `--bounds`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bounds {
    /// Integers from 0 to 32, numbers from -0.5 to 1.5
    Inside,
    /// One number of eight is an edge
    Edge,
}

/// How pipelines are made.
#[derive(Args)]
pub struct WorkerArguments {
    /// Processes at once [default: one for each core]
    #[arg(short, long)]
    pub jobs: Option<usize>,
    /// What a pipeline is made with.
    #[command(flatten)]
    pub made: PipelineArguments,
    /// Which pipelines.
    #[command(flatten)]
    pub selected: SelectionArguments,
    /// Forget earlier results instead of going on behind them
    #[arg(long)]
    pub restart: bool,
    /// Print a line of JSON for each driver, and no progress
    #[arg(long)]
    pub json: bool,
}

/// Which pipelines of a capture.
#[derive(Args)]
pub struct SelectionArguments {
    /// Only the pipelines whose names begin so; can be given several times
    #[arg(long, value_name = "NAME")]
    pipeline: Vec<String>,
    /// Only the pipelines whose labels have this part; can be given several times
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Only part I of N, which is the same on every machine
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

impl SelectionArguments {
    /// The selection.
    pub fn selection(&self) -> Selection {
        Selection { pipelines: self.pipeline.clone(), labels: self.filter.clone(), shard: self.shard }
    }
}

/// What one pipeline is made with.
#[derive(Args)]
pub struct PipelineArguments {
    /// Which device, where a driver or the system has several: its index, or a part of its name
    /// [default: the first]
    #[arg(long, value_name = "NAME|INDEX")]
    pub device: Option<String>,
    /// The time that one pipeline may take, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// The address space that a process may have, in MiB
    #[arg(long, default_value_t = 16384, value_name = "MIB")]
    memory: u64,
    /// Run without the validation layer
    #[arg(long)]
    pub no_validation: bool,
    /// A layer to put between the lab's layer and the driver (VK_ADD_LAYER_PATH names the folder of
    /// its manifest)
    #[arg(long, value_name = "NAME")]
    pub layer: Vec<String>,
    /// Make a fault in the driver's place, to try the lab: FAULT[@INSTRUCTION][:PIPELINE]
    #[arg(long, hide = true)]
    pub inject: Option<Injection>,
}

impl PipelineArguments {
    /// What a worker process may take for it.
    pub fn limits(&self) -> WorkerLimits {
        WorkerLimits { time: Duration::from_secs(self.timeout), memory_mib: self.memory }
    }
}

/// `foz`.
#[derive(Args)]
pub struct Foz {
    /// A capture: of the layer (setting `capture_dir`) or of `dxil-lab synth`
    pub capture: PathBuf,
    /// The database to write, a file .foz
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// The driver whose features and limits count: lavapipe, swiftshader, system, or the path of a
    /// driver's JSON file
    #[arg(long, default_value = "system")]
    pub driver: String,
    /// Which device, where a driver or the system has several: its index, or a part of its name
    /// [default: the first]
    #[arg(long, value_name = "NAME|INDEX")]
    pub device: Option<String>,
    /// Print what was written as JSON
    #[arg(long)]
    pub json: bool,
}

/// `worker`.
#[derive(Args)]
pub struct Worker {
    /// The capture
    pub capture: PathBuf,
    /// What to do, as JSON
    #[arg(value_parser = job)]
    pub job: Job,
}

fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part: &f64| part.is_finite() && *part >= 0.0);
    part.ok_or_else(|| format!("expected a number from 0 on, as 0.001, found `{text}`"))
}

fn job(text: &str) -> Result<Job, serde_json::Error> {
    serde_json::from_str(text)
}

/// `reduce`.
#[derive(Args)]
pub struct Reduce {
    /// A capture: of the layer (setting `capture_dir`) or of `dxil-lab synth`
    pub capture: PathBuf,
    /// The name of the pipeline, or the beginning of it
    pub pipeline: String,
    /// A driver: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, default_value = "system")]
    pub driver: String,
    /// Keep that the results differ from those of this driver, instead of the outcome
    #[arg(long, value_name = "DRIVER")]
    pub against: Option<String>,
    /// Which device of that driver: its index, or a part of its name [default: the first]
    #[arg(long, value_name = "NAME|INDEX", requires = "against")]
    pub against_device: Option<String>,
    /// What pipelines run with.
    #[command(flatten)]
    pub inputs: InputArguments,
    /// The part by which floating-point numbers may differ and are still close
    #[arg(long, default_value_t = Tolerance::default().float, value_name = "PART", value_parser = part, requires = "against")]
    pub tolerance: f64,
    /// The folder of the bundle, which must not be there yet
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// What a pipeline is made with.
    #[command(flatten)]
    pub made: PipelineArguments,
    /// The most pipelines that the driver is given
    #[arg(long, default_value_t = 5000, value_name = "COUNT")]
    pub questions: usize,
    /// The longest time for all of it, in seconds
    #[arg(long, default_value_t = 1800, value_name = "SECONDS")]
    pub time: u64,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}
