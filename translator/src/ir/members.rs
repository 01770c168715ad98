//! The members of constant buffers, as the source declares them.
//!
//! In: the annotations of types ([`decode::metadata::members`](crate::decode::metadata::members)).
//! Out: listings. What must hold: nothing but listings depends on them.

use std::fmt::Write;
use std::sync::Arc;

use serde::Serialize;

use super::resources::ResourceId;

/// A member of a constant buffer, or of a structure in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct BufferMember {
    /// Its name.
    pub name: Arc<str>,
    /// Its type in HLSL; of an array, that of an element.
    #[serde(rename = "type")]
    pub ty: String,
    /// Of an array, the number of elements in each dimension.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub array: Vec<u32>,
    /// Its first byte in the buffer.
    pub offset: u32,
    /// Its size in bytes, without the padding behind it; of a bit field, that of the number it is
    /// in.
    pub size: u32,
    /// Of a bit field, the bits of the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<Bits>,
    /// Of a structure, its members; of an array of structures, those of the first element.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<BufferMember>,
}

/// Bits of a number that are a bit field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Bits {
    /// The first, counted from the lowest.
    pub first: u32,
    /// How many they are.
    pub count: u32,
}

/// The members of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct BufferMembers {
    /// The resource, by its number in its program.
    #[serde(skip)]
    pub id: ResourceId,
    /// The resource, as text.
    pub resource: String,
    /// Its members.
    pub members: Vec<BufferMember>,
}

/// Writes a line for each member, and those of its own members below it.
///
/// # Errors
/// Those of the writer.
pub fn write_members(out: &mut dyn Write, members: &[BufferMember], indent: usize) -> std::fmt::Result {
    for BufferMember { name, ty, array, offset, size, bits, members } in members {
        write!(out, "{:indent$}offset {offset}, size {size}", "")?;
        match *bits {
            Some(Bits { first, count: 1 }) => write!(out, ", bit {first}")?,
            Some(Bits { first, count }) => write!(out, ", bits {first} to {}", first.saturating_add(count) - 1)?,
            None => {}
        }
        write!(out, ": {ty} {}", name.escape_debug())?;
        array.iter().try_for_each(|count| write!(out, "[{count}]"))?;
        writeln!(out)?;
        write_members(out, members, indent + 2)?;
    }
    Ok(())
}
