//! The code of a pipeline as text: DXIL, the tree of its control flow, SPIR-V.
//!
//! In: a record of the capture. Out: a column of text for each form of each stage, and what the
//! SPIR-V was made for. What must hold: an error stands in the place of the text.

use std::collections::BTreeMap;
use std::sync::Arc;

use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_capture::model::{Code, Record, Stage};
use dxil_capture::{Capture, Digest};
use dxil_spirv_builder as spirv;
use dxil_translator::lower;
use dxil_translator::{Budget, Request, Shader};

use super::error::NoCode;
use crate::synth::{self, Formats};
use crate::words::from_bytes;

/// A stage.
pub struct Listing {
    /// The stage and the entry point.
    pub name: String,
    /// The forms: a heading, and the text.
    pub columns: Vec<(&'static str, String)>,
}

/// The headings of SPIR-V, which say for what it was made.
const CAPTURED: &str = "SPIR-V of the captured translation";
const EVERYTHING: &str = "SPIR-V for a device with every feature";
const OTHER: &str = "SPIR-V of the capture";

/// The code of all stages.
///
/// # Errors
/// The record cannot be read.
pub fn listings(capture: &Capture, pipeline: Digest) -> Result<Vec<Listing>, NoCode> {
    let record = capture.record(pipeline)?;
    let parsed: Vec<Parsed> = record.pipeline.stages.iter().map(|stage| parse(capture, stage)).collect();
    let mut synthesised = synthesised(capture, &record, &parsed);
    let stages = record.pipeline.stages.iter().zip(&parsed).enumerate();
    let listing = |(index, (stage, parsed)): (usize, (&Stage, &Parsed))| {
        let name = format!("{} `{}`", stage_name(stage.stage), stage.entry.escape_debug());
        let columns = match parsed {
            Parsed::Dxil(shader) => {
                let request = record.requests.get(index).copied().flatten();
                let (heading, words) = match request {
                    Some(request) => (CAPTURED, repeated(capture, request, shader)),
                    None => {
                        let missing = || Err(NoCode::NoRequest);
                        (EVERYTHING, synthesised.remove(&index).unwrap_or_else(missing))
                    }
                };
                vec![
                    ("DXIL", or_error(dxil(shader))),
                    ("Tree of the control flow", or_error(tree(shader))),
                    (heading, or_error(words.and_then(|words| assembly(&words)))),
                ]
            }
            Parsed::Spirv(words) => vec![(OTHER, or_error(assembly(words)))],
            Parsed::Not(why) => vec![("Code", why.to_string())],
        };
        Listing { name, columns }
    };
    Ok(stages.map(listing).collect())
}

/// The words of D3D for a stage, and Vulkan's where D3D has none of its own.
pub fn stage_name(bit: u32) -> String {
    const NAMES: [&str; 14] = [
        "vertex",
        "hull",
        "domain",
        "geometry",
        "pixel",
        "compute",
        "amplification",
        "mesh",
        "raygeneration",
        "anyhit",
        "closesthit",
        "miss",
        "intersection",
        "callable",
    ];
    let name = NAMES.get(bit.trailing_zeros() as usize).filter(|_| bit.is_power_of_two());
    name.map_or_else(|| format!("stage {bit:#x}"), |name| (*name).to_owned())
}

/// The code of a stage.
enum Parsed {
    Dxil(Shader),
    Spirv(Vec<u32>),
    Not(NoCode),
}

fn parse(capture: &Capture, stage: &Stage) -> Parsed {
    let parsed = || -> Result<Parsed, NoCode> {
        match stage.code {
            Code::Dxil(digest) => Ok(Parsed::Dxil(Shader::parse(&capture.dxil(digest)?)?)),
            Code::Spirv(digest) => Ok(Parsed::Spirv(from_bytes(&capture.spirv(digest)?))),
            Code::Missing => Err(NoCode::Missing),
        }
    };
    parsed().unwrap_or_else(Parsed::Not)
}

type Words = Result<Vec<u32>, NoCode>;

/// The words of stages that no application translated, by index. All DXIL stages were planned
/// together.
fn synthesised(capture: &Capture, record: &Record, parsed: &[Parsed]) -> BTreeMap<usize, Words> {
    let is_dxil = |(_, parsed): &(usize, &Parsed)| matches!(parsed, Parsed::Dxil(_));
    let indexes = parsed.iter().enumerate().filter(is_dxil).map(|(index, _)| index);
    // A stage with a request has the words of that.
    if record.requests.iter().any(Option::is_some) {
        return BTreeMap::new();
    }
    match synth::translated(capture, &record.pipeline, Formats::Open) {
        Ok(words) => indexes.zip(words.into_iter().map(Ok)).collect(),
        Err(error) => {
            let error = Arc::new(error);
            indexes.map(|index| (index, Err(error.clone().into()))).collect()
        }
    }
}

/// The words of the translation that a request names.
fn repeated(capture: &Capture, request: Digest, shader: &Shader) -> Words {
    let text = capture.request(request)?;
    let request = Request::parse(&text, shader)?;
    Ok(request.translate(shader)?.words)
}

fn or_error(text: Result<String, NoCode>) -> String {
    text.unwrap_or_else(|error| format!("error: {error}"))
}

fn fuel() -> Fuel {
    Fuel::new(Budget::default(), 0)
}

fn dxil(shader: &Shader) -> Result<String, NoCode> {
    Ok(limits::text(&fuel(), shader.program())?)
}

/// As `dxil2spv --emit tree` prints it.
fn tree(shader: &Shader) -> Result<String, NoCode> {
    Ok(lower::tree_text(&shader.program().module, &fuel())?)
}

/// The text of a module.
///
/// # Errors
/// The module cannot be read.
pub fn assembly(words: &[u32]) -> Result<String, NoCode> {
    Ok(spirv::disassemble_within(words, &fuel())?)
}
