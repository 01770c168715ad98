//! Accesses to raw and structured buffers: one owner of length, bounds, pointers, loads, stores and
//! atomic operations.
//!
//! In: a handle, and what an operation accesses. Out: components. What must hold: bounds are D3D's,
//! per component in byte-address buffers and per element in structured ones. The driver keeps them
//! where `robustBufferAccess2` is enabled (the bounds of a byte-address buffer are then those of the
//! descriptor's range, per word); otherwise the checks are emitted here.
//!
//! Byte-address buffers are arrays of words always: a vector across the end is read in part (D3D11.3,
//! "ld_raw"), while Vulkan lets a driver take an object that is not wholly in range for out of bounds
//! as a whole, with `robustBufferAccess2` as well: it may check words of 32 bits, and need not
//! (Vulkan, `robustBufferAccess`).

use rspirv::spirv::Op;

use super::component::{self, Components};
use super::structured::{self, Elements};
use super::words::Words;
use crate::binding::plan::Location;
use crate::dxil::consts::ResourceKind;
use crate::dxil::handles::Handle;
use crate::dxil::ir::{Inst, Value};
use crate::dxil::resources::Resource;
use crate::error::Result;
use crate::lower::cx::{Code, FunctionCx, Lowered};
use crate::lower::numbers::index;
use crate::lower::resources::{bounds, handle};
use crate::spirv::Id;

/// A raw or structured buffer that an operation accesses.
pub struct BufferAccess<'a> {
    resource: &'a Resource,
    form: Form<'a>,
}

/// The form in which the buffer's content is declared.
enum Form<'a> {
    /// An array of words.
    Words(Words<'a>),
    /// An array of elements with members.
    Elements(Elements),
}

/// Where an access to an array of words starts.
struct Address {
    /// First word.
    word: Id,
    /// Whether the element is there, for structured buffers whose bounds the shader checks.
    inside: Option<Id>,
    /// Words in the buffer, for byte-address buffers whose bounds the shader checks.
    length: Option<Id>,
}

/// The bytes of a row of a `tbuffer`.
const ROW: u32 = 16;

impl<'a> BufferAccess<'a> {
    /// Opens the buffer of a handle for loads and stores of components.
    ///
    /// # Errors
    /// `Binding` and `Unsupported` for a place that the buffer cannot have, or not yet.
    pub fn open(
        cx: &mut FunctionCx<'_, 'a>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        components: Components,
    ) -> Result<Self> {
        let resource = handle::declaration(cx, handle);
        let form = match Elements::open(cx, code, handle)? {
            Some(elements) => Form::Elements(elements),
            None => Form::Words(Words::open(cx, code, handle, components.ty)?),
        };
        Ok(Self { resource, form })
    }

