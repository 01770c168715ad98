//! All of the translator over one input.

use dxil_translator::internals::bitcode;
use dxil_translator::internals::container::Container;
use dxil_translator::{
    BindingOptions, Error, ErrorKind, Model, Options, PipelineStage, Place, PlanInputs, RegisterShifts, Shader,
    lavapipe, plan, translate,
};

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
    let mut options = Options::new(lavapipe());
    options.names = true;
    // Far apart, so that registers of different classes do not meet.
    let shifts = RegisterShifts { b: 0, t: 1000, u: 2000, s: 3000, c: 4000 };
    let binding = BindingOptions::new(Model::Auto, shifts);
    let inputs = PlanInputs::new(&options.profile).with_options(binding);
    let mut words = Vec::new();
    let _: usize = shader.program().to_string().len();
    for (entry, _) in shader.entries() {
        let plan = plan(&[PipelineStage::new(&shader, entry)], &inputs)?;
        for plan in &plan.stages {
            words.push(translate(&shader, entry, plan, &options)?.words);
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
