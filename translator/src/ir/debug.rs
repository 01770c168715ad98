//! What a shader's debug information says of its source: files, scopes, places, types, variables.
//!
//! In: [`decode`](crate::decode) makes it of LLVM's metadata, where it is asked for. Out: errors
//! name places of the source, and `lower` writes lines and variables. What must hold: debug
//! information changes no code. It stands beside the IR, and a pass may lose a part of it.

use super::resources::ResourceId;
use super::{Block, Func, Inst, Value};
use dxil_base::entity::{PrimaryMap, SecondaryMap};
use foldhash::HashMap;

entity! {
    /// A source file.
    pub struct FileId, "file";
    /// A function or block of the source.
    pub struct ScopeId, "scope";
    /// A place in the source.
    pub struct LocationId, "loc";
    /// A type of the source.
    pub struct SourceTypeId, "type";
    /// A variable of the source.
    pub struct VariableId, "var";
}

/// The debug information of a module.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    /// The files. The first is the one that the compiler was called with.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// The functions and blocks.
    pub scopes: PrimaryMap<ScopeId, Scope>,
    /// The places.
    pub locations: PrimaryMap<LocationId, Location>,
    /// The types of variables.
    pub types: PrimaryMap<SourceTypeId, SourceType>,
    /// The variables of functions.
    pub variables: PrimaryMap<VariableId, Variable>,
    /// The variables outside of functions, and resources.
    pub globals: Vec<GlobalVariable>,
    /// The arguments of the compiler.
    pub arguments: Vec<Box<str>>,
    /// The name and version of the compiler.
    pub producer: Box<str>,
    /// The function of the source that each function of the IR is.
    pub functions: SecondaryMap<Func, Option<ScopeId>>,
    /// The number of each place.
    numbers: HashMap<Location, LocationId>,
}

/// A source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// Its name, as the compiler wrote it.
    pub name: Box<str>,
    /// Its text, if the container has it.
    pub text: Option<Box<str>>,
}

/// A function or block of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The scope around it; `None` for one of the file.
    pub parent: Option<ScopeId>,
    /// The file that it is in.
    pub file: FileId,
    /// The line at which it begins.
    pub line: u32,
    /// The column at which it begins; zero for none.
    pub column: u32,
    /// The function that it is; `None` for a block.
    pub function: Option<SourceFunction>,
}

/// A function of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFunction {
    /// Its name in the source.
    pub name: Box<str>,
    /// Its mangled name; empty for none.
    pub linkage_name: Box<str>,
    /// The type of its result, then those of its parameters; `None` for void and unknown ones.
    pub signature: Vec<Option<SourceTypeId>>,
    /// The line at which its body begins.
    pub body_line: u32,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The line, counted from one; zero for code that the compiler made.
    pub line: u32,
    /// The column, counted from one; zero for none.
    pub column: u32,
    /// The scope that the place is in.
    pub scope: ScopeId,
    /// The place of the call that brought the code here, if it was inlined.
    pub inlined_at: Option<LocationId>,
}

/// A type of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceType {
    /// Its name; empty for an array.
    pub name: Box<str>,
    /// Its size in bits; zero for a type that takes no memory, as that of a resource.
    pub bits: u64,
    /// What it consists of.
    pub kind: SourceTypeKind,
}

/// What a type consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceTypeKind {
    /// A number, by its encoding.
    Number(Encoding),
    /// A vector.
    Vector {
        /// The type of its components.
        component: SourceTypeId,
        /// Their number.
        count: u32,
    },
    /// An array.
    Array {
        /// The type of its elements.
        element: SourceTypeId,
        /// Their number in each dimension.
        counts: Vec<u32>,
    },
    /// A structure, a matrix, or an object.
    Structure(Vec<Member>),
    /// Another name of a type.
    Alias(SourceTypeId),
}

/// How the bits of a number are read (DWARF 4, 7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `bool`
    Bool,
    /// A float.
    Float,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: Box<str>,
    /// Its type.
    pub ty: SourceTypeId,
    /// Its first bit.
    pub offset: u64,
    /// Its size in bits.
    pub bits: u64,
    /// The file and the line that declare it.
    pub declared: (FileId, u32),
}

/// A variable of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Box<str>,
    /// Its scope.
    pub scope: ScopeId,
    /// The file and the line that declare it.
    pub declared: (FileId, u32),
    /// Its type, if it is known.
    pub ty: Option<SourceTypeId>,
    /// The number of the parameter that it is, counted from one; zero for none.
    pub parameter: u32,
}

