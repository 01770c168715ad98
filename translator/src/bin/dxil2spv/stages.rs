//! `dxil2spv translate`: the pipeline, stopped where `--emit` says.

use std::fmt::Write as _;
use std::path::Path;

use dxil_translator::binding::BindingPlan;
use dxil_translator::container::Container;
use dxil_translator::dxil::program::Program;
use dxil_translator::error::Error;
use dxil_translator::{Shader, bitcode, lower, plan, spirv, structure, translate as translate_program};

use crate::arguments::{Emit, Translate};
use crate::failure::Failure;
use crate::{files, validate};

/// Runs the pipeline to the stage asked for and writes what it gives.
pub fn translate(arguments: &Translate) -> Result<(), Failure> {
    let input = files::read(&arguments.file)?;
    let output = stage(&input, arguments)?;
    files::write(arguments.output.as_deref().unwrap_or(Path::new(files::STREAM)), &output)
}

fn stage(input: &[u8], arguments: &Translate) -> Result<Vec<u8>, Failure> {
    let refused = |error: Error| Failure::translator(&arguments.file, &error);
    let container = Container::parse(input).map_err(refused)?;
    if arguments.verbose {
        print_notes(&arguments.file, &container);
    }
    if arguments.emit == Emit::Container {
        return Ok(container.to_string().into_bytes());
    }
    if arguments.emit == Emit::Bitcode {
        return Ok(module(&container).map_err(refused)?.to_string().into_bytes());
    }
    let shader = Shader::parse(input).map_err(refused)?;
    let program = shader.program(arguments.common.entry.as_deref()).map_err(refused)?;
    if arguments.emit == Emit::Dxil {
        return Ok(program.to_string().into_bytes());
    }
    if arguments.emit == Emit::Tree {
        return Ok(tree(program).map_err(refused)?.into_bytes());
    }
    let profile = files::profile(&arguments.common.profile)?;
    let plan = match &arguments.bindings {
        Some(file) => read_plan(file, program)?,
        None => {
            let plans = plan(&[(&shader, program)], &arguments.common.binding(), None, &profile).map_err(refused)?;
            plans.into_iter().next().unwrap_or_default()
        }
    };
    if arguments.emit == Emit::Bindings {
        return Ok(plan.to_string().into_bytes());
    }
    let words = translate_program(program, &plan, &arguments.options(profile.clone())).map_err(refused)?.words;
    if arguments.validate {
        validate::validate(&arguments.file, &words, &profile)?;
    }
    if arguments.emit == Emit::Asm {
        return Ok(spirv::disassemble(&words).map_err(refused)?.into_bytes());
    }
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// The LLVM module of a container.
pub fn module(container: &Container<'_>) -> dxil_translator::error::Result<bitcode::Module> {
    let program = container.program()?;
    bitcode::read(program.bitcode).map_err(|error| error.offset_by(program.offset as u64))
}

/// The structured control flow of every function, by name.
fn tree(program: &Program) -> dxil_translator::error::Result<String> {
    let mut text = String::new();
    for (_, function) in program.module.functions.iter() {
        let structured =
            structure::structure(&lower::graph(&program.module, function), &structure::Options::default())?;
        // Writing to a string does not fail.
        let _ = writeln!(text, "function {} `{}`", function.number, function.name.escape_debug());
        let _ = write!(text, "{}", structured.tree);
    }
    Ok(text)
}

fn read_plan(file: &Path, program: &Program) -> Result<BindingPlan, Failure> {
    BindingPlan::parse(&files::read_text(file)?, &program.resources).map_err(|error| Failure::translator(file, &error))
}

/// What is odd about the input and no fault.
fn print_notes(file: &Path, container: &Container<'_>) {
    for note in container.notes() {
        eprintln!("{}: note: {note}", file.display());
    }
}
