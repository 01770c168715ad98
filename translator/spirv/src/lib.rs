//! The SPIR-V module builder.
//!
//! In: calls from `lower`, in SPIR-V's own terms. Out: the words of one module. What must hold:
//! this module does not know DXIL; every capability and extension in the output is allowed by the
//! profile *and* needed by the module ([`caps`]); the same calls give the same words.
//!
//! A [`Module`] owns one word vector per section of the logical layout (SPIR-V 2.4). Types and
//! constants are interned by their words, so equal requests give the same [`Id`]. Inside a function
//! the borrow of the module moves between two types: [`OpenBlock`], which takes instructions, and
//! [`Terminated`], which takes labels. Both give the module's own methods through `Deref`.
//! Instructions are written directly as words into the section they belong to; there is no object
//! per instruction.
//!
//! The builder distinguishes two kinds of errors. A request that the *profile* does not allow is
//! returned at once, as [`MissingFeature`](dxil_base::error::ErrorKind::MissingFeature). A mistake of
//! the *caller* (a phi after other instructions, an id that is not a type) is recorded as a fault.
//! [`Module::finish`] returns the first fault as [`Bug`](dxil_base::error::ErrorKind::Bug), so emitting
//! an instruction needs no `?`.
#![forbid(unsafe_code)]
// Hashes have a random secret, and the same input gives the same words.
#![cfg_attr(not(test), warn(clippy::iter_over_hash_type))]

#[macro_use]
extern crate dxil_base;

mod block;
pub mod caps;
mod constants;
mod decorate;
mod disasm;
mod flow;
mod image;
mod intern;
mod ops;
#[cfg(test)]
mod tests;
mod types;
#[cfg(feature = "validate")]
mod validate;

#[cfg(feature = "validate")]
pub use validate::validate;

use std::num::NonZeroU32;
use std::ops::Range;

use foldhash::{HashMap, HashSet};
use rspirv::spirv::{
    AddressingModel, Capability, ExecutionMode, ExecutionModel, FunctionControl, MemoryModel, Op, StorageClass,
};

pub use block::{OpenBlock, Phi, Terminated};
pub use caps::Caps;
pub use constants::Constant;
pub use disasm::{disassemble, disassemble_within};
pub use flow::Merge;
pub use image::ImageOperands;
pub use ops::MemoryAccess;
pub use types::{ImageType, Member, StructKind, Type};

use dxil_base::error::{Error, ErrorKind, Place, Result};
use dxil_base::limits;
use dxil_base::limits::{Fuel, SPIRV_INSTRUCTION_WORDS};
use dxil_base::profile::DeviceProfile;
use intern::Interner;

/// A SPIR-V result id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(NonZeroU32);

impl Id {
    /// The id as an operand word.
    #[inline]
    pub fn word(self) -> u32 {
        self.0.get()
    }
    /// The id of an operand word; `None` for zero, which is not a valid id.
    #[inline]
    fn from_word(word: u32) -> Option<Id> {
        NonZeroU32::new(word).map(Id)
    }
}

