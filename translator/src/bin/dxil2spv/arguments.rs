//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use dxil_translator::{BindingOptions, Bounds, DeviceProfile, Model, Options, RegisterShifts, VertexLocations};

/// Translates DXIL to SPIR-V, and prints every stage on the way there.
#[derive(Debug, Parser)]
#[command(name = "dxil2spv", version, about, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
`dxil2spv FILE …` is short for `dxil2spv translate FILE …`. FILE - is standard input, OUT - is standard output.
Messages have the form FILE: error: KIND at PLACE: TEXT.
Exit codes: 0 success, 1 malformed input, 2 wrong arguments or a file that can not be read or written,
3 not supported, 4 a Vulkan feature is missing in the profile, 5 bindings, 6 a limit, 7 a fault of the translator.";

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Translate a shader, or print a stage of its translation
    #[command(after_help = EXIT_CODES)]
    Translate(Translate),
    /// Print where the resources of a pipeline's shaders live: one plan per shader, as --bindings reads it
    Layout(Layout),
    /// Print versions, entry points and resources of a shader, of stages that are not translated as well
    Resources(Resources),
}

/// What a request says, and so no option beside it may say.
const OPTIONS_OF_A_REQUEST: [&str; 13] = [
    "bindings",
    "names",
    "invert_y",
    "vulkan_vertex_ids",
    "feeds_stage",
    "dual_source",
    "samples",
    "bounds",
    "vertex_locations",
    "entry",
    "profile",
    "model",
    "shifts",
];

/// Translate a shader.
#[derive(Args, Clone, Debug)]
pub struct Translate {
    /// DXIL container or LLVM bitcode. With --request it may be left out: then DIGEST.dxil beside the request is read
    #[arg(required_unless_present = "request")]
    pub file: Option<PathBuf>,
    /// Repeat a translation: a request's text, as a dump of the layer or --emit request has it
    #[arg(long, value_name = "FILE", conflicts_with_all = OPTIONS_OF_A_REQUEST)]
    pub request: Option<PathBuf>,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Emit::Spirv)]
    pub emit: Emit,
    /// A dumped plan to bind by, as --emit bindings and layout write it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "shifts"])]
    pub bindings: Option<PathBuf>,
    /// Hold the module to the SPIR-V validator (needs the cargo feature `validate`)
    #[arg(long)]
    pub validate: bool,
    /// Write OpName for what the shader names
    #[arg(long)]
    pub names: bool,
    /// Flip the sign of the position's y in the last stage before rasterization
    #[arg(long)]
    pub invert_y: bool,
    /// Vertex and instance ids with the base included, as Vulkan has them
    #[arg(long)]
    pub vulkan_vertex_ids: bool,
    /// The outputs go to another shader stage, not to the rasterizer: layer and viewport are plain values
    #[arg(long)]
    pub feeds_stage: bool,
    /// Target 0 is blended with two sources
    #[arg(long)]
    pub dual_source: bool,
    /// Samples of the pipeline's targets; 0 where they are not known
    #[arg(long, default_value_t = 0)]
    pub samples: u32,
    /// Who answers for out-of-bounds accesses
    #[arg(long, value_enum, default_value_t = BoundsBy::Auto)]
    pub bounds: BoundsBy,
    /// Where vertex inputs are
    #[arg(long, value_enum, default_value_t = LocationsBy::Order)]
    pub vertex_locations: LocationsBy,
    /// Report on standard error what is odd about the input but no fault
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Plan a pipeline.
#[derive(Args, Clone, Debug)]
pub struct Layout {
    /// The DXIL containers of the pipeline's stages
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
}

/// List what a shader declares.
#[derive(Args, Clone, Debug)]
pub struct Resources {
    /// DXIL container or LLVM bitcode
    pub file: PathBuf,
}

/// What every command with bindings needs.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Entry point, where a container has several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// What the device has enabled: vulkan-1.1-floor, vulkan-1.3-desktop, lavapipe, or a profile's text file
    #[arg(long, value_name = "NAME|FILE", default_value = "vulkan-1.3-desktop")]
    pub profile: PathBuf,
    /// Binding model: auto, register or root-signature
    #[arg(long, default_value_t = Model::Auto)]
    pub model: Model,
    /// Shifts of the register model, as t=100,u=200 [default: c=1000, others 0]
    #[arg(long, default_value_t = RegisterShifts::default(), hide_default_value = true)]
    pub shifts: RegisterShifts,
}

impl Common {
    /// The binding options.
    pub fn binding(&self) -> BindingOptions {
        let mut options = BindingOptions::default();
        options.model = self.model;
        options.shifts = self.shifts;
        options
    }
}

impl Translate {
    /// The file that the command is about: the container where it is named, else the request.
    pub fn subject(&self) -> &Path {
        let file = self.file.as_deref().or(self.request.as_deref());
        file.unwrap_or(Path::new(crate::files::STREAM))
    }

    /// The options of the translation, for a device.
    pub fn options(&self, profile: DeviceProfile) -> Options {
        let mut options = Options::new(profile);
        options.names = self.names;
        options.invert_y = self.invert_y;
        options.vulkan_vertex_ids = self.vulkan_vertex_ids;
        options.facts.dual_source = self.dual_source;
        options.facts.feeds_stage = self.feeds_stage;
        options.facts.samples = self.samples;
        options.bounds = match self.bounds {
            BoundsBy::Auto => Bounds::Auto,
            BoundsBy::Driver => Bounds::Driver,
            BoundsBy::Emit => Bounds::Emit,
        };
        options.vertex_locations = match self.vertex_locations {
            LocationsBy::Order => VertexLocations::Order,
            LocationsBy::Row => VertexLocations::Row,
            LocationsBy::Texcoord => VertexLocations::Texcoord,
        };
        options
    }
}

/// A stage of the translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// Parts of the container, as text
    Container,
    /// The LLVM module, as text
    Bitcode,
    /// The DXIL program: entry point, resources, signatures and typed IR, as text
    Dxil,
    /// The structured control flow of each function, as text
    Tree,
    /// The binding plan, as text
    Bindings,
    /// The request that repeats the translation, as text
    Request,
    /// SPIR-V, binary
    Spirv,
    /// SPIR-V, as text
    Asm,
}

/// [`Bounds`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoundsBy {
    /// The driver where the profile has a robustness feature that covers it, else emitted checks
    Auto,
    /// The driver, always
    Driver,
    /// Emitted checks, always
    Emit,
}

/// [`VertexLocations`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LocationsBy {
    /// Rows counted over elements that are no system values, in signature order
    Order,
    /// The packed row of the signature
    Row,
    /// TEXCOORDn at n
    Texcoord,
}

impl Arguments {
    /// The command that the command line asks for. Exits where it is wrong, as the parser does.
    pub fn command_line() -> Command {
        let mut words: Vec<OsString> = std::env::args_os().collect();
        let known = |word: &OsString| {
            let command = <Self as CommandFactory>::command();
            let own = ["help", "-h", "--help", "-V", "--version"];
            word.to_str().is_some_and(|word| own.contains(&word) || command.find_subcommand(word).is_some())
        };
        if words.get(1).is_some_and(|word| !known(word)) {
            words.insert(1, "translate".into());
        }
        Self::parse_from(words).command
    }
}

impl Command {
    /// The file that a message without a better one is about.
    pub fn first_file(&self) -> &Path {
        match self {
            Command::Translate(translate) => translate.subject(),
            Command::Layout(layout) => layout.files.first().map_or(Path::new("-"), PathBuf::as_path),
            Command::Resources(resources) => &resources.file,
        }
    }
}
