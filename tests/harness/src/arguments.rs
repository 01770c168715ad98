//! Options that programs and test targets share.

use clap::Args;

use crate::judge::CodeKind;

/// How a fixture runs.
#[derive(Args)]
pub struct RunArguments {
    /// The code that runs
    #[arg(long, value_enum, default_value_t = CodeKind::Dxil)]
    pub code: CodeKind,
    /// A driver: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, default_value = "lavapipe")]
    pub driver: String,
    /// Enable the validation layer, below the layer or, with embedded code, above it; an error that
    /// it reports fails the fixture
    #[arg(long)]
    pub validation: bool,
    /// Disable robust buffer access
    #[arg(long)]
    pub no_robustness: bool,
}

/// The options that `cargo test -- …` passes to every test target of the workspace, and that change
/// nothing in a target without libtest.
#[derive(Args)]
pub struct LibtestArguments {
    #[arg(long, hide = true)]
    nocapture: bool,
    #[arg(long, short, hide = true)]
    quiet: bool,
}
