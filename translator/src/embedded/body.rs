//! The module around a container: its instructions by word counts, without a look into its code.
//!
//! In: words or bytes of a module. Out: its strings, its entry points, the module with more
//! strings. What must hold: SPIR-V's order of sections (2.4, «Logical Layout of a Module») is kept;
//! an instruction that runs past the module is an error.

use foldhash::HashSet;
use rspirv::spirv::{ExecutionModel, MAGIC_NUMBER, Op};

use super::names::{by_name, named};
use super::strings;
use crate::lower;
use crate::shader::Shader;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// The generator word of a module that carries a container: the bytes `DXIL`. No tool has
/// registered it.
pub const GENERATOR: u32 = u32::from_le_bytes(*b"DXIL");

const HEADER_WORDS: usize = 5;
/// The header's words with the generator and with the bound of all ids.
const GENERATOR_AT: usize = 2;
const BOUND_AT: usize = 3;
/// The largest bound of ids (SPIR-V, 2.17, «Universal Limits»).
const LARGEST_BOUND: u32 = 0x3f_ffff;

/// The sections of a module up to the first debug instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    /// Capabilities, extensions, imports, memory model, entry points, execution modes.
    Before,
    /// `OpString` and the other instructions beside it.
    Strings,
    /// All that follows.
    After,
}

fn section(op: u32) -> Section {
    match Op::from_u32(op) {
        Some(
            Op::Capability
            | Op::Extension
            | Op::ExtInstImport
            | Op::MemoryModel
            | Op::EntryPoint
            | Op::ExecutionMode
            | Op::ExecutionModeId,
        ) => Section::Before,
        Some(Op::String | Op::SourceExtension | Op::Source | Op::SourceContinued | Op::Nop) => Section::Strings,
        _ => Section::After,
    }
}

/// An instruction: its offset in bytes, opcode, and operands.
type SpirvInstruction<'a> = (usize, u32, &'a [u8]);

/// The instructions of a module.
fn instructions(code: &[u8]) -> impl Iterator<Item = Result<SpirvInstruction<'_>>> {
    let mut at = HEADER_WORDS * 4;
    let mut failed = false;
    std::iter::from_fn(move || {
        let rest = code.get(at..).filter(|rest| !rest.is_empty() && !failed)?;
        let place = Place::Byte(at as u64);
        let Some((&[a, b, c, d], _)) = rest.split_first_chunk() else {
            failed = true;
            return Some(Err(malformed!(place, "{} bytes after the last word of a SPIR-V module", rest.len())));
        };
        let first = u32::from_le_bytes([a, b, c, d]);
        let count = (first >> 16) as usize;
        match rest.get(4..count * 4) {
            Some(operands) => {
                let found = (at, first & 0xffff, operands);
                at += count * 4;
                Some(Ok(found))
            }
            None => {
                failed = true;
                let left = rest.len() / 4;
                Some(Err(malformed!(place, "a SPIR-V instruction of {count} words, with {left} words left")))
            }
        }
    })
}

/// The literal string at the beginning of operands.
fn literal(operands: &[u8], place: Place) -> Result<&[u8]> {
    let end = operands.iter().position(|&byte| byte == 0);
    let end = end.ok_or_else(|| malformed!(place, "a SPIR-V string without its final NUL"))?;
    Ok(operands.get(..end).unwrap_or_default())
}

