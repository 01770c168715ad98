//! Translates a DXIL container to a SPIR-V file.
//!
//! ```text
//! cargo run -p dxil-translator --example translate_file -- INPUT OUTPUT [ENTRY [SHIFTS]]
//! ```
//!
//! ENTRY is needed where the container is a library with several entry points. SHIFTS says which
//! binding a register gets: `b=0,t=100,u=200,s=300` puts t3 at binding 103. HLSL counts the
//! registers of each class from zero, so that a shader with `b0` and `t0` needs shifts, unless a
//! root signature places its resources.

use std::error::Error;
use std::process::ExitCode;

use dxil_translator::{
    BindingOptions, Model, Options, PipelineStage, PlanInputs, RegisterShifts, Shader, VULKAN_1_3_DESKTOP, plan,
    translate,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Does what the arguments say and returns what there is to tell about it.
///
/// # Errors
/// A file cannot be read or written, or the translator refuses it.
pub fn run(arguments: &[String]) -> Result<String, Box<dyn Error>> {
    let (input, output, rest) = match arguments {
        [input, output, rest @ ..] if rest.len() <= 2 => (input, output, rest),
        _ => return Err("usage: translate_file INPUT OUTPUT [ENTRY [SHIFTS]]".into()),
    };
    let bytes = std::fs::read(input).map_err(|error| format!("{input}: {error}"))?;

    // Parsing is the larger part of the work and is done once, however many translations follow.
    let shader = Shader::parse(&bytes)?;
    // Without a name this is the only entry point; among several, the error lists them.
    let entry = shader.find_entry(rest.first().map(String::as_str))?;

    let shifts: RegisterShifts = rest.get(1).map_or("", String::as_str).parse()?;
    // The profile says what the device has enabled: own_profile.rs makes one from a device.
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let inputs = PlanInputs::new(&options.profile).with_options(BindingOptions::new(Model::Auto, shifts));
    // A pipeline is planned as a whole: all its stages go in, and each gets its own plan.
    let pipeline = plan(&[PipelineStage::new(&shader, entry)], &inputs)?;
    let [stage_plan] = pipeline.stages.as_slice() else { return Err("one stage has one plan".into()) };

    let translation = translate(&shader, entry, stage_plan, &options)?;
    let module: Vec<u8> = translation.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(output, &module).map_err(|error| format!("{output}: {error}"))?;

    let reflection = &translation.reflection;
    let stage = reflection.stage.map_or_else(String::new, |stage| stage.to_string());
    let mut text = format!("{stage} shader `{}`, {} bytes of SPIR-V\n", reflection.entry, module.len());
    for binding in &reflection.bindings {
        text.push_str(&format!("{}: {}\n", binding.resource, binding.descriptor));
    }
    Ok(text)
}
