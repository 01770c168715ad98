//! `dxil2spv layout`, `dxil2spv resources` and `dxil2spv rootsig`: the resources that shaders
//! declare, their places, and root signatures.

use std::fmt::Write as _;
use std::path::Path;

use dxil_translator::internals::binding;
use dxil_translator::internals::container::Container;
use dxil_translator::internals::dxil::{metadata, resource_types};
use dxil_translator::{PipelineStage, PlanInputs, RootSignature, Shader, plan};

use crate::arguments::{Form, Layout, Resources, Rootsig};
use crate::failure::Failure;
use crate::{files, stages};

/// Prints one plan per shader of a pipeline, each in the form that `--bindings` reads, and the pipeline
/// layout that an application has to declare for all of them, as comments.
pub fn layout(arguments: &Layout) -> Result<(), Failure> {
    let profile = files::profile(&arguments.common.profile)?;
    let mut shaders = Vec::new();
    for file in &arguments.files {
        let shader = Shader::parse(&files::read(file)?).map_err(|error| Failure::translator(file, &error))?;
        shaders.push((file, shader));
    }
    let mut stages = Vec::new();
    for (file, shader) in &shaders {
        let entry = shader.find_entry(arguments.common.entry.as_deref());
        stages.push(PipelineStage::new(shader, entry.map_err(|error| Failure::translator(file, &error))?));
    }
    // An error of planning concerns the whole pipeline. Its message names the resource and the
    // stages, so any file will do.
    let first = arguments.files.first().map_or(Path::new(files::STREAM), |file| file);
    let root_signature = files::root_signature(arguments.common.root_signature.as_deref())?;
    let map = files::map(&arguments.common)?;
    let inputs = PlanInputs::new(&profile).with_options(arguments.common.binding()).with_map(map.as_ref());
    let plan = plan(&stages, &inputs.with_root_signature(root_signature.as_ref()));
    let plan = plan.map_err(|error| Failure::translator(first, &error))?;
    let mut text = String::new();
    for (((file, shader), stage), plan) in shaders.iter().zip(&stages).zip(&plan.stages) {
        let Some(entry) = shader.entry(stage.entry) else { continue };
        // Writing to a string does not fail.
        let _ = writeln!(text, "# {}: {} `{}`", file.display(), entry.stage, entry.name.escape_debug());
        let _ = write!(text, "{plan}");
    }
    let resources = stages.iter().map(PipelineStage::resources).collect::<Result<Vec<_>, _>>();
    let resources = resources.map_err(|error| Failure::translator(first, &error))?;
    text.push_str("# the pipeline layout to declare\n");
    for line in binding::layout_text(&resources, root_signature.as_ref(), &plan).lines() {
        let _ = writeln!(text, "# {line}");
    }
    // One map serves many shaders, so this is not an error.
    for entry in map.iter().flat_map(|map| map.unmatched(&resources)) {
        let _ = writeln!(text, "# {entry} of the map matches no resource of these shaders");
    }
    files::write(Path::new(files::STREAM), text.as_bytes())
}

/// Prints what the metadata of a shader states: versions, entry points, resources.
pub fn resources(arguments: &Resources) -> Result<(), Failure> {
    let input = files::read(&arguments.file)?;
    let read = Container::parse(&input).and_then(|container| {
        let module = stages::module(&container)?;
        Ok((metadata::read(&module)?, module))
    });
    let (metadata, module) = read.map_err(|error| Failure::translator(&arguments.file, &error))?;
    let (model, dxil, validator) = (metadata.shader_model, metadata.dxil_version, metadata.validator_version);
    let mut text = format!(
        "{} shader model {}.{}, DXIL {}.{}, validator {}.{}\n",
        metadata.stage, model.0, model.1, dxil.0, dxil.1, validator.0, validator.1
    );
    for entry in metadata.entries.iter().filter(|entry| entry.function.is_some()) {
        let _ = writeln!(text, "entry `{}` {}", entry.name.escape_debug(), entry.stage);
    }
    for (resource, shape) in metadata.resources.values().zip(metadata.shapes.values()) {
        let _ = writeln!(text, "{resource}");
        for line in resource_types::describe(&module, resource, shape) {
            let _ = writeln!(text, "    {line}");
        }
    }
    files::write(Path::new(files::STREAM), text.as_bytes())
}

/// Writes a root signature in another form.
pub fn rootsig(arguments: &Rootsig) -> Result<(), Failure> {
    let file = &arguments.file;
    let input = files::read(file)?;
    let signature = RootSignature::from_bytes_of(&input, arguments.entry.as_deref(), arguments.root_version);
    let written = signature.and_then(|signature| match arguments.to {
        Form::Text => Ok(format!("{signature}\n").into_bytes()),
        Form::Rts0 => signature.serialize(),
        Form::Container => signature.serialize_container(),
    });
    let written = written.map_err(|error| Failure::translator(file, &error))?;
    files::write(arguments.output.as_deref().unwrap_or(Path::new(files::STREAM)), &written)
}
