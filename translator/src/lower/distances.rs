//! Clip and cull distances: several signature elements of D3D are one array in Vulkan.
//!
//! The components of all elements of a semantic, in the order of the elements, are the array's elements (D3D11.3 functional
//! specification, "Clip/Cull Distances"): at most eight of both together.

use rspirv::spirv::{BuiltIn, Capability, Op, StorageClass};

use super::Code;
use super::context::{Context, Declared};
use crate::dxil::consts::SemanticKind;
use crate::dxil::ir::Value;
use crate::dxil::program::{Signature, SignatureElement};
use crate::error::Result;
use crate::spirv::Id;

/// Components of an element.
fn components(element: &SignatureElement) -> u32 {
    element.rows.saturating_mul(u32::from(element.cols))
}

impl Context<'_> {
    /// Pointer to a component of a clip or cull distance element; `None` where the element is neither.
    ///
    /// # Errors
    /// `MissingFeature` without the device's clip or cull distances; `Malformed` for a component that is not there.
    pub fn distance(
        &mut self,
        code: &mut Code<'_, '_>,
        signature: &Signature,
        element: &SignatureElement,
        (row, col): (Value, u32),
        class: StorageClass,
    ) -> Result<Option<Id>> {
        let (builtin, capability) = match element.semantic {
            SemanticKind::ClipDistance => (BuiltIn::ClipDistance, Capability::ClipDistance),
            SemanticKind::CullDistance => (BuiltIn::CullDistance, Capability::CullDistance),
            _ => return Ok(None),
        };
        let same = || signature.elements.iter().filter(|e| e.semantic == element.semantic);
        let total = same().fold(0u32, |sum, e| sum.saturating_add(components(e)));
        let before = same().take_while(|e| e.id != element.id).fold(0u32, |sum, e| sum.saturating_add(components(e)));
        if col >= u32::from(element.cols) || total > 8 {
            return Err(malformed!(self.place, "component {col} of {total} {}", element.semantic));
        }
        code.caps.capability(capability)?;
        let float = code.type_f32();
        let variable = self.declare(code, Declared::Distances(builtin as u32, class as u32), |_, module| {
            let array = module.type_array(float, total, None);
            module.builtin_variable(class, array, builtin)
        })?;
        let first = before + col;
        let index = match self.const_uint(row) {
            Some(row) if row >= u64::from(element.rows) => {
                return Err(malformed!(self.place, "row {row} of {}, which has {}", element.semantic, element.rows));
            }
            Some(row) => code.const_u32(first + row as u32 * u32::from(element.cols)),
            None => {
                let (row, word) = (self.value(code, row)?, code.type_u32());
                let (cols, first) = (code.const_u32(u32::from(element.cols)), code.const_u32(first));
                let scaled = code.binary(Op::IMul, word, row, cols);
                code.binary(Op::IAdd, word, scaled, first)
            }
        };
        Ok(Some(code.access_chain(float, variable, &[index])))
    }
}
