//! Structures of a `pNext` chain.

use serde::{Deserialize, Serialize};

use crate::digest::Bytes;

/// The structures of a chain that have no member of their own in a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// Structures without pointers and handles, in the order of the chain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub structures: Vec<Structure>,
    /// The `sType` of structures that Vulkan reads and that the record does not have: the writer
    /// does not know them, or they refer to something that it does not follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<i32>,
}

impl Chain {
    /// Whether no structure is lost.
    pub fn is_whole(&self) -> bool {
        self.lost.is_empty()
    }

    /// Whether there is nothing in the chain.
    pub fn is_empty(&self) -> bool {
        self.structures.is_empty() && self.lost.is_empty()
    }
}

/// A structure as the bytes that follow its `sType` and `pNext`, in the layout of 64-bit
/// little-endian machines. Padding is zero.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// Its `sType`.
    pub s_type: i32,
    /// Its bytes from the sixteenth on.
    pub bytes: Bytes,
}
