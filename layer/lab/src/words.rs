//! SPIR-V as files have it: words of 32 bits, the lowest byte first; and as instructions.

use rspirv::binary::{Consumer, ParseAction, ParseState, parse_words};
use rspirv::dr::{Instruction, Loader, Module, ModuleHeader};
use rspirv::spirv::Op;

/// The bytes of words.
pub fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The words of bytes. What follows the last whole word is left out.
pub fn from_bytes(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Reads a module, also one with debug information: `rspirv` has no place for instructions of
/// extended sets that are outside of functions. They follow the types and variables then.
///
/// # Errors
/// The words are no module, or have an unknown instruction.
pub fn load(words: &[u32]) -> Result<Module, ParseState> {
    let mut reader = WithDebugInfo::default();
    parse_words(words, &mut reader)?;
    let mut module = reader.loader.module();
    module.types_global_values.extend(reader.outside);
    Ok(module)
}

/// The words before the first instruction (SPIR-V, 2.3).
pub const HEADER: usize = 5;

/// The instructions of a module: where each begins, its opcode, and its length in words.
pub fn instructions(words: &[u32]) -> impl Iterator<Item = (usize, u32, usize)> + '_ {
    let mut at = HEADER;
    std::iter::from_fn(move || {
        let first = *words.get(at)?;
        let (opcode, length) = (first & 0xffff, (first >> 16) as usize);
        if length == 0 || at + length > words.len() {
            return None;
        }
        at += length;
        Some((at - length, opcode, length))
    })
}

/// Whether a module has an instruction.
pub fn has_instruction(words: &[u32], op: Op) -> bool {
    instructions(words).any(|(_, opcode, _)| opcode == op as u32)
}

#[derive(Default)]
struct WithDebugInfo {
    loader: Loader,
    in_function: bool,
    outside: Vec<Instruction>,
}

impl Consumer for WithDebugInfo {
    fn initialize(&mut self) -> ParseAction {
        self.loader.initialize()
    }
    fn finalize(&mut self) -> ParseAction {
        self.loader.finalize()
    }
    fn consume_header(&mut self, header: ModuleHeader) -> ParseAction {
        self.loader.consume_header(header)
    }
    fn consume_instruction(&mut self, instruction: Instruction) -> ParseAction {
        match instruction.class.opcode {
            Op::Function => self.in_function = true,
            Op::FunctionEnd => self.in_function = false,
            Op::ExtInst if !self.in_function => {
                self.outside.push(instruction);
                return ParseAction::Continue;
            }
            _ => {}
        }
        self.loader.consume_instruction(instruction)
    }
}
