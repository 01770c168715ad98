//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use dxil_base::text::similar;
use dxil_translator::{
    BindingOptions, Bounds, Budget, Debug, DeviceProfile, HeapCounters, Model, Options, RawVectors, RegisterShifts,
    RootDescriptors, RootTables, RootVersion, SpaceMap, StreamOutput, Swizzle, VertexLocations, ViewInstancing,
};

/// Translates DXIL to SPIR-V, and prints every intermediate stage of the translation.
#[derive(Debug, Parser)]
#[command(name = "dxil2spv", version = VERSION, about, after_help = EXIT_CODES)]
#[command(arg_required_else_help = true, override_usage = USAGE)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print a device profile as text, with a comment for each key: a built-in one, or that of a
    /// file
    #[arg(long, value_name = "NAME|FILE", exclusive = true)]
    print_profile: Option<PathBuf>,
    /// Print a script that completes this tool's arguments in a shell
    #[arg(long, value_name = "SHELL", exclusive = true)]
    completions: Option<Shell>,
    /// Print the manual page, for `man -l`
    #[arg(long, exclusive = true)]
    manual: bool,
}

/// What the command line asks for.
#[derive(Clone, Debug)]
pub enum Action {
    /// A subcommand.
    Command(Box<Command>),
    /// `--print-profile`.
    Profile(PathBuf),
    /// `--completions`.
    Completions(Shell),
    /// `--manual`.
    Manual,
}

/// The name of standard input and output.
pub const STREAM: &str = "-";

/// The version, and the commit that the build script found.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("DXIL2SPV_BUILD"));

const USAGE: &str = "\
dxil2spv FILE [OPTIONS]
       dxil2spv COMMAND …
       dxil2spv --print-profile NAME
       dxil2spv --completions SHELL
       dxil2spv --manual";

const EXIT_CODES: &str = "\
`dxil2spv FILE …` is short for `dxil2spv translate FILE …`. FILE - is standard input, OUT - is standard output.
Messages have the form FILE: error: KIND at PLACE: TEXT. Further lines of a message are indented.
Exit codes: 0 success, 1 malformed input, 2 wrong arguments or a file that cannot be read or written,
3 the input uses something that is not supported, 4 the profile lacks a Vulkan feature that the shader needs,
5 a resource has no suitable binding, 6 a limit is exceeded, 7 a fault of the translator.";

/// The subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Translate a shader, or print a stage of its translation
    #[command(after_help = EXIT_CODES)]
    Translate(Box<TranslateArguments>),
    /// Print where the resources of a pipeline's shaders live: one plan per shader, in the form
    /// that --bindings reads, and the pipeline layout to declare for all of them
    Layout(Box<LayoutArguments>),
    /// Print versions, entry points and resources of a shader, also for stages that are not
    /// translated
    Resources(ResourcesArguments),
    /// Write an HTML page that shows a shader's source, DXIL, structured control flow and SPIR-V
    /// side by side, linked line by line, with its bindings and its control-flow graphs
    Explain(Box<ExplainArguments>),
    /// Convert a root signature between its forms
    Rootsig(RootsigArguments),
    /// Write a valid SPIR-V module that carries a DXIL container. The layer takes the container
    /// out; without the layer the module does nothing (docs/layer.md, "DXIL embedded in SPIR-V")
    Embed(EmbedArguments),
    /// Take the DXIL container out of a module that `embed` wrote
    Extract(ExtractArguments),
}

/// The options that a request states already. They cannot be given together with --request.
const OPTIONS_OF_A_REQUEST: &[&str] = &[
    "bindings",
    "names",
    "debug",
    "invert_y",
    "vulkan_vertex_ids",
    "feeds_stage",
    "dual_source",
    "sample_shading",
    "wide_interface",
    "samples",
    "samples_constant",
    "mesh_shader",
    "hull_shader",
    "stream_output",
    "output_swizzles",
    "patch_location",
    "view_instancing",
    "bounds",
    "raw_vectors",
    "vertex_locations",
    "entry_point_name",
    "invariant_position",
    "precise",
    "entry",
    "profile",
    "model",
    "shifts",
    "root_descriptors",
    "root_tables",
    "spaces",
    "resource_heap_set",
    "sampler_heap_set",
    "heap_counter_set",
    "heap_counters",
    "root_signature",
    "local_root_signature",
    "map",
];

