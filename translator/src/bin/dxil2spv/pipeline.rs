//! The shaders of `dxil2spv layout`: which entry points are the stages of a pipeline, and whether
//! they can be in one.

use std::path::{Path, PathBuf};

use dxil_translator::container::Container;
use dxil_translator::{
    Budget, Entry, EntryId, Error, PipelineStage, RootSignature, Shader, ShaderStage, interface_mismatches,
};

use crate::arguments::PlanningArguments;
use crate::failure::Failure;
use crate::files::{self, STREAM};
use crate::pdb;

/// A file of the command line.
pub struct ShaderFile<'a> {
    /// Its path.
    pub path: &'a Path,
    /// Its content.
    pub shader: Shader,
    /// The local root signature that the command line names for libraries.
    local: Option<RootSignature>,
}

/// A stage of the pipeline, and where it is from.
pub struct NamedStage<'a> {
    /// The file that has its entry point.
    pub path: &'a Path,
    /// The stage.
    pub stage: PipelineStage<'a>,
    /// The local root signature that the stage has, if its library associates several with the
    /// entry point.
    pub local: Option<&'a str>,
}

/// Reads the files. Only libraries have shader records, so only they take the local root signature
/// of the command line.
pub fn shaders<'a>(paths: &'a [PathBuf], common: &PlanningArguments) -> Result<Vec<ShaderFile<'a>>, Failure> {
    let local = common.local_root_signature.as_deref();
    let read = |path: &'a PathBuf| {
        let refused = |error: Error| Failure::translator(path, &error);
        let input = files::read_container(path)?;
        if !common.any_digest {
            Container::parse(&input).and_then(|container| container.check_digest()).map_err(refused)?;
        }
        let shader = pdb::parse(&input, Budget::default(), path, common.pdb_path.as_deref()).map_err(refused)?;
        let shader = shader.with_source_names();
        let local = files::local_root_signature(path, &shader, local.filter(|_| shader.is_library()))?;
        Ok(ShaderFile { path, shader, local })
    };
    paths.iter().map(read).collect()
}

/// The stages of the pipeline: the entry points with these names, or all. An entry point to which
/// its library associates several local root signatures is a stage with each of them, because its
/// places depend on it.
pub fn named_stages<'a>(shaders: &'a [ShaderFile<'a>], names: &[String]) -> Result<Vec<NamedStage<'a>>, Failure> {
    for name in names {
        let mut found = shaders.iter().map(|file| (file.path, file.shader.find_entry(Some(name))));
        if let Some((path, Err(error))) = found.next()
            && !found.any(|(_, found)| found.is_ok())
        {
            return Err(Failure::translator(path, &error));
        }
    }
    let mut stages = Vec::new();
    for ShaderFile { path, shader, local } in shaders {
        for entry in entries(path, shader, names)? {
            let stage = PipelineStage::new(shader, entry);
            let choices = shader.entry_local_root_signatures(entry);
            match local {
                Some(local) => {
                    let stage = stage.with_local_root_signature(Some(local));
                    stages.push(NamedStage { path, stage, local: None });
                }
                None if choices.len() > 1 && shader.entry(entry).is_some_and(|entry| entry.stage.is_rays()) => {
                    stages.extend(choices.into_iter().map(|(name, signature)| {
                        let stage = stage.with_local_root_signature(Some(signature));
                        NamedStage { path, stage, local: Some(name) }
                    }));
                }
                None => stages.push(NamedStage { path, stage, local: None }),
            }
        }
    }
    Ok(stages)
}

/// The entry points of a file that names select, in the order of the container. Without names they
/// are all.
fn entries(path: &Path, shader: &Shader, names: &[String]) -> Result<Vec<EntryId>, Failure> {
    let refused = |error: Error| Failure::translator(path, &error);
    if names.is_empty() {
        let all: Vec<EntryId> = shader.entries().map(|(id, _)| id).collect();
        // A library of functions has no entry point, which an error says.
        return if all.is_empty() { shader.find_entry(None).map(|id| vec![id]).map_err(refused) } else { Ok(all) };
    }
    let mut found = Vec::new();
    let mut missing = None;
    for name in names {
        match shader.find_entry(Some(name)) {
            Ok(id) => found.push(id),
            Err(error) => missing = missing.or(Some(error)),
        }
    }
    // A name may be that of another file's entry point, but each file has to have one of them.
    match missing {
        Some(error) if found.is_empty() => Err(refused(error)),
        _ => {
            found.sort_unstable();
            found.dedup();
            Ok(found)
        }
    }
}

/// The pipelines that a stage can be in, by number. A stage of mesh shading is in no pipeline with
/// the stages of vertex processing.
fn kinds(stage: ShaderStage) -> &'static [&'static str] {
    use ShaderStage as S;
    match stage {
        S::Vertex | S::Hull | S::Domain | S::Geometry => &["graphics"],
        S::Amplification | S::Mesh => &["mesh shading"],
        S::Pixel => &["graphics", "mesh shading"],
        S::Compute => &["compute"],
        S::RayGeneration | S::AnyHit | S::ClosestHit | S::Miss | S::Intersection | S::Callable => &["ray tracing"],
        // A library is not a stage, and no pipeline of Vulkan has nodes.
        _ => &[],
    }
}

/// Refuses shaders that are not the stages of one pipeline. A part of a pipeline is accepted.
pub fn check(stages: &[NamedStage<'_>]) -> Result<(), Failure> {
    // Two stages of one kind are refused, or are both of ray tracing, so few are kept.
    let mut kept: Vec<(&NamedStage<'_>, &Entry)> = Vec::new();
    for named @ NamedStage { path, stage, .. } in stages {
        let Some(entry) = stage.shader.entry(stage.entry) else { continue };
        let name = entry.name.escape_debug();
        for (other_named, other) in &kept {
            let same_file = std::ptr::eq(stage.shader, other_named.stage.shader);
            let other_name = other.name.escape_debug();
            let (stage, other_stage) = (entry.stage, other.stage);
            let other_file = if same_file { String::new() } else { format!(" of {}", other_named.path.display()) };
            let advice = match same_file {
                true => "choose the entry points of one pipeline with --entry",
                false => "give the shaders of one pipeline",
            };
            if stage == other_stage && !stage.is_rays() {
                let message = format!(
                    "a pipeline has one {stage} shader, but here are two: `{name}`, and `{other_name}`{other_file}; {advice}"
                );
                return Err(Failure::usage(path, message));
            }
            if !kinds(stage).iter().any(|kind| kinds(other_stage).contains(kind)) {
                let message = format!(
                    "a {stage} shader (`{name}`) and a {other_stage} shader (`{other_name}`{other_file}) are never in one \
                     pipeline; {advice}"
                );
                return Err(Failure::usage(path, message));
            }
        }
        if !kept.iter().any(|(_, other)| other.stage == entry.stage) {
            kept.push((named, entry));
        }
    }
    Ok(())
}

/// Refuses stages whose inputs the stages before them do not write, as D3D12 does.
pub fn check_interface(named: &[NamedStage<'_>], stages: &[PipelineStage<'_>]) -> Result<(), Failure> {
    let mismatches = interface_mismatches(stages);
    let Some(first) = mismatches.first() else { return Ok(()) };
    let is_reader = |stage: &&NamedStage<'_>| {
        stage.stage.shader.entry(stage.stage.entry).is_some_and(|entry| entry.stage == first.reader)
    };
    let path = named.iter().find(is_reader).map_or(Path::new(STREAM), |stage| stage.path);
    let lines: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
    Err(Failure::usage(path, lines.join("\n")))
}
