//! The command line.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

/// Translates DXIL to SPIR-V.
#[derive(Debug, Parser)]
#[command(name = "dxil2spv", version, about, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    translate: Option<Translate>,
}

const EXIT_CODES: &str = "\
Messages have the form FILE: error: KIND at PLACE: TEXT.
Exit codes: 0 success, 1 malformed input, 2 wrong arguments or a file that can not be read or written,
3 not supported, 4 a Vulkan feature is missing in the profile, 5 bindings, 6 a limit, 7 a fault of the translator.";

/// What to do. Without a subcommand: translate.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Translate a shader, or print a stage of its translation
    #[command(after_help = EXIT_CODES)]
    Translate(Translate),
}

/// Translate a shader.
#[derive(Args, Clone, Debug)]
pub struct Translate {
    /// DXIL container or LLVM bitcode; - is standard input
    pub file: PathBuf,
    /// Where to write; - is standard output. Default: standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Emit::Container)]
    pub emit: Emit,
    /// Report on standard error what is odd about the input but no fault
    #[arg(short, long)]
    pub verbose: bool,
}

/// A stage of the translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// Parts of the container, as text
    Container,
    /// The LLVM module, as text
    Bitcode,
}

impl Arguments {
    /// The command that the command line asks for. Exits where it is wrong, as the parser does.
    pub fn command_line() -> Command {
        let arguments = Self::parse();
        match (arguments.command, arguments.translate) {
            (Some(command), _) => command,
            (None, Some(translate)) => Command::Translate(translate),
            (None, None) => {
                <Self as CommandFactory>::command().error(ErrorKind::MissingRequiredArgument, "FILE is missing").exit()
            }
        }
    }
}

impl Command {
    /// The file that a message without a better one is about.
    pub fn first_file(&self) -> &Path {
        match self {
            Command::Translate(translate) => &translate.file,
        }
    }
}