/// The arguments of `dxil2spv translate`.
#[derive(Args, Clone, Debug)]
pub struct TranslateArguments {
    /// DXIL container, alone or embedded in SPIR-V, or LLVM bitcode. Without it, --request reads
    /// DIGEST.dxil in the folder of the request, or in the folder blobs of the same capture
    #[arg(required_unless_present = "request")]
    pub file: Option<PathBuf>,
    /// Repeat a translation. FILE is the text of a request: a dump of the layer, or the output of
    /// --emit request
    #[arg(long, value_name = "FILE", conflicts_with_all = OPTIONS_OF_A_REQUEST)]
    pub request: Option<PathBuf>,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Emit::Spirv)]
    pub emit: Emit,
    /// Take the bindings from a plan, in the form that --emit bindings and `layout` write
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "shifts", "root_signature", "local_root_signature", "map"])]
    pub bindings: Option<PathBuf>,
    /// Check the module with the SPIR-V validator (needs the cargo feature `validate`)
    #[arg(long)]
    pub validate: bool,
    /// Write OpName for everything that the shader names, and for resources: their names in the
    /// source where a debug part of the container has them, otherwise their registers
    #[arg(long)]
    pub names: bool,
    /// Write what the container's debug information says of the source: its lines, or all, with
    /// scopes, types and variables (NonSemantic.Shader.DebugInfo.100)
    #[arg(long, value_enum, default_value_t = DebugText::None)]
    pub debug: DebugText,
    /// Negate the y coordinate of the position in the last stage before rasterization
    #[arg(long)]
    pub invert_y: bool,
    /// Let SV_VertexID and SV_InstanceID include the base, as Vulkan does and D3D does not
    #[arg(long)]
    pub vulkan_vertex_ids: bool,
    /// Another shader stage reads the outputs, so layer and viewport are plain values
    #[arg(long)]
    pub feeds_stage: bool,
    /// The pipeline blends target 0 with two sources: SV_Target1 is the second one
    #[arg(long)]
    pub dual_source: bool,
    /// The pipeline's state makes the pixel shader run several times for a pixel
    /// (sampleShadingEnable)
    #[arg(long)]
    pub sample_shading: bool,
    /// Give 16-bit values between stages 32 bits, also on devices with 16-bit interfaces: for all
    /// stages of a pipeline whose pixel shader evaluates 16-bit inputs at other places
    #[arg(long)]
    pub wide_interface: bool,
    /// Sample count of the pipeline's targets: 1, 2, 4, 8, 16, 32 or 64; 0 if it is not known
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = sample_count)]
    pub samples: u32,
    /// The id of a specialisation constant that has the sample count of the pipeline's targets
    #[arg(long, value_name = "ID", conflicts_with = "samples")]
    pub samples_constant: Option<u32>,
    /// The mesh shader of the pipeline of a pixel shader: a DXIL container. D3D links the two by
    /// semantics, and only the mesh shader says which inputs have one value per primitive
    #[arg(long, value_name = "FILE")]
    pub mesh_shader: Option<PathBuf>,
    /// The hull shader before a domain shader that becomes a shader object: a DXIL container. D3D's
    /// hull shader says how patches are divided, and Vulkan asks the domain shader of a shader
    /// object
    #[arg(long, value_name = "FILE")]
    pub hull_shader: Option<PathBuf>,
    /// Write these outputs of the last stage before the rasterizer to buffers as well
    /// (VK_EXT_transform_feedback): SEMANTIC=STREAM:BUFFER:OFFSET:STRIDE, with the semantic's
    /// index, and offset and stride in bytes
    #[arg(long, value_name = "PLACE,…", value_delimiter = ',')]
    pub stream_output: Vec<StreamOutput>,
    /// The components of a pixel shader's outputs in the order in which targets 0 to 7 get them,
    /// for example wxyz,xyzw
    #[arg(long, value_name = "ORDER,…", value_delimiter = ',')]
    pub output_swizzles: Vec<Swizzle>,
    /// First location of patch constants, above the rows of the control points: the same for the
    /// hull and the domain shader of a pipeline [default: 16]
    #[arg(long, value_name = "LOCATION")]
    pub patch_location: Option<u32>,
    /// The ids of two specialisation constants for view instancing by multiview, with four bits for
    /// each number: the view instance of each view, and the viewport of each instance
    #[arg(long, value_name = "INSTANCES:VIEWPORTS")]
    pub view_instancing: Option<ViewInstancing>,
    /// Who makes accesses outside a resource harmless
    #[arg(long, value_enum, default_value_t = BoundsBy::Auto)]
    pub bounds: BoundsBy,
    /// How several components of a byte-address buffer are accessed
    #[arg(long, value_enum, default_value_t = VectorsBy::Aligned)]
    pub raw_vectors: VectorsBy,
    /// How the inputs of a vertex shader get their locations
    #[arg(long, value_enum, default_value_t = LocationsBy::Order)]
    pub vertex_locations: LocationsBy,
    /// Give the entry point this name in the module, instead of the shader's own
    #[arg(long, value_name = "NAME")]
    pub entry_point_name: Option<String>,
    /// Decorate the positions that the shader writes as Invariant
    #[arg(long)]
    pub invariant_position: bool,
    /// Decorate all arithmetic with floats as NoContraction, as if the source said `precise`
    #[arg(long)]
    pub precise: bool,
    /// Let the shader cost this many times the default budget of time and memory (docs/limits.md)
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    pub budget: u32,
    /// Report on standard error what is unusual about the input without being an error
    #[arg(short, long)]
    pub verbose: bool,
    /// Entry point to use, by its plain or mangled name [default: one module with all entry points]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub common: PlanningArguments,
}

