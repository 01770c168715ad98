//! Runs all stages of the translator on one input.

use dxil_bitcode as bitcode;
use dxil_translator::container::Container;
use dxil_translator::{
    BindingOptions, DeviceProfile, Error, ErrorKind, Model, Options, PipelineStage, Place, PlanInputs, PlannedEntry,
    RegisterShifts, Shader, lavapipe, plan, translate, translate_library,
};

/// The outcome of translating an input.
#[derive(Debug)]
pub enum Outcome {
    /// The translator refused the input.
    Refused(Error),
    /// The input was translated, to these words for each entry point, and then for all of a
    /// library.
    Translated(Vec<Vec<u32>>),
}

/// Runs every stage, and prints the text forms of intermediate results, even of input that a later
/// stage refuses.
pub fn run(input: &[u8]) -> Outcome {
    run_for(input, &lavapipe())
}

/// [`run`] for a device.
pub fn run_for(input: &[u8], profile: &DeviceProfile) -> Outcome {
    outcome(texts(input).and_then(|()| stages(input, true, profile)))
}

/// Runs every stage without the text forms, which take half of the time.
pub fn run_without_text(input: &[u8]) -> Outcome {
    outcome(stages(input, false, &lavapipe()))
}

fn outcome(result: Result<Vec<Vec<u32>>, Error>) -> Outcome {
    match result {
        Ok(words) => Outcome::Translated(words),
        Err(error) => Outcome::Refused(error),
    }
}

/// The text forms of what is read before a shader is parsed.
fn texts(input: &[u8]) -> Result<(), Error> {
    let container = Container::parse(input)?;
    // The container's text form reads every part and continues after a fault.
    let _: usize = container.to_string().len();
    let _: usize = container.warnings().len();
    let program = container.program()?;
    let module = bitcode::read(program.bitcode).map_err(|error| error.offset_by(program.offset as u64))?;
    let _: usize = module.to_string().len();
    Ok(())
}

fn stages(input: &[u8], text: bool, profile: &DeviceProfile) -> Result<Vec<Vec<u32>>, Error> {
    let shader = Shader::parse(input)?;
    let mut options = Options::new(profile.clone());
    options.names = true;
    // The shifts are far apart, so that registers of different classes do not clash.
    let shifts = RegisterShifts { b: 0, t: 1000, u: 2000, s: 3000, c: 4000 };
    let binding = BindingOptions::new(Model::Auto, shifts);
    let inputs = PlanInputs::new(&options.profile).with_options(binding);
    let mut words = Vec::new();
    if text {
        let _: usize = shader.program().to_string().len();
    }
    let mut plans = Vec::new();
    for (entry, _) in shader.entries() {
        for plan in plan(&[PipelineStage::new(&shader, entry)], &inputs)?.stages {
            words.push(translate(&shader, entry, &plan, &options)?.words);
            plans.push((entry, plan));
        }
    }
    // The entry points of a library also as one module.
    if plans.len() > 1 {
        let entries: Vec<_> = plans.iter().map(|(entry, plan)| PlannedEntry::new(*entry, plan)).collect();
        words.push(translate_library(&shader, &entries, &options)?.words);
    }
    Ok(words)
}

/// How [`first_entry`] and [`all_entries`] place resources: each register has a place of its own.
fn binding() -> BindingOptions {
    BindingOptions::new(Model::Auto, RegisterShifts { b: 0, t: 20_000, u: 40_000, s: 60_000, c: 80_000 })
}

/// The words of the first entry point, with each register at a place of its own.
///
/// # Errors
/// Those of parsing, planning and translating.
pub fn first_entry(input: &[u8], options: &Options) -> Result<Vec<u32>, Error> {
    first_entry_of(&Shader::parse(input)?, options)
}

/// [`first_entry`] of a shader that was parsed before.
///
/// # Errors
/// Those of planning and translating.
pub fn first_entry_of(shader: &Shader, options: &Options) -> Result<Vec<u32>, Error> {
    let inputs = PlanInputs::new(&options.profile).with_options(binding());
    let Some((entry, _)) = shader.entries().next() else { return Ok(Vec::new()) };
    let planned = plan(&[PipelineStage::new(shader, entry)], &inputs)?;
    match planned.stages.first() {
        Some(plan) => Ok(translate(shader, entry, plan, options)?.words),
        None => Ok(Vec::new()),
    }
}

/// The words of all entry points as one module.
///
/// # Errors
/// Those of parsing, planning and translating.
pub fn all_entries(input: &[u8], options: &Options) -> Result<Vec<u32>, Error> {
    let shader = Shader::parse(input)?;
    let inputs = PlanInputs::new(&options.profile).with_options(binding());
    let mut plans = Vec::new();
    for (entry, _) in shader.entries() {
        let planned = plan(&[PipelineStage::new(&shader, entry)], &inputs)?;
        plans.extend(planned.stages.into_iter().map(|plan| (entry, plan)));
    }
    let entries: Vec<_> = plans.iter().map(|(entry, plan)| PlannedEntry::new(*entry, plan)).collect();
    Ok(translate_library(&shader, &entries, options)?.words)
}

/// What is wrong with an error itself, if anything. An error must have a place, and must not be of
/// kind `Bug`.
pub fn objection(error: &Error) -> Option<String> {
    if error.kind() == ErrorKind::Bug {
        return Some(format!("the error is of kind `Bug`: {error}"));
    }
    // After metadata is read it has no byte offset. The place of an error is then the node, element
    // or stage that its message names. Errors of kind `Limit` and `Unsupported` name the limit or
    // the feature.
    let message = error.message();
    let named = error.place() != Place::Input
        || matches!(error.kind(), ErrorKind::Limit | ErrorKind::Unsupported)
        || ["metadata", "`", "signature element", "numthreads", "shader", "control points", "no DXIL part"]
            .iter()
            .any(|place| message.contains(place));
    (!named).then(|| format!("the error has no place: {error}"))
}
