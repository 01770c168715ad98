//! Index of a module's ids, with bounded work.

use std::cell::Cell;
use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, Op, Word};
use thiserror::Error;

/// Why the resources of a module are not known.
#[derive(Debug, Error)]
pub enum SurveyError {
    /// The module cannot be read.
    #[error("the translated module: {0}")]
    Module(rspirv::binary::ParseState),
    /// It has more numbers than are followed.
    #[error("the module's types and values have more numbers than the lab follows in {STEPS} steps")]
    Steps,
}

/// The most steps in which a module's resources are read: types that are taken apart, and numbers
/// that are followed. A type of a few instructions can have more numbers than a machine can count,
/// because a structure may have another twice; a large shader of a game needs a few hundred
/// thousand steps.
const STEPS: usize = 1 << 23;

/// A module with an index of its ids.
pub struct Reader<'a> {
    /// The module.
    pub module: &'a Module,
    /// Types, constants and variables, by id.
    pub types: BTreeMap<Word, &'a Instruction>,
    decorations: BTreeMap<(Word, Option<u32>), BTreeMap<Decoration, u32>>,
    /// The steps that are left.
    steps: Cell<usize>,
}

impl<'a> Reader<'a> {
    /// Finds the ids of a module.
    pub fn new(module: &'a Module) -> Self {
        let mut decorations: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for annotation in &module.annotations {
            let (target, decoration, rest) = match &annotation.operands[..] {
                [Operand::IdRef(id), Operand::Decoration(decoration), rest @ ..] => ((*id, None), *decoration, rest),
                [Operand::IdRef(id), Operand::LiteralBit32(member), Operand::Decoration(decoration), rest @ ..] => {
                    ((*id, Some(*member)), *decoration, rest)
                }
                _ => continue,
            };
            let number = match rest.first() {
                Some(Operand::LiteralBit32(number)) => *number,
                Some(Operand::BuiltIn(builtin)) => *builtin as u32,
                _ => 0,
            };
            decorations.entry(target).or_default().insert(decoration, number);
        }
        let types = module.types_global_values.iter().filter_map(|it| Some((it.result_id?, it))).collect();
        Self { module, types, decorations, steps: Cell::new(STEPS) }
    }

    /// Counts steps.
    ///
    /// # Errors
    /// There are no more of them.
    pub fn step(&self, count: usize) -> Result<(), SurveyError> {
        let left = self.steps.get().checked_sub(count);
        let left = left.ok_or(SurveyError::Steps)?;
        self.steps.set(left);
        Ok(())
    }

    /// The number of a decoration.
    pub fn decoration(&self, id: Word, member: Option<u32>, decoration: Decoration) -> Option<u32> {
        self.decorations.get(&(id, member))?.get(&decoration).copied()
    }

    /// The numbers of the built-in variables.
    pub fn builtins(&self) -> impl Iterator<Item = &u32> + Clone {
        self.decorations.values().filter_map(|it| it.get(&Decoration::BuiltIn))
    }

    /// A constant's lowest 32 bits.
    pub fn constant(&self, id: Word) -> Option<u32> {
        let instruction = self.types.get(&id)?;
        match (instruction.class.opcode, instruction.operands.first()) {
            (Op::Constant, Some(Operand::LiteralBit32(value))) => Some(*value),
            (Op::ConstantNull, _) => Some(0),
            _ => None,
        }
    }

    /// The type that a pointer type points to.
    pub fn pointee(&self, pointer: Word) -> Option<Word> {
        self.types.get(&pointer)?.operands.get(1)?.id_ref_any()
    }

    /// The size of a number in bytes.
    pub fn size(&self, ty: Word) -> u32 {
        match self.types.get(&ty).and_then(|it| it.operands.first()) {
            Some(Operand::LiteralBit32(width)) => width / 8,
            _ => 4,
        }
    }
}
