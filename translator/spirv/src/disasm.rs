//! SPIR-V as text, for people and tests. Translation does not use this module.

use rspirv::binary::{Consumer, Disassemble, ParseAction};
use rspirv::dr;
use rspirv::spirv::Op;

use dxil_base::error::{Place, Result};
use dxil_base::limits::{Fuel, TEXTS};

/// The assembly of a module, as `spirv-dis` writes it with raw ids.
///
/// # Errors
/// `Malformed` if the `rspirv` loader does not accept the words.
pub fn disassemble(words: &[u32]) -> Result<String> {
    disassemble_within(words, &Fuel::default())
}

/// [`disassemble`] with fuel.
///
/// # Errors
/// Those of [`disassemble`]; `Limit` if the objects and the text would cost more than the budget.
pub fn disassemble_within(words: &[u32], fuel: &Fuel) -> Result<String> {
    // A word is an operand, or the first one of an instruction.
    fuel.bytes(Place::Input, TEXTS, words.len() * size_of::<dr::Instruction>())?;
    let text = load(words)?.disassemble();
    fuel.items::<u8>(Place::Input, TEXTS, text.len())?;
    Ok(text)
}

/// The module of these words as objects.
///
/// # Errors
/// `Malformed` if the `rspirv` loader does not accept the words.
pub fn load(words: &[u32]) -> Result<dr::Module> {
    let mut loader = Loader { inner: dr::Loader::new(), in_function: false, last: None, beside: Vec::new() };
    rspirv::binary::parse_words(words, &mut loader)
        .map_err(|state| malformed!(Place::Input, "the words are not a SPIR-V module: {state}"))?;
    let mut module = loader.inner.module();
    let mut beside = loader.beside.into_iter().peekable();
    for inst in std::mem::take(&mut module.types_global_values) {
        let id = inst.result_id;
        module.types_global_values.push(inst);
        while let Some((_, inst)) = beside.next_if(|(after, _)| *after == id) {
            module.types_global_values.push(inst);
        }
    }
    module.types_global_values.extend(beside.map(|(_, inst)| inst));
    Ok(module)
}

/// The loader of `rspirv`, which does not know that non-semantic instructions stand among types,
/// constants and variables (SPV_KHR_non_semantic_info).
struct Loader {
    inner: dr::Loader,
    in_function: bool,
    /// The id of the last instruction that the loader got.
    last: Option<u32>,
    /// The others, each with the id of the instruction before them.
    beside: Vec<(Option<u32>, dr::Instruction)>,
}

impl Consumer for Loader {
    fn initialize(&mut self) -> ParseAction {
        self.inner.initialize()
    }
    fn finalize(&mut self) -> ParseAction {
        self.inner.finalize()
    }
    fn consume_header(&mut self, header: dr::ModuleHeader) -> ParseAction {
        self.inner.consume_header(header)
    }
    fn consume_instruction(&mut self, inst: dr::Instruction) -> ParseAction {
        match inst.class.opcode {
            Op::Function => self.in_function = true,
            Op::FunctionEnd => self.in_function = false,
            Op::ExtInst if !self.in_function => {
                self.beside.push((self.last, inst));
                return ParseAction::Continue;
            }
            _ => {}
        }
        self.last = inst.result_id.or(self.last);
        self.inner.consume_instruction(inst)
    }
}
