//! Accesses to raw and structured buffers: one owner of length, bounds, pointers, loads, stores and
//! atomic operations.
//!
//! In: a handle, and what an operation accesses. Out: components. What must hold: bounds are D3D's,
//! per component in byte-address buffers and per element in structured ones. The driver keeps them
//! where `robustBufferAccess2` is enabled (the bounds of a byte-address buffer are then those of
//! the descriptor's range, per word); otherwise the checks are emitted here,
//! as they are for a view that is a part of its descriptor.
//!
//! Components whose address is proved to be aligned are accessed as vectors ([`RawVectors`]). A
//! vector across the end is read in part (D3D11.3, "ld_raw"). An emitted check therefore lets a
//! vector pass that is wholly inside, and otherwise accesses its components one by one. A driver
//! that keeps the bounds may take a vector that is not wholly inside for out of bounds as a whole,
//! with `robustBufferAccess2` as well: it may check words of 32 bits, and need not (Vulkan,
//! `robustBufferAccess`). docs/bindings.md says what follows.

use rspirv::spirv::Op;

use super::component::{self, AccessComponents, BufferPosition};
use super::structured::{self, StructuredElements};
use super::words::{self, BufferWords, SINGLE};
use crate::analysis::entry;
use crate::analysis::entry::{Alignment, ComponentLayout, Run};
use crate::analysis::handles::Handle;
use crate::binding::plan::Location;
use crate::ir::{Inst, Value};
use crate::lower::cx::{Code, FunctionCx, Leaf, Lowered};
use crate::lower::numbers::index;
use crate::lower::resources::{bounds, handle};
use crate::ops::consts::ResourceKind;
use crate::options::RawVectors;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// A raw or structured buffer that an atomic operation accesses.
pub struct BufferAccess<'a> {
    handle: Handle,
    form: ContentForm<'a>,
}

/// The form in which the buffer's content is declared.
enum ContentForm<'a> {
    /// An array of words.
    Words(BufferWords<'a>),
    /// An array of elements with members.
    Elements(StructuredElements),
}

/// An access to an array of words.
struct WordAccess<'a> {
    words: BufferWords<'a>,
    components: AccessComponents,
    runs: Vec<Run>,
    address: WordAddress,
}

/// Where an access to an array of words starts.
struct WordAddress {
    /// First byte, in a byte-address buffer.
    byte: Option<Id>,
    /// First word. It is there if the access has single words, checks or several vectors.
    word: Id,
    /// Whether the element is there, for structured buffers whose bounds the shader checks.
    inside: Option<Id>,
    /// Words in the buffer, for byte-address buffers whose bounds the shader checks.
    length: Option<Id>,
}

/// The bytes of a row of a `tbuffer`.
const ROW: u32 = 16;

impl<'a> BufferAccess<'a> {
    /// Opens the buffer of a handle for atomic operations on components of a type.
    ///
    /// # Errors
    /// As [`load`].
    pub fn open_for_atomics(
        cx: &mut FunctionCx<'_, 'a>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        component: Id,
    ) -> Result<Self> {
        let form = match StructuredElements::open(cx, code, handle)? {
            Some(elements) => ContentForm::Elements(elements),
            None => ContentForm::Words(BufferWords::open_for_atomics(cx, code, handle, component)?),
        };
        Ok(Self { handle, form })
    }

    /// The size of the buffer: bytes of a byte-address buffer, elements of a structured one.
    ///
    /// # Errors
    /// As [`load`].
    pub fn size(cx: &mut FunctionCx<'_, 'a>, code: &mut Code<'_, '_>, handle: Handle) -> Result<Id> {
        if let Location::Address(_) = handle::location(cx.input, handle.resource)? {
            let resource = handle::declaration(cx.input, handle);
            return Err(unsupported!(
                cx.entry.place,
                "the size of {resource}, which is a root descriptor at an address: an address has no size; declare a \
                 binding for the root descriptor, or put it into a descriptor table"
            ));
        }
        if let Some(elements) = StructuredElements::open(cx, code, handle)? {
            return elements.length(code);
        }
        let resource = handle::declaration(cx.input, handle);
        let word = code.type_u32();
        let words = BufferWords::open(cx, code, handle, word, SINGLE)?;
        let length = words.length(code)?;
        let (word, four) = (code.type_u32(), code.const_u32(4));
        let bytes = code.binary(Op::IMul, word, length, four);
        match resource.kind {
            ResourceKind::StructuredBuffer if resource.size != 0 => {
                let stride = code.const_u32(resource.size);
                Ok(code.binary(Op::UDiv, word, bytes, stride))
            }
            _ => Ok(bytes),
        }
    }

