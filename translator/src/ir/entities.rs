//! The numbers by which a module names its parts.

entity! {
    /// A type of the module.
    pub struct TypeId, "ty";
    /// A constant of the module: number, aggregate, address of a global, constant expression.
    pub struct Const, "c";
    /// A global variable: groupshared memory or a constant table.
    pub struct Global, "g";
    /// A function with a body. DXIL operations and LLVM intrinsics are instructions, not functions.
    pub struct Func, "fn";
    /// A basic block of a function.
    pub struct Block, "b";
    /// An instruction of a function.
    pub struct Inst, "i";
}
