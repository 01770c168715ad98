//! `dxil2spv layout` and `dxil2spv resources`: what shaders declare, and where it lives.

use std::fmt::Write as _;
use std::path::Path;

use dxil_translator::container::Container;
use dxil_translator::dxil::metadata;
use dxil_translator::{Shader, plan};

use crate::arguments::{Layout, Resources};
use crate::failure::Failure;
use crate::{files, stages};

/// Prints a plan per shader of a pipeline, each as `--bindings` reads it.
pub fn layout(arguments: &Layout) -> Result<(), Failure> {
    let profile = files::profile(&arguments.common.profile)?;
    let mut shaders = Vec::new();
    for file in &arguments.files {
        let shader = Shader::parse(&files::read(file)?).map_err(|error| Failure::translator(file, &error))?;
        shaders.push((file, shader));
    }
    let mut stages = Vec::new();
    for (file, shader) in &shaders {
        let program = shader.program(arguments.common.entry.as_deref());
        stages.push((shader, program.map_err(|error| Failure::translator(file, &error))?));
    }
    // A fault of the plan is one of the pipeline: its message names the resource and the stages.
    let first = arguments.files.first().map_or(Path::new(files::STREAM), |file| file);
    let plans = plan(&stages, &arguments.common.binding(), None, &profile);
    let plans = plans.map_err(|error| Failure::translator(first, &error))?;
    let mut text = String::new();
    for (((file, _), (_, program)), plan) in shaders.iter().zip(&stages).zip(&plans) {
        let entry = &program.entry;
        // Writing to a string does not fail.
        let _ = writeln!(text, "# {}: {} `{}`", file.display(), entry.stage, entry.name.escape_debug());
        let _ = write!(text, "{plan}");
    }
    files::write(Path::new(files::STREAM), text.as_bytes())
}

/// Prints what the metadata of a shader says.
pub fn resources(arguments: &Resources) -> Result<(), Failure> {
    let input = files::read(&arguments.file)?;
    let metadata = Container::parse(&input)
        .and_then(|container| stages::module(&container))
        .and_then(|module| metadata::read(&module))
        .map_err(|error| Failure::translator(&arguments.file, &error))?;
    let (model, dxil, validator) = (metadata.shader_model, metadata.dxil_version, metadata.validator_version);
    let mut text = format!(
        "{} shader model {}.{}, DXIL {}.{}, validator {}.{}\n",
        metadata.stage, model.0, model.1, dxil.0, dxil.1, validator.0, validator.1
    );
    for entry in metadata.entries.iter().filter(|entry| entry.function.is_some()) {
        let _ = writeln!(text, "entry `{}` {}", entry.name.escape_debug(), entry.stage);
    }
    for resource in metadata.resources.values() {
        let _ = writeln!(text, "{resource}");
    }
    files::write(Path::new(files::STREAM), text.as_bytes())
}