    /// A pointer to a component for atomic operations, and the condition under which it may be
    /// accessed, where the shader checks that.
    ///
    /// # Errors
    /// Those of the operands.
    pub fn pointer(
        &self,
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        at: BufferPosition,
    ) -> Result<(Id, Option<Id>)> {
        match &self.form {
            ContentForm::Elements(elements) => structured::target(cx, code, elements, at),
            ContentForm::Words(words) => {
                let address = address(cx, code, self.handle, words, at, true)?;
                let inside = address.inside(code, address.word, 1);
                Ok((words.pointer(code, address.word)?, inside))
            }
        }
    }
}

/// Loads the components of `mask` that the program takes out of the result of `inst`.
///
/// # Errors
/// Those of the operands. `Binding` and `Unsupported` for a place that the buffer cannot have, or
/// not yet.
pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    components: AccessComponents,
    at: BufferPosition,
    inst: Inst,
    mask: u32,
) -> Result<Lowered> {
    let read = |n: u32| mask >> n & 1 != 0 && cx.analysis.is_extracted(inst, n);
    let read = (0..4).filter(|&n| read(n)).fold(0, |all, n| all | 1 << n);
    match StructuredElements::open(cx, code, handle)? {
        Some(elements) => structured::load(cx, code, &elements, components, at, read),
        None => {
            let access = access(cx, code, handle, components, at, inst, read)?;
            load_words(cx, code, &access)
        }
    }
}

/// Stores the components that there are.
///
/// # Errors
/// As [`load`].
pub fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    components: AccessComponents,
    at: BufferPosition,
    inst: Inst,
    values: [Option<Leaf>; 4],
) -> Result<()> {
    match StructuredElements::open(cx, code, handle)? {
        Some(elements) => structured::store(cx, code, &elements, components.words, at, values),
        None => {
            let mask = (0u32..).zip(values).filter(|(_, value)| value.is_some()).fold(0, |mask, (n, _)| mask | 1 << n);
            let access = access(cx, code, handle, components, at, inst, mask)?;
            store_words(code, &access, values)
        }
    }
}

/// The access of an instruction to the components of a mask.
fn access<'a>(
    cx: &mut FunctionCx<'_, 'a>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    components: AccessComponents,
    at: BufferPosition,
    inst: Inst,
    mask: u32,
) -> Result<WordAccess<'a>> {
    let word = if words::is_narrow(cx, code, components.ty) { 2 } else { 4 };
    let shape = cx.input.analysis.vectors.shape(word, components.words);
    // The start of a view that is a part of its descriptor is known when the shader runs.
    let alignment = match handle::range(cx.input, handle.resource) {
        None => cx.input.analysis.vectors.address(cx.func, inst),
        Some(_) => Alignment::NONE,
    };
    let runs = entry::runs(alignment, shape, mask);
    let checked = bounds::shader_bounds_buffer(cx.input, &code.caps, handle);
    let declarations = entry::declarations(&runs, checked || runs.is_empty());
    let words = BufferWords::open(cx, code, handle, components.ty, declarations)?;
    let by_word = checked || !words.has_vectors() || runs.iter().any(|run| run.vector == 1 || run.first != 0);
    let address = address(cx, code, handle, &words, at, by_word)?;
    Ok(WordAccess { words, components, runs, address })
}