impl From<Id> for u32 {
    #[inline]
    fn from(id: Id) -> u32 {
        id.word()
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl std::fmt::Debug for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// An operand: an [`Id`] or a literal word. Instruction methods take slices of either.
pub trait Word: Copy + Into<u32> {}
impl<T: Copy + Into<u32>> Word for T {}

/// Facts about one id. A zero word means that the fact is not known.
#[derive(Clone, Copy, Default)]
struct IdInfo {
    /// The result type, if the id has one.
    ty: u32,
    /// Offset of the key in the interner, if the id is an interned type or constant.
    key: u32,
}

struct EntryPoint {
    model: ExecutionModel,
    function: Id,
    name: String,
    /// Its variables at module scope: a range of [`Module::interface`].
    variables: Range<usize>,
}

/// A module being built.
pub struct Module<'p> {
    /// Capabilities and extensions, checked against the profile.
    pub caps: Caps<'p>,
    /// The cost of the translation.
    pub fuel: Fuel,
    /// Words and ids that have been charged.
    charged: usize,
    emit_names: bool,
    /// By id. Index 0 is not a valid id, so the length is the bound.
    ids: Vec<IdInfo>,
    fault: Option<Error>,
    interner: Interner,
    common: types::CommonTypes,
    scratch: Vec<u32>,
    /// Whether the types that were asked for hold 8-bit and 16-bit numbers.
    narrow: HashMap<Id, (bool, bool)>,

    ext_imports: Vec<u32>,
    glsl: Option<Id>,
    entry_points: Vec<EntryPoint>,
    execution_modes: Vec<u32>,
    names: Vec<u32>,
    annotations: Vec<u32>,
    decorated: HashSet<[u32; 4]>,
    globals: Vec<u32>,
    /// Variables at module scope, in order. The interface of the entry points is made from them.
    interface: Vec<(Id, StorageClass)>,
    /// Number of variables, and of declared entry points, before the current entry point.
    variables_before: usize,
    entries_before: usize,
    functions: Vec<u32>,

    /// The function being written: its OpVariables, which must be at the start of the entry block,
    /// and in `code` everything else.
    locals: Vec<u32>,
    code: Vec<u32>,
    /// Position in `code` of the locals: after the label of the entry block.
    locals_at: Option<usize>,
    in_function: bool,
    unpatched: u32,
    /// Number of OpVariables and of parameters of the function.
    local_count: usize,
    parameter_count: usize,
}

impl Module<'_> {
    /// The largest number of bytes in a name. Longer ones are cut.
    pub const NAME_BYTES: usize = 1024;
}

impl<'p> Module<'p> {
    /// An empty module for the profile. `version` is the SPIR-V version to write, lowered to that
    /// of the profile. `names` tells whether OpName and OpMemberName are written.
    pub fn new(profile: &'p DeviceProfile, version: (u8, u8), names: bool) -> Self {
        let mut module = Module {
            caps: Caps::new(profile, version),
            fuel: Fuel::default(),
            charged: 0,
            emit_names: names,
            ids: vec![IdInfo::default()],
            fault: None,
            interner: Interner::default(),
            common: types::CommonTypes::default(),
            scratch: Vec::new(),
            narrow: HashMap::default(),
            ext_imports: Vec::new(),
            glsl: None,
            entry_points: Vec::new(),
            execution_modes: Vec::new(),
            names: Vec::new(),
            annotations: Vec::new(),
            decorated: HashSet::default(),
            globals: Vec::new(),
            interface: Vec::new(),
            variables_before: 0,
            entries_before: 0,
            functions: Vec::new(),
            locals: Vec::new(),
            code: Vec::new(),
            locals_at: None,
            in_function: false,
            unpatched: 0,
            local_count: 0,
            parameter_count: 0,
        };
        module.caps.always(Capability::Shader);
        module
    }

    /// Sets the place of errors from now on.
    #[inline]
    pub fn set_place(&mut self, place: Place) {
        self.caps.place = place;
    }

    /// The current place of errors.
    pub fn place(&self) -> Place {
        self.caps.place
    }

    /// Records a fault of the caller. [`finish`](Self::finish) returns the first one.
    #[cold]
    pub fn fault(&mut self, message: impl Into<String>) {
        let place = self.caps.place;
        self.fault.get_or_insert_with(|| bug!(place, "{}", message.into()));
    }

    /// Holds a count to one of SPIR-V's limits. The error is recorded like a fault, and every
    /// terminator returns it.
    #[inline]
    fn keep_within(&mut self, what: &str, count: usize, limit: usize) {
        if count > limit {
            self.exceed(what, count, limit);
        }
    }

    #[cold]
    fn exceed(&mut self, what: &str, count: usize, limit: usize) {
        let error = limits::check(self.caps.place, what, count, limit).err();
        self.fault = self.fault.take().or(error);
    }

