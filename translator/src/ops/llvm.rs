//! The operations of LLVM's own instructions, with LLVM's names.
//!
//! In: nothing. Out: enumerations for [`ir`](crate::ir). As in LLVM, floats and integers have
//! different operations.

macro_rules! name_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant,)* }
        impl $name {
            /// All operations.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];
            /// LLVM's name of the operation.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

name_enum! {
    /// LLVM's two-operand arithmetic.
    BinaryOp {
        /// Integer addition.
        Add "add",
        /// Float addition.
        FAdd "fadd",
        /// Integer subtraction.
        Sub "sub",
        /// Float subtraction.
        FSub "fsub",
        /// Integer multiplication.
        Mul "mul",
        /// Float multiplication.
        FMul "fmul",
        /// Unsigned division.
        UDiv "udiv",
        /// Signed division.
        SDiv "sdiv",
        /// Float division.
        FDiv "fdiv",
        /// Unsigned remainder.
        URem "urem",
        /// Signed remainder.
        SRem "srem",
        /// Float remainder.
        FRem "frem",
        /// Shift left.
        Shl "shl",
        /// Logical shift right.
        LShr "lshr",
        /// Arithmetic shift right.
        AShr "ashr",
        /// Bitwise and.
        And "and",
        /// Bitwise or.
        Or "or",
        /// Bitwise exclusive or.
        Xor "xor",
    }
}

name_enum! {
    /// LLVM's conversions.
    CastOp {
        /// Drop high bits.
        Trunc "trunc",
        /// Zero-extend.
        ZExt "zext",
        /// Sign-extend.
        SExt "sext",
        /// Float to unsigned.
        FpToUi "fptoui",
        /// Float to signed.
        FpToSi "fptosi",
        /// Unsigned to float.
        UiToFp "uitofp",
        /// Signed to float.
        SiToFp "sitofp",
        /// Narrow a float.
        FpTrunc "fptrunc",
        /// Widen a float.
        FpExt "fpext",
        /// Same bits with another type; for pointers, another pointee.
        BitCast "bitcast",
        /// Another address space.
        AddrSpaceCast "addrspacecast",
        /// Pointer to integer.
        PtrToInt "ptrtoint",
        /// Integer to pointer.
        IntToPtr "inttoptr",
    }
}

name_enum! {
    /// LLVM's comparisons, all 16 of floats and 10 of integers.
    CmpOp {
        /// Always false.
        FFalse "fcmp false",
        /// Ordered and equal.
        FOeq "fcmp oeq",
        /// Ordered and greater.
        FOgt "fcmp ogt",
        /// Ordered and greater or equal.
        FOge "fcmp oge",
        /// Ordered and less.
        FOlt "fcmp olt",
        /// Ordered and less or equal.
        FOle "fcmp ole",
        /// Ordered and not equal.
        FOne "fcmp one",
        /// Neither is NaN.
        FOrd "fcmp ord",
        /// Either is NaN.
        FUno "fcmp uno",
        /// Unordered or equal.
        FUeq "fcmp ueq",
        /// Unordered or greater.
        FUgt "fcmp ugt",
        /// Unordered or greater or equal.
        FUge "fcmp uge",
        /// Unordered or less.
        FUlt "fcmp ult",
        /// Unordered or less or equal.
        FUle "fcmp ule",
        /// Unordered or not equal.
        FUne "fcmp une",
        /// Always true.
        FTrue "fcmp true",
        /// Equal.
        Eq "icmp eq",
        /// Not equal.
        Ne "icmp ne",
        /// Unsigned greater.
        Ugt "icmp ugt",
        /// Unsigned greater or equal.
        Uge "icmp uge",
        /// Unsigned less.
        Ult "icmp ult",
        /// Unsigned less or equal.
        Ule "icmp ule",
        /// Signed greater.
        Sgt "icmp sgt",
        /// Signed greater or equal.
        Sge "icmp sge",
        /// Signed less.
        Slt "icmp slt",
        /// Signed less or equal.
        Sle "icmp sle",
    }
}

name_enum! {
    /// LLVM's `atomicrmw` operations.
    RmwOp {
        /// Exchange.
        Xchg "xchg",
        /// Add.
        Add "add",
        /// Subtract.
        Sub "sub",
        /// And.
        And "and",
        /// Not-and.
        Nand "nand",
        /// Or.
        Or "or",
        /// Exclusive or.
        Xor "xor",
        /// Signed maximum.
        Max "max",
        /// Signed minimum.
        Min "min",
        /// Unsigned maximum.
        UMax "umax",
        /// Unsigned minimum.
        UMin "umin",
    }
}
