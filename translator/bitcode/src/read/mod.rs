//! Reads a module: the top level and the module block.
//!
//! In: the bytes. Out: [`Module`]. The position of each function body is recorded first, and the
//! bodies are read after all module-level records. So everything that a body refers to has its
//! final number, wherever a writer put it.

mod attributes;
mod check;
mod checked;
mod constants;
mod derived;
mod function;
mod globals;
mod inst;
mod lists;
mod memory;
mod metadata;
mod numbers;
mod operands;
mod reader;
mod rules;
mod symbols;
mod types;

use dxil_base::entity::PrimaryMap;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::{Budget, Fuel};

use super::body::Body;
use super::codes::{block, identification};
use super::module::Module;
use super::stream::{BitstreamEntry, BlockStart, Record, Stream};
use super::values::FunctionId;
use super::visitor::Visitor;
use memory::Memory;
use reader::{BODIES, Reader, TABLES};

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
    read_all(bytes, fuel, false)
}

/// [`read_within`] with debug information: the operands of debug nodes and the places of
/// instructions in the source.
///
/// # Errors
/// Those of [`read`].
pub fn read_with_debug<'a>(bytes: &'a [u8], fuel: &'a Fuel) -> Result<Module> {
    read_all(bytes, fuel, true)
}

fn read_all<'a>(bytes: &'a [u8], fuel: &'a Fuel, debug: bool) -> Result<Module> {
    Bodies::open_all(bytes, fuel, debug)?.read_all()
}

/// A module whose bodies are still to be read.
pub struct Bodies<'a> {
    reader: Reader<'a>,
    record: Record<'a>,
    /// The number of bodies that are read.
    read: usize,
    /// The number of bytes of the bitcode.
    input: usize,
}

impl<'a> Bodies<'a> {
    /// Reads all of a module but the bodies, as [`read_within`] does.
    ///
    /// # Errors
    /// Those of [`read`].
    pub fn open(bytes: &'a [u8], fuel: &'a Fuel) -> Result<Self> {
        Self::open_all(bytes, fuel, false)
    }

    fn open_all(bytes: &'a [u8], fuel: &'a Fuel, debug: bool) -> Result<Self> {
        limits::check(Place::Input, "bytes", bytes.len(), limits::INPUT_BYTES)?;
        let (bytes, base) = unwrap(bytes)?;
        let mut memory = Memory::take();
        let record = Record { ops: std::mem::take(&mut memory.record), ..Record::default() };
        let stream = Stream::new(bytes, base, std::mem::take(&mut memory.stream));
        let reader = Reader { debug, ..Reader::new(stream, fuel, memory) };
        let mut bodies = Self { reader, record, read: 0, input: bytes.len() };
        bodies.reader.top(&mut bodies.record)?;
        bodies.reader.finish(&mut bodies.record)?;
        Ok(bodies)
    }

    /// The module. Functions whose bodies are left, or a visitor got, have none.
    pub fn module(&self) -> &Module {
        &self.reader.module
    }

    /// Reads the next body, in the order of the functions. `visit` makes the visitor of its
    /// instructions. It is given the module and the body, with the arguments of the function, and
    /// the number of instructions to reserve memory for.
    ///
    /// # Errors
    /// Those of [`read`], of `visit` and of the visitor.
    pub fn read_next<V: Visitor>(
        &mut self,
        visit: impl FnOnce(FunctionId, &Module, &Body, usize) -> Result<V>,
    ) -> Result<Option<V>> {
        let Some((function, start)) = self.next() else { return Ok(None) };
        let (values, metadata) = (self.module().values.len(), self.module().metadata.len());
        let visit = |module: &Module, body: &Body, capacity: usize| visit(function, module, body, capacity);
        let (visitor, body) = self.reader.body(function, start, &mut self.record, visit)?;
        self.reader.body = Some(body);
        self.reader.module.values.truncate(values);
        self.reader.module.metadata.truncate(metadata);
        Ok(Some(visitor))
    }

