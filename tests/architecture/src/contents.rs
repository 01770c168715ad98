//! What one module says, as plain data: the names it declares and the names it refers to.
//!
//! [`collect`](crate::collect) fills these types from the syntax tree of a file. They hold no
//! syntax, so that files can be read on several threads and resolved afterwards, when all modules
//! are known.

use std::collections::BTreeSet;

/// A path as written, one string per segment: `crate`, `super` and `self` are segments like others.
pub type Path = Vec<String>;

/// Where in a file a name was referred to, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// A `use` declaration.
    Use,
    /// A path in code: an expression, a type, a pattern, an attribute.
    Code,
    /// A path among the tokens of a macro's arguments, or in the body of the macro that is called.
    Macro,
    /// A call of a method whose `impl` block stands in another file than its type.
    Method,
}

/// A path that a module refers to.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The path as written.
    pub path: Path,
    /// The line, counted from one.
    pub line: usize,
    /// How the path is written.
    pub how: How,
}

/// How far an item can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// No visibility is written.
    Private,
    /// `pub(crate)`, `pub(super)`, `pub(in …)`.
    Restricted,
    /// `pub`.
    Public,
}

/// What sort of item a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the keyword of the item")]
pub enum Kind {
    Const,
    Enum,
    Fn,
    Macro,
    Static,
    Struct,
    Trait,
    Type,
    Union,
}

/// An item that a module declares, other than a module or an import.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What sort of item it is.
    pub kind: Kind,
    /// How many fields it has, if it is a structure.
    pub fields: usize,
}

/// One name that a `use` declaration brings in, or a glob.
#[derive(Clone, Debug)]
pub struct Import {
    /// The path that is imported. For a glob, the path before `*`.
    pub path: Path,
    /// The name that it gets here; `None` for a glob.
    pub name: Option<String>,
    /// How far the imported name can be seen.
    pub visibility: Visibility,
    /// The line, counted from one.
    pub line: usize,
}

/// What is found among tokens that are not parsed: a macro's arguments or the body of a
/// `macro_rules!`.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// Paths, with the lines on which they stand.
    pub references: Vec<Reference>,
    /// Macros that are called among the tokens.
    pub calls: Vec<Path>,
    /// Methods that are called.
    pub methods: Vec<(String, usize)>,
    /// The names after `struct`, `enum`, `fn` and the like.
    pub declared: Vec<String>,
    /// Whether an item is declared under a name that the arguments give: `pub enum $name`.
    pub named_by_arguments: bool,
    /// The names that stand in no group: the arguments' own, where a macro names what it declares
    /// by them.
    pub outermost: BTreeSet<String>,
}

/// A call of a macro.
#[derive(Clone, Debug)]
pub struct MacroCall {
    /// The macro's path.
    pub path: Path,
    /// The line, counted from one.
    pub line: usize,
    /// What its arguments hold.
    pub tokens: Tokens,
    /// The only argument, where that is one identifier: it may name another macro to call.
    pub callback: Option<String>,
    /// Whether the call stands where items stand, so that it may declare names.
    pub declares: bool,
}

/// A `macro_rules!` definition.
#[derive(Clone, Debug)]
pub struct MacroRules {
    /// Its name.
    pub name: String,
    /// What its rules hold.
    pub tokens: Tokens,
}

/// An `impl` block.
#[derive(Clone, Debug)]
pub struct Impl {
    /// The path of the type.
    pub of: Path,
    /// Whether a trait is implemented.
    pub of_trait: bool,
    /// The line, counted from one.
    pub line: usize,
    /// Its functions and constants.
    pub functions: Vec<String>,
}

/// What one module says.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Items, without modules and imports.
    pub items: Vec<Item>,
    /// Imports that the whole module sees.
    pub imports: Vec<Import>,
    /// Imports inside functions.
    pub local_imports: Vec<Import>,
    /// Paths in code.
    pub references: Vec<Reference>,
    /// Calls of macros.
    pub macro_calls: Vec<MacroCall>,
    /// Macros that are defined here.
    pub macros: Vec<MacroRules>,
    /// `impl` blocks.
    pub impls: Vec<Impl>,
    /// Methods that are called, with lines.
    pub methods: Vec<(String, usize)>,
}
