//! Attributes of functions, parameters and calls.
//!
//! In: attribute group and attribute list blocks. Out: lists of attributes by
//! [`AttributeListId`]. What must hold: a list contains the attributes of every group that its
//! record names.

use super::pool::Str;
use super::types::TypeId;

entity! {
    /// A list of attributes, by its number in the module minus one (records use zero for "none").
    pub struct AttributeListId, "a";
}

/// The part of a function or call that an attribute belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AttributeSlot {
    /// The function itself.
    Function,
    /// The returned value.
    Return,
    /// A parameter, counted from zero.
    Param(u32),
}

/// One attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// One of LLVM's own attributes, by its number in `LLVMBitCodes.h`; [`attribute_name`] gives
    /// its name.
    Flag(u32),
    /// One of LLVM's own attributes with a number: `align 4`.
    Int(u32, u64),
    /// One of LLVM's own attributes with a type: `byval(T)`.
    Type(u32, Option<TypeId>),
    /// `"key"` or `"key"="value"`
    Text(Str, Option<Str>),
}

/// Names of LLVM's attributes, by the numbers of `LLVMBitCodes.h` from 1 on.
const NAMES: &[&str] = &[
    "align",
    "alwaysinline",
    "byval",
    "inlinehint",
    "inreg",
    "minsize",
    "naked",
    "nest",
    "noalias",
    "nobuiltin",
    "nocapture",
    "noduplicate",
    "noimplicitfloat",
    "noinline",
    "nonlazybind",
    "noredzone",
    "noreturn",
    "nounwind",
    "optsize",
    "readnone",
    "readonly",
    "returned",
    "returns_twice",
    "signext",
    "alignstack",
    "ssp",
    "sspreq",
    "sspstrong",
    "sret",
    "sanitize_address",
    "sanitize_thread",
    "sanitize_memory",
    "uwtable",
    "zeroext",
    "builtin",
    "cold",
    "optnone",
    "inalloca",
    "nonnull",
    "jumptable",
    "dereferenceable",
    "dereferenceable_or_null",
    "convergent",
    "safestack",
    "argmemonly",
    "swiftself",
    "swifterror",
    "norecurse",
    "inaccessiblememonly",
    "inaccessiblemem_or_argmemonly",
    "allocsize",
    "writeonly",
    "speculatable",
    "strictfp",
    "sanitize_hwaddress",
    "nocf_check",
    "optforfuzzing",
    "shadowcallstack",
    "speculative_load_hardening",
    "immarg",
    "willreturn",
    "nofree",
    "nosync",
    "sanitize_memtag",
    "preallocated",
    "nomerge",
    "null_pointer_is_valid",
    "noundef",
    "byref",
    "mustprogress",
];

/// The name of an attribute by its number. The attributes of LLVM 3.7 end at `argmemonly`.
pub fn attribute_name(kind: u32) -> Option<&'static str> {
    NAMES.get((kind as usize).checked_sub(1)?).copied()
}