    /// A new id, for a definition that follows later: labels, phis, functions.
    #[inline]
    pub fn fresh(&mut self) -> Id {
        self.fresh_typed(0)
    }

    /// A new id for a value whose type is known before it is defined.
    #[inline]
    pub fn fresh_value(&mut self, ty: Id) -> Id {
        self.fresh_typed(ty.word())
    }

    #[inline]
    fn fresh_typed(&mut self, ty: u32) -> Id {
        let number = self.ids.len() as u32;
        self.ids.push(IdInfo { ty, key: 0 });
        // `finish` and every terminator bound the output, and with it the ids, far below u32::MAX.
        Id(NonZeroU32::new(number).unwrap_or(NonZeroU32::MAX))
    }

    /// The number that the next id has.
    pub fn bound(&self) -> u32 {
        self.ids.len() as u32
    }

    fn info(&self, id: Id) -> IdInfo {
        self.ids.get(id.word() as usize).copied().unwrap_or_default()
    }

    fn set_type(&mut self, id: Id, ty: Id) {
        if let Some(info) = self.ids.get_mut(id.word() as usize) {
            info.ty = ty.word();
        }
    }

    /// The result type of a value; `None` for types, labels and ids that are not defined yet.
    #[inline]
    pub fn type_of(&self, id: Id) -> Option<Id> {
        Id::from_word(self.info(id).ty)
    }

    /// The GLSL.std.450 instruction set, imported on first use.
    pub fn glsl_std_450(&mut self) -> Id {
        if let Some(id) = self.glsl {
            return id;
        }
        let id = self.ext_inst_import("GLSL.std.450");
        self.glsl = Some(id);
        id
    }

    /// Imports an extended instruction set. Each call imports it again, so callers keep the id.
    pub fn ext_inst_import(&mut self, name: &str) -> Id {
        let id = self.fresh();
        with_string(&mut self.ext_imports, Op::ExtInstImport, &[id.word()], name, NONE);
        id
    }

    /// Begins an entry point of its own: variables and capabilities from here on belong to it.
    pub fn begin_entry(&mut self) {
        self.end_entry();
        (self.variables_before, self.entries_before) = (self.interface.len(), self.entry_points.len());
        self.caps.begin_entry();
        self.caps.always(Capability::Shader);
    }

    /// Gives the variables since the beginning of the current entry point to the entry points since
    /// then. A lowering may declare variables after the entry point.
    fn end_entry(&mut self) {
        let end = self.interface.len();
        for entry in self.entry_points.iter_mut().skip(self.entries_before) {
            entry.variables.end = end;
        }
    }

    /// Declares an entry point. Its interface is made from the variables since
    /// [`begin_entry`](Self::begin_entry), or from all of them.
    pub fn entry_point(&mut self, model: ExecutionModel, function: Id, name: &str) {
        let variables = self.variables_before..self.interface.len();
        self.entry_points.push(EntryPoint { model, function, name: name.to_owned(), variables });
    }

    /// Declares an execution mode with literal operands.
    pub fn execution_mode(&mut self, function: Id, mode: ExecutionMode, operands: &[u32]) {
        instruction(&mut self.execution_modes, Op::ExecutionMode, &[function.word(), mode as u32], operands);
    }

    /// A variable at module scope of type `pointee`. Declares the capability that its storage class
    /// needs for the widths in the type.
    ///
    /// # Errors
    /// `MissingFeature` if the type has 8- or 16-bit values and the profile does not allow them in
    /// the storage class.
    pub fn variable(&mut self, class: StorageClass, pointee: Id, initializer: Option<Id>) -> Result<Id> {
        self.require_storage(class, pointee)?;
        let ty = self.type_pointer(class, pointee);
        let id = self.fresh_value(ty);
        let head = [ty.word(), id.word(), class as u32];
        match initializer {
            Some(value) => instruction(&mut self.globals, Op::Variable, &head, &[value]),
            None => instruction(&mut self.globals, Op::Variable, &head, NONE),
        }
        self.interface.push((id, class));
        self.keep_within("variables of a SPIR-V module", self.interface.len(), limits::SPIRV_GLOBAL_VARIABLES);
        Ok(id)
    }