    /// Gives the thread's next module the memory of this one.
    pub fn close(self) {
        let Reader { stream, fuel, module, derived, expected, lists, checked, body, .. } = self.reader;
        let memory = Memory {
            module,
            derived,
            body,
            checked,
            expected,
            lists,
            stream: stream.memory(),
            record: self.record.ops,
        };
        memory.recycle(fuel, self.input);
    }

    /// The module with the bodies that are left.
    ///
    /// # Errors
    /// Those of [`read`].
    pub fn read_all(mut self) -> Result<Module> {
        while let Some((function, start)) = self.next() {
            let Self { reader, record, .. } = &mut self;
            let metadata = reader.module.metadata.len();
            let visit = |_: &Module, _: &Body, capacity| Ok(PrimaryMap::with_capacity(capacity));
            let (insts, mut body) = reader.body(function, start, record, visit)?;
            let module = &mut reader.module;
            body.values = module.values.split_off(body.first_value as usize);
            body.metadata = module.metadata.split_off(metadata);
            module.functions[function].body = Some(Body { insts, ..*body });
        }
        let module = std::mem::take(&mut *self.reader.module);
        self.close();
        Ok(module)
    }

    /// The next function with a body, and its body.
    fn next(&mut self) -> Option<(FunctionId, BlockStart)> {
        let next = (*self.reader.lists.defined.get(self.read)?, *self.reader.lists.bodies.get(self.read)?);
        self.read += 1;
        Some(next)
    }
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

impl<'a> Reader<'a> {
    /// Reads the top level.
    fn top(&mut self, record: &mut Record<'a>) -> Result<()> {
        let place = self.stream.place();
        let magic = self.stream.word()?;
        if magic != MAGIC {
            return Err(malformed!(place, "the magic number of bitcode is 0xdec04342, found {magic:#010x}"));
        }
        let mut found = false;
        // A block takes at least two bits for an abbreviation id and two words. Fewer bits are
        // padding.
        while self.stream.remaining() >= 64 {
            // Bytes after the module that are not a block are padding.
            let entry = match self.stream.next(record) {
                Ok(entry) => entry,
                Err(_) if found => break,
                Err(e) => return Err(e),
            };
            let BitstreamEntry::Block(start) = entry else {
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
                    self.module_block(start, record)?;
                    found = true;
                }
                block::IDENTIFICATION => self.identification(start, record)?,
                block::STRTAB => self.string_table(start, record)?,
                _ => self.stream.skip(start),
            }
        }
        if found { Ok(()) } else { Err(malformed!(self.stream.place(), "the bitcode has no module block")) }
    }

    fn identification(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record if record.code == identification::STRING => {
                    self.module.producer = Some(self.string(record, 0)?);
                }
                BitstreamEntry::Record => {}
            }
        }
    }

    fn module_block(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Record => self.module_record(record)?,
                BitstreamEntry::Block(inner) => match inner.id {
                    block::TYPE_NEW => self.type_table(inner, record)?,
                    block::PARAMATTR_GROUP => self.attribute_groups(inner, record)?,
                    block::PARAMATTR => self.attribute_lists(inner, record)?,
                    block::CONSTANTS => self.constants(inner, record, false)?,
                    block::METADATA | block::METADATA_KIND => self.metadata_block(inner, record)?,
                    block::VALUE_SYMTAB => self.symbol_table(inner, record, None)?,
                    block::FUNCTION => {
                        self.fuel.items::<BlockStart>(inner.place, BODIES, 1)?;
                        self.lists.bodies.push(inner);
                        self.stream.skip(inner);
                    }
                    // Use-list orders, operand bundle tags, synchronisation scope names and
                    // summaries are not needed.
                    _ => self.stream.skip(inner),
                },
            }
        }
    }

    /// Finishes the module after all blocks have been read: resolves names, and checks references.
    fn finish(&mut self, record: &mut Record<'a>) -> Result<()> {
        self.resolve_names()?;
        self.check()?;
        if self.lists.bodies.len() != self.lists.defined.len() {
            let place = self.stream.place();
            return Err(malformed!(
                place,
                "the module has {} function bodies for {} defined functions",
                self.lists.bodies.len(),
                self.lists.defined.len()
            ));
        }
        if !self.module.global_attachments.is_empty() {
            self.metadata_kinds(record)?;
        }
        Ok(())
    }
}
