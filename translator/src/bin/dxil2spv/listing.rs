//! `dxil2spv resources` and `dxil2spv rootsig`: what shaders declare, and root signatures.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::path::Path;

use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;
use dxil_translator::analysis::program::assemble;
use dxil_translator::container::Container;
use dxil_translator::decode::metadata;
use dxil_translator::decode::metadata::ModuleMetadata;
use dxil_translator::ir::declarations::StageProperties;
use dxil_translator::ir::members::write_members;
use dxil_translator::ir::resource_types;
use dxil_translator::report::EntryReport;
use dxil_translator::{Budget, RootSignature, Shader, ShaderStage, Subobjects, shader_report};

use crate::arguments::{ResourcesArguments, RootSignatureForm, RootsigArguments};
use crate::failure::Failure;
use crate::{files, pdb, reflection, stages};

/// Prints what the metadata of a shader states: versions, entry points, resources.
pub fn resources(arguments: &ResourcesArguments) -> Result<(), Failure> {
    let input = files::read_container(&arguments.file)?;
    let read = Container::parse(&input).and_then(|container| {
        if !arguments.any_digest {
            container.check_digest()?;
        }
        let module = stages::module(&container, &Fuel::new(Budget::default(), input.len()))?;
        let metadata = metadata::read(&module)?;
        // Only libraries need their runtime data.
        let data = if metadata.stage == ShaderStage::Library { container.runtime_data()? } else { None };
        let subobjects = data.map(|data| Subobjects::read(&data)).transpose()?;
        Ok((metadata, module, subobjects.unwrap_or_default()))
    });
    let (mut metadata, module, subobjects) = read.map_err(|error| Failure::translator(&arguments.file, &error))?;
    // What the metadata states is printed of shaders too that cannot be read any further.
    let shader = pdb::parse(&input, Budget::default(), &arguments.file, arguments.pdb_path.as_deref());
    let shader = shader.map(Shader::with_source_names);
    if arguments.json {
        let report = shader_report(shader.as_ref().map_err(|error| Failure::translator(&arguments.file, error))?);
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::usage(&arguments.file, error))?;
        return files::write(Path::new(files::STREAM), (text + "\n").as_bytes());
    }
    if let Ok(shader) = &shader {
        let named = shader.program().resources.values();
        for (resource, named) in metadata.resources.values_mut().zip(named) {
            resource.source_name = named.source_name.clone();
        }
    }
    // Resources may share a name or a type, and each prints it, so that the text may be far longer
    // than the input.
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
    let report = shader.as_ref().ok().map(shader_report);
    let mut entries: HashMap<&str, &EntryReport> = HashMap::new();
    for entry in report.iter().flat_map(|report| &report.entries) {
        entries.entry(&entry.name).or_insert(entry);
    }
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
        if let StageProperties::Node(node) = &entry.properties {
            for line in node.to_string().lines() {
                writeln!(text, "    {line}")?;
            }
        }
        for line in entries.get(&*entry.name).map_or_else(Vec::new, |entry| reflection::lines(entry)) {
            writeln!(text, "    {line}")?;
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
    let members = report.iter().flat_map(|report| &report.constant_buffers);
    let mut members = members.peekable();
    for ((id, resource), shape) in metadata.resources.iter().zip(metadata.shapes.values()) {
        writeln!(text, "{resource}")?;
        for line in resource_types::describe(module, resource, shape) {
            writeln!(text, "    {line}")?;
        }
        if let Some(buffer) = members.next_if(|buffer| buffer.id == id) {
            write_members(text, &buffer.members, 4)?;
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
