//! Variables that a shader shares with the shader at the other end of a shader call: payloads of
//! rays, parameters of callable shaders, attributes of hits.
//!
//! In: an argument of the entry function, or the pointer that a call takes. Out: a variable of the
//! storage class that Vulkan has for it. What must hold: a variable has the compiler's own type,
//! because the other shader declares it too; the attributes of a stage are one variable (Vulkan,
//! VUID-StandaloneSpirv-HitAttributeKHR).

use rspirv::spirv::{Decoration, StorageClass};

use super::variables;
use crate::analysis::address::{Address, Reason, Variable};
use crate::analysis::entry::ShaderCall;
use crate::ir::{TypeId, Value};
use crate::lower::cx::{Code, Declared, EntryCx, FunctionCx, Passing};
use crate::ops::consts::ShaderStage;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Module};

/// The storage class of an entry function's argument.
fn argument_class(cx: &FunctionCx<'_, '_>, value: Value) -> Result<StorageClass> {
    let number = cx.function.args.iter().position(|&arg| arg == value);
    match (cx.input.entry.stage, number) {
        _ if cx.func != cx.input.entry.func => {}
        (ShaderStage::AnyHit | ShaderStage::ClosestHit | ShaderStage::Miss, Some(0)) => {
            return Ok(StorageClass::IncomingRayPayloadKHR);
        }
        (ShaderStage::AnyHit | ShaderStage::ClosestHit, Some(1)) => return Ok(StorageClass::HitAttributeKHR),
        (ShaderStage::Callable, Some(0)) => return Ok(StorageClass::IncomingCallableDataKHR),
        _ => {}
    }
    Err(unsupported!(cx.entry.place, "an address from an argument of a function that is not an entry point"))
}

/// The variable that an argument of the entry function points to.
pub(super) fn argument(cx: &mut FunctionCx<'_, '_>, module: &mut Module<'_>, value: Value, ty: TypeId) -> Result<Id> {
    if let Some(&id) = cx.variables.allocas.get(&value) {
        return Ok(id);
    }
    let class = argument_class(cx, value)?;
    let id = declare(cx.entry, module, class, ty)?;
    cx.variables.allocas.insert(value, id);
    Ok(id)
}

/// The storage class of an alloca that a shader call takes.
pub(super) fn call_class(call: ShaderCall) -> StorageClass {
    match call {
        ShaderCall::TraceRay => StorageClass::RayPayloadKHR,
        ShaderCall::CallShader => StorageClass::CallableDataKHR,
    }
}

/// Declares a variable of one of the storage classes.
pub(super) fn declare(cx: &mut EntryCx<'_>, module: &mut Module<'_>, class: StorageClass, ty: TypeId) -> Result<Id> {
    let ty = cx.ty(module, ty)?;
    let id = module.variable(class, ty, None)?;
    // Calls name the variable itself, so nothing depends on locations. Compilers for older drivers
    // write them, with numbers that are unique among the payloads, or among the parameters.
    let (name, numbered) = match class {
        StorageClass::RayPayloadKHR | StorageClass::IncomingRayPayloadKHR => ("payload", Some(Passing::Payload)),
        StorageClass::CallableDataKHR | StorageClass::IncomingCallableDataKHR => {
            ("parameter", Some(Passing::Parameter))
        }
        _ => ("attributes", None),
    };
    if let Some(numbered) = numbered {
        module.decorate(id, Decoration::Location, &[cx.interface.next(numbered)]);
    }
    module.name(id, name);
    Ok(id)
}

/// The variable that a call names.
pub struct Passed {
    /// The variable.
    pub variable: Id,
    /// The address of the object that the variable is a copy of.
    copied: Option<Id>,
}

impl Passed {
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
            Variable::Alloca(value) if is_whole => {
                cx.input.analysis.rays.payloads.get(&(cx.func, value)).map(|&call| call_class(call))
            }
            Variable::Argument(value) if is_whole => Some(argument_class(cx, value)?),
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
    if let Variable::Global(global) = address.variable
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
/// `Malformed` as [`Passed::find`]; `Unsupported` if the shader has attributes of several types.
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