/// The arguments of `dxil2spv layout`.
#[derive(Args, Clone, Debug)]
pub struct LayoutArguments {
    /// The DXIL containers of the pipeline's stages
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Print one JSON document instead of text: the plans, and the pipeline layout with Vulkan's
    /// names and numbers (docs/pipeline-layout.md)
    #[arg(long)]
    pub json: bool,
    /// Print the plans alone, without the pipeline layout
    #[arg(long, conflicts_with = "json")]
    pub plan: bool,
    /// Entry point to use, by its plain or mangled name. May be given several times; each file then
    /// has at least one of them [default: all entry points]
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,
    #[command(flatten)]
    pub common: PlanningArguments,
}

/// The arguments of `dxil2spv resources`.
#[derive(Args, Clone, Debug)]
pub struct ResourcesArguments {
    /// DXIL container or LLVM bitcode
    pub file: PathBuf,
    /// Print a JSON document, of shaders that can be translated
    #[arg(long)]
    pub json: bool,
    /// Read a container that was changed after it was signed: its digest is not that of its content
    #[arg(long)]
    pub any_digest: bool,
    /// Look for PDB files, which have the names of resources, in this folder before the folder of
    /// FILE
    #[arg(long, value_name = "FOLDER")]
    pub pdb_path: Option<PathBuf>,
}

/// The arguments of `dxil2spv explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArguments {
    /// DXIL container, alone or embedded in SPIR-V, or LLVM bitcode
    pub file: PathBuf,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Entry point to show, by its plain or mangled name [default: all]
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub common: PlanningArguments,
}

/// The arguments of `dxil2spv rootsig`.
#[derive(Args, Clone, Debug)]
pub struct RootsigArguments {
    /// DXIL container, LLVM bitcode with `dx.rootsignatures` metadata, content of an RTS0 part, or
    /// HLSL root signature text. The tool tells them apart by their content
    pub file: PathBuf,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// The form to write
    #[arg(long, value_enum, default_value_t = RootSignatureForm::Text)]
    pub to: RootSignatureForm,
    /// The version to write: 1.0, 1.1 or 1.2 [default: the version of FILE; for text 1.1, or 1.2 if
    /// a static sampler has flags]
    #[arg(long, value_name = "VERSION")]
    pub root_version: Option<RootVersion>,
    /// The function whose root signature to take, if the functions of the metadata have different
    /// ones
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
}

