//! `dxil2spv layout`, `dxil2spv resources` and `dxil2spv rootsig`: the resources that shaders
//! declare, their places, and root signatures.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::path::Path;

use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;
use dxil_translator::analysis::program::assemble;
use dxil_translator::binding;
use dxil_translator::container::Container;
use dxil_translator::decode::metadata;
use dxil_translator::decode::metadata::ModuleMetadata;
use dxil_translator::ir::declarations::StageProperties;
use dxil_translator::ir::resource_types;
use dxil_translator::{
    Budget, EntryId, PipelineStage, PlanInputs, RootSignature, Shader, ShaderStage, Subobjects, plan,
};
use serde::Serialize;

use crate::arguments::{LayoutArguments, ResourcesArguments, RootSignatureForm, RootsigArguments};
use crate::failure::Failure;
use crate::reflection::Effort;
use crate::{files, pipeline, reflection, stages};

/// The document of `layout --json`.
#[derive(Serialize)]
struct LayoutDocument {
    shaders: Vec<ShaderPlan>,
    #[serde(flatten)]
    layout: binding::LayoutReport,
    /// The root parameters and static samplers that no shader reads.
    unread: Vec<String>,
    /// The entries of a binding map that match no resource of the shaders.
    unmatched: Vec<String>,
}

/// The plan of one shader, as text in the form that `--bindings` reads.
#[derive(Serialize)]
struct ShaderPlan {
    file: String,
    stage: String,
    entry: String,
    plan: String,
}

/// Prints one plan per shader of a pipeline, each in the form that `--bindings` reads, and the pipeline
/// layout that an application has to declare for all of them, as comments; or all of it as JSON.
pub fn layout(arguments: &LayoutArguments) -> Result<(), Failure> {
    let profile = files::profile(&arguments.common.profile)?;
    let mut shaders = Vec::new();
    for file in &arguments.files {
        let shader = Shader::parse(&files::read_container(file)?).map_err(|error| Failure::translator(file, &error))?;
        shaders.push((file, shader));
    }
    let local = arguments.common.local_root_signature.as_deref();
    // Only libraries have shader records.
    let of = |shader: &Shader| local.filter(|_| shader.is_library());
    let locals = shaders.iter().map(|(file, shader)| files::local_root_signature(file, shader, of(shader)));
    let locals = locals.collect::<Result<Vec<_>, _>>()?;
    let mut stages = Vec::new();
    for ((file, shader), local) in shaders.iter().zip(&locals) {
        let entry = shader.find_entry(arguments.common.entry.as_deref());
        let stage = PipelineStage::new(shader, entry.map_err(|error| Failure::translator(file, &error))?);
        stages.push(match local {
            Some(local) => stage.with_local_root_signature(Some(local)),
            None => stage,
        });
    }
    pipeline::check(&shaders, &stages)?;
    // An error of planning concerns the whole pipeline. Its message names the resource and the
    // stages, so any file will do.
    let first = arguments.files.first().map_or(Path::new(files::STREAM), |file| file);
    let root_signature = files::root_signature(arguments.common.root_signature.as_deref())?;
    let map = files::map(&arguments.common)?;
    let inputs = PlanInputs::new(&profile).with_options(arguments.common.binding()).with_map(map.as_ref());
    let plan = plan(&stages, &inputs.with_root_signature(root_signature.as_ref()));
    let plan = plan.map_err(|error| Failure::translator(first, &error))?;
    let mut plans = Vec::new();
    for (((file, shader), stage), plan) in shaders.iter().zip(&stages).zip(&plan.stages) {
        let Some(entry) = shader.entry(stage.entry) else { continue };
        plans.push(ShaderPlan {
            file: file.display().to_string(),
            stage: entry.stage.to_string(),
            entry: entry.name.to_string(),
            plan: plan.to_string(),
        });
    }
    let resources = stages.iter().map(PipelineStage::resources).collect::<Result<Vec<_>, _>>();
    let resources = resources.map_err(|error| Failure::translator(first, &error))?;
    // One map serves many shaders, so an entry without a resource is not an error.
    let unmatched = map.iter().flat_map(|map| map.unmatched(&resources)).map(|entry| entry.to_string()).collect();
    let unread = binding::unread(&resources, root_signature.as_ref(), &plan);
    let text = if arguments.plan {
        plan_text(&plans)
    } else if arguments.json {
        let layout = binding::layout_report(&resources, root_signature.as_ref(), &plan);
        let layout = layout.map_err(|error| Failure::translator(first, &error))?;
        let document = serde_json::to_string_pretty(&LayoutDocument { shaders: plans, layout, unread, unmatched });
        document.map_err(|error| Failure::usage(first, error))? + "\n"
    } else {
        let layout = binding::layout_text(&resources, root_signature.as_ref(), &plan);
        let layout = layout.map_err(|error| Failure::translator(first, &error))?;
        layout_text(&plans, &layout, &unread, &unmatched)
    };
    files::write(Path::new(files::STREAM), text.as_bytes())
}

fn plan_text(plans: &[ShaderPlan]) -> String {
    let mut text = String::new();
    for ShaderPlan { file, stage, entry, plan } in plans {
        // Writing to a string does not fail.
        let _ = writeln!(text, "# {file}: {stage} `{}`", entry.escape_debug());
        let _ = write!(text, "{plan}");
    }
    text
}