/// Where an access starts. `by_word` says whether its first word is needed.
fn address(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    words: &BufferWords<'_>,
    at: BufferPosition,
    by_word: bool,
) -> Result<WordAddress> {
    let resource = handle::declaration(cx.input, handle);
    let bytes = words.width() / 8;
    let index = cx.value(code, at.index)?;
    let bounded = words.is_bounded();
    let checked = bounded && bounds::shader_bounds_buffer(cx.input, &code.caps, handle);
    let mut address = WordAddress { byte: None, word: index, inside: None, length: None };
    let ty = code.type_u32();
    if resource.kind != ResourceKind::StructuredBuffer {
        // Offsets are multiples of the component's size; D3D leaves others undefined.
        address.byte = Some(index);
        if by_word {
            address.word = index::shifted(code, index, bytes);
        }
        if checked {
            address.length = Some(words.length(code)?);
        }
        return Ok(address);
    }
    let stride = resource.size;
    if stride == 0 {
        return Err(malformed!(resource.place(), "{resource} has elements of no bytes"));
    }
    // A driver checks the byte offset, which wraps at 2^32: an element number so large that the
    // product wraps would land inside. Such numbers become the largest whose element ends below
    // 2^32 bytes, which no buffer has (D3D11.3, "ld_structured": an element out of range reads as
    // zero).
    let index = if checked || !bounded || stride <= bytes { index } else { index::last_element(code, index, stride) };
    let start = if stride.is_multiple_of(bytes) {
        index::scaled(code, index, stride / bytes)
    } else {
        let start = index::scaled(code, index, stride);
        index::shifted(code, start, bytes)
    };
    address.word = if cx.input.is_undef(at.offset) {
        start
    } else if let Some(offset) = cx.input.const_uint(at.offset) {
        index::add(code, start, offset as u32 / bytes)
    } else {
        let offset = cx.value(code, at.offset)?;
        let offset = index::shifted(code, offset, bytes);
        code.binary(Op::IAdd, ty, start, offset)
    };
    if checked {
        let length = words.length(code)?;
        let length = index::scaled(code, length, bytes);
        let (stride, bool_ty) = (code.const_u32(stride), code.type_bool());
        let elements = code.binary(Op::UDiv, ty, length, stride);
        address.inside = Some(code.binary(Op::ULessThan, bool_ty, index, elements));
    }
    Ok(address)
}

impl WordAddress {
    /// The condition under which the words `at..at + count` may be accessed; `None` where the
    /// driver checks.
    fn inside(&self, code: &mut Code<'_, '_>, at: Id, count: u32) -> Option<Id> {
        if let Some(inside) = self.inside {
            return Some(inside);
        }
        let length = self.length?;
        let bool_ty = code.type_bool();
        // A byte offset divided by the word's size is far from overflowing.
        let last = index::add(code, at, count - 1);
        Some(code.binary(Op::ULessThan, bool_ty, last, length))
    }

    /// Runs `access` where the words `at..at + count` are within bounds; otherwise gives zero.
    fn guarded(
        &self,
        code: &mut Code<'_, '_>,
        at: Id,
        count: u32,
        ty: Id,
        access: impl FnOnce(&mut Code<'_, '_>) -> Result<Id>,
    ) -> Result<Id> {
        match self.inside(code, at, count) {
            None => access(code),
            Some(inside) => {
                let zero = code.const_null(ty);
                code.if_value(ty, inside, zero, access)
            }
        }
    }
}

