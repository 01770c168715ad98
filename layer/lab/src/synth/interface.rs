//! The locations of a translated stage.
//!
//! In: SPIR-V of the translator. Out: its inputs and outputs with locations, and what it writes for
//! the depth test. What must hold: only modules of the translator come here, so a module that does
//! not parse is a fault of the lab.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass, Word};

use super::error::ShaderError;
use crate::words::load;

/// The kind of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarType {
    /// A floating-point number.
    Float,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
}

/// A variable with a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its first location.
    pub location: u32,
    /// Its first component.
    pub component: u32,
    /// `Index`: 1 for the second source of blending.
    pub index: u32,
    /// Its numbers.
    pub scalar: ScalarType,
    /// Their width in bits.
    pub width: u32,
    /// Components, 1 to 4.
    pub components: u32,
    /// Locations.
    pub rows: u32,
    /// It is interpolated without perspective or not at all; the decorations that a stage before
    /// must not have.
    pub is_flat: bool,
}

/// What a stage reads and writes.
#[derive(Clone, Default, Debug)]
pub struct Interface {
    /// Its inputs.
    pub inputs: Vec<Variable>,
    /// Its outputs.
    pub outputs: Vec<Variable>,
    /// It writes the depth.
    pub writes_depth: bool,
    /// It writes the stencil reference.
    pub writes_stencil: bool,
    /// It runs for each sample.
    pub is_per_sample: bool,
}

impl Interface {
    /// Reads the interface of a module's entry point.
    ///
    /// # Errors
    /// A module that is no SPIR-V.
    pub fn read(words: &[u32]) -> Result<Self, ShaderError> {
        let module = load(words).map_err(ShaderError::Module)?;
        let mut decorations: BTreeMap<Word, Vec<(Decoration, u32)>> = BTreeMap::new();
        for annotation in module.annotations.iter().filter(|it| it.class.opcode == Op::Decorate) {
            if let [Operand::IdRef(id), Operand::Decoration(decoration), rest @ ..] = &annotation.operands[..] {
                let number = match rest.first() {
                    Some(Operand::LiteralBit32(number)) => *number,
                    Some(Operand::BuiltIn(builtin)) => *builtin as u32,
                    _ => 0,
                };
                decorations.entry(*id).or_default().push((*decoration, number));
            }
        }
        let mut interface = Self::default();
        let types: BTreeMap<Word, &Instruction> =
            module.types_global_values.iter().filter_map(|it| Some((it.result_id?, it))).collect();
        for variable in module.types_global_values.iter().filter(|it| it.class.opcode == Op::Variable) {
            let (Some(id), Some(Operand::StorageClass(class))) = (variable.result_id, variable.operands.first()) else {
                continue;
            };
            if !matches!(class, StorageClass::Input | StorageClass::Output) {
                continue;
            }
            let found = decorations.get(&id).map_or(&[][..], Vec::as_slice);
            let value = |wanted: Decoration| found.iter().find(|(it, _)| *it == wanted).map(|(_, number)| *number);
            if let Some(builtin) = value(Decoration::BuiltIn) {
                interface.is_per_sample |=
                    [BuiltIn::SampleId as u32, BuiltIn::SamplePosition as u32].contains(&builtin);
                interface.writes_depth |= builtin == BuiltIn::FragDepth as u32;
                interface.writes_stencil |= builtin == BuiltIn::FragStencilRefEXT as u32;
            }
            interface.is_per_sample |= value(Decoration::Sample).is_some();
            let Some(location) = value(Decoration::Location) else { continue };
            let pointee = variable.result_type.and_then(|ty| types.get(&ty)?.operands.get(1)?.id_ref_any());
            let Some((scalar, width, components, rows)) = pointee.and_then(|ty| shape(&types, ty, 0)) else {
                continue;
            };
            let variable = Variable {
                location,
                component: value(Decoration::Component).unwrap_or(0),
                index: value(Decoration::Index).unwrap_or(0),
                scalar,
                width,
                components,
                rows,
                is_flat: value(Decoration::Flat).is_some(),
            };
            match class {
                StorageClass::Input => interface.inputs.push(variable),
                _ => interface.outputs.push(variable),
            }
        }
        interface.inputs.sort_by_key(|it| (it.location, it.component));
        interface.outputs.sort_by_key(|it| (it.location, it.component));
        Ok(interface)
    }
}

/// The numbers, components and rows of a type.
fn shape(types: &BTreeMap<Word, &Instruction>, id: Word, depth: u32) -> Option<(ScalarType, u32, u32, u32)> {
    let ty = types.get(&id)?;
    let number = |at: usize| match ty.operands.get(at) {
        Some(Operand::LiteralBit32(number)) => Some(*number),
        _ => None,
    };
    let inner = || ty.operands.first()?.id_ref_any().filter(|_| depth < 4);
    match ty.class.opcode {
        Op::TypeFloat => Some((ScalarType::Float, number(0)?, 1, 1)),
        Op::TypeInt => {
            Some((if number(1)? == 0 { ScalarType::Unsigned } else { ScalarType::Signed }, number(0)?, 1, 1))
        }
        Op::TypeVector => {
            let (scalar, width, _, rows) = shape(types, inner()?, depth + 1)?;
            Some((scalar, width, number(1)?, rows))
        }
        Op::TypeArray => {
            let (scalar, width, components, rows) = shape(types, inner()?, depth + 1)?;
            let length = types.get(&ty.operands.get(1)?.id_ref_any()?)?;
            let Some(Operand::LiteralBit32(length)) = length.operands.first() else { return None };
            Some((scalar, width, components, rows.checked_mul(*length)?))
        }
        _ => None,
    }
}