fn layout_text(plans: &[ShaderPlan], layout: &str, unread: &[String], unmatched: &[String]) -> String {
    let mut text = plan_text(plans);
    text.push_str("# the pipeline layout to declare\n");
    for line in layout.lines() {
        let _ = writeln!(text, "# {line}");
    }
    for item in unread {
        let _ = writeln!(text, "# no shader reads {item}");
    }
    for entry in unmatched {
        let _ = writeln!(text, "# {entry} of the map matches no resource of these shaders");
    }
    text
}

/// Prints what the metadata of a shader states: versions, entry points, resources.
pub fn resources(arguments: &ResourcesArguments) -> Result<(), Failure> {
    let input = files::read_container(&arguments.file)?;
    let read = Container::parse(&input).and_then(|container| {
        let module = stages::module(&container, &Fuel::new(Budget::default(), input.len()))?;
        let metadata = metadata::read(&module)?;
        // Only libraries need their runtime data.
        let data = if metadata.stage == ShaderStage::Library { container.runtime_data()? } else { None };
        let subobjects = data.map(|data| Subobjects::read(&data)).transpose()?;
        Ok((metadata, module, subobjects.unwrap_or_default()))
    });
    let (metadata, module, subobjects) = read.map_err(|error| Failure::translator(&arguments.file, &error))?;
    // What the metadata states is printed of shaders too that cannot be read any further.
    let shader = Shader::parse(&input);
    // Resources may share a name or a type, and each prints it, so that the text may be far longer than
    // the input.
    let fuel = Fuel::new(Budget::default(), input.len());
    let text = limits::text_of(&fuel, &mut |text| list(text, &metadata, &module, &subobjects, &shader));
    let text = text.map_err(|error| Failure::translator(&arguments.file, &error))?;
    files::write(Path::new(files::STREAM), text.as_bytes())
}

/// Writes the lines of [`resources()`].
fn list(
    text: &mut dyn Write,
    metadata: &ModuleMetadata,
    module: &bitcode::Module,
    subobjects: &Subobjects,
    shader: &dxil_translator::Result<Shader>,
) -> fmt::Result {
    let (model, dxil, validator) = (metadata.shader_model, metadata.dxil_version, metadata.validator_version);
    writeln!(
        text,
        "{} shader model {}.{}, DXIL {}.{}, validator {}.{}",
        metadata.stage, model.0, model.1, dxil.0, dxil.1, validator.0, validator.1
    )?;
    let mut entries: HashMap<&str, EntryId> = HashMap::new();
    for (id, entry) in shader.iter().flat_map(Shader::entries) {
        entries.entry(&entry.name).or_insert(id);
    }
    let mut effort = Effort::default();
    for entry in metadata.entries.iter().filter(|entry| entry.function.is_some()) {
        write!(text, "entry `{}` {}", entry.name.escape_debug(), entry.stage)?;
        if let StageProperties::Rays { payload_bytes, attribute_bytes } = entry.properties {
            for (what, bytes) in [("payload", payload_bytes), ("attributes", attribute_bytes)] {
                if bytes != 0 {
                    write!(text, ", {what} {bytes} bytes")?;
                }
            }
        }
        writeln!(text)?;
        let Ok(shader) = shader else { continue };
        if let Some(&id) = entries.get(&*entry.name) {
            for line in reflection::lines(shader, id, &mut effort) {
                writeln!(text, "    {line}")?;
            }
        }
    }
    if let Err(error) = shader {
        writeln!(text, "not translated: {}", error.to_string().replace('\n', "; "))?;
    }
    if metadata.stage == ShaderStage::Library {
        for function in assemble::exported_functions(module, &metadata.entries) {
            writeln!(text, "function `{}`", function.escape_debug())?;
        }
    }
    for subobject in subobjects.iter() {
        writeln!(text, "{subobject}")?;
    }
    for (resource, shape) in metadata.resources.values().zip(metadata.shapes.values()) {
        writeln!(text, "{resource}")?;
        for line in resource_types::describe(module, resource, shape) {
            writeln!(text, "    {line}")?;
        }
    }
    Ok(())
}

/// Writes a root signature in another form.
pub fn rootsig(arguments: &RootsigArguments) -> Result<(), Failure> {
    let file = &arguments.file;
    let input = files::read_container(file)?;
    let signature = RootSignature::from_bytes_of(&input, arguments.entry.as_deref(), arguments.root_version);
    let written = signature.and_then(|signature| match arguments.to {
        RootSignatureForm::Text => Ok(format!("{signature}\n").into_bytes()),
        RootSignatureForm::Rts0 => signature.serialize(),
        RootSignatureForm::Container => signature.serialize_container(),
    });
    let written = written.map_err(|error| Failure::translator(file, &error))?;
    let output = arguments.output.as_deref();
    match arguments.to {
        RootSignatureForm::Text => files::write(output.unwrap_or(Path::new(files::STREAM)), &written),
        _ => files::write_binary(
            output,
            &written,
            "this form of a root signature",
            ", or take the text with `--to text`",
        ),
    }
}