impl WordAccess<'_> {
    /// The first word of a component.
    fn word_of(&self, code: &mut Code<'_, '_>, component: u32) -> Id {
        index::add(code, self.address.word, component * self.components.words)
    }

    /// The number of the vector of a run in the array of such vectors.
    fn number(&self, code: &mut Code<'_, '_>, run: Run) -> Id {
        let words = run.vector.next_power_of_two();
        if let (Some(byte), 0) = (self.address.byte, run.first) {
            return index::shifted(code, byte, self.words.width() / 8 * words);
        }
        let word = self.word_of(code, run.first);
        index::shifted(code, word, words)
    }

    /// The condition under which the whole vector of a run may be accessed; `None` where the driver
    /// checks.
    fn vector_inside(&self, code: &mut Code<'_, '_>, run: Run) -> Option<Id> {
        let at = if self.address.length.is_some() { self.word_of(code, run.first) } else { self.address.word };
        self.address.inside(code, at, run.vector)
    }

    /// Whether a vector that is not wholly inside may have components that are. In a structured
    /// buffer an element is there as a whole.
    fn is_divisible(&self, run: Run) -> bool {
        self.address.length.is_some() && run.components > 1
    }

    /// Loads one component: zero where it is out of bounds. `as_words` asks for the one or two
    /// words that it is.
    fn load_component(&self, code: &mut Code<'_, '_>, component: u32, as_words: bool) -> Result<Id> {
        let AccessComponents { ty, words: count } = self.components;
        let at = self.word_of(code, component);
        let words = code.type_vector(self.words.element(), count);
        self.address.guarded(code, at, count, if as_words { words } else { ty }, |code| {
            let mut whole = self.words.load(code, at)?;
            if count == 2 {
                let high = index::add(code, at, 1);
                let high = self.words.load(code, high)?;
                whole = code.construct(words, &[whole, high]);
            }
            Ok(if as_words { whole } else { component::from_word(code, self.words.width(), ty, whole) })
        })
    }

    /// Loads the words of a run as a vector: zero where they are out of bounds.
    fn load_vector(&self, code: &mut Code<'_, '_>, run: Run) -> Result<Id> {
        let ty = code.type_vector(self.words.element(), run.vector);
        let whole = |code: &mut Code<'_, '_>| {
            let number = self.number(code, run);
            self.words.load_vector(code, number, run.vector)
        };
        match self.vector_inside(code, run) {
            None => whole(code),
            Some(inside) if self.is_divisible(run) => code.if_else_value(ty, inside, whole, |code| {
                let mut parts = Vec::with_capacity(4);
                for n in run.first..run.first + run.components {
                    parts.push(self.load_component(code, n, true)?);
                }
                Ok(code.construct(ty, &parts))
            }),
            Some(inside) => {
                let zero = code.const_null(ty);
                code.if_value(ty, inside, zero, whole)
            }
        }
    }

    /// Stores one component where it is within bounds.
    fn store_component(&self, code: &mut Code<'_, '_>, component: u32, value: Leaf) -> Result<()> {
        let count = self.components.words;
        let at = self.word_of(code, component);
        let value = value.value(code);
        let access = |code: &mut Code<'_, '_>| {
            if count == 1 {
                let value = component::to_word(code, self.words.width(), self.words.element(), value);
                return self.words.store(code, at, value);
            }
            let pair_ty = code.type_vector(self.words.element(), 2);
            let pair = code.bitcast(pair_ty, value);
            let (low, high) = (code.component(pair, 0), code.component(pair, 1));
            self.words.store(code, at, low)?;
            let next = index::add(code, at, 1);
            self.words.store(code, next, high)
        };
        match self.address.inside(code, at, count) {
            Some(inside) => code.if_then(inside, access),
            None => access(code),
        }
    }

    /// Stores the components of a run as a vector where they are within bounds.
    fn store_vector(&self, code: &mut Code<'_, '_>, run: Run, values: &[Leaf]) -> Result<()> {
        let (element, width) = (self.words.element(), self.words.width());
        let ty = code.type_vector(element, run.vector);
        let vector = if self.components.words == 1 {
            component::to_words(code, width, ty, values)
        } else {
            let pair = code.type_vector(element, 2);
            let mut pairs = Vec::with_capacity(4);
            for value in values {
                let value = value.value(code);
                pairs.push(code.bitcast(pair, value));
            }
            code.construct(ty, &pairs)
        };
        let whole = |code: &mut Code<'_, '_>| {
            let number = self.number(code, run);
            self.words.store_vector(code, number, run.vector, vector)
        };
        match self.vector_inside(code, run) {
            None => whole(code),
            Some(inside) if self.is_divisible(run) => code.if_else(inside, whole, |code| {
                (run.first..).zip(values).try_for_each(|(n, &value)| self.store_component(code, n, value))
            }),
            Some(inside) => code.if_then(inside, whole),
        }
    }

    /// The runs, with those of vectors split into components where the buffer has no vectors.
    fn runs(&self) -> impl Iterator<Item = Run> {
        let split = !self.words.has_vectors();
        self.runs.iter().flat_map(move |&run| {
            let each = if split { run.components } else { 1 };
            let one = move |n| if split { Run { first: run.first + n, components: 1, vector: 1 } } else { run };
            (0..each).map(one)
        })
    }
}