/// The arguments of `dxil2spv embed`.
#[derive(Args, Clone, Debug)]
pub struct EmbedArguments {
    /// DXIL container
    pub file: PathBuf,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// A SPIR-V module to keep as the body, which is used without the layer
    #[arg(long, value_name = "FILE")]
    pub with_spirv: Option<PathBuf>,
    /// Declare this entry point, under this name only; a module of --with-spirv must have it. May
    /// be given several times [default: all entry points, under every name that they answer to]
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,
}

/// The arguments of `dxil2spv extract`.
#[derive(Args, Clone, Debug)]
pub struct ExtractArguments {
    /// SPIR-V module with an embedded container
    pub file: PathBuf,
    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// A form of a root signature that the tool can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RootSignatureForm {
    /// HLSL root signature text
    Text,
    /// The content of an RTS0 part, binary
    Rts0,
    /// A DXIL container with an RTS0 part alone, as `dxc -T rootsig_1_1` writes it
    Container,
}

/// Arguments of all commands that plan bindings.
#[derive(Args, Clone, Debug)]
pub struct PlanningArguments {
    /// Read a container that was changed after it was signed: its digest is not that of its content
    #[arg(long)]
    pub any_digest: bool,
    /// Look for PDB files in this folder before the folder of the container. A PDB has the debug
    /// information of a container that was compiled without `-Qembed_debug`, and the container has
    /// its name
    #[arg(long, value_name = "FOLDER")]
    pub pdb_path: Option<PathBuf>,
    /// Features enabled on the device: vulkan-1.0-desktop, vulkan-1.1-floor, vulkan-1.3-desktop,
    /// lavapipe, everything (all that translated code can use, for reading shaders), or a text file
    /// with a profile (docs/profile.md)
    #[arg(long, value_name = "NAME|FILE", default_value = "vulkan-1.3-desktop")]
    pub profile: PathBuf,
    /// Binding model: auto, register, root-signature or map
    #[arg(long, default_value_t = Model::Auto)]
    pub model: Model,
    /// Shifts of the register model, for example b=0,t=100,u=200,s=300 [default: c=1000, others 0]
    #[arg(long, default_value_t = RegisterShifts::default(), hide_default_value = true)]
    pub shifts: RegisterShifts,
    /// Descriptor sets of register spaces under the register model, for example 95=1,96=2 [default:
    /// set = space]
    #[arg(long, value_name = "SPACE=SET,…", default_value_t = SpaceMap::default(), hide_default_value = true)]
    pub spaces: SpaceMap,
    /// Descriptor set of ResourceDescriptorHeap [default under root-signature: see
    /// docs/bindings.md, otherwise none]
    #[arg(long, value_name = "SET")]
    pub resource_heap_set: Option<u32>,
    /// Descriptor set of SamplerDescriptorHeap
    #[arg(long, value_name = "SET")]
    pub sampler_heap_set: Option<u32>,
    /// Descriptor set of the hidden counters of UAVs in ResourceDescriptorHeap
    #[arg(long, value_name = "SET")]
    pub heap_counter_set: Option<u32>,
    /// What that set has: descriptor (an array of storage buffers, each of which is a counter), or
    /// address (one storage buffer with the addresses of the counters)
    #[arg(long, value_name = "FORM", default_value_t = HeapCounters::Descriptor)]
    pub heap_counters: HeapCounters,
    /// How descriptor tables reach the shader: sets, or offsets into the descriptor heaps
    #[arg(long, value_name = "FORM", default_value_t = RootTables::Sets)]
    pub root_tables: RootTables,
    /// How root descriptors reach the shader: auto, descriptor or address
    #[arg(long, value_name = "FORM", default_value_t = RootDescriptors::Auto)]
    pub root_descriptors: RootDescriptors,
    /// The pipeline's global root signature, instead of those in the containers: any form that
    /// `rootsig` reads
    #[arg(long, value_name = "FILE")]
    pub root_signature: Option<PathBuf>,
    /// The local root signature of the shader records, if the library associates several with the
    /// entry point, or none: the name of one that the library declares, or a file in any form that
    /// `rootsig` reads
    #[arg(long, value_name = "NAME|FILE")]
    pub local_root_signature: Option<PathBuf>,
    /// Take the places of resources from a binding map, a TOML file (docs/bindings.md); the model
    /// is then `map`
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
}

