//! The parts of a variable that are described as variables of their own.
//!
//! A value says by indexes which number of a variable it is. RenderDoc 1.24 hides a number if its
//! indexes end with those of another one, as in `struct { float3 a; float b; }` those of `a.y`, 0
//! and 1, end with that of `b`, 1. So a variable whose numbers are at different depths is described
//! in parts, each of which has its numbers at one depth. Their names are those by which debuggers
//! show parts.

use super::code::plain;
use crate::ir::debug::{DebugInfo, NESTING, SourceTypeId, SourceTypeKind};
use dxil_base::entity::PrimaryMap;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;

/// Most parts of a variable. One with more is not divided.
const PARTS: usize = 256;

/// A part of a variable.
pub struct VariablePart {
    /// Its indexes.
    pub path: Vec<u32>,
    /// What follows the name of the variable, as `.item.at`.
    pub name: String,
    /// Its type.
    pub ty: SourceTypeId,
}

/// How many indexes the numbers of each type have; `None` if not all have as many.
pub type Depths = PrimaryMap<SourceTypeId, Option<usize>>;

/// The depths of all types.
pub fn depths(info: &DebugInfo) -> Depths {
    let mut depths = Depths::new();
    for ty in info.types.values() {
        // A type refers to types before it only.
        let depth_of = |of: SourceTypeId| depths.get(of).copied().flatten();
        let depth = match &ty.kind {
            SourceTypeKind::Number(_) => Some(0),
            SourceTypeKind::Vector { .. } => Some(1),
            SourceTypeKind::Alias(of) => depth_of(*of),
            SourceTypeKind::Array { element, counts } => depth_of(*element).map(|depth| counts.len() + depth),
            SourceTypeKind::Structure(members) => match members.split_first() {
                None => Some(0),
                Some((first, rest)) => {
                    let depth = depth_of(first.ty).map(|depth| 1 + depth);
                    depth.filter(|_| rest.iter().all(|member| depth_of(member.ty) == depth_of(first.ty)))
                }
            },
        };
        depths.push(depth);
    }
    depths
}

/// The parts of a variable of this type, in the order of their indexes.
///
/// # Errors
/// `Limit` if they are too many for the fuel.
pub fn split(
    info: &DebugInfo,
    depths: &Depths,
    ty: SourceTypeId,
    (place, fuel): (Place, &Fuel),
) -> Result<Vec<VariablePart>> {
    let whole = || VariablePart { path: Vec::new(), name: String::new(), ty };
    Ok(divided(info, depths, whole(), (place, fuel))?.unwrap_or_else(|| vec![whole()]))
}

/// The parts of a variable. `None` if they are too many.
fn divided(
    info: &DebugInfo,
    depths: &Depths,
    whole: VariablePart,
    (place, fuel): (Place, &Fuel),
) -> Result<Option<Vec<VariablePart>>> {
    let (mut parts, mut waiting) = (Vec::new(), vec![whole]);
    while let Some(part) = waiting.pop() {
        let kind = &info.types[plain(info, part.ty)].kind;
        let (count, dimensions) = match kind {
            _ if depths[part.ty].is_some() => (1, 0),
            SourceTypeKind::Structure(members) => (members.len(), 1),
            SourceTypeKind::Array { counts, .. } => {
                let product = counts.iter().fold(1u32, |product, &count| product.saturating_mul(count));
                (product as usize, counts.len())
            }
            _ => (0, 0),
        };
        let depth = part.path.len() + dimensions;
        if parts.len() + waiting.len() + count > PARTS || depth > NESTING {
            return Ok(None);
        }
        let bytes = size_of::<VariablePart>() + size_of::<u32>() * depth + part.name.len();
        fuel.items::<u8>(place, "parts of variables", count * bytes)?;
        // The last one is the next.
        match kind {
            _ if depths[part.ty].is_some() => parts.push(part),
            SourceTypeKind::Structure(members) => {
                waiting.extend((0..members.len() as u32).zip(members).rev().map(|(n, member)| VariablePart {
                    path: [part.path.as_slice(), &[n]].concat(),
                    name: format!("{}.{}", part.name, member.name),
                    ty: member.ty,
                }))
            }
            SourceTypeKind::Array { element, counts } => {
                waiting.extend((0..count).rev().map(|number| element_of(&part, number as u32, counts, *element)));
            }
            _ => {}
        }
    }
    Ok(Some(parts))
}

/// The element of an array with this number.
fn element_of(array: &VariablePart, mut number: u32, counts: &[u32], ty: SourceTypeId) -> VariablePart {
    let mut indexes: Vec<u32> = Vec::new();
    for &count in counts.iter().rev() {
        indexes.push(number.checked_rem(count).unwrap_or(0));
        number = number.checked_div(count).unwrap_or(0);
    }
    indexes.reverse();
    let name = indexes.iter().fold(array.name.clone(), |name, index| format!("{name}[{index}]"));
    VariablePart { path: [array.path.as_slice(), &indexes].concat(), name, ty }
}