/// A variable outside of functions, or a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalVariable {
    /// Its name.
    pub name: Box<str>,
    /// Its mangled name; empty for none.
    pub linkage_name: Box<str>,
    /// The file and the line that declare it.
    pub declared: (FileId, u32),
    /// Its type.
    pub ty: SourceTypeId,
}

/// The debug information of a function's code.
#[derive(Clone, Debug, Default)]
pub struct FunctionDebug {
    /// The place of each instruction.
    pub insts: SecondaryMap<Inst, Option<LocationId>>,
    /// The place of each block's terminator.
    pub terminators: SecondaryMap<Block, Option<LocationId>>,
    /// The values that variables have, in the order of the code.
    pub values: Vec<VariableValue>,
    /// The names of elements of descriptor heaps, which are an index plus a constant.
    pub heap_elements: HashMap<(Option<Value>, u32), Box<str>>,
    /// The operations that take a named element from a descriptor heap.
    pub heap_accesses: Vec<HeapAccess>,
}

/// An operation that takes a named element from a descriptor heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapAccess {
    /// The operation.
    pub inst: Inst,
    /// The view that the element is taken as.
    pub resource: ResourceId,
    /// The name.
    pub name: Box<str>,
}

/// The value of a variable from a point of the code on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableValue {
    /// Where it begins.
    pub point: Point,
    /// The variable.
    pub variable: VariableId,
    /// A place of the variable's scope, which also says by which calls it was inlined.
    pub location: LocationId,
    /// The first bit and the number of bits of the variable that the value is; `None` for all of
    /// it.
    pub piece: Option<(u32, u32)>,
    /// The value; for a variable in memory, its address.
    pub value: Value,
    /// Whether the variable is in memory.
    pub in_memory: bool,
}

/// A point of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// Before an instruction.
    Before(Inst),
    /// Before the terminator of a block.
    End(Block),
}

impl FunctionDebug {
    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        let values = self.values.capacity() * size_of::<VariableValue>();
        // About: an element is at most for one access.
        let name = |access: &HeapAccess| 4 * size_of::<HeapAccess>() + 2 * access.name.len();
        let values = values + self.heap_accesses.iter().map(name).sum::<usize>();
        self.insts.heap_bytes() + self.terminators.heap_bytes() + values
    }
}

/// The name of a file without what the compiler writes in several ways.
pub fn plain(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches("./").to_owned()
}

/// How many scopes or types are within each other at most. Deeper ones are left out.
pub const NESTING: usize = 64;

impl DebugInfo {
    /// The number of a place.
    pub fn location(&mut self, location: Location) -> LocationId {
        let Self { locations, numbers, .. } = self;
        *numbers.entry(location).or_insert_with(|| locations.push(location))
    }

    /// A place of a function that is inlined at another place. `None` if the calls are too deep.
    pub fn inlined(&mut self, inner: LocationId, call: LocationId) -> Option<LocationId> {
        let mut chain = vec![inner];
        while let Some(outer) = self.locations[*chain.last()?].inlined_at {
            chain.push(outer);
            if chain.len() > NESTING {
                return None;
            }
        }
        let within = |outer, place| self.location(Location { inlined_at: Some(outer), ..self.locations[place] });
        Some(chain.into_iter().rev().fold(call, within))
    }

    /// The name of the file of a place, its line and its column. `None` for code that the compiler
    /// made.
    pub fn place(&self, location: LocationId) -> Option<(&str, u32, u32)> {
        let Location { line, column, scope, .. } = *self.locations.get(location)?;
        let file = self.scopes.get(scope)?.file;
        (line != 0).then_some((&*self.files.get(file)?.name, line, column))
    }

    /// The function of the source that a scope is in.
    pub fn function_of(&self, mut scope: ScopeId) -> Option<ScopeId> {
        for _ in 0..NESTING {
            let data = self.scopes.get(scope)?;
            if data.function.is_some() {
                return Some(scope);
            }
            scope = data.parent?;
        }
        None
    }

    /// Bytes on the heap, about.
    pub fn heap_bytes(&self) -> usize {
        let text = |text: &Option<Box<str>>| text.as_ref().map_or(0, |text| text.len());
        let files: usize = self.files.values().map(|file| file.name.len() + text(&file.text)).sum();
        files
            + self.scopes.len() * size_of::<Scope>()
            + self.locations.len() * size_of::<[Location; 2]>()
            + self.types.len() * size_of::<(SourceType, Member)>()
            + self.variables.len() * size_of::<Variable>()
            + self.globals.len() * size_of::<GlobalVariable>()
    }
}
