//! All of the translator over one input.

use dxil_translator::binding::{BindingOptions, RegisterShifts};
use dxil_translator::container::Container;
use dxil_translator::error::{Error, ErrorKind, Place};
use dxil_translator::options::Options;
use dxil_translator::profile::lavapipe;
use dxil_translator::{Shader, bitcode, plan, translate};

/// What came of an input.
#[derive(Debug)]
pub enum Outcome {
    /// It was refused.
    Refused(Error),
    /// It was translated: the words of each entry point.
    Translated(Vec<Vec<u32>>),
}

/// Runs every stage, and every text form that prints what is refused as well.
pub fn run(input: &[u8]) -> Outcome {
    match stages(input) {
        Ok(words) => Outcome::Translated(words),
        Err(error) => Outcome::Refused(error),
    }
}

fn stages(input: &[u8]) -> Result<Vec<Vec<u32>>, Error> {
    let container = Container::parse(input)?;
    // Its text form reads every part and goes on after a fault.
    let _: usize = container.to_string().len();
    let _: usize = container.notes().len();
    let program = container.program()?;
    let module = bitcode::read(program.bitcode).map_err(|error| error.offset_by(program.offset as u64))?;
    let _: usize = module.to_string().len();
    drop(module);

    let shader = Shader::parse(input)?;
    let options = Options { names: true, ..Options::new(lavapipe()) };
    // Far apart, so that registers of different classes do not meet.
    let shifts = RegisterShifts { b: 0, t: 1000, u: 2000, s: 3000, c: 4000 };
    let binding = BindingOptions { shifts, ..BindingOptions::default() };
    let mut words = Vec::new();
    for program in shader.programs() {
        let _: usize = program.to_string().len();
        let plans = plan(&[(&shader, program)], &binding, None, &options.profile)?;
        for plan in &plans {
            words.push(translate(program, plan, &options)?.words);
        }
    }
    Ok(words)
}

/// What is wrong with an error itself: it must tell its place, and must not be a fault of the translator.
pub fn objection(error: &Error) -> Option<String> {
    if error.kind() == ErrorKind::Bug {
        return Some(format!("the translator blames itself: {error}"));
    }
    // Metadata has no byte of its own once it is read: its node, element or stage is its place. What is not supported is named.
    let message = error.message();
    let named = error.place() != Place::Input
        || matches!(error.kind(), ErrorKind::Limit | ErrorKind::Unsupported)
        || ["metadata", "`", "signature element", "numthreads", "shader", "control points", "no DXIL part"]
            .iter()
            .any(|place| message.contains(place));
    (!named).then(|| format!("no place: {error}"))
}