impl PlanningArguments {
    /// The binding options.
    pub fn binding(&self) -> BindingOptions {
        let mut options = BindingOptions::default();
        options.model = self.model;
        options.shifts = self.shifts;
        options.root_descriptors = self.root_descriptors;
        options.root_tables = self.root_tables;
        options.spaces = self.spaces;
        options.heap_sets.resources = self.resource_heap_set;
        options.heap_sets.samplers = self.sampler_heap_set;
        options.heap_sets.counters = self.heap_counter_set;
        options.heap_counters = self.heap_counters;
        options
    }
}

impl TranslateArguments {
    /// The file that messages name: the container if it is given, otherwise the request.
    pub fn subject(&self) -> &Path {
        let file = self.file.as_deref().or(self.request.as_deref());
        file.unwrap_or(Path::new(STREAM))
    }

    /// What is written of the source.
    pub fn debug(&self) -> Debug {
        match self.debug {
            DebugText::None => Debug::None,
            DebugText::Lines => Debug::Lines,
            DebugText::Full => Debug::Full,
        }
    }

    /// What the parse and the translation may cost.
    pub fn budget(&self) -> Budget {
        Budget::times(self.budget)
    }

    /// The options of the translation, for a device with this profile.
    pub fn options(&self, profile: DeviceProfile) -> Options {
        let mut options = Options::new(profile);
        options.budget = self.budget();
        options.names = self.names;
        options.debug = self.debug();
        options.invert_y = self.invert_y;
        options.vulkan_vertex_ids = self.vulkan_vertex_ids;
        options.pipeline.dual_source = self.dual_source;
        options.pipeline.feeds_stage = self.feeds_stage;
        options.pipeline.sample_shading = self.sample_shading;
        options.pipeline.wide_interface = self.wide_interface;
        options.pipeline.samples = self.samples;
        options.pipeline.samples_constant = self.samples_constant;
        options.pipeline.stream_output = (!self.stream_output.is_empty()).then(|| self.stream_output.as_slice().into());
        for (of_target, swizzle) in options.pipeline.output_swizzles.iter_mut().zip(&self.output_swizzles) {
            *of_target = *swizzle;
        }
        options.pipeline.patch_location = self.patch_location;
        options.pipeline.view_instancing = self.view_instancing;
        options.bounds = match self.bounds {
            BoundsBy::Auto => Bounds::Auto,
            BoundsBy::Driver => Bounds::Driver,
            BoundsBy::Emit => Bounds::Emit,
        };
        options.raw_vectors = match self.raw_vectors {
            VectorsBy::Aligned => RawVectors::Aligned,
            VectorsBy::Exact => RawVectors::Exact,
        };
        options.vertex_locations = match self.vertex_locations {
            LocationsBy::Order => VertexLocations::Order,
            LocationsBy::Row => VertexLocations::Row,
            LocationsBy::Texcoord => VertexLocations::Texcoord,
        };
        options.entry_point_name = self.entry_point_name.as_deref().map(Into::into);
        options.invariant_position = self.invariant_position;
        options.precise = self.precise;
        options
    }
}

/// A form of the shader that the tool can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// Parts of the container, as text
    Container,
    /// The root signature in the container, as HLSL text
    Rootsig,
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
    /// The driver if a robustness feature of the profile covers the access, otherwise emitted
    /// checks
    Auto,
    /// Always the driver
    Driver,
    /// Always emitted checks
    Emit,
}

