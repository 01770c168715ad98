//! `dxil2spv translate`: runs the translation up to the stage that `--emit` names.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;
use dxil_spirv_builder as spirv;
use dxil_translator::analysis::program::Program;
use dxil_translator::container::Container;
use dxil_translator::lower;
use dxil_translator::{
    BindingOptions, BindingPlan, BlobDigest, Debug, DeviceProfile, EntryId, Error, MeshOutput, Options, PipelinePlan,
    PipelineStage, PlanInputs, PlannedEntry, Request, RootSignature, Shader, Tessellation, plan, translate_library,
};

use crate::arguments::{Emit, PlanningArguments, TranslateArguments};
use crate::failure::{self, Failure};
use crate::{files, pdb, validate};

/// Runs the translation up to the requested stage and writes the result.
pub fn translate(arguments: &TranslateArguments) -> Result<(), Failure> {
    let output = match &arguments.request {
        Some(file) => repeated(file, arguments)?,
        None => {
            let file = arguments.subject();
            stage(file, &files::read_container(file)?, arguments, None)?
        }
    };
    let path = arguments.output.as_deref();
    match arguments.emit {
        Emit::Spirv => files::write_binary(path, &output, "SPIR-V", ", or take the text with `--emit asm`"),
        _ => files::write(path.unwrap_or(Path::new(files::STREAM)), &output),
    }
}

/// The output of the translation that a request names.
fn repeated(request: &Path, arguments: &TranslateArguments) -> Result<Vec<u8>, Failure> {
    let text = files::read_text(request)?;
    let digest = Request::blob_of(&text).map_err(|error| Failure::translator(request, &error))?;
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => container_beside(request, &digest)?,
    };
    let input = files::read_container(&file)?;
    let found = BlobDigest::from_bytes(&input);
    if found != digest {
        let message = format!("the request is for a container with digest {digest}, but this one has digest {found}");
        return Err(Failure::usage(&file, message));
    }
    stage(&file, &input, arguments, Some(RequestText { path: request, text: &text }))
}

/// The container of a request in the request's folder, found by the file names that the layer gives
/// its dumps, or, in a capture, in the folder `blobs` beside that.
fn container_beside(request: &Path, digest: &BlobDigest) -> Result<PathBuf, Failure> {
    let folder = request.parent().unwrap_or(Path::new("."));
    let names = [format!("{}.dxil", digest.short()), format!("{digest}.dxil"), format!("../blobs/{digest}.dxil")];
    let found = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    found.ok_or_else(|| {
        let [short, ..] = &names;
        Failure::usage(
            request,
            format_args!("the container {short} is not in the folder of the request; give the container as FILE"),
        )
    })
}

/// The text of a request, and its file.
struct RequestText<'a> {
    path: &'a Path,
    text: &'a str,
}

fn stage(
    file: &Path,
    input: &[u8],
    arguments: &TranslateArguments,
    request: Option<RequestText<'_>>,
) -> Result<Vec<u8>, Failure> {
    let refused = |error: Error| Failure::translator(file, &error);
    let container = Container::parse(input).map_err(refused)?;
    if arguments.verbose {
        print_warnings(file, &container);
    }
    // A request knows its container, and the listing of a container says what its digest is.
    if request.is_none() && !arguments.common.any_digest && arguments.emit != Emit::Container {
        container.check_digest().map_err(refused)?;
    }
    let fuel = Fuel::new(arguments.budget(), input.len());
    if arguments.emit == Emit::Container {
        return Ok(limits::text(&fuel, &container).map_err(refused)?.into_bytes());
    }
    if arguments.emit == Emit::Rootsig {
        let signature = RootSignature::from_bytes_of(input, arguments.entry.as_deref(), None);
        return Ok(format!("{}\n", signature.map_err(refused)?).into_bytes());
    }
    if arguments.emit == Emit::Bitcode {
        let module = module(&container, &fuel).map_err(refused)?;
        return Ok(limits::text(&fuel, &module).map_err(refused)?.into_bytes());
    }
    let folder = arguments.common.pdb_path.as_deref();
    let shader = pdb::parse(input, arguments.budget(), file, folder).map_err(refused)?;
    if arguments.emit == Emit::Dxil {
        return Ok(limits::text(&fuel, shader.program()).map_err(refused)?.into_bytes());
    }
    if arguments.emit == Emit::Tree {
        return Ok(lower::tree_text(&shader.program().module, &fuel).map_err(refused)?.into_bytes());
    }
    if request.is_none() && is_of_all(&shader, arguments) {
        return library(file, &shader, arguments);
    }
    let request = match request {
        Some(RequestText { path, text }) => {
            Request::parse(text, &shader).map_err(|error| Failure::translator(path, &error))?
        }
        None => new_request(file, input, &shader, arguments)?,
    };
    if arguments.emit == Emit::Bindings {
        return Ok(request.plan.to_string().into_bytes());
    }
    if arguments.emit == Emit::Request {
        return Ok(request.to_string().into_bytes());
    }
    if request.options.debug != Debug::None
        && let Some(warning) = shader.debug_warning()
    {
        failure::print_warning(file, &warning);
    }
    let words = request.translate(&shader).map_err(refused)?.words;
    written(file, &words, &request.options, arguments)
}

