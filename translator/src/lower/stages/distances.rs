//! Clip distances, cull distances and tessellation factors. Several signature elements of D3D share
//! one array in Vulkan.
//!
//! The array consists of the components of all elements of a semantic, in the order of the elements
//! (D3D11.3 functional specification, "Clip/Cull Distances"). Clip and cull distances together have
//! at most eight. Tessellation factors form such arrays too, of fixed length.

use rspirv::spirv::{BuiltIn, Capability, Decoration, Op};

use super::signature::{Component, Row, SignatureKind};
use super::{signature, stream_output};
use crate::ir::declarations::{SemanticComponents, SignatureElement};
use crate::lower::cx::{Code, Declared, FunctionCx};
use crate::ops::consts::{SemanticKind, ShaderStage};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The builtin array that the element is part of, and the capability that it needs.
pub fn builtin(element: &SignatureElement, side: SignatureKind) -> Option<(BuiltIn, Option<Capability>)> {
    use SemanticKind as S;
    // The rasterizer sees stream 0 of a geometry shader alone.
    if element.stream != 0 {
        return None;
    }
    Some(match (element.semantic, side) {
        (S::TessFactor, SignatureKind::Patch) => (BuiltIn::TessLevelOuter, None),
        (S::InsideTessFactor, SignatureKind::Patch) => (BuiltIn::TessLevelInner, None),
        // Distances in patch constants are plain data.
        (S::ClipDistance, SignatureKind::Input | SignatureKind::Output) => {
            (BuiltIn::ClipDistance, Some(Capability::ClipDistance))
        }
        (S::CullDistance, SignatureKind::Input | SignatureKind::Output) => {
            (BuiltIn::CullDistance, Some(Capability::CullDistance))
        }
        _ => return None,
    })
}

/// Pointer to a component of a clip distance, cull distance or tessellation factor, or `None` for
/// other elements.
///
/// # Errors
/// `MissingFeature` if the device has no clip or cull distances; `Malformed` for a component that
/// does not exist.
pub fn pointer(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    Component { row, column }: Component,
    vertex: Option<Id>,
) -> Result<Option<Id>> {
    let Some((builtin, capability)) = builtin(element, side) else { return Ok(None) };
    // A vertex shader cannot read these, and a pixel shader cannot write them (Vulkan,
    // "ClipDistance", "CullDistance"). The primitives of a mesh shader have no tessellation
    // factors.
    if matches!(
        (cx.input.entry.stage, side),
        (ShaderStage::Vertex, SignatureKind::Input)
            | (ShaderStage::Pixel, SignatureKind::Output)
            | (ShaderStage::Mesh, SignatureKind::Patch)
    ) {
        let (semantic, stage) = (element.semantic, cx.input.entry.stage);
        return Err(malformed!(
            cx.entry.place,
            "the {side:?} signature of a {stage} shader has {semantic}, which is not allowed there"
        ));
    }
    let SemanticComponents { before, total } = signature::get(cx.input, side).components(element);
    let most = match builtin {
        BuiltIn::TessLevelOuter => 4,
        BuiltIn::TessLevelInner => 2,
        _ => 8,
    };
    if column >= u32::from(element.cols) || total > most {
        return Err(malformed!(
            cx.entry.place,
            "column {column} of `{}` ({}): the element has {} columns, and all of the semantic have {total} components \
             (at most {most})",
            element.name,
            element.semantic,
            element.cols
        ));
    }
    // The arrays of tessellation factors always have four and two elements, whatever the domain
    // (Vulkan, "TessLevelOuter" and "TessLevelInner"). Their order is D3D's: the edges at u = 0 and
    // v = 0, then at w = 0, or at u = 1 and v = 1. Isolines have first the density, then the detail
    // (DXC's `LINEDEN`, `LINEDET`).
    let length = if capability.is_some() { total } else { most };
    if let Some(capability) = capability {
        code.caps.capability(capability)?;
    }
    let (class, vertices) = (signature::class(cx.input, side), signature::vertices(cx.entry, side, element)?);
    let float = code.type_f32();
    let variable = cx.entry.declare(code, Declared::Distances(builtin as u32, class as u32), |cx, module| {
        let array = module.type_array(float, length, None);
        let ty = vertices.map_or(array, |count| module.type_array(array, count, None));
        let variable = module.builtin_variable(class, ty, builtin)?;
        if capability.is_none() {
            module.mark(variable, Decoration::Patch);
        }
        if side == SignatureKind::Output {
            stream_output::decorate(cx, module, variable, element, float)?;
        }
        Ok(variable)
    })?;
    let first = before + column;
    let index = match row {
        Row::At(row) => code.const_u32(first.saturating_add(row.saturating_mul(u32::from(element.cols)))),
        Row::Dynamic(row) => {
            let (row, word) = (cx.value(code, row)?, code.type_u32());
            let (cols, first) = (code.const_u32(u32::from(element.cols)), code.const_u32(first));
            let scaled = code.binary(Op::IMul, word, row, cols);
            code.binary(Op::IAdd, word, scaled, first)
        }
    };
    let indexes: Vec<Id> = vertex.into_iter().chain([index]).collect();
    Ok(Some(code.access_chain(float, variable, &indexes)))
}
