//! Reads a module: the top level and the module block.
//!
//! In: the bytes. Out: [`Module`]. The position of each function body is recorded first, and the
//! bodies are read after all module-level records. So everything that a body refers to has its
//! final number, wherever a writer put it.

mod attributes;
mod check;
mod constants;
mod function;
mod inst;
mod metadata;
mod rules;
mod symbols;
mod types;

use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::{Budget, Fuel};

use super::attributes::AttributeListId;
use super::body::Body;
use super::codes::{block, identification, module as code};
use super::module::{Alias, Function, FunctionId, Global, Module, Str, Value, ValueDef, ValueId};
use super::ops::Linkage;
use super::stream::{BlockStart, Entry, Record, Stream};
use super::types::{Type, TypeId};

/// `BC` and `0xc0de`, least significant byte first.
const MAGIC: u64 = 0xdec0_4342;
/// Magic number of the wrapper that gives bitcode an offset and size.
const WRAPPER_MAGIC: u32 = 0x0b17_c0de;

/// Reads a module from raw bitcode, or from bitcode in LLVM's wrapper. Bytes after the module are
/// ignored, because containers pad it.
///
/// # Errors
/// `Malformed`, `Unsupported` or `Limit`, each with its bit offset.
pub fn read(bytes: &[u8]) -> Result<Module> {
    read_within(bytes, &Fuel::new(Budget::default(), bytes.len()))
}

/// [`read`] with fuel.
///
/// # Errors
/// Those of [`read`].
pub fn read_within<'a>(bytes: &'a [u8], fuel: &'a Fuel) -> Result<Module> {
    limits::check(Place::Input, "bytes", bytes.len(), limits::INPUT_BYTES)?;
    let (bytes, base) = unwrap(bytes)?;
    let mut reader = Reader::new(Stream::new(bytes, base), fuel);
    let mut record = Record::default();
    let place = reader.stream.place();
    let magic = reader.stream.word()?;
    if magic != MAGIC {
        return Err(malformed!(place, "the magic number of bitcode is 0xdec04342, found {magic:#010x}"));
    }
    let mut found = false;
    // A block takes at least two bits for an abbreviation id and two words. Fewer bits are padding.
    while reader.stream.remaining() >= 64 {
        // Bytes after the module that are not a block are padding.
        let entry = match reader.stream.next(&mut record) {
            Ok(entry) => entry,
            Err(_) if found => break,
            Err(e) => return Err(e),
        };
        let Entry::Block(start) = entry else {
            if found {
                break;
            }
            return Err(malformed!(record.place(), "a record stands outside of any block"));
        };
        match start.id {
            block::MODULE if found => {
                return Err(unsupported!(start.place, "the bitcode has a second module; expected one"));
            }
            block::MODULE => {
                reader.module_block(start, &mut record)?;
                found = true;
            }
            block::IDENTIFICATION => reader.identification(start, &mut record)?,
            block::STRTAB => reader.string_table(start, &mut record)?,
            _ => reader.stream.skip(start)?,
        }
    }
    if !found {
        return Err(malformed!(reader.stream.place(), "the bitcode has no module block"));
    }
    reader.finish(&mut record)
}

/// The bitcode inside a wrapper, with its offset. Without a wrapper these are the bytes themselves.
fn unwrap(bytes: &[u8]) -> Result<(&[u8], usize)> {
    let word = |at: usize| {
        let slice = bytes.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*slice))
    };
    if word(0) != Some(WRAPPER_MAGIC) {
        return Ok((bytes, 0));
    }
    let (Some(offset), Some(size)) = (word(8), word(12)) else {
        return Err(malformed!(Place::Byte(0), "the bitcode wrapper ends within its header"));
    };
    let end = (offset as usize).checked_add(size as usize);
    match end.and_then(|end| bytes.get(offset as usize..end)) {
        Some(inner) => Ok((inner, offset as usize)),
        None => Err(malformed!(
            Place::Byte(8),
            "the wrapper puts {size} bytes of bitcode at offset {offset}, but the input has {} bytes",
            bytes.len()
        )),
    }
}

/// A name that is resolved when the string table has been read.
#[derive(Clone, Copy, Debug)]
struct PendingName {
    value: ValueId,
    offset: u64,
    size: u64,
    bit: u64,
}

/// A value that a record names before the value is known to exist.
#[derive(Clone, Copy, Debug)]
struct Expected {
    value: ValueId,
    ty: Option<TypeId>,
    bit: u64,
}

/// Bytes that an [`Expected`] takes in a list, whose capacity is up to twice its length.
const EXPECTED_BYTES: usize = 2 * size_of::<Expected>();