    /// Begins a function. `id` comes from [`fresh`](Self::fresh), so that calls and entry points
    /// may use it before. Parameters follow through [`Terminated::parameter`].
    pub fn function(&mut self, id: Id, ty: Id, control: FunctionControl) -> Terminated<'_, 'p> {
        let Some(Type::Function { result, .. }) = self.ty(ty) else {
            self.fault(format!("{ty} is not a function type"));
            return Terminated::new(self);
        };
        if self.in_function {
            self.fault("a function begins inside another function");
        }
        self.in_function = true;
        self.locals_at = None;
        (self.unpatched, self.local_count, self.parameter_count) = (0, 0, 0);
        self.set_type(id, result);
        instruction(&mut self.code, Op::Function, &[result.word(), id.word(), control.bits()], &[ty]);
        Terminated::new(self)
    }

    fn end_function(&mut self) {
        if self.unpatched != 0 {
            self.fault(format!("{} phi operands were never given", self.unpatched));
        }
        instruction(&mut self.code, Op::FunctionEnd, &[], NONE);
        match self.locals_at {
            Some(at) => {
                let (head, rest) = self.code.split_at(at.min(self.code.len()));
                self.functions.extend_from_slice(head);
                self.functions.extend_from_slice(&self.locals);
                self.functions.extend_from_slice(rest);
            }
            None => self.fault("a function has no blocks"),
        }
        // They are in `functions` now, and count once.
        self.locals.clear();
        self.code.clear();
        self.in_function = false;
    }

    /// Number of words written so far, for the limit on the output.
    fn size(&self) -> usize {
        self.globals.len() + self.annotations.len() + self.functions.len() + self.locals.len() + self.code.len()
    }

    /// Charges the words and ids since the last call. Every terminator calls it, and so does whoever
    /// writes many instructions into one block.
    ///
    /// # Errors
    /// `Limit` for too much output.
    pub fn check_size(&mut self) -> Result<()> {
        if let Some(error) = self.fault.as_ref().filter(|error| error.kind() == ErrorKind::Limit) {
            return Err(error.clone());
        }
        limits::check(self.place(), "ids of a SPIR-V module", self.ids.len(), limits::SPIRV_IDS)?;
        let size = self.size() + self.ids.len();
        self.fuel.bytes(self.place(), "words of SPIR-V", size.saturating_sub(self.charged) * WORD_BYTES)?;
        self.charged = self.charged.max(size);
        limits::check(self.place(), "words of SPIR-V", self.size(), limits::OUTPUT_WORDS)
    }

    /// The module's words.
    ///
    /// # Errors
    /// `Bug` for the first recorded fault, `Limit` if the output would be too long.
    pub fn finish(mut self) -> Result<Vec<u32>> {
        if self.in_function {
            self.fault("a function was not ended");
        }
        self.end_entry();
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.check_size()?;
        let (major, minor) = self.caps.version();
        let bound = self.ids.len() as u32;
        let mut words = Vec::with_capacity(self.size() + self.names.len() + self.execution_modes.len() + 256);
        words.extend([rspirv::spirv::MAGIC_NUMBER, u32::from(major) << 16 | u32::from(minor) << 8, 0, bound, 0]);
        self.caps.write(&mut words);
        words.append(&mut self.ext_imports);
        let addressing = match self.caps.module_has(Capability::PhysicalStorageBufferAddresses) {
            true => AddressingModel::PhysicalStorageBuffer64,
            false => AddressingModel::Logical,
        };
        let memory = match self.caps.module_has(Capability::VulkanMemoryModel) {
            true => MemoryModel::Vulkan,
            false => MemoryModel::GLSL450,
        };
        instruction(&mut words, Op::MemoryModel, &[addressing as u32, memory as u32], NONE);
        // Before SPIR-V 1.4 the interface lists inputs and outputs only; from 1.4 on, all variables
        // (OpEntryPoint).
        let all = self.caps.version() >= (1, 4);
        let listed = |class| all || matches!(class, StorageClass::Input | StorageClass::Output);
        for entry in &self.entry_points {
            let variables = self.interface.get(entry.variables.clone()).unwrap_or_default();
            let interface: Vec<Id> = variables.iter().filter(|(_, class)| listed(*class)).map(|&(id, _)| id).collect();
            let head = [entry.model as u32, entry.function.word()];
            with_string(&mut words, Op::EntryPoint, &head, &entry.name, &interface);
        }
        for section in [self.execution_modes, self.names, self.annotations, self.globals, self.functions] {
            words.extend_from_slice(&section);
        }
        limits::check(Place::Input, "words of SPIR-V", words.len(), limits::OUTPUT_WORDS)?;
        check_stream(&words)?;
        Ok(words)
    }
}

