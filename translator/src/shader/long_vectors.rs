//! The version of a program whose vectors stay vectors, for devices with the feature `longVector`.
//!
//! In: the bitcode of a program with a vector of more than four elements. Out: the program that is
//! parsed from it again, on demand. What must hold: entry points and resources are those of the
//! other version, and so are its plans; a program that cannot have this form has the other one.

use std::sync::OnceLock;

use super::front;
use crate::analysis::program::Program;
use crate::decode;
use crate::decode::metadata;
use crate::lower;
use crate::ops::consts::ShaderStage;
use crate::options::Options;
use crate::passes::{LONGEST_OF_CORE, VectorForm, has_long_in_memory, longest};
use dxil_base::error::Result;
use dxil_base::limits::{Budget, Fuel};
use dxil_bitcode as bitcode;

/// A program with long vectors, which is parsed when a device has them. Few containers have any.
#[derive(Debug, Default)]
pub(super) struct LongVectorVersion(Option<Box<LongVectorPart>>);

#[derive(Debug)]
struct LongVectorPart {
    bitcode: Box<[u8]>,
    /// The elements of the longest vector.
    longest: u32,
    program: OnceLock<Option<Box<Program>>>,
}

impl LongVectorVersion {
    /// The version of a program that was parsed from this bitcode. Payloads cannot have long
    /// vectors (SPV_EXT_long_vector, "Universal Validation Rules"), so a program of a stage that
    /// may have one has no such version if any variable has them.
    pub fn new(bitcode: &[u8], program: &Program) -> Self {
        let has_payloads =
            matches!(program.kind, ShaderStage::Library | ShaderStage::Mesh | ShaderStage::Amplification);
        if program.shader_model < (6, 9) || has_payloads && has_long_in_memory(&program.module.types) {
            return Self(None);
        }
        let longest = longest(&program.module.types);
        let part = || Box::new(LongVectorPart { bitcode: bitcode.into(), longest, program: OnceLock::new() });
        Self((longest > LONGEST_OF_CORE).then(part))
    }

    /// The version with long vectors, if the device has vectors of this length. `other` is the one
    /// without.
    pub fn program(&self, other: &Program, options: &Options) -> Option<&Program> {
        let part = self.0.as_deref()?;
        if !lower::has_long_vectors(options, part.longest) {
            return None;
        }
        part.program.get_or_init(|| parse(&part.bitcode, other).ok().map(Box::new)).as_deref()
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        let Some(part) = &self.0 else { return 0 };
        let program = part.program.get().and_then(Option::as_deref);
        let parsed = program.map_or(0, |program| size_of::<Program>() + program.heap_bytes());
        size_of::<LongVectorPart>() + part.bitcode.len() + parsed
    }
}

/// Parses the program as [`Shader::parse`](super::Shader::parse) does.
fn parse(bitcode: &[u8], other: &Program) -> Result<Program> {
    let fuel = Fuel::new(Budget::default(), bitcode.len());
    let mut bodies = bitcode::Bodies::open(bitcode, &fuel)?;
    let metadata = metadata::read(bodies.module())?;
    let mut decoded = decode::decode_bodies(&mut bodies, &fuel)?;
    bodies.close();
    let mut program = front::program(&mut decoded, metadata, VectorForm::Long, &fuel)?;
    program.input_bytes = other.input_bytes;
    program.named_part.clone_from(&other.named_part);
    Ok(program)
}
