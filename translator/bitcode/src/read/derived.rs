//! Types that records imply without naming them, such as the pointer that an address is.

use foldhash::HashMap;

use crate::types::TypeId;

/// Finds the id of a type by its content, for types that records imply without naming them.
#[derive(Debug, Default)]
pub(super) struct Derived(pub HashMap<DerivedTypeKey, TypeId>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DerivedTypeKey {
    Metadata,
    Integer(u32),
    Pointer(TypeId, u32),
    Vector(TypeId, u32, bool),
    /// `{ T, U }`
    Pair(TypeId, TypeId),
}