/// What is charged for types, globals, constants, metadata, attributes and names.
const TABLES: &str = "the tables of the module";
/// What is charged for the bodies of functions.
const BODIES: &str = "the bodies of functions";

/// The largest number of items that memory is reserved for, before it is known how many there are.
const ROOM: usize = 1 << 16;
/// The largest number of instructions that memory is reserved for in all bodies together. A body may
/// have many bytes and few instructions.
const BODIES_ROOM: usize = 1 << 18;

/// Bytes that what a record stands for takes, as bitcode and as IR: an instruction and its value, or
/// an entry of a table.
const RECORD_BYTES: usize = 128;
/// Bytes that one of its operands takes, for example in a list or as a character.
const OPERAND_BYTES: usize = 8;
/// Bytes that a reference to a string takes.
const STRING_BYTES: usize = 16;
/// Bytes that a constant takes besides.
const CONSTANT_BYTES: usize = 96;
/// Bytes that an element of a table of numbers takes besides: as a word, and as a constant of the IR.
const ELEMENT_BYTES: usize = 160;
/// Bytes that a parameter of a body takes, as a value of the bitcode and of the IR.
const PARAMETER_BYTES: usize = 64;
/// Bytes that a pair of a kind and a node takes besides, where metadata is attached.
const ATTACHMENT_BYTES: usize = 240;
/// Bytes that a byte of a value's name takes: three in text if it is not UTF-8, in several copies.
const NAMED_BYTES: usize = 8;
/// Bytes that an `alloca` of several elements takes besides: as an array of its own type.
const ARRAY_BYTES: usize = 512;
/// Bytes that a global variable, function or alias takes besides.
const GLOBAL_BYTES: usize = 256;

struct Reader<'a> {
    stream: Stream<'a>,
    fuel: &'a Fuel,
    module: Module,
    derived: types::Derived,
    /// Bytes that a value of each type takes besides those of its record.
    weights: Vec<u32>,
    /// Number of types in the type table. The module may have further types, which are derived.
    numbered_types: usize,
    /// Whether operands of instructions count back from the next value (module version 1 and
    /// later).
    relative_ids: bool,
    /// Whether names are in a string table after the module (module version 2).
    has_string_table: bool,
    pending_names: Vec<PendingName>,
    string_table: &'a [u8],
    groups: attributes::Groups,
    expected: Vec<Expected>,
    /// Functions whose bodies are not read yet, in order. Bodies have the same order.
    defined: Vec<FunctionId>,
    /// Whether each function has a body.
    has_body: Vec<bool>,
    bodies: Vec<BlockStart>,
    /// What is left of [`BODIES_ROOM`].
    room: usize,
    checked: check::Checked,
}

impl<'a> Reader<'a> {
    fn new(stream: Stream<'a>, fuel: &'a Fuel) -> Self {
        // Capacities are estimated from the size of the input, in the proportions that compilers
        // write. Growing step by step would cost more than reading.
        let bytes = (stream.remaining() / 8).min(32 * ROOM as u64) as usize;
        let mut module = Module {
            types: PrimaryMap::with_capacity(bytes / 64),
            values: PrimaryMap::with_capacity(bytes / 64),
            constants: PrimaryMap::with_capacity(bytes / 32),
            metadata: PrimaryMap::with_capacity(bytes / 32),
            ..Module::default()
        };
        module.strings.reserve(bytes / 4);
        module.metadata_operands.reserve(bytes / 32);
        Self {
            stream,
            fuel,
            module,
            derived: types::Derived::default(),
            weights: Vec::new(),
            numbered_types: 0,
            relative_ids: false,
            has_string_table: false,
            pending_names: Vec::new(),
            string_table: &[],
            groups: attributes::Groups::default(),
            expected: Vec::new(),
            defined: Vec::new(),
            has_body: Vec::new(),
            bodies: Vec::new(),
            room: BODIES_ROOM,
            checked: check::Checked::default(),
        }
    }

    /// The next entry of the stream. A record is charged before anything is made of it, so that the
    /// tables of a module and the bodies together keep to the budget.
    #[inline]
    fn next(&mut self, record: &mut Record<'a>, what: &'static str) -> Result<Entry> {
        let entry = self.stream.next(record)?;
        if matches!(entry, Entry::Record) {
            self.fuel.bytes(record.place(), what, RECORD_BYTES + OPERAND_BYTES * record.ops.len())?;
        }
        Ok(entry)
    }

