//! Helper lanes of a pixel shader, and lanes that have discarded on a device that cannot demote.
//!
//! Such a device gets a flag, private to the invocation, that says whether its lane has discarded.
//! A lane that has discarded reports that it is a helper (Vulkan, "HelperInvocation"), and wave
//! operations do not count it.

use rspirv::spirv::{BuiltIn, Op, StorageClass};

use crate::lower::cx::{Code, Declared, EntryCx, FunctionCx};
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, MemoryAccess, Module};

/// The flag that says whether the lane has discarded. It is private to the invocation and initially
/// false.
fn flag(cx: &mut EntryCx<'_>, module: &mut Module<'_>) -> Result<Id> {
    cx.declare(module, Declared::Discarded, |_, module| {
        let (bool_ty, no) = (module.type_bool(), module.const_bool(false));
        let id = module.variable(StorageClass::Private, bool_ty, Some(no))?;
        module.name(id, "discarded");
        Ok(id)
    })
}

/// Sets the flag if the condition holds, or always if there is no condition.
pub fn discard(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, condition: Option<Id>) -> Result<()> {
    let (flag, bool_ty) = (flag(cx.entry, code)?, code.type_bool());
    let now = match condition {
        Some(condition) => {
            let before = code.load(flag);
            code.binary(Op::LogicalOr, bool_ty, before, condition)
        }
        None => code.const_bool(true),
    };
    code.store(flag, now);
    Ok(())
}

/// Whether the lane has discarded. It is `None` if discards are demotions or the entry has none.
pub fn has_discarded(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Option<Id>> {
    if !cx.input.analysis.pixel.flags_discards {
        return Ok(None);
    }
    let flag = flag(cx.entry, code)?;
    Ok(Some(code.load(flag)))
}

/// Whether the lane of a pixel shader is a helper at this point of the program.
pub fn helper(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Id> {
    let bool_ty = code.type_bool();
    let variable = cx.entry.builtin(code, BuiltIn::HelperInvocation, bool_ty)?;
    let helper = code.load_with(variable, MemoryAccess { volatile: true, ..MemoryAccess::default() });
    Ok(match has_discarded(cx, code)? {
        Some(discarded) => code.binary(Op::LogicalOr, bool_ty, helper, discarded),
        None => helper,
    })
}