/// The texts of the `OpString`s of a module, with their places. Only the sections up to them are
/// read.
pub fn strings(code: &[u8]) -> impl Iterator<Item = Result<(Place, &[u8])>> {
    instructions(code)
        .take_while(|found| !matches!(found, Ok((_, op, _)) if section(*op) == Section::After))
        .filter_map(|found| match found {
            Ok((at, op, operands)) if op == Op::String as u32 => {
                let place = Place::Byte(at as u64);
                Some(literal(operands.get(4..).unwrap_or_default(), place).map(|text| (place, text)))
            }
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
}

/// Checks that a module can be the body of a container: that it is a module, carries no container,
/// and that the container has an entry point of it. It must have those of `names`.
///
/// # Errors
/// `Malformed` and `Unsupported`, with what is wrong.
pub fn check(module: &[u32], shader: &Shader, names: &[&str]) -> Result<()> {
    let wrong = |what: &str| Err(malformed!(Place::Input, "the module for use without the layer {what}"));
    let &[magic, _, generator, bound, _, ..] = module else { return wrong("is shorter than SPIR-V's header") };
    if magic != MAGIC_NUMBER {
        return wrong("does not begin with SPIR-V's magic number in the order of a little-endian word");
    }
    limits::check(Place::Input, "words of SPIR-V", module.len(), limits::OUTPUT_WORDS)?;
    if bound > LARGEST_BOUND {
        return Err(limit_error!(Place::Input, "a bound of ids of {bound}, the limit is {LARGEST_BOUND}"));
    }
    let code: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut entries = Vec::new();
    for found in instructions(&code) {
        let (at, op, operands) = found?;
        let place = Place::Byte(at as u64);
        if op == Op::String as u32 {
            let text = literal(operands.get(4..).unwrap_or_default(), place)?;
            if generator == GENERATOR || text.starts_with(strings::HEAD.as_bytes()) {
                return wrong("carries a container already");
            }
        }
        if op == Op::EntryPoint as u32 {
            let model = operands.first_chunk().map(|&word| u32::from_le_bytes(word));
            let name = String::from_utf8_lossy(literal(operands.get(8..).unwrap_or_default(), place)?);
            entries.push((name, model.and_then(ExecutionModel::from_u32)));
        }
    }
    if generator == GENERATOR {
        return wrong("carries a container already");
    }
    if entries.is_empty() {
        return wrong("has no entry point");
    }
    let all = by_name(shader);
    let mut common = false;
    for (name, model) in &entries {
        let Some(entry) = all.get(&**name) else { continue };
        common = true;
        if *model != Some(lower::execution_model(entry.stage)?) {
            let (name, stage) = (name.escape_debug(), entry.stage);
            let model = model.map_or_else(|| "an unknown execution model".to_owned(), |model| format!("{model:?}"));
            return Err(unsupported!(
                Place::Input,
                "entry point `{name}` is of stage {stage} in the container and of {model} in the module for use \
                 without the layer"
            ));
        }
    }
    // A library may export fewer entry points than its source has.
    if !common && let Some((name, _)) = entries.first() {
        named(shader, &all, name)?;
    }
    let here: HashSet<&str> = entries.iter().map(|(name, _)| &**name).collect();
    for name in names {
        named(shader, &all, name)?;
        if !here.contains(name) {
            return wrong(&format!("has no entry point `{}`", name.escape_debug()));
        }
    }
    Ok(())
}

/// The module with these strings before its first debug instruction, and with [`GENERATOR`].
///
/// # Errors
/// `Malformed` for a module that ends within an instruction, `Limit` for one that gets too many ids
/// or words.
pub fn with_strings(module: &[u32], texts: &[String]) -> Result<Vec<u32>> {
    let mut at = HEADER_WORDS;
    while let Some(&first) = module.get(at)
        && section(first & 0xffff) == Section::Before
    {
        at += ((first >> 16) as usize).max(1);
    }
    let (Some(before), Some(after), Some(&bound)) = (module.get(..at), module.get(at..), module.get(BOUND_AT)) else {
        return Err(malformed!(Place::Input, "the last instruction of a SPIR-V module runs past it"));
    };
    // The words of all strings are most of the module.
    let added: usize = texts.iter().map(|text| text.len() / 4 + 3).sum();
    let mut words = Vec::with_capacity(module.len() + added);
    words.extend_from_slice(before);
    let mut id = bound;
    for text in texts {
        push_string(&mut words, id, text)?;
        id = id.saturating_add(1);
    }
    if id > LARGEST_BOUND {
        return Err(limit_error!(Place::Input, "a bound of ids of {id}, the limit is {LARGEST_BOUND}"));
    }
    for (place, word) in [(GENERATOR_AT, GENERATOR), (BOUND_AT, id)] {
        if let Some(header) = words.get_mut(place) {
            *header = word;
        }
    }
    words.extend_from_slice(after);
    Ok(words)
}

/// Writes an `OpString`.
fn push_string(words: &mut Vec<u32>, id: u32, text: &str) -> Result<()> {
    limits::check(Place::Input, "bytes in a SPIR-V string", text.len(), strings::STRING_BYTES)?;
    let mut chunks = text.as_bytes().chunks_exact(4);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    // The opcode, the id, the full words, and a word with the rest and the final NUL.
    words.push((3 + chunks.len() as u32) << 16 | Op::String as u32);
    words.push(id);
    words.extend(chunks.by_ref().map(word));
    words.push(word(chunks.remainder()));
    Ok(())
}