fn load_words(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, access: &WordAccess<'_>) -> Result<Lowered> {
    let AccessComponents { ty, words } = access.components;
    let width = access.words.width();
    let mut leaves: [Option<Leaf>; 4] = [None; 4];
    for run in access.runs() {
        if run.vector == 1 {
            let value = access.load_component(code, run.first, false)?;
            put(&mut leaves, run.first, Leaf::Value(value));
            continue;
        }
        let mut vector = access.load_vector(code, run)?;
        // Components of one word each are converted to their own type as a vector.
        if words == 1 && code.width(ty) == Some(width) {
            let own = code.type_vector(ty, run.vector);
            vector = code.bitcast(own, vector);
            (0..run.components).for_each(|n| put(&mut leaves, run.first + n, Leaf::Component(vector, n as u8)));
            continue;
        }
        for n in 0..run.components {
            let whole = match (words, run.components) {
                (1, _) => code.component(vector, n),
                (_, 1) => vector,
                _ => {
                    let pair = code.type_vector(access.words.element(), 2);
                    code.shuffle(pair, vector, vector, &[n * 2, n * 2 + 1])
                }
            };
            let value = component::from_word(code, width, ty, whole);
            put(&mut leaves, run.first + n, Leaf::Value(value));
        }
    }
    // A component that is not read may be any value; the status says that all memory is resident.
    let none = code.const_null(ty);
    let status = code.const_u32(0);
    let [a, b, c, d] = leaves.map(|leaf| leaf.unwrap_or(Leaf::Value(none)));
    Ok(cx.locals.leaf_parts(&[a, b, c, d, Leaf::Value(status)]))
}

fn put(leaves: &mut [Option<Leaf>; 4], n: u32, value: Leaf) {
    if let Some(leaf) = leaves.get_mut(n as usize) {
        *leaf = Some(value);
    }
}

fn store_words(code: &mut Code<'_, '_>, access: &WordAccess<'_>, values: [Option<Leaf>; 4]) -> Result<()> {
    for run in access.runs() {
        let own = values.iter().skip(run.first as usize).take(run.components as usize).copied();
        let own: Vec<Leaf> = own.flatten().collect();
        match (run.vector, own.first()) {
            (_, None) => {}
            (1, Some(&value)) => access.store_component(code, run.first, value)?,
            _ => access.store_vector(code, run, &own)?,
        }
    }
    Ok(())
}

/// A row of a `tbuffer` in a storage buffer: four words of type `ty`, zero past the end.
///
/// # Errors
/// As [`load`].
pub fn tbuffer_row(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    ty: Id,
    row: Value,
) -> Result<Lowered> {
    let vectors = cx.input.options.raw_vectors == RawVectors::Aligned;
    let alignment = if vectors { Alignment::ROW } else { Alignment::NONE };
    let runs = entry::runs(alignment, ComponentLayout { word: 4, words: 1, threes: false }, 0xf);
    let checked = !bounds::driver_bounds_buffers(cx.input.options, &code.caps);
    let words = BufferWords::open(cx, code, handle, ty, entry::declarations(&runs, checked))?;
    let row = cx.value(code, row)?;
    let row = index::last_element(code, row, ROW);
    let length = if checked && words.is_bounded() { Some(words.length(code)?) } else { None };
    let address = WordAddress { byte: None, word: index::scaled(code, row, ROW / 4), inside: None, length };
    let access = WordAccess { words, components: AccessComponents { ty, words: 1 }, runs, address };
    load_words(cx, code, &access)
}
