//! Types of LLVM IR.
//!
//! In: the type table block. Out: [`Type`] by [`TypeId`]. What must hold: every id in a type is in
//! range; a type contains itself only through a pointer; and types nest no deeper than
//! [`TYPE_NESTING`](dxil_base::limits::TYPE_NESTING). So a walk that stops at pointers ends.

use super::pool::{List, Str};

entity! {
    /// A type of the module's type table, by its number there.
    pub struct TypeId, "t";
}

/// A type. Lists are in [`Module::type_lists`](super::Module::type_lists).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `void`
    Void,
    /// `half`: 16-bit IEEE float.
    Half,
    /// `bfloat`: 16-bit float with the exponent of `float`.
    BFloat,
    /// `float`: 32-bit IEEE float.
    Float,
    /// `double`: 64-bit IEEE float.
    Double,
    /// `x86_fp80`
    X86Fp80,
    /// `fp128`
    Fp128,
    /// `ppc_fp128`
    PpcFp128,
    /// `x86_mmx`
    X86Mmx,
    /// `x86_amx`
    X86Amx,
    /// `label`: a basic block as an operand.
    Label,
    /// `metadata`: a metadata node as an operand.
    Metadata,
    /// `token`
    Token,
    /// `iN`
    Integer(u32),
    /// `T addrspace(n)*`
    Pointer {
        /// Type that it points to.
        pointee: TypeId,
        /// Address space; DXIL uses 3 for groupshared memory.
        address_space: u32,
    },
    /// `ptr addrspace(n)`: a pointer of LLVM 15 and later, without the type that it points to.
    OpaquePointer {
        /// Address space.
        address_space: u32,
    },
    /// `[N x T]`
    Array {
        /// Number of elements.
        len: u64,
        /// Element type.
        element: TypeId,
    },
    /// `<N x T>`
    Vector {
        /// Number of elements (the smallest number of a scalable vector).
        len: u32,
        /// Element type.
        element: TypeId,
        /// Whether the vector is scalable: `<vscale x N x T>`.
        scalable: bool,
    },
    /// `{ T, … }`, `<{ T, … }>` or `%name`
    Struct {
        /// Name, if it has one. Named structs are distinct types; unnamed ones are equal by
        /// content.
        name: Option<Str>,
        /// Whether the fields follow one another without padding.
        packed: bool,
        /// Types of the fields, in [`Module::type_lists`](super::Module::type_lists).
        fields: List<TypeId>,
    },
    /// `%name = type opaque`
    Opaque {
        /// Name.
        name: Str,
    },
    /// `T (T, …)`
    Function {
        /// Type of the result; `void` for none.
        ret: TypeId,
        /// Types of the parameters, in [`Module::type_lists`](super::Module::type_lists).
        params: List<TypeId>,
        /// Whether more arguments may follow the parameters.
        vararg: bool,
    },
}

impl Type {
    /// Whether the type is a float of any width.
    #[inline]
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Self::Half | Self::BFloat | Self::Float | Self::Double | Self::X86Fp80 | Self::Fp128 | Self::PpcFp128
        )
    }
}
