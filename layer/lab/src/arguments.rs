//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use dxil_capture::Digest;
use dxil_lab::run::Planted;

/// Turns DXIL into facts about Vulkan drivers.
#[derive(Parser)]
#[command(name = "dxil-lab", version)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Subcommand)]
pub enum Verb {
    /// Make pipelines of DXIL containers, without an application
    Synth(Synth),
    /// Make the pipelines of a capture on drivers
    Run(Run),
    /// A process of `run`
    #[command(hide = true)]
    Worker(Worker),
}

/// `synth`.
#[derive(Args)]
pub struct Synth {
    /// Containers, or folders that are searched for .dxil, .dxbc, .cso and .dxo files
    #[arg(required = true)]
    pub inputs: Vec<PathBuf>,
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
    /// Processes at once [default: one for each core]
    #[arg(short, long)]
    pub jobs: Option<usize>,
    /// The time that one pipeline may take, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub timeout: u64,
    /// The address space that a process may have, in MiB
    #[arg(long, default_value_t = 16384, value_name = "MIB")]
    pub memory: u64,
    /// Run without the validation layer
    #[arg(long)]
    pub no_validation: bool,
    /// Forget earlier results instead of going on behind them
    #[arg(long)]
    pub restart: bool,
    /// Print a line of JSON for each driver, and no progress
    #[arg(long)]
    pub json: bool,
    /// Make a fault in the driver's place, to try the lab: FAULT:PIPELINE
    #[arg(long, hide = true)]
    pub plant: Option<Planted>,
}

/// `worker`.
#[derive(Args)]
pub struct Worker {
    /// The capture
    pub capture: PathBuf,
    /// The driver's name for the results
    #[arg(long)]
    pub driver_name: String,
    /// The captured device
    #[arg(long)]
    pub device: Option<Digest>,
    /// Run without the validation layer
    #[arg(long)]
    pub no_validation: bool,
    /// A fault to make in the driver's place
    #[arg(long)]
    pub plant: Option<Planted>,
}
