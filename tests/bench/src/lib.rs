//! Code that the benchmarks share: what they translate, one complete translation, and the number of
//! DXIL bytes by which throughput is counted.

use std::hint::black_box;
use std::path::Path;

use dxil_translator::container::Container;
use dxil_translator::request::{BlobDigest, Request};
use dxil_translator::{
    BindingOptions, EntryId, Model, Options, PipelineStage, PlanInputs, PlannedEntry, RegisterShifts, Result, Shader,
    plan, translate, translate_library,
};

/// A container, or a request for a translation of one.
pub struct Job {
    /// The file.
    pub name: String,
    /// The container.
    pub bytes: Vec<u8>,
    /// The size of its DXIL.
    pub size: usize,
    /// What is translated of it, and how: all of it without a request.
    pub request: Option<Request>,
}

impl Job {
    /// Reads a container, or a request with the container beside it.
    ///
    /// # Errors
    /// If a file cannot be read, or is malformed. The text says why.
    pub fn read(path: &Path) -> Result<Self, String> {
        let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        let text = |error: dxil_translator::Error| error.to_string();
        let (mut bytes, mut request) = (read(path)?, None);
        if path.extension().is_some_and(|extension| extension == "request") {
            let requested = String::from_utf8(bytes).map_err(|error| error.to_string())?;
            bytes = read(&container_of(path, &Request::blob_of(&requested).map_err(text)?)?)?;
            request = Some(Request::parse(&requested, &Shader::parse(&bytes).map_err(text)?).map_err(text)?);
        }
        let size = dxil_size(&bytes).map_err(text)?;
        Ok(Self { name: path.display().to_string(), bytes, size, request })
    }
}

/// The container of a request, by the names that the layer's dumps and captures give it.
fn container_of(request: &Path, digest: &BlobDigest) -> Result<std::path::PathBuf, String> {
    let folder = request.parent().unwrap_or(Path::new("."));
    let names = [format!("{}.dxil", digest.short()), format!("{digest}.dxil"), format!("../blobs/{digest}.dxil")];
    let found = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    found.ok_or_else(|| format!("the container {} is not beside the request", names[0]))
}

/// Bindings by register, with a binding range for each register class, and the last sets of most
/// devices for the descriptor heaps. No shader needs a pipeline layout with these, and registers of
/// different classes never clash.
#[must_use]
pub fn bindings() -> BindingOptions {
    let shifts = RegisterShifts { b: 0, t: 1000, u: 2000, s: 3000, c: 4000 };
    let mut options = BindingOptions::new(Model::Register, shifts);
    options.heap_sets.resources = Some(5);
    options.heap_sets.samplers = Some(6);
    options.heap_sets.counters = Some(7);
    options
}

/// The size in bytes of the bitcode in a container's DXIL part. Debug data in other parts does not
/// count.
///
/// # Errors
/// If the container is malformed.
pub fn dxil_size(bytes: &[u8]) -> Result<usize> {
    Ok(Container::parse(bytes)?.program()?.bitcode.len())
}

/// Plans and translates a parsed shader: what the job's request names, or else its only entry
/// point, or all of them as one module. Returns the number of SPIR-V words.
///
/// # Errors
/// If the translator refuses the shader.
pub fn back_half(shader: &Shader, job: &Job, options: &Options) -> Result<usize> {
    if let Some(request) = &job.request {
        return Ok(black_box(request.translate(shader)?).words.len());
    }
    let stages: Vec<_> = shader.entries().map(|(entry, _)| PipelineStage::new(shader, entry)).collect();
    if let [stage] = stages[..] {
        return translate_entry(shader, stage.entry, options);
    }
    let plans = plan(&stages, &PlanInputs::new(&options.profile).with_options(bindings()))?.stages;
    let entries: Vec<_> = stages.iter().zip(&plans).map(|(stage, plan)| PlannedEntry::new(stage.entry, plan)).collect();
    Ok(black_box(translate_library(shader, &entries, options)?).words.len())
}

/// Plans and translates one entry point, and returns the number of SPIR-V words.
///
/// # Errors
/// If the translator refuses the entry point.
pub fn translate_entry(shader: &Shader, entry: EntryId, options: &Options) -> Result<usize> {
    let inputs = PlanInputs::new(&options.profile).with_options(bindings());
    let mut words = 0;
    for plan in &plan(&[PipelineStage::new(shader, entry)], &inputs)?.stages {
        words += black_box(translate(shader, entry, plan, options)?).words.len();
    }
    Ok(words)
}

/// Parses, plans and translates a container with one entry point, and returns the number of SPIR-V
/// words.
///
/// # Errors
/// If the translator refuses the container.
pub fn translate_container(bytes: &[u8], options: &Options) -> Result<usize> {
    let shader = Shader::parse(bytes)?;
    translate_entry(&shader, shader.find_entry(None)?, options)
}

/// Parses, plans and translates as a caller would, and returns the number of SPIR-V words.
///
/// # Errors
/// If the translator refuses the container.
#[inline(never)]
pub fn measure(job: &Job, options: &Options) -> Result<usize> {
    let shader = Shader::parse(black_box(&job.bytes))?;
    back_half(&shader, job, options)
}
