//! Numbers of blocks and records, by their names in `LLVMBitCodes.h` without the prefix.
//!
//! If LLVM gave a record a new number and kept the old one readable, both are here: `STORE` and
//! `STORE_OLD`.

/// Declares modules of `u32` constants.
macro_rules! numbers {
    ($($(#[$meta:meta])* $module:ident { $($name:ident = $value:literal,)* })*) => {$(
        $(#[$meta])*
        pub(super) mod $module {
            $(pub(in crate) const $name: u32 = $value;)*
        }
    )*};
}

numbers! {
    /// Block ids.
    block {
        BLOCKINFO = 0, MODULE = 8, PARAMATTR = 9, PARAMATTR_GROUP = 10, CONSTANTS = 11, FUNCTION = 12, IDENTIFICATION = 13,
        VALUE_SYMTAB = 14, METADATA = 15, METADATA_ATTACHMENT = 16, TYPE_NEW = 17, METADATA_KIND = 22, STRTAB = 23,
    }
    /// Records of `BLOCKINFO`.
    blockinfo { SETBID = 1, }
    /// Records of `IDENTIFICATION`.
    identification { STRING = 1, }
    /// Records of `MODULE`.
    module {
        VERSION = 1, TRIPLE = 2, DATALAYOUT = 3, ASM = 4, SECTIONNAME = 5, GLOBALVAR = 7, FUNCTION = 8, ALIAS_OLD = 9,
        ALIAS = 14, SOURCE_FILENAME = 16, IFUNC = 18,
    }
    /// Records of `PARAMATTR` and `PARAMATTR_GROUP`.
    attributes { ENTRY_OLD = 1, ENTRY = 2, GROUP = 3, }
    /// Records of `TYPE_NEW`.
    types {
        NUMENTRY = 1, VOID = 2, FLOAT = 3, DOUBLE = 4, LABEL = 5, OPAQUE = 6, INTEGER = 7, POINTER = 8, FUNCTION_OLD = 9,
        HALF = 10, ARRAY = 11, VECTOR = 12, X86_FP80 = 13, FP128 = 14, PPC_FP128 = 15, METADATA = 16, X86_MMX = 17,
        STRUCT_ANON = 18, STRUCT_NAME = 19, STRUCT_NAMED = 20, FUNCTION = 21, TOKEN = 22, BFLOAT = 23, X86_AMX = 24,
        OPAQUE_POINTER = 25,
    }
    /// Records of `CONSTANTS`.
    constants {
        SETTYPE = 1, NULL = 2, UNDEF = 3, INTEGER = 4, WIDE_INTEGER = 5, FLOAT = 6, AGGREGATE = 7, STRING = 8, CSTRING = 9,
        CE_BINOP = 10, CE_CAST = 11, CE_GEP = 12, CE_SELECT = 13, CE_EXTRACTELT = 14, CE_INSERTELT = 15, CE_SHUFFLEVEC = 16,
        CE_CMP = 17, INLINEASM_OLD = 18, CE_SHUFVEC_EX = 19, CE_INBOUNDS_GEP = 20, BLOCKADDRESS = 21, DATA = 22,
        INLINEASM_OLD2 = 23, CE_GEP_INRANGE_INDEX = 24, CE_UNOP = 25, POISON = 26, INLINEASM_OLD3 = 28, INLINEASM = 30,
    }
    /// Records of `VALUE_SYMTAB`.
    symtab { ENTRY = 1, BBENTRY = 2, FNENTRY = 3, }
    /// Records of `STRTAB`.
    strtab { BLOB = 1, }
    /// Records of `METADATA`, `METADATA_KIND` and `METADATA_ATTACHMENT`.
    metadata {
        STRING_OLD = 1, VALUE = 2, NODE = 3, NAME = 4, DISTINCT_NODE = 5, KIND = 6, LOCATION = 7, OLD_NODE = 8, OLD_FN_NODE = 9,
        NAMED_NODE = 10, ATTACHMENT = 11, GENERIC_DEBUG = 12, MACRO_FILE = 34, STRINGS = 35, GLOBAL_DECL_ATTACHMENT = 36,
        GLOBAL_VAR_EXPR = 37, LABEL = 40, STRING_TYPE = 41, COMMON_BLOCK = 44, ARG_LIST = 46,
    }
    /// Records of `FUNCTION`.
    function {
        DECLAREBLOCKS = 1, BINOP = 2, CAST = 3, GEP_OLD = 4, SELECT = 5, EXTRACTELT = 6, INSERTELT = 7, SHUFFLEVEC = 8,
        CMP = 9, RET = 10, BR = 11, SWITCH = 12, INVOKE = 13, UNREACHABLE = 15, PHI = 16, ALLOCA = 19, LOAD = 20, VAARG = 23,
        STORE_OLD = 24, EXTRACTVAL = 26, INSERTVAL = 27, CMP2 = 28, VSELECT = 29, INBOUNDS_GEP_OLD = 30, INDIRECTBR = 31,
        DEBUG_LOC_AGAIN = 33, CALL = 34, DEBUG_LOC = 35, FENCE = 36, CMPXCHG_OLD = 37, ATOMICRMW_OLD = 38, RESUME = 39,
        LANDINGPAD_OLD = 40, LOADATOMIC = 41, STOREATOMIC_OLD = 42, GEP = 43, STORE = 44, STOREATOMIC = 45, CMPXCHG = 46,
        LANDINGPAD = 47, CLEANUPRET = 48, CATCHSWITCH = 52,
        OPERAND_BUNDLE = 55, UNOP = 56, CALLBR = 57, FREEZE = 58, ATOMICRMW = 59,
    }
}
