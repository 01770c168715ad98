//! The parameters of entry points: their number, their types and their sizes.
//!
//! In: an entry function of a stage of a ray-tracing pipeline. Out: nothing, or the reason why it
//! cannot be one. What must hold: a payload is not larger than its entry point declares, and
//! attributes have at most 32 bytes (D3D12, `D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES`), because
//! an application creates its pipeline with these sizes.

use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::{AddressSpace, Type, TypeId, Value};
use crate::dxil::program::StageProperties;
use crate::error::{Place, Result};
use crate::limits::ATTRIBUTE_BYTES;
use crate::lower::cx::{FunctionCx, ModuleCx};

/// Checks the parameters of the entry function.
///
/// # Errors
/// `Malformed`, with what was found and what is expected.
pub fn check(cx: &ModuleCx<'_>) -> Result<()> {
    let function = &cx.program.module.functions[cx.entry.func];
    let (place, name, stage) = (Place::Function(function.number), &function.name, cx.entry.stage);
    let expected = match stage {
        ShaderStage::AnyHit | ShaderStage::ClosestHit => 2,
        ShaderStage::Miss | ShaderStage::Callable => 1,
        _ => 0,
    };
    let name = name.escape_debug();
    if *cx.ir_type(function.ret) != Type::Void || function.args.len() != expected {
        let found = function.args.len();
        return Err(malformed!(
            place,
            "entry function `{name}` of stage {stage} has {found} parameters; expected {expected} and no return value"
        ));
    }
    let StageProperties::Rays { payload_bytes, attribute_bytes } = cx.entry.properties else { return Ok(()) };
    let sizes = cx.program.module.layout.measure(&cx.program.module.types);
    for (number, &arg) in function.args.iter().enumerate() {
        let (what, declared) = match number {
            0 if stage == ShaderStage::Callable => ("parameter", payload_bytes),
            0 => ("payload", payload_bytes),
            _ => ("attributes", attribute_bytes),
        };
        let Some(object) = object(cx, cx.program.module.type_of(function, arg)) else {
            return Err(malformed!(
                place,
                "the {what} of entry function `{name}` of stage {stage} is not a pointer to a structure"
            ));
        };
        let size = sizes.stride(object).unwrap_or(u64::MAX);
        if size > u64::from(declared) {
            return Err(malformed!(
                place,
                "the {what} of entry function `{name}` has {size} bytes; its metadata declares {declared}"
            ));
        }
        if number > 0 {
            check_size(place, declared.into())?;
        }
    }
    Ok(())
}

/// The structure that a parameter points to.
fn object(cx: &ModuleCx<'_>, ty: TypeId) -> Option<TypeId> {
    match *cx.ir_type(ty) {
        Type::Pointer { pointee, space: AddressSpace::Default } => {
            matches!(cx.ir_type(pointee), Type::Struct { .. }).then_some(pointee)
        }
        _ => None,
    }
}

fn check_size(place: Place, bytes: u64) -> Result<()> {
    if bytes <= u64::from(ATTRIBUTE_BYTES) {
        return Ok(());
    }
    Err(malformed!(place, "attributes of {bytes} bytes; D3D12 allows {ATTRIBUTE_BYTES}"))
}

/// Checks the size of the attributes that an intersection shader reports.
///
/// # Errors
/// `Malformed`, with the size and the limit.
pub fn check_attributes(cx: &FunctionCx<'_, '_>, attributes: Value) -> Result<()> {
    let Some(object) = object(cx, cx.type_of(attributes)) else {
        return Err(malformed!(cx.place, "the attributes of ReportHit are not a pointer to a structure"));
    };
    let sizes = cx.program.module.layout.measure(&cx.program.module.types);
    check_size(cx.place, sizes.stride(object).unwrap_or(u64::MAX))
}