/// The words in the form that the arguments ask for, after their validation.
fn written(file: &Path, words: &[u32], options: &Options, arguments: &TranslateArguments) -> Result<Vec<u8>, Failure> {
    if arguments.validate {
        validate::validate(file, words, &options.profile)?;
    }
    if arguments.emit == Emit::Asm {
        let fuel = Fuel::new(options.budget, 0);
        let text = spirv::disassemble_within(words, &fuel).map_err(|error| Failure::translator(file, &error))?;
        return Ok(text.into_bytes());
    }
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// Whether the result is of all entry points of a library. A request is of one.
fn is_of_all(shader: &Shader, arguments: &TranslateArguments) -> bool {
    arguments.entry.is_none() && arguments.emit != Emit::Request && shader.entries().len() > 1
}

/// One module with all entry points of a library, or their plans.
fn library(file: &Path, shader: &Shader, arguments: &TranslateArguments) -> Result<Vec<u8>, Failure> {
    let refused = |error: Error| Failure::translator(file, &error);
    let options = arguments.options(files::profile(&arguments.common.profile)?);
    let entries: Vec<_> = shader.entries().map(|(id, _)| id).collect();
    let plans = plans(file, shader, &entries, &options, arguments)?;
    if arguments.emit == Emit::Bindings {
        let mut text = String::new();
        for ((_, entry), plan) in shader.entries().zip(&plans) {
            // Writing to a string does not fail.
            let _ = write!(text, "# {} `{}`\n{plan}", entry.stage, entry.name.escape_debug());
        }
        return Ok(text.into_bytes());
    }
    let chosen = entries.into_iter().zip(&plans).map(|(entry, plan)| PlannedEntry::new(entry, plan));
    let chosen: Vec<_> = chosen.collect();
    let words = translate_library(shader, &chosen, &options).map_err(refused)?.words;
    written(file, &words, &options, arguments)
}

/// The plans of entry points, which are those of one pipeline.
fn plans(
    file: &Path,
    shader: &Shader,
    entries: &[EntryId],
    options: &Options,
    arguments: &TranslateArguments,
) -> Result<Vec<Arc<BindingPlan>>, Failure> {
    if let Some(file) = &arguments.bindings {
        // One plan for all, because a module may have thousands of entry points and of resources.
        let plan = Arc::new(read_plan(file, shader.program())?);
        return Ok(vec![plan; entries.len()]);
    }
    let (common, profile) = (&arguments.common, &options.profile);
    let planned = planned(file, shader, entries, profile, common, common.binding())?;
    Ok(planned.stages.into_iter().map(Arc::new).collect())
}

/// The plan of the pipeline that the entry points are the stages of.
pub fn planned(
    file: &Path,
    shader: &Shader,
    entries: &[EntryId],
    profile: &DeviceProfile,
    common: &PlanningArguments,
    binding: BindingOptions,
) -> Result<PipelinePlan, Failure> {
    let root_signature = files::root_signature(common.root_signature.as_deref())?;
    let map = files::map(common)?;
    let inputs = PlanInputs::new(profile).with_options(binding);
    let inputs = inputs.with_map(map.as_ref()).with_root_signature(root_signature.as_ref());
    let local = files::local_root_signature(file, shader, common.local_root_signature.as_deref())?;
    let stage = |&entry: &EntryId| match &local {
        Some(local) => PipelineStage::new(shader, entry).with_local_root_signature(Some(local)),
        None => PipelineStage::new(shader, entry),
    };
    let stages: Vec<_> = entries.iter().map(stage).collect();
    plan(&stages, &inputs).map_err(|error| Failure::translator(file, &error))
}

/// The request that the arguments describe.
fn new_request(file: &Path, input: &[u8], shader: &Shader, arguments: &TranslateArguments) -> Result<Request, Failure> {
    let refused = |error: Error| Failure::translator(file, &error);
    let entry = shader.find_entry(arguments.entry.as_deref()).map_err(refused)?;
    let mut options = arguments.options(files::profile(&arguments.common.profile)?);
    options.pipeline.mesh_outputs = arguments.mesh_shader.as_deref().map(mesh_outputs).transpose()?;
    options.pipeline.tessellation = arguments.hull_shader.as_deref().map(tessellation).transpose()?;
    let plan = plans(file, shader, &[entry], &options, arguments)?.into_iter().next().unwrap_or_default();
    let plan = Arc::unwrap_or_clone(plan);
    Request::new(BlobDigest::from_bytes(input), shader, entry, plan, options).map_err(refused)
}

/// The outputs of the mesh shader in a file.
fn mesh_outputs(file: &Path) -> Result<Arc<[MeshOutput]>, Failure> {
    let shader = Shader::parse(&files::read_container(file)?).map_err(|error| Failure::translator(file, &error))?;
    let mut outputs = shader.entries().filter_map(|(entry, _)| shader.mesh_outputs(entry));
    outputs.next().ok_or_else(|| Failure::usage(file, "--mesh-shader: the container has no mesh shader"))
}

/// How the hull shader in a file divides its patches.
fn tessellation(file: &Path) -> Result<Tessellation, Failure> {
    let shader = Shader::parse(&files::read_container(file)?).map_err(|error| Failure::translator(file, &error))?;
    let mut found = shader.entries().filter_map(|(entry, _)| shader.tessellation(entry));
    found.next().ok_or_else(|| Failure::usage(file, "--hull-shader: the container has no hull shader"))
}

/// The LLVM module of a container.
pub fn module(container: &Container<'_>, fuel: &Fuel) -> dxil_translator::Result<bitcode::Module> {
    let program = container.program()?;
    bitcode::read_within(program.bitcode, fuel).map_err(|error| error.offset_by(program.offset as u64))
}

fn read_plan(file: &Path, program: &Program) -> Result<BindingPlan, Failure> {
    BindingPlan::parse(&files::read_text(file)?, &program.resources).map_err(|error| Failure::translator(file, &error))
}

/// Prints the warnings about the input, which are not errors.
fn print_warnings(file: &Path, container: &Container<'_>) {
    container.warnings().iter().for_each(|warning| failure::print_warning(file, &warning.to_string()));
}