    fn identification(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                Entry::End => return Ok(()),
                Entry::Block(inner) => self.stream.skip(inner)?,
                Entry::Record if record.code == identification::STRING => {
                    self.module.producer = Some(self.string(record, 0)?);
                }
                Entry::Record => {}
            }
        }
    }

    fn module_block(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                Entry::End => return Ok(()),
                Entry::Record => self.module_record(record)?,
                Entry::Block(inner) => match inner.id {
                    block::TYPE_NEW => self.type_table(inner, record)?,
                    block::PARAMATTR_GROUP => self.attribute_groups(inner, record)?,
                    block::PARAMATTR => self.attribute_lists(inner, record)?,
                    block::CONSTANTS => self.constants(inner, record, None)?,
                    block::METADATA => self.metadata_block(inner, record, None)?,
                    block::METADATA_KIND => self.metadata_block(inner, record, None)?,
                    block::VALUE_SYMTAB => self.symbol_table(inner, record, None)?,
                    block::FUNCTION => {
                        self.fuel.bytes(inner.place, BODIES, RECORD_BYTES)?;
                        self.bodies.push(inner);
                        self.stream.skip(inner)?;
                    }
                    // Use-list orders, operand bundle tags, synchronisation scope names and
                    // summaries are not needed.
                    _ => self.stream.skip(inner)?,
                },
            }
        }
    }

    fn module_record(&mut self, record: &Record<'_>) -> Result<()> {
        if matches!(record.code, code::GLOBALVAR | code::FUNCTION | code::ALIAS | code::ALIAS_OLD) {
            self.fuel.bytes(record.place(), TABLES, GLOBAL_BYTES)?;
        }
        match record.code {
            code::VERSION => {
                let version = record.op(0)?;
                if version > 2 {
                    return Err(unsupported!(record.place(), "bitcode module version {version}; expected 0, 1 or 2"));
                }
                self.relative_ids = version >= 1;
                self.has_string_table = version >= 2;
            }
            code::TRIPLE => self.module.triple = self.string(record, 0)?,
            code::DATALAYOUT => self.module.data_layout = self.string(record, 0)?,
            code::ASM => self.module.inline_asm = self.string(record, 0)?,
            code::SOURCE_FILENAME => self.module.source_name = self.string(record, 0)?,
            code::SECTIONNAME => {
                let name = self.string(record, 0)?;
                self.module.sections.push(name);
            }
            code::GLOBALVAR => self.global(record)?,
            code::FUNCTION => self.function(record)?,
            code::ALIAS | code::ALIAS_OLD => self.alias(record)?,
            // It cannot be skipped, because it takes a value number.
            code::IFUNC => {
                return Err(unsupported!(
                    record.place(),
                    "the module has an indirect function (ifunc), which DXIL does not have"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// The operands after the name. In version 2 the first two operands are the name's offset and
    /// size in the string table.
    fn operands<'r>(&mut self, record: &'r Record<'_>, value: ValueId) -> Result<&'r [u64]> {
        match record.ops.as_slice() {
            [offset, size, rest @ ..] if self.has_string_table => {
                self.pending_names.push(PendingName { value, offset: *offset, size: *size, bit: record.bit });
                Ok(rest)
            }
            ops if !self.has_string_table => Ok(ops),
            _ => Err(malformed!(record.place(), "the record of a global value has no name in the string table")),
        }
    }

    /// `[type, constant | explicit << 1 | address space << 2, init + 1, linkage, align, section,
    /// visibility, tls, unnamed_addr, extern_init, …]`
    fn global(&mut self, record: &Record<'_>) -> Result<()> {
        let id = self.module.values.next_key();
        let ops = self.operands(record, id)?;
        let [ty, flags, init, linkage, align, section, rest @ ..] = ops else {
            return Err(malformed!(
                record.place(),
                "the record of a global variable has {} operands, but six are needed",
                ops.len()
            ));
        };
        let mut ty = self.ty(record.place(), *ty)?;
        let address_space = if flags & 2 != 0 {
            address_space(record.place(), flags >> 2)?
        } else {
            let Type::Pointer { pointee, address_space } = self.module.types[ty] else {
                return Err(malformed!(record.place(), "the type of a global variable is not a pointer"));
            };
            ty = pointee;
            address_space
        };
        let initializer = self.expect(record.bit, init.checked_sub(1), Some(ty))?;
        let rest = |i: usize| rest.get(i).copied().unwrap_or(0);
        let global = Global {
            name: Str::EMPTY,
            value: id,
            ty,
            address_space,
            constant: flags & 1 != 0,
            initializer,
            linkage: linkage_of(record.place(), *linkage)?,
            align: align_of(record.place(), *align)?,
            section: self.section(record.place(), *section)?,
            thread_local: rest(1) != 0,
            unnamed_addr: rest(2) != 0,
            externally_initialized: rest(3) != 0,
        };
        // Each becomes a variable of the SPIR-V module, if the shader uses it.
        let count = self.module.globals.len() + 1;
        limits::check(record.place(), "global variables of a module", count, limits::SPIRV_GLOBAL_VARIABLES)?;
        let def = ValueDef::Global(self.module.globals.push(global));
        let ty = self.pointer_to(record.place(), ty, address_space)?;
        self.push_value(record.place(), Value { ty, def })
    }

    /// `[type, calling convention, is declaration, linkage, attributes, align, section,
    /// visibility, gc, unnamed_addr, …]`
    fn function(&mut self, record: &Record<'_>) -> Result<()> {
        let id = self.module.values.next_key();
        let ops = self.operands(record, id)?;
        let [ty, convention, declaration, linkage, attributes, align, section, rest @ ..] = ops else {
            return Err(malformed!(
                record.place(),
                "the record of a function has {} operands, but seven are needed",
                ops.len()
            ));
        };
        let mut ty = self.ty(record.place(), *ty)?;
        if let Type::Pointer { pointee, .. } = self.module.types[ty] {
            ty = pointee;
        }
        if !matches!(self.module.types[ty], Type::Function { .. }) {
            return Err(malformed!(
                record.place(),
                "the type of a function is {}; expected a function type",
                self.module.type_text(ty)
            ));
        }
        let function = Function {
            name: Str::EMPTY,
            value: id,
            ty,
            calling_convention: small(record.place(), "calling convention", *convention)?,
            linkage: linkage_of(record.place(), *linkage)?,
            attributes: self.attribute_list(record.place(), *attributes)?,
            align: align_of(record.place(), *align)?,
            section: self.section(record.place(), *section)?,
            unnamed_addr: rest.get(2).is_some_and(|&u| u != 0),
            body: None,
        };
        let function = self.module.functions.push(function);
        self.has_body.push(*declaration == 0);
        if *declaration == 0 {
            limits::check(record.place(), "functions with a body", self.defined.len() + 1, limits::FUNCTIONS)?;
            self.defined.push(function);
        }
        let ty = self.pointer_to(record.place(), ty, 0)?;
        self.push_value(record.place(), Value { ty, def: ValueDef::Function(function) })
    }

    /// Whether a value is a function with a body.
    #[inline]
    fn is_defined(&self, value: ValueId) -> bool {
        match self.module.values.get(value) {
            Some(Value { def: ValueDef::Function(function), .. }) => self.has_body.get(function.index()) == Some(&true),
            _ => false,
        }
    }

    /// The old form is `[pointer type, aliasee, linkage, …]`, the new one
    /// `[type, address space, aliasee, linkage, …]`.
    fn alias(&mut self, record: &Record<'_>) -> Result<()> {
        let id = self.module.values.next_key();
        let place = record.place();
        let ops = self.operands(record, id)?;
        let (ty, target, linkage) = match (record.code, ops) {
            (code::ALIAS_OLD, [ty, target, linkage, ..]) => {
                let ty = self.ty(place, *ty)?;
                if !matches!(self.module.types[ty], Type::Pointer { .. }) {
                    return Err(malformed!(
                        place,
                        "the type of an alias is {}; expected a pointer",
                        self.module.type_text(ty)
                    ));
                }
                (ty, target, linkage)
            }
            (code::ALIAS, [ty, address_space_, target, linkage, ..]) => {
                let ty = self.ty(place, *ty)?;
                (self.pointer_to(place, ty, address_space(place, *address_space_)?)?, target, linkage)
            }
            _ => return Err(malformed!(place, "the record of an alias has only {} operands", ops.len())),
        };
        let Some(target) = self.expect(record.bit, Some(*target), Some(ty))? else {
            return Err(malformed!(place, "an alias has no target"));
        };
        let alias = Alias { name: Str::EMPTY, value: id, ty, target, linkage: linkage_of(place, *linkage)? };
        let def = ValueDef::Alias(self.module.aliases.push(alias));
        self.push_value(place, Value { ty, def })
    }

    /// Adds a module-level value.
    fn push_value(&mut self, place: Place, value: Value) -> Result<()> {
        limits::check(place, "module values", self.module.values.len() + 1, limits::MODULE_VALUES)?;
        self.module.values.push(value);
        Ok(())
    }

    /// Records that a value must exist, and have this type, when all values have been read.
    fn expect(&mut self, bit: u64, number: Option<u64>, ty: Option<TypeId>) -> Result<Option<ValueId>> {
        let Some(number) = number else { return Ok(None) };
        let value = value_id(Place::Bit(bit), number)?;
        self.fuel.bytes(Place::Bit(bit), TABLES, EXPECTED_BYTES)?;
        self.expected.push(Expected { value, ty, bit });
        Ok(Some(value))
    }

    fn section(&self, place: Place, number: u64) -> Result<u32> {
        if number as usize > self.module.sections.len() {
            return Err(malformed!(
                place,
                "section {number} does not exist; the module has {}",
                self.module.sections.len()
            ));
        }
        Ok(number as u32)
    }

    fn attribute_list(&self, place: Place, number: u64) -> Result<Option<AttributeListId>> {
        match number.checked_sub(1) {
            None => Ok(None),
            Some(i) if i < self.module.attributes.len() as u64 => Ok(Some(AttributeListId::new(i as usize))),
            Some(_) => Err(malformed!(
                place,
                "attribute list {number} does not exist; the module has {}",
                self.module.attributes.len()
            )),
        }
    }

    /// The operands of a record from one on, as bytes of a string.
    fn string(&mut self, record: &Record<'_>, from: usize) -> Result<Str> {
        let chars = record.ops.get(from..).unwrap_or_default();
        if chars.iter().fold(0, |all, c| all | c) > 0xff {
            return Err(malformed!(record.place(), "a string has a character above 255"));
        }
        self.add_bytes(record.place(), chars.iter().map(|&c| c as u8))
    }

    fn add_bytes(&mut self, place: Place, bytes: impl ExactSizeIterator<Item = u8>) -> Result<Str> {
        let total = self.module.strings.items().len() + bytes.len();
        limits::check(place, "bytes of strings", total, limits::STRING_BYTES)?;
        // A blob has its bytes in one operand, and a table of names may name them many times.
        self.fuel.bytes(place, TABLES, (STRING_BYTES + bytes.len()) * 2)?;
        Ok(self.module.strings.extend(bytes))
    }

    /// Finishes the module after all blocks have been read: resolves names, checks references,
    /// reads the bodies.
    fn finish(mut self, record: &mut Record<'a>) -> Result<Module> {
        self.resolve_names()?;
        self.check_module()?;
        if self.bodies.len() != self.defined.len() {
            let place = self.stream.place();
            return Err(malformed!(
                place,
                "the module has {} function bodies for {} defined functions",
                self.bodies.len(),
                self.defined.len()
            ));
        }
        let (defined, bodies) = (std::mem::take(&mut self.defined), std::mem::take(&mut self.bodies));
        for (function, start) in defined.into_iter().zip(bodies) {
            let body = self.body(function, start, record)?;
            self.module.functions[function].body = Some(body);
        }
        Ok(self.module)
    }

    /// A value by its number, in the module or the current body.
    #[inline]
    fn value(&self, body: Option<&Body>, id: ValueId) -> Option<Value> {
        self.module.value(body, id)
    }
}

/// A value number that fits. Whether the value exists is checked when all values are known.
#[inline]
fn value_id(place: Place, number: u64) -> Result<ValueId> {
    if number >= 1 << 30 {
        return Err(malformed!(place, "value number {number} is too large; the largest is 2^30 - 1"));
    }
    Ok(ValueId::new(number as usize))
}

fn small(place: Place, what: &str, number: u64) -> Result<u32> {
    u32::try_from(number).map_err(|_| malformed!(place, "{what} {number} does not fit in 32 bits"))
}

fn address_space(place: Place, number: u64) -> Result<u32> {
    if number >= 1 << 24 {
        return Err(malformed!(place, "address space {number} is too large; the largest is 2^24 - 1"));
    }
    Ok(number as u32)
}

/// Alignment in bytes, from the record form: the logarithm plus one, or zero for none.
fn align_of(place: Place, log: u64) -> Result<u32> {
    match log {
        0 => Ok(0),
        1..=32 => Ok(1 << (log - 1)),
        _ => {
            Err(malformed!(place, "an alignment is 2 to the power of {}; the largest is 2 to the power of 31", log - 1))
        }
    }
}

/// The linkage of a number, including the numbers that LLVM no longer writes.
fn linkage_of(place: Place, code: u64) -> Result<Linkage> {
    let code = match code {
        1 => 16,
        4 => 18,
        10 => 17,
        11 => 19,
        // dllimport, dllexport and linkonce_odr_auto_hide
        5 | 6 => 0,
        13 | 14 => 9,
        15 => 19,
        other => other,
    };
    Linkage::from_code(code).ok_or_else(|| malformed!(place, "unknown linkage {code}"))
}
