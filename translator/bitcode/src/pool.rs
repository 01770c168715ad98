//! Lists of small items in one allocation, so that types, constants and instructions stay small.

pub use dxil_base::lists::{List, Pool};

/// Bytes of a name or string: a handle for [`Module::bytes`](super::Module::bytes). LLVM's names
/// need not be valid text.
pub type Str = List<u8>;