/// [`enum@Debug`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DebugText {
    /// Nothing
    None,
    /// Files with their texts, and lines (OpSource, OpLine)
    Lines,
    /// Files, lines, scopes, types and variables; only lines on devices without non-semantic
    /// instructions
    Full,
}

/// [`RawVectors`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VectorsBy {
    /// As vectors where the address is proved to be aligned
    Aligned,
    /// One by one, so that each component has its own bounds on every device
    Exact,
}

/// [`VertexLocations`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LocationsBy {
    /// Locations are counted in signature order, one per row, leaving out SV_VertexID and
    /// SV_InstanceID
    Order,
    /// The row at which the signature packs the element
    Row,
    /// TEXCOORDn is at location n
    Texcoord,
}

/// Reads a sample count: a bit of `VkSampleCountFlagBits`, or 0.
fn sample_count(text: &str) -> Result<u32, String> {
    let count: u32 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if count == 0 || (count.is_power_of_two() && count <= 64) {
        return Ok(count);
    }
    let near = match count.checked_next_power_of_two() {
        Some(above) if above <= 64 => format!("; did you mean {} or {above}?", above / 2),
        _ => String::new(),
    };
    Err(format!("a sample count is 1, 2, 4, 8, 16, 32 or 64, or 0 if it is not known{near}"))
}

impl Arguments {
    /// What the command line asks for. As the argument parser does, it exits the process if the
    /// line is wrong.
    pub fn asked() -> Action {
        let mut words: Vec<OsString> = std::env::args_os().collect();
        if words.get(1).is_some_and(is_of_translate) {
            words.insert(1, "translate".into());
        }
        let Arguments { command, print_profile, completions, manual } = Self::parse_from(words);
        match (command, print_profile, completions) {
            (Some(command), ..) => Action::Command(Box::new(command)),
            (None, Some(profile), _) => Action::Profile(profile),
            (None, None, Some(shell)) => Action::Completions(shell),
            (None, None, None) if manual => Action::Manual,
            // The argument parser requires one of them.
            (None, None, None) => {
                let missing = clap::error::ErrorKind::MissingSubcommand;
                <Self as CommandFactory>::command().error(missing, "a subcommand or FILE is required").exit()
            }
        }
    }
}

/// Whether the first word of the command line is an argument of `translate`, whose name may be left
/// out. A word that is like a subcommand and no file is a mistake, for which the argument parser
/// has a suggestion.
fn is_of_translate(word: &OsString) -> bool {
    let Some(text) = word.to_str() else { return true };
    let own = ["help", "-h", "--help", "-V", "--version", "--print-profile", "--completions", "--manual"];
    let command = <Arguments as CommandFactory>::command();
    if own.contains(&text)
        || text.starts_with("--print-profile=")
        || text.starts_with("--completions=")
        || command.find_subcommand(text).is_some()
    {
        return false;
    }
    let names = command.get_subcommands().map(clap::Command::get_name);
    let meant = !text.contains(['.', '/', '\\', '-']) && similar(text, names).is_some();
    !meant || Path::new(word).exists()
}

/// The script that completes the tool's arguments in a shell.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut <Arguments as CommandFactory>::command(), "dxil2spv", &mut text);
    text
}

/// The manual page: the tool's, and one after it for each subcommand.
pub fn manual() -> std::io::Result<Vec<u8>> {
    let mut command = <Arguments as CommandFactory>::command();
    command.build();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        clap_mangen::Man::new(subcommand.clone()).render(&mut text)?;
    }
    Ok(text)
}

impl Command {
    /// The file that a message names if no other file is known.
    pub fn first_file(&self) -> &Path {
        match self {
            Command::Translate(translate) => translate.subject(),
            Command::Layout(layout) => layout.files.first().map_or(Path::new("-"), PathBuf::as_path),
            Command::Resources(resources) => &resources.file,
            Command::Explain(explain) => &explain.file,
            Command::Rootsig(rootsig) => &rootsig.file,
            Command::Embed(embed) => &embed.file,
            Command::Extract(extract) => &extract.file,
        }
    }
}
