//! SPIR-V for a device of Vulkan 1.2.
//!
//! In: a module for a device of Vulkan 1.3. Out: the same in the version of SPIR-V that Vulkan 1.2
//! has, with the extensions that SPIR-V 1.6 took over. What must hold: SPIRV-Tools' validator
//! accepts the result by the rules of Vulkan 1.2.

use ash::vk;
use rspirv::binary::Assemble as _;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Op};

use crate::valid::{Invalid, Validator};
use crate::words::{HEADER, instructions};

/// The newest version of SPIR-V in Vulkan 1.2 (Vulkan, "Versions and Formats").
const NEWEST: u32 = 0x1_0500;
const DOT_PRODUCT: &str = "SPV_KHR_integer_dot_product";
/// The extensions that had the capabilities of SPIR-V 1.6 before.
const CAPABILITIES: [(Capability, &str); 5] = [
    (Capability::DemoteToHelperInvocation, "SPV_EXT_demote_to_helper_invocation"),
    (Capability::DotProduct, DOT_PRODUCT),
    (Capability::DotProductInputAll, DOT_PRODUCT),
    (Capability::DotProductInput4x8Bit, DOT_PRODUCT),
    (Capability::DotProductInput4x8BitPacked, DOT_PRODUCT),
];

/// A module for a device of Vulkan 1.2.
///
/// # Errors
/// The validator's message about what Vulkan 1.2 does not have.
pub fn for_1_2(words: &[u32]) -> Result<Vec<u32>, Invalid> {
    let mut older = words.to_vec();
    if words.get(1).is_some_and(|version| *version > NEWEST) {
        let (mut names, mut behind_capabilities) = (Vec::new(), HEADER);
        for (at, opcode, length) in instructions(words) {
            if opcode == Op::Capability as u32 {
                behind_capabilities = at + length;
                let capability = words.get(at + 1).copied();
                names.extend(CAPABILITIES.iter().find(|(it, _)| Some(*it as u32) == capability).map(|(_, name)| *name));
            } else if opcode == Op::TerminateInvocation as u32 {
                names.push("SPV_KHR_terminate_invocation");
            }
        }
        names.sort_unstable();
        names.dedup();
        let operand = |name: &str| vec![Operand::LiteralString(name.to_owned())];
        let extensions = names.into_iter().map(|name| Instruction::new(Op::Extension, None, None, operand(name)));
        let extensions: Vec<u32> = extensions.flat_map(|it| it.assemble()).collect();
        older.splice(behind_capabilities..behind_capabilities, extensions);
        older[1] = NEWEST;
    }
    Validator::new(&older, vk::API_VERSION_1_2)?;
    Ok(older)
}

#[cfg(test)]
mod tests {
    use rspirv::dr::{Builder, InsertPoint};
    use rspirv::spirv::{AddressingModel, ExecutionMode, ExecutionModel, FunctionControl, MemoryModel};

    use super::*;

    /// A pixel shader of SPIR-V 1.6 that discards or ends.
    fn module(version: (u8, u8), is_discarding: bool) -> Vec<u32> {
        let mut b = Builder::new();
        b.set_version(version.0, version.1);
        b.capability(Capability::Shader);
        if is_discarding {
            b.capability(Capability::DemoteToHelperInvocation);
        }
        b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
        let void = b.type_void();
        let function = b.type_function(void, []);
        let main = b.begin_function(void, None, FunctionControl::NONE, function).unwrap();
        b.begin_block(None).unwrap();
        if is_discarding {
            let demote = Instruction::new(Op::DemoteToHelperInvocation, None, None, Vec::new());
            b.insert_into_block(InsertPoint::End, demote).unwrap();
            b.ret().unwrap();
        } else {
            b.terminate_invocation().unwrap();
        }
        b.end_function().unwrap();
        b.entry_point(ExecutionModel::Fragment, main, "main", []);
        b.execution_mode(main, ExecutionMode::OriginUpperLeft, []);
        b.module().assemble()
    }

    #[test]
    fn what_1_6_took_over_is_an_extension_before() {
        for is_discarding in [true, false] {
            let newer = module((1, 6), is_discarding);
            assert!(Validator::new(&newer, vk::API_VERSION_1_3).is_ok());
            assert!(Validator::new(&newer, vk::API_VERSION_1_2).is_err());
            let older = for_1_2(&newer).unwrap();
            assert_eq!(older[1], 0x1_0500);
            // It is that of Vulkan 1.2 already.
            assert_eq!(for_1_2(&older).unwrap(), older);
        }
    }

    #[test]
    fn what_1_2_lacks_is_said() {
        let error = for_1_2(&module((1, 5), false)).unwrap_err().to_string();
        assert!(error.contains("TerminateInvocation"), "{error}");
    }
}
