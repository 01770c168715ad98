//! What the results of a stage may depend on besides its inputs, and how large its groups are.

use std::collections::BTreeSet;

use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, ExecutionMode, ExecutionModel, Op};

use super::declared::Declared;
use super::reader::Reader;

/// What the results of this stage may depend on.
pub fn add(reader: &Reader<'_>, declared: &mut Declared) {
    // Each text occurs once.
    let mut say = |text: &str| {
        if !declared.depends.iter().any(|known| known == text) {
            declared.depends.push(text.to_owned());
        }
    };
    let builtins = reader.builtins();
    let by_lane = [BuiltIn::SubgroupSize, BuiltIn::SubgroupLocalInvocationId, BuiltIn::SubgroupId];
    if builtins.clone().any(|number| by_lane.iter().any(|builtin| *builtin as u32 == *number)) {
        say("the subgroup size");
    }
    let mut used = BTreeSet::new();
    let instructions = || reader.module.functions.iter().flat_map(|f| f.blocks.iter()).flat_map(|b| &b.instructions);
    for instruction in instructions() {
        used.extend(instruction.operands.iter().filter_map(Operand::id_ref_any));
    }
    for instruction in instructions() {
        let opcode = instruction.class.opcode;
        let name = format!("{opcode:?}");
        if name.starts_with("GroupNonUniform") && !name.contains("Quad") {
            say("the subgroup size");
        } else if name.starts_with("Atomic") && instruction.result_id.is_some_and(|id| used.contains(&id)) {
            say("the order of atomic operations");
        } else if name.starts_with("DPd") || name.starts_with("Fwidth") || name.contains("ImplicitLod") {
            say("derivatives");
        } else if matches!(opcode, Op::RayQueryInitializeKHR | Op::TraceRayKHR) {
            say("where rays meet edges");
        } else if let (Op::ExtInst, Some(Operand::LiteralExtInstInteger(number))) =
            (opcode, instruction.operands.get(1))
        {
            imprecise(*number).into_iter().for_each(|name| say(&format!("the precision of {name}")));
        }
    }
    for entry in &reader.module.entry_points {
        if let Some(Operand::ExecutionModel(ExecutionModel::AnyHitKHR | ExecutionModel::IntersectionKHR)) =
            entry.operands.first()
        {
            say("the order in which a ray meets candidates");
        }
    }
    for mode in &reader.module.execution_modes {
        if let [_, Operand::ExecutionMode(ExecutionMode::LocalSize), sizes @ ..] = &mode.operands[..] {
            for (size, operand) in declared.local_size.iter_mut().zip(sizes) {
                if let Operand::LiteralBit32(number) = operand {
                    *size = *number;
                }
            }
        }
    }
}

/// Instructions of GLSL.std.450 that Vulkan allows an error of more than a few units in the last
/// place (Vulkan, "Precision of GLSL.std.450 Instructions").
fn imprecise(number: u32) -> Option<&'static str> {
    Some(match number {
        13 => "Sin",
        14 => "Cos",
        15 => "Tan",
        16 => "Asin",
        17 => "Acos",
        18 => "Atan",
        19 => "Sinh",
        20 => "Cosh",
        21 => "Tanh",
        25 => "Atan2",
        26 => "Pow",
        27 => "Exp",
        28 => "Log",
        29 => "Exp2",
        30 => "Log2",
        32 => "InverseSqrt",
        _ => return None,
    })
}