    /// Opens the buffer of a handle for atomic operations on components of a type.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_for_atomics(
        cx: &mut FunctionCx<'_, 'a>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        component: Id,
    ) -> Result<Self> {
        let resource = handle::declaration(cx, handle);
        let form = match Elements::open(cx, code, handle)? {
            Some(elements) => Form::Elements(elements),
            None => Form::Words(Words::open_for_atomics(cx, code, handle, component)?),
        };
        Ok(Self { resource, form })
    }

    /// The size of the buffer: bytes of a byte-address buffer, elements of a structured one.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn size(cx: &mut FunctionCx<'_, 'a>, code: &mut Code<'_, '_>, handle: Handle) -> Result<Id> {
        if let Location::Address(_) = handle::location(cx, handle.resource)? {
            let resource = handle::declaration(cx, handle);
            return Err(unsupported!(
                cx.place,
                "the size of {resource}, which is a root descriptor at an address: an address has no size; declare a \
                 binding for the root descriptor, or put it into a descriptor table"
            ));
        }
        if let Some(elements) = Elements::open(cx, code, handle)? {
            return elements.length(code);
        }
        let resource = handle::declaration(cx, handle);
        let word = code.type_u32();
        let words = Words::open(cx, code, handle, word)?;
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

    /// Loads the components of `mask` that the program takes out of the result of `inst`. `index` is a
    /// byte offset in a byte-address buffer; in a structured one it is an element, in which `offset`
    /// counts bytes.
    ///
    /// # Errors
    /// The operands'.
    pub fn load(
        &self,
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        components: Components,
        (index, offset): (Value, Value),
        (inst, mask): (Inst, u32),
    ) -> Result<Lowered> {
        let read = |n: u32| mask >> n & 1 != 0 && cx.is_extracted(inst, n);
        let read = (0..4).filter(|&n| read(n)).fold(0, |all, n| all | 1 << n);
        match &self.form {
            Form::Elements(elements) => structured::load(cx, code, elements, components, (index, offset), read),
            Form::Words(words) => {
                let address = self.address(cx, code, words, index, offset)?;
                load_words(cx, code, words, components, &address, read)
            }
        }
    }

    /// Stores the components that there are.
    ///
    /// # Errors
    /// The operands'.
    pub fn store(
        &self,
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        components: Components,
        (index, offset): (Value, Value),
        values: [Option<Id>; 4],
    ) -> Result<()> {
        match &self.form {
            Form::Elements(elements) => {
                structured::store(cx, code, elements, components.words, (index, offset), values)
            }
            Form::Words(words) => {
                let address = self.address(cx, code, words, index, offset)?;
                store_words(code, words, components.words, &address, values)
            }
        }
    }

    /// A pointer to a component for atomic operations, and the condition under which it may be
    /// accessed, where the shader checks that.
    ///
    /// # Errors
    /// The operands'.
    pub fn pointer(
        &self,
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        (index, offset): (Value, Value),
    ) -> Result<(Id, Option<Id>)> {
        match &self.form {
            Form::Elements(elements) => structured::target(cx, code, elements, (index, offset)),
            Form::Words(words) => {
                let address = self.address(cx, code, words, index, offset)?;
                let inside = address.inside(code, address.word, 1);
                Ok((words.pointer(code, address.word)?, inside))
            }
        }
    }

    /// The address of an access.
    fn address(
        &self,
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        words: &Words<'_>,
        index: Value,
        offset: Value,
    ) -> Result<Address> {
        let resource = self.resource;
        let bytes = words.width() / 8;
        let index = cx.value(code, index)?;
        let bounded = words.is_bounded();
        let checked = bounded && !bounds::driver_bounds_buffers(cx, &code.caps);
        let mut address = Address { word: index, inside: None, length: None };
        let ty = code.type_u32();
        if resource.kind != ResourceKind::StructuredBuffer {
            // Offsets are multiples of the component's size; D3D leaves others undefined.
            address.word = index::shifted(code, index, bytes);
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
        let index =
            if checked || !bounded || stride <= bytes { index } else { index::last_element(code, index, stride) };
        let start = if stride.is_multiple_of(bytes) {
            index::scaled(code, index, stride / bytes)
        } else {
            let start = index::scaled(code, index, stride);
            index::shifted(code, start, bytes)
        };
        address.word = if cx.is_undef(offset) {
            start
        } else if let Some(offset) = cx.const_uint(offset) {
            index::add(code, start, offset as u32 / bytes)
        } else {
            let offset = cx.value(code, offset)?;
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
}

impl Address {
    /// The condition under which the words `at..at + count` may be accessed; `None` where the driver
    /// checks.
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
        (at, count): (Id, u32),
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

fn load_words(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    words: &Words<'_>,
    Components { ty, words: count }: Components,
    address: &Address,
    mask: u32,
) -> Result<Lowered> {
    let mut leaves: [Option<Id>; 4] = [None; 4];
    for (n, leaf) in (0u32..).zip(leaves.iter_mut()).filter(|(n, _)| mask >> n & 1 != 0) {
        let at = index::add(code, address.word, n * count);
        let value = address.guarded(code, (at, count), ty, |code| {
            let low = words.load(code, at)?;
            let whole = if count == 2 {
                let high = index::add(code, at, 1);
                let high = words.load(code, high)?;
                let word = code.type_u32();
                let pair = code.type_vector(word, 2);
                code.construct(pair, &[low, high])
            } else {
                low
            };
            Ok(component::from_word(code, words.width(), ty, whole))
        })?;
        *leaf = Some(value);
    }
    // A component that is not read may be any value; the status says that all memory is resident.
    let none = code.const_null(ty);
    let status = code.const_u32(0);
    let [a, b, c, d] = leaves.map(|leaf| leaf.unwrap_or(none));
    Ok(cx.parts(&[a, b, c, d, status]))
}

fn store_words(
    code: &mut Code<'_, '_>,
    words: &Words<'_>,
    count: u32,
    address: &Address,
    values: [Option<Id>; 4],
) -> Result<()> {
    for (n, value) in (0u32..).zip(values) {
        let Some(value) = value else { continue };
        let at = index::add(code, address.word, n * count);
        let element = words.element();
        let access = |code: &mut Code<'_, '_>| {
            if count == 1 {
                let value = component::to_word(code, words.width(), element, value);
                return words.store(code, at, value);
            }
            let pair_ty = code.type_vector(element, 2);
            let pair = code.bitcast(pair_ty, value);
            let (low, high) = (code.component(pair, 0), code.component(pair, 1));
            words.store(code, at, low)?;
            let next = index::add(code, at, 1);
            words.store(code, next, high)
        };
        match address.inside(code, at, count) {
            Some(inside) => code.if_then(inside, access)?,
            None => access(code)?,
        }
    }
    Ok(())
}

/// A row of a `tbuffer` in a storage buffer: four words of type `ty`, zero past the end.
///
/// # Errors
/// As [`BufferAccess::open`].
pub fn tbuffer_row(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    ty: Id,
    row: Value,
) -> Result<[Id; 4]> {
    let words = Words::open(cx, code, handle, ty)?;
    let row = cx.value(code, row)?;
    let row = index::last_element(code, row, ROW);
    let length = if bounds::driver_bounds_buffers(cx, &code.caps) { None } else { Some(words.length(code)?) };
    let address = Address { word: index::scaled(code, row, ROW / 4), inside: None, length };
    let mut components = [code.const_u32(0); 4];
    for (n, component) in (0u32..).zip(components.iter_mut()) {
        let at = index::add(code, address.word, n);
        *component = address.guarded(code, (at, 1), ty, |code| {
            let word = words.load(code, at)?;
            Ok(code.bitcast(ty, word))
        })?;
    }
    Ok(components)
}
