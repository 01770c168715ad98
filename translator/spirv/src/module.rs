//! The module being built: its sections, its ids, its entry points.

use std::ops::Range;

use foldhash::{HashMap, HashSet};
use rspirv::spirv::{AddressingModel, Capability, ExecutionMode, ExecutionModel, MemoryModel, Op, StorageClass};

use super::caps::Caps;
use super::intern::{IdInfo, Interner};
use super::lines::Lines;
use super::memory::Memory;
use super::values::Values;
use super::words::{Id, NAME_BYTES, Section, instruction, with_string};
use dxil_base::error::{Error, ErrorKind, Place, Result};
use dxil_base::limits;
use dxil_base::limits::{Fuel, SPIRV_INSTRUCTION_WORDS};
use dxil_base::profile::DeviceProfile;

pub(super) struct EntryPoint {
    pub(super) model: ExecutionModel,
    pub(super) function: Id,
    pub(super) name: String,
    /// Its variables at module scope: a range of [`Module::interface`].
    pub(super) variables: Range<usize>,
}

/// A module being built.
pub struct Module<'p> {
    /// Capabilities and extensions, checked against the profile.
    pub caps: Caps<'p>,
    /// The cost of the translation.
    pub fuel: Fuel,
    /// Whether all arithmetic with floats is decorated NoContraction.
    pub precise: bool,
    /// Words and ids that have been charged.
    pub(super) charged: usize,
    /// The length of `code` at which more is charged.
    pub(super) charge_at: usize,
    pub(super) emit_names: bool,
    /// By id. Index 0 is not a valid id, so the length is the bound.
    pub(super) ids: Vec<IdInfo>,
    pub(super) fault: Option<Error>,
    pub(super) interner: Interner,
    pub(super) common: CommonIds,
    pub(super) scratch: Vec<u32>,
    /// Whether the types that were asked for hold 8-bit and 16-bit numbers.
    pub(super) narrow: HashMap<Id, (bool, bool)>,

    /// What [`finish`](Self::finish) writes before all else.
    head: Section,
    pub(super) ext_imports: Section,
    pub(super) glsl: Option<Id>,
    pub(super) entry_points: Vec<EntryPoint>,
    pub(super) execution_modes: Section,
    pub(super) names: Section,
    pub(super) annotations: Section,
    pub(super) decorated: HashSet<[u32; 4]>,
    pub(super) globals: Section,
    /// Variables at module scope, in order. The interface of the entry points is made from them.
    pub(super) interface: Vec<(Id, StorageClass)>,
    /// Number of variables, and of declared entry points, before the current entry point.
    pub(super) variables_before: usize,
    pub(super) entries_before: usize,
    pub(super) functions: Section,
    /// Lines of the source.
    pub(super) lines: Lines,
    /// Whether a line is to be written before the next instruction.
    pub(super) line_is_due: bool,

    /// The function being written: its OpVariables, which must be at the start of the entry block,
    /// and in `code` everything else.
    pub(super) locals: Section,
    pub(super) code: Section,
    /// What is in `code` already.
    pub(super) values: Values,
    /// Position in `code` of the locals: after the label of the entry block.
    pub(super) locals_at: Option<usize>,
    pub(super) in_function: bool,
    pub(super) unpatched: u32,
    /// Number of OpVariables and of parameters of the function.
    pub(super) local_count: usize,
    pub(super) parameter_count: usize,
}

/// The types and constants that lowerings need at nearly every instruction. They are cached to save
/// the hash.
#[derive(Default)]
pub(super) struct CommonIds {
    pub(super) bool: Option<Id>,
    pub(super) u32: Option<Id>,
    pub(super) f32: Option<Id>,
    /// The vectors of these three, with two to four components.
    pub(super) vectors: [[Option<Id>; 3]; 3],
    /// The first 32-bit unsigned integers.
    pub(super) words: [Option<Id>; 16],
}

impl<'p> Module<'p> {
    /// The largest number of bytes in a name. Longer ones are cut.
    pub const NAME_BYTES: usize = NAME_BYTES;

