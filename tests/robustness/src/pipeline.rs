//! All of the translator over one input.

use dxil_translator::bitcode;
use dxil_translator::container::Container;
use dxil_translator::dxil::decode::decode;
use dxil_translator::dxil::metadata;
use dxil_translator::dxil::verify::verify;
use dxil_translator::error::{Error, ErrorKind, Place};

/// What came of an input.
#[derive(Debug)]
pub enum Outcome {
    /// It was refused.
    Refused(Error),
    /// It was read to the end.
    Read,
}

/// Runs every stage, and every text form that prints what is refused as well.
pub fn run(input: &[u8]) -> Outcome {
    match stages(input) {
        Ok(()) => Outcome::Read,
        Err(error) => Outcome::Refused(error),
    }
}

fn stages(input: &[u8]) -> Result<(), Error> {
    let container = Container::parse(input)?;
    // Its text form reads every part and goes on after a fault.
    let _: usize = container.to_string().len();
    let _: usize = container.notes().len();
    let program = container.program()?;
    let module = bitcode::read(program.bitcode).map_err(|error| error.offset_by(program.offset as u64))?;
    let _: usize = module.to_string().len();
    let _ = metadata::read(&module)?;
    let decoded = decode(&module)?;
    verify(&decoded.module)?;
    Ok(())
}

/// What is wrong with an error itself: it must tell its place, and must not be a fault of the translator.
pub fn objection(error: &Error) -> Option<String> {
    if error.kind() == ErrorKind::Bug {
        return Some(format!("the translator blames itself: {error}"));
    }
    // Metadata has no byte of its own once it is read: its node and element are its place.
    let message = error.message();
    let named = error.place() != Place::Input
        || error.kind() == ErrorKind::Limit
        || ["metadata", "no DXIL part"].iter().any(|place| message.contains(place));
    (!named).then(|| format!("no place: {error}"))
}
