//! The parameters of entry points: their number, their types and their sizes.
//!
//! In: an entry function of a stage of a ray-tracing pipeline. Out: nothing, or the reason why it
//! cannot be one. What must hold: a payload is not larger than its entry point declares, and
//! attributes have at most 32 bytes (D3D12, `D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES`),
//! because an application creates its pipeline with these sizes.

use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::data_layout::Sizes;
use crate::ir::declarations::StageProperties;
use crate::ir::{AddressSpace, InstData, Type, TypeId};
use crate::lower::cx::Inputs;
use crate::ops::OpCode;
use crate::ops::consts::ShaderStage;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits::ATTRIBUTE_BYTES;

/// Checks the parameters of the entry function.
///
/// # Errors
/// `Malformed`, with what was found and what is expected.
pub fn check(input: Inputs<'_>) -> Result<()> {
    let function = &input.program.module.functions[input.entry.func];
    let (place, name, stage) = (Place::Function(function.number), &function.name, input.entry.stage);
    let expected = match stage {
        ShaderStage::AnyHit | ShaderStage::ClosestHit => 2,
        ShaderStage::Miss | ShaderStage::Callable => 1,
        _ => 0,
    };
    let name = name.escape_debug();
    if *input.ir_type(function.ret) != Type::Void || function.args.len() != expected {
        let found = function.args.len();
        return Err(malformed!(
            place,
            "entry function `{name}` of stage {stage} has {found} parameters; expected {expected} and no return value"
        ));
    }
    let StageProperties::Rays { payload_bytes, attribute_bytes } = input.entry.properties else { return Ok(()) };
    let sizes = input.program.sizes();
    check_reports(input, sizes)?;
    for (number, &arg) in function.args.iter().enumerate() {
        let (what, declared) = match number {
            0 if stage == ShaderStage::Callable => ("parameter", payload_bytes),
            0 => ("payload", payload_bytes),
            _ => ("attributes", attribute_bytes),
        };
        let Some(object) = object(input, input.program.module.type_of(function, arg)) else {
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
fn object(input: Inputs<'_>, ty: TypeId) -> Option<TypeId> {
    match *input.ir_type(ty) {
        Type::Pointer { pointee, space: AddressSpace::Default } => {
            matches!(input.ir_type(pointee), Type::Struct { .. }).then_some(pointee)
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

/// Checks the sizes of the attributes that an intersection shader reports.
fn check_reports(input: Inputs<'_>, sizes: &Sizes) -> Result<()> {
    let module = &input.program.module;
    for &func in &input.program.reached[input.entry.reachable.functions] {
        let function = &module.functions[func];
        for &inst in function.blocks.values().flat_map(|block| &block.insts) {
            let InstData::Op { op: OpCode::ReportHit, args, .. } = function.insts[inst] else { continue };
            let Some(args) = args::ReportHit::view(function.list(args)) else { continue };
            let place = Place::Inst { func: function.number, inst: inst.index() as u32 };
            let Some(object) = object(input, module.type_of(function, args.attributes)) else {
                return Err(malformed!(place, "the attributes of ReportHit are not a pointer to a structure"));
            };
            check_size(place, sizes.stride(object).unwrap_or(u64::MAX))?;
        }
    }
    Ok(())
}
