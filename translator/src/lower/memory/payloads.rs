//! What shader calls pass: the payload of a ray, the parameter of a callable shader, and the
//! attributes of a hit.
//!
//! In: the pointer that a call takes. Out: the variable that the call names. What must hold: a call
//! names a variable of its storage class; an object that is no such variable is copied to one, and
//! back after the call.

use rspirv::spirv::StorageClass;

use super::passed::{argument_class, call_class, declare};
use super::variables;
use crate::analysis::address::{Address, MemoryVariable, Reason};
use crate::ir::Value;
use crate::lower::cx::{Code, Declared, FunctionCx};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The variable that a call names.
pub struct CallVariable {
    /// The variable.
    pub variable: Id,
    /// The address of the object that the variable is a copy of.
    copied: Option<Id>,
}

impl CallVariable {
    /// The variable of a class for the object that a call takes. An object that is no variable of
    /// the class is copied.
    ///
    /// # Errors
    /// `Malformed` if the pointer leads to no variable that the call may write.
    pub fn find(
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        pointer: Value,
        class: StorageClass,
        what: &str,
    ) -> Result<Self> {
        let address = resolve(cx, pointer, what)?;
        let is_whole = address.indices.is_empty();
        let own = match address.variable {
            MemoryVariable::Alloca(value) if is_whole => {
                cx.input.analysis.rays.payloads.get(&(cx.func, value)).map(|&call| call_class(call))
            }
            MemoryVariable::Argument(value) if is_whole => Some(argument_class(cx, value)?),
            _ => None,
        };
        let incoming = match class {
            StorageClass::RayPayloadKHR => StorageClass::IncomingRayPayloadKHR,
            _ => StorageClass::IncomingCallableDataKHR,
        };
        let object = variables::pointer(cx, code, pointer)?;
        if own.is_some_and(|own| own == class || own == incoming) {
            return Ok(Self { variable: object.id, copied: None });
        }
        let ty = cx.entry.ty(code, object.ty)?;
        let variable = cx.entry.declare(code, Declared::Payload(class as u32, ty.word()), |cx, module| {
            declare(cx, module, class, object.ty)
        })?;
        let value = code.load(object.id);
        code.store(variable, value);
        Ok(Self { variable, copied: Some(object.id) })
    }

    /// Copies the object back after the call.
    pub fn copy_back(self, code: &mut Code<'_, '_>) {
        if let Some(object) = self.copied {
            let value = code.load(self.variable);
            code.store(object, value);
        }
    }
}

/// The address of the object that a call takes. [`passes`](crate::passes) have made it a single
/// access path wherever the pointer leads to a variable.
fn resolve(cx: &FunctionCx<'_, '_>, pointer: Value, what: &str) -> Result<Address> {
    const EXPECTED: &str = "expected a variable of the shader, or an argument of the entry point";
    let module = &cx.input.program.module;
    let address = Address::resolve(module, cx.function, pointer).map_err(|reason| match reason {
        Reason::Malformed(text) | Reason::Irregular(text) => malformed!(cx.entry.place, "{what} is {text}; {EXPECTED}"),
    })?;
    if let MemoryVariable::Global(global) = address.variable
        && module.globals[global].constant
    {
        let name = &module.globals[global].name;
        return Err(malformed!(cx.entry.place, "{what} is in the constant `{}`; {EXPECTED}", name.escape_debug()));
    }
    Ok(address)
}

/// Writes the attributes of a hit to their variable.
///
/// # Errors
/// `Malformed` as [`CallVariable::find`]; `Unsupported` if the shader has attributes of several
/// types.
pub fn write_attributes(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    pointer: Value,
    what: &str,
) -> Result<()> {
    resolve(cx, pointer, what)?;
    let object = variables::pointer(cx, code, pointer)?;
    let class = StorageClass::HitAttributeKHR;
    let variable = cx
        .entry
        .declare(code, Declared::Payload(class as u32, 0), |cx, module| declare(cx, module, class, object.ty))?;
    let value = code.load(object.id);
    let ty = code.type_of(value).map(|ty| code.type_pointer(class, ty));
    if code.type_of(variable) != ty {
        return Err(unsupported!(
            cx.entry.place,
            "ReportHit with attributes of several types; Vulkan has one variable for the attributes of a shader"
        ));
    }
    code.store(variable, value);
    Ok(())
}

/// Stores to an object what a call gives of it: a value of the object's type, by a variable of a
/// class. The call gets the variable and the type.
///
/// # Errors
/// `Malformed` as [`CallVariable::find`]; those of the call.
pub fn write_object(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    pointer: Value,
    class: StorageClass,
    what: &str,
    value: impl FnOnce(&mut Code<'_, '_>, Id, Id) -> Result<Id>,
) -> Result<()> {
    resolve(cx, pointer, what)?;
    let object = variables::pointer(cx, code, pointer)?;
    let ty = cx.entry.ty(code, object.ty)?;
    let key = Declared::Payload(class as u32, ty.word());
    let variable = cx.entry.declare(code, key, |cx, module| declare(cx, module, class, object.ty))?;
    let value = value(code, variable, ty)?;
    code.store(object.id, value);
    Ok(())
}