/// Walks the instructions by their word counts. [`instruction`] writes a count of zero for an
/// instruction that is too long.
fn check_stream(words: &[u32]) -> Result<()> {
    const HEADER_WORDS: usize = 5;
    let mut at = HEADER_WORDS;
    while let Some(&first) = words.get(at) {
        if first >> 16 == 0 {
            let op = Op::from_u32(first & 0xffff).map_or_else(String::new, |op| format!(" Op{op:?}"));
            return Err(limit_error!(
                Place::Input,
                "an instruction{op} has more than {SPIRV_INSTRUCTION_WORDS} words, which is SPIR-V's limit"
            ));
        }
        at += (first >> 16) as usize;
    }
    if at == words.len() { Ok(()) } else { Err(bug!(Place::Input, "the last instruction runs past the module")) }
}

/// Bytes that a word of the output takes: in its section, and in the result.
const WORD_BYTES: usize = 8;

/// No operands.
const NONE: &[u32] = &[];

/// Writes one instruction with the operands `head`, then `tail`. An instruction that is too long
/// for the word count gets the invalid count of zero, which `check_stream` refuses.
#[inline]
fn instruction<W: Word>(out: &mut Vec<u32>, op: Op, head: &[u32], tail: &[W]) {
    let count = 1 + head.len() + tail.len();
    out.reserve(count);
    let count = if count <= SPIRV_INSTRUCTION_WORDS { count as u32 } else { 0 };
    out.push(count << 16 | op as u32);
    out.extend(head.iter().copied());
    out.extend(tail.iter().map(|&word| word.into()));
}

/// Writes one instruction with a literal string between operands (SPIR-V 2.2.1: UTF-8,
/// NUL-terminated, little-endian).
fn with_string<W: Word>(out: &mut Vec<u32>, op: Op, head: &[u32], text: &str, tail: &[W]) {
    // Names come from the input, so they are cut at a NUL and at this length.
    const NAME_BYTES: usize = Module::NAME_BYTES;
    let mut text = text.split('\0').next().unwrap_or_default();
    while text.len() > NAME_BYTES {
        let cut = (0..=NAME_BYTES).rev().find(|&n| text.is_char_boundary(n)).unwrap_or(0);
        text = text.get(..cut).unwrap_or_default();
    }
    let start = out.len();
    out.push(0);
    out.extend_from_slice(head);
    let mut chunks = text.as_bytes().chunks_exact(4);
    out.extend(chunks.by_ref().map(|c| c.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))));
    out.push(chunks.remainder().iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)));
    out.extend(tail.iter().map(|&word| word.into()));
    let count = out.len() - start;
    let count = if count <= SPIRV_INSTRUCTION_WORDS { count as u32 } else { 0 };
    if let Some(first) = out.get_mut(start) {
        *first = count << 16 | op as u32;
    }
}
