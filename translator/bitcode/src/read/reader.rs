//! The state of a reader, and what all its parts do: the next record, strings, values.

use crate::body::Body;
use crate::module::Module;
use crate::pool::Str;
use crate::stream::{BitstreamEntry, Record, Stream};
use crate::types::TypeId;
use crate::values::{Value, ValueId};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;

use super::checked::{CheckState, ForwardReference};
use super::derived::Derived;
use super::lists::Lists;
use super::memory::Memory;
use super::numbers::value_id;

/// What is charged for types, globals, constants, metadata, attributes and names.
pub(super) const TABLES: &str = "the tables of the module";
/// What is charged for the bodies of functions.
pub(super) const BODIES: &str = "the bodies of functions";

/// Most items that memory is reserved for before their number is known.
pub(super) const RESERVED: usize = 1 << 16;
/// Most instructions that memory is reserved for, over all bodies. A body may have many bytes and
/// few instructions.
pub(super) const RESERVED_INSTRUCTIONS: usize = 1 << 18;

/// What has been read so far. While a body is read, its values follow those of the module in
/// [`Module::values`], and its metadata follows that of the module.
pub(super) struct Reader<'a> {
    pub stream: Stream<'a>,
    pub fuel: &'a Fuel,
    /// Whether debug information is read.
    pub debug: bool,
    pub module: Box<Module>,
    pub derived: Derived,
    /// `i1`, if it was asked for.
    pub boolean: Option<TypeId>,
    /// Number of types in the type table. The module may have further types, which are derived.
    pub numbered_types: usize,
    /// Whether operands of instructions count back from the next value (module version 1 and
    /// later).
    pub relative_ids: bool,
    /// Whether names are in a string table after the module (module version 2).
    pub has_string_table: bool,
    pub string_table: &'a [u8],
    pub expected: Vec<ForwardReference>,
    pub lists: Lists,
    /// What is left of [`RESERVED_INSTRUCTIONS`].
    pub reserve: usize,
    pub checked: CheckState,
    /// A body whose memory the next one gets.
    pub body: Option<Box<Body>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(stream: Stream<'a>, fuel: &'a Fuel, memory: Memory) -> Self {
        // Capacities are estimated from the size of the input, in the proportions that compilers
        // write. Growing step by step would cost more than reading.
        let bytes = (stream.remaining() / 8).min(32 * RESERVED as u64) as usize;
        let Memory { mut module, derived, body, mut checked, mut expected, lists, .. } = memory;
        module.types.reserve(bytes / 64);
        module.values.reserve(bytes / 64);
        module.constants.reserve(bytes / 32);
        module.metadata.reserve(bytes / 32);
        module.functions.reserve(bytes / 512);
        module.strings.reserve(bytes / 4);
        module.metadata_operands.reserve(bytes / 32);
        module.type_lists.reserve(bytes / 32);
        module.named_metadata.reserve(bytes / 1024);
        checked.constants.reserve(bytes / 32);
        expected.reserve(bytes / 64);
        Self {
            stream,
            fuel,
            debug: false,
            module,
            derived,
            boolean: None,
            numbered_types: 0,
            relative_ids: false,
            has_string_table: false,
            string_table: &[],
            expected,
            lists,
            reserve: RESERVED_INSTRUCTIONS,
            checked,
            body,
        }
    }

    /// The next entry of the stream. A record is charged, whether or not anything is stored of it:
    /// a short input may have many records, and records with many operands.
    #[inline(always)]
    pub(super) fn next(&mut self, record: &mut Record<'a>, what: &'static str) -> Result<BitstreamEntry> {
        let entry = self.stream.next(record)?;
        if matches!(entry, BitstreamEntry::Record) {
            self.fuel.bytes(record.place(), what, size_of_val(record) + size_of_val(&*record.ops))?;
        }
        Ok(entry)
    }

    /// Adds a module-level value.
    pub(super) fn push_value(&mut self, place: Place, value: Value) -> Result<()> {
        limits::check(place, "module values", self.module.values.len() + 1, limits::MODULE_VALUES)?;
        self.fuel.items::<Value>(place, TABLES, 1)?;
        self.module.values.push(value);
        Ok(())
    }

    /// Records that a value must exist, and have this type, when all values have been read.
    pub(super) fn expect(&mut self, bit: u64, number: Option<u64>, ty: Option<TypeId>) -> Result<Option<ValueId>> {
        let Some(number) = number else { return Ok(None) };
        let value = value_id(Place::Bit(bit), number)?;
        self.fuel.items::<ForwardReference>(Place::Bit(bit), TABLES, 1)?;
        self.expected.push(ForwardReference { value, ty, bit });
        Ok(Some(value))
    }

    /// The operands of a record from one on, as bytes of a string.
    pub(super) fn string(&mut self, record: &Record<'_>, from: usize) -> Result<Str> {
        let chars = record.ops.get(from..).unwrap_or_default();
        if chars.iter().fold(0, |all, c| all | c) > 0xff {
            return Err(malformed!(record.place(), "a string has a character above 255"));
        }
        self.add_bytes(record.place(), chars.iter().map(|&c| c as u8))
    }

    pub(super) fn add_bytes(&mut self, place: Place, bytes: impl ExactSizeIterator<Item = u8>) -> Result<Str> {
        let total = self.module.strings.items().len() + bytes.len();
        limits::check(place, "bytes of strings", total, limits::STRING_BYTES)?;
        self.fuel.items::<u8>(place, TABLES, bytes.len())?;
        Ok(self.module.strings.extend(bytes))
    }

    /// A value by its number, in the module or the current body.
    #[inline]
    pub(super) fn value(&self, id: ValueId) -> Option<Value> {
        self.module.values.get(id).copied()
    }
}
