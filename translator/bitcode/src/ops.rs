//! The enumerations of LLVM IR, named by the words of LLVM's assembly language.
//!
//! In: codes of LLVM 3.7 `LLVMBitCodes.h`. Out: enums. Unknown codes give `None`, and the reader
//! refuses them with their place. What must hold: each enum prints as LLVM assembly writes it.

/// Declares a fieldless enum whose variants have a bitcode number and a name in LLVM assembly.
macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $code:literal $text:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$vmeta])* #[doc = concat!("`", $text, "`")] $variant,)*
        }
        impl $name {
            /// The variant for a number in a record.
            #[inline]
            pub fn from_code(code: u64) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)*
                    _ => None,
                }
            }
            /// The variant's name in LLVM assembly.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    )*};
}

codes! {
    /// Two-operand arithmetic. The records have the same number for the integer and the float form,
    /// and the operand type decides. Here the float forms have numbers of their own, sixteen
    /// higher.
    BinaryOp {
        Add = 0 "add", Sub = 1 "sub", Mul = 2 "mul", UDiv = 3 "udiv", SDiv = 4 "sdiv", URem = 5 "urem", SRem = 6 "srem",
        Shl = 7 "shl", LShr = 8 "lshr", AShr = 9 "ashr", And = 10 "and", Or = 11 "or", Xor = 12 "xor",
        FAdd = 16 "fadd", FSub = 17 "fsub", FMul = 18 "fmul", FDiv = 20 "fdiv", FRem = 22 "frem",
    }
    /// One-operand conversion.
    CastOp {
        Trunc = 0 "trunc", ZExt = 1 "zext", SExt = 2 "sext", FpToUi = 3 "fptoui", FpToSi = 4 "fptosi",
        UiToFp = 5 "uitofp", SiToFp = 6 "sitofp", FpTrunc = 7 "fptrunc", FpExt = 8 "fpext", PtrToInt = 9 "ptrtoint",
        IntToPtr = 10 "inttoptr", BitCast = 11 "bitcast", AddrSpaceCast = 12 "addrspacecast",
    }
    /// Predicate of a comparison. Numbers 0 to 15 compare floats, 32 to 41 integers and pointers.
    Predicate {
        FFalse = 0 "false", FOeq = 1 "oeq", FOgt = 2 "ogt", FOge = 3 "oge", FOlt = 4 "olt", FOle = 5 "ole",
        FOne = 6 "one", FOrd = 7 "ord", FUno = 8 "uno", FUeq = 9 "ueq", FUgt = 10 "ugt", FUge = 11 "uge",
        FUlt = 12 "ult", FUle = 13 "ule", FUne = 14 "une", FTrue = 15 "true",
        IEq = 32 "eq", INe = 33 "ne", IUgt = 34 "ugt", IUge = 35 "uge", IUlt = 36 "ult", IUle = 37 "ule",
        ISgt = 38 "sgt", ISge = 39 "sge", ISlt = 40 "slt", ISle = 41 "sle",
    }
    /// Operation of `atomicrmw`.
    RmwOp {
        Xchg = 0 "xchg", Add = 1 "add", Sub = 2 "sub", And = 3 "and", Nand = 4 "nand", Or = 5 "or", Xor = 6 "xor",
        Max = 7 "max", Min = 8 "min", UMax = 9 "umax", UMin = 10 "umin", FAdd = 11 "fadd", FSub = 12 "fsub",
    }
    /// Memory ordering of an atomic access.
    Ordering {
        NotAtomic = 0 "notatomic", Unordered = 1 "unordered", Monotonic = 2 "monotonic", Acquire = 3 "acquire",
        Release = 4 "release", AcqRel = 5 "acq_rel", SeqCst = 6 "seq_cst",
    }
    /// Visibility of a symbol to other modules. The reader maps the old numbers of `linkonce` and
    /// `weak` to the modern ones.
    Linkage {
        External = 0 "external", Appending = 2 "appending", Internal = 3 "internal", ExternWeak = 7 "extern_weak",
        Common = 8 "common", Private = 9 "private", AvailableExternally = 12 "available_externally",
        WeakAny = 16 "weak", WeakOdr = 17 "weak_odr", LinkOnceAny = 18 "linkonce", LinkOnceOdr = 19 "linkonce_odr",
    }
    /// Whether a call may or must reuse its caller's stack frame.
    TailKind {
        None = 0 "", Tail = 1 "tail", MustTail = 2 "musttail", NoTail = 3 "notail",
    }
    /// Instructions that DXIL does not have. They are read far enough to be refused by name.
    Foreign {
        Invoke = 5 "invoke", IndirectBr = 31 "indirectbr", LandingPad = 40 "landingpad", Resume = 39 "resume",
        VaArg = 23 "va_arg",
    }
}

impl Predicate {
    /// Whether the predicate compares floats.
    #[inline]
    pub fn is_float(self) -> bool {
        (self as u8) <= Self::FTrue as u8
    }
}

impl BinaryOp {
    /// Whether the operands are floats.
    #[inline]
    pub fn is_float(self) -> bool {
        (self as u8) >= Self::FAdd as u8
    }
}

/// The optimisation flags of an instruction, as bits. Each lets the optimiser assume that a case
/// does not occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OptimizationFlags(pub u16);

impl OptimizationFlags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// `nuw`: no unsigned wrap.
    pub const NUW: Self = Self(1 << 0);
    /// `nsw`: no signed wrap.
    pub const NSW: Self = Self(1 << 1);
    /// `exact`: no bits are lost by a division or right shift.
    pub const EXACT: Self = Self(1 << 2);
    /// `nnan`: operands and result are not NaN.
    pub const NNAN: Self = Self(1 << 3);
    /// `ninf`: operands and result are not infinite.
    pub const NINF: Self = Self(1 << 4);
    /// `nsz`: the sign of a zero does not matter.
    pub const NSZ: Self = Self(1 << 5);
    /// `arcp`: a division may become a multiplication by the reciprocal.
    pub const ARCP: Self = Self(1 << 6);
    /// `contract`: operations may be fused.
    pub const CONTRACT: Self = Self(1 << 7);
    /// `afn`: functions may be approximated.
    pub const AFN: Self = Self(1 << 8);
    /// `reassoc`: operations may be reassociated. LLVM 3.7 has no such flag of its own; its `fast`
    /// implies it.
    pub const REASSOC: Self = Self(1 << 9);
    /// `fast`: all float flags.
    pub const FAST: Self = Self(0b11_1111_1000);

    /// Whether all bits of `other` are set.
    #[inline]
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// The bits of both.
    #[must_use]
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// Whether no bit is set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}
