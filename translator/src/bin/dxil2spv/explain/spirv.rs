//! The listing of SPIR-V: `dxil2spv --emit asm --names`, with the line of DXIL that each line was
//! made for.

use std::collections::BTreeMap;

use dxil_base::limits::Fuel;
use dxil_spirv_builder as spirv;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op};

use super::line::Line;

/// The lines of a module. `numbered` is the same module with the number of a line of DXIL, counted
/// from one, as the line of each instruction; `resources` has the lines of DXIL for set and
/// binding.
///
/// # Errors
/// `Limit` if the text is too long.
pub fn lines(
    words: &[u32],
    numbered: Option<&[u32]>,
    resources: &BTreeMap<(u32, u32), Vec<usize>>,
    fuel: &Fuel,
) -> dxil_translator::Result<Vec<Line>> {
    let text = spirv::disassemble_within(words, fuel)?;
    let module = spirv::load(words)?;
    let insts: Vec<&Instruction> = module.all_inst_iter().collect();
    let mut lines: Vec<Line> = text.lines().map(Line::new).collect();
    let head = lines.iter().take_while(|line| line.text.starts_with(';')).count();
    // Each instruction has one line.
    let Some(listed) = lines.get_mut(head..).filter(|listed| listed.len() == insts.len()) else { return Ok(lines) };
    let made_for = numbered.map(spirv::load).transpose()?.and_then(|numbered| {
        let made_for = made_for(numbered.all_inst_iter());
        let same =
            made_for.len() == insts.len() && made_for.iter().zip(&insts).all(|((op, _), i)| *op == i.class.opcode);
        same.then_some(made_for)
    });
    for (line, (_, dxil)) in listed.iter_mut().zip(made_for.into_iter().flatten()) {
        line.dxil.extend(dxil);
    }
    let variables = variables(&insts, resources);
    for (line, inst) in listed.iter_mut().zip(&insts) {
        let names = match inst.class.opcode {
            Op::Variable => inst.result_id,
            Op::Name | Op::Decorate => id(inst),
            _ => None,
        };
        line.dxil.extend(names.and_then(|id| variables.get(&id).copied()).into_iter().flatten());
    }
    Ok(lines)
}

/// The instructions without those about lines, each with its line, counted from zero.
fn made_for<'a>(insts: impl Iterator<Item = &'a Instruction>) -> Vec<(Op, Option<usize>)> {
    let (mut here, mut found) = (None, Vec::new());
    for inst in insts {
        match inst.class.opcode {
            Op::String | Op::Source | Op::SourceContinued | Op::NoLine => {}
            Op::Line => here = number(inst, 1).and_then(|line| line.checked_sub(1)).map(|line| line as usize),
            op => {
                if matches!(op, Op::Label | Op::FunctionEnd) {
                    here = None;
                }
                found.push((op, here));
            }
        }
    }
    found
}

/// The lines of DXIL for the variables at bindings.
fn variables<'r>(
    insts: &[&Instruction],
    resources: &'r BTreeMap<(u32, u32), Vec<usize>>,
) -> BTreeMap<u32, &'r Vec<usize>> {
    let mut places: BTreeMap<u32, [Option<u32>; 2]> = BTreeMap::new();
    for inst in insts.iter().filter(|inst| inst.class.opcode == Op::Decorate) {
        let at = match inst.operands.get(1) {
            Some(Operand::Decoration(Decoration::DescriptorSet)) => 0,
            Some(Operand::Decoration(Decoration::Binding)) => 1,
            _ => continue,
        };
        if let (Some(id), Some(number)) = (id(inst), number(inst, 2)) {
            places.entry(id).or_default()[at] = Some(number);
        }
    }
    let at = |(id, place): (u32, [Option<u32>; 2])| {
        let [set, binding] = place;
        Some((id, resources.get(&(set?, binding?))?))
    };
    places.into_iter().filter_map(at).collect()
}

/// The id that an instruction names first.
fn id(inst: &Instruction) -> Option<u32> {
    match inst.operands.first() {
        Some(&Operand::IdRef(id)) => Some(id),
        _ => None,
    }
}

/// A number among the operands of an instruction.
fn number(inst: &Instruction, index: usize) -> Option<u32> {
    match inst.operands.get(index) {
        Some(&Operand::LiteralBit32(number)) => Some(number),
        _ => None,
    }
}