    /// An empty module for the profile. `version` is the SPIR-V version to write, lowered to that
    /// of the profile. `emit_names` tells whether OpName and OpMemberName are written.
    pub fn new(profile: &'p DeviceProfile, version: (u8, u8), emit_names: bool) -> Self {
        let mut memory = Memory::take();
        memory.ids.push(IdInfo::default());
        let mut module = Module {
            caps: Caps::new(profile, version),
            fuel: Fuel::default(),
            precise: false,
            charged: 0,
            charge_at: 0,
            emit_names,
            ids: memory.ids,
            fault: None,
            interner: memory.interner,
            common: CommonIds::default(),
            scratch: memory.scratch,
            narrow: memory.narrow,
            head: memory.head,
            ext_imports: memory.ext_imports,
            glsl: None,
            entry_points: Vec::new(),
            execution_modes: memory.execution_modes,
            names: memory.names,
            annotations: memory.annotations,
            decorated: memory.decorated,
            globals: memory.globals,
            interface: memory.interface,
            variables_before: 0,
            entries_before: 0,
            functions: memory.functions,
            lines: Lines::default(),
            line_is_due: false,
            locals: memory.locals,
            code: memory.code,
            values: memory.values,
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
    pub(super) fn keep_within(&mut self, what: &str, count: usize, limit: usize) {
        if count > limit {
            self.exceed(what, count, limit);
        }
    }

    #[cold]
    pub(super) fn exceed(&mut self, what: &str, count: usize, limit: usize) {
        let error = limits::check(self.caps.place, what, count, limit).err();
        self.fault = self.fault.take().or(error);
        self.charge_at = 0;
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
    pub(super) fn fresh_typed(&mut self, ty: u32) -> Id {
        let number = self.ids.len() as u32;
        self.ids.push(IdInfo { ty, key: 0, op: None });
        // `finish` and every terminator bound the output, and with it the ids, far below u32::MAX.
        Id::from_word(number).unwrap_or(Id::MAX)
    }

    /// The number that the next id has.
    #[inline]
    pub fn bound(&self) -> u32 {
        self.ids.len() as u32
    }

    #[inline]
    pub(super) fn info(&self, id: Id) -> IdInfo {
        self.ids.get(id.word() as usize).copied().unwrap_or_default()
    }

    pub(super) fn set_type(&mut self, id: Id, ty: Id) {
        if let Some(info) = self.ids.get_mut(id.word() as usize) {
            info.ty = ty.word();
        }
    }

    /// The key of an interned type or constant: its instruction without the result, in short. Empty
    /// for other ids.
    #[inline]
    pub(super) fn key(&self, id: Id) -> &[u32] {
        self.interner.key(self.info(id).key)
    }

    /// The id of an interned definition. `write` emits the definition if it is new.
    #[inline]
    pub(super) fn intern(&mut self, op: Op, key: &[u32], write: impl FnOnce(&mut Self, Id)) -> Id {
        let hash = self.interner.hash(key);
        if let Some(id) = self.interner.find(key, hash) {
            return id;
        }
        let id = self.enter(op, key, hash);
        write(self, id);
        id
    }

    /// A new id for a definition that is not interned yet.
    #[cold]
    fn enter(&mut self, op: Op, key: &[u32], hash: usize) -> Id {
        let id = self.fresh();
        let at = self.interner.insert(key, hash, id);
        if let Some(info) = self.ids.get_mut(id.word() as usize) {
            *info = IdInfo { key: at, op: Some(op), ..*info };
        }
        id
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
        with_string(&mut self.ext_imports, Op::ExtInstImport, &[id.word()], name, ());
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
    pub(super) fn end_entry(&mut self) {
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
        instruction(&mut self.execution_modes, [Op::ExecutionMode as u32, function.word(), mode as u32], operands);
    }

    /// Reserves memory for the code of a function of so many instructions.
    pub fn reserve(&mut self, instructions: usize) {
        /// Words that an instruction becomes, most often, with its share of the whole module.
        const WORDS: usize = 12;
        /// Words of decorations that it has, most often.
        const DECORATIONS: usize = 2;
        self.code.reserve(instructions.saturating_mul(WORDS));
        self.annotations.reserve(instructions.saturating_mul(DECORATIONS));
        self.ids.reserve(instructions.saturating_mul(2));
    }

    /// Number of words written so far, for the limit on the output.
    pub(super) fn size(&self) -> usize {
        let texts = self.lines.strings.len() + self.lines.sources.len();
        let code = self.functions.len() + self.locals.len() + self.code.len();
        texts + self.globals.len() + self.annotations.len() + code
    }

    /// Charges the words and ids so far, if there are many since the last time. Every terminator
    /// calls it, and so does whoever writes many instructions into one block.
    ///
    /// # Errors
    /// `Limit` for too much output.
    #[inline]
    pub fn check_size(&mut self) -> Result<()> {
        if self.code.len() < self.charge_at { Ok(()) } else { self.charge() }
    }

    /// Charges the words and ids so far.
    pub(super) fn charge(&mut self) -> Result<()> {
        /// Words of code that are charged together.
        const TOGETHER: usize = 64;
        self.charge_at = self.code.len() + TOGETHER;
        let (words, ids) = (self.size(), self.ids.len());
        if self.fault.is_some() || ids > limits::SPIRV_IDS {
            self.check_faults()?;
        }
        let grown = (words + ids).saturating_sub(self.charged);
        self.charged += grown;
        // A word is in its section, and in the result.
        self.fuel.bytes(self.caps.place, "words of SPIR-V", grown * size_of::<[u32; 2]>())?;
        match words <= limits::OUTPUT_WORDS {
            true => Ok(()),
            false => limits::check(self.place(), "words of SPIR-V", words, limits::OUTPUT_WORDS),
        }
    }

    /// The error of a limit that was exceeded.
    #[cold]
    fn check_faults(&self) -> Result<()> {
        match &self.fault {
            Some(error) if error.kind() == ErrorKind::Limit => Err(error.clone()),
            _ => limits::check(self.place(), "ids of a SPIR-V module", self.ids.len(), limits::SPIRV_IDS),
        }
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
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.charge()?;
        let (major, minor) = self.caps.version();
        let bound = self.ids.len() as u32;
        let mut head = std::mem::take(&mut self.head);
        head.put([rspirv::spirv::MAGIC_NUMBER, u32::from(major) << 16 | u32::from(minor) << 8, 0, bound, 0]);
        self.caps.write(&mut head);
        head.put_all(&self.ext_imports);
        let addressing = match self.caps.module_has(Capability::PhysicalStorageBufferAddresses) {
            true => AddressingModel::PhysicalStorageBuffer64,
            false => AddressingModel::Logical,
        };
        let memory = match self.caps.module_has(Capability::VulkanMemoryModel) {
            true => MemoryModel::Vulkan,
            false => MemoryModel::GLSL450,
        };
        instruction(&mut head, [Op::MemoryModel as u32, addressing as u32, memory as u32], ());
        // Before SPIR-V 1.4 the interface lists inputs and outputs only; from 1.4 on, all variables
        // (OpEntryPoint).
        let all = self.caps.version() >= (1, 4);
        let listed = |class| all || matches!(class, StorageClass::Input | StorageClass::Output);
        for entry in &self.entry_points {
            let variables = self.interface.get(entry.variables.clone()).unwrap_or_default();
            let mut interface: Vec<Id> = Vec::with_capacity(variables.len());
            interface.extend(variables.iter().filter(|(_, class)| listed(*class)).map(|&(id, _)| id));
            let operands = [entry.model as u32, entry.function.word()];
            with_string(&mut head, Op::EntryPoint, &operands, &entry.name, &interface);
        }
        let Lines { strings, sources, .. } = &self.lines;
        let Self { execution_modes, names, annotations, globals, functions, .. } = &self;
        let sections = [&head, execution_modes, strings, sources, names, annotations, globals, functions];
        if let Some(op) = sections.iter().find_map(|section| section.too_long()) {
            let op = Op::from_u32(op).map_or_else(String::new, |op| format!(" Op{op:?}"));
            return Err(limit_error!(
                Place::Input,
                "an instruction{op} has more than {SPIRV_INSTRUCTION_WORDS} words, which is SPIR-V's limit"
            ));
        }
        let words = sections.map(|section| &**section).concat();
        limits::check(Place::Input, "words of SPIR-V", words.len(), limits::OUTPUT_WORDS)?;
        debug_assert!(is_whole(&words), "the word counts of a module's instructions are wrong");
        if self.ids.len().max(words.len()) <= Memory::MOST {
            let memory = Memory {
                ids: self.ids,
                interner: self.interner,
                scratch: self.scratch,
                narrow: self.narrow,
                head,
                ext_imports: self.ext_imports,
                execution_modes: self.execution_modes,
                names: self.names,
                annotations: self.annotations,
                decorated: self.decorated,
                globals: self.globals,
                interface: self.interface,
                functions: self.functions,
                locals: self.locals,
                code: self.code,
                values: self.values,
            };
            memory.recycle();
        }
        Ok(words)
    }
}

/// Whether the word counts lead from the first instruction to the end of a module.
fn is_whole(words: &[u32]) -> bool {
    const HEADER_WORDS: usize = 5;
    let mut at = HEADER_WORDS;
    while let Some(&first) = words.get(at)
        && first >> 16 != 0
    {
        at += (first >> 16) as usize;
    }
    at == words.len()
}
