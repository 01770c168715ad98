//! Accesses to structured buffers whose elements have members ([`ElementLayout`]).
//!
//! In: an access and the [`ElementLayout`] of its buffer. Out: one load or store for each member
//! that the access touches. What must hold: bounds are D3D's, per element, kept by the driver or by
//! a comparison with the number of elements; an access to a buffer that the shader writes loads
//! only the components that it asks for, and a store never writes others.

use std::rc::Rc;

use rspirv::spirv::{Op, StorageClass};

use super::block::{Declaration, MemoryBlock};
use super::component::{self, AccessComponents, BufferPosition};
use super::words::ADDRESS;
use crate::analysis::entry::{ElementLayout, ElementMember, MemberAccess, word_mask};
use crate::analysis::handles::Handle;
use crate::binding::plan::DescriptorType;
use crate::ir::Value;
use crate::lower::cx::{Code, FunctionCx, Leaf, Lowered};
use crate::lower::numbers::index;
use crate::lower::resources::{bounds, declare, handle};
use dxil_base::error::Result;
use dxil_spirv_builder as spirv;
use dxil_spirv_builder::{Id, Module, StructKind};

/// The words of the widest access: four numbers of 64 bits.
const WORDS: usize = 8;

/// The number of this form among a buffer's declarations. Those of words are numbered by width.
const ELEMENTS: u32 = 1;

/// The elements of a structured buffer.
#[derive(Clone)]
pub struct StructuredElements {
    /// What one is made of.
    element: Rc<ElementLayout>,
    /// The block that holds the array of them.
    block: MemoryBlock,
    /// Whether something writes to the buffer.
    written: bool,
}

impl StructuredElements {
    /// The elements of a structured buffer whose accesses show what they are made of; `None` for
    /// other buffers, and where the buffer is in a texel buffer or a part of its descriptor.
    pub fn open(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, handle: Handle) -> Result<Option<Self>> {
        let Some(element) = cx.input.analysis.usage.element(handle.resource).cloned() else { return Ok(None) };
        // A view that is a part of its descriptor may start anywhere between elements.
        if handle::range(cx.input, handle.resource).is_some() {
            return Ok(None);
        }
        use DescriptorType as D;
        if let Some(place) = handle::location(cx.input, handle.resource)?.descriptor()
            && !matches!(place.ty, D::StorageBuffer | D::StorageBufferDynamic | D::Mutable)
        {
            return Ok(None);
        }
        let members =
            |_: &mut FunctionCx<'_, '_>, module: &mut Module<'_>| vec![spirv::Member::at(array(module, &element), 0)];
        let aligned = element.word.min(ADDRESS);
        let declaration = Declaration { class: StorageClass::StorageBuffer, which: ELEMENTS, aligned };
        let block = MemoryBlock::open(cx, code, handle, &declaration, members, |cx, module, id| {
            declare::decorate_access(cx, module, id, handle.resource);
        })?;
        let written = cx.input.analysis.usage.resource(handle.resource).memory.written;
        Ok(Some(StructuredElements { element, block, written }))
    }

    /// The number of elements.
    ///
    /// # Errors
    /// `Limit` for too much output.
    pub fn length(&self, code: &mut Code<'_, '_>) -> Result<Id> {
        self.block.length(code)
    }

    /// The first word of an access from a byte offset of an element on. The offset is a constant in
    /// every access of a buffer whose elements are known.
    fn first_word(&self, cx: &FunctionCx<'_, '_>, offset: Value) -> u32 {
        cx.input.const_uint(offset).unwrap_or_default() as u32 / self.element.word
    }
}

/// The array of a buffer's elements.
fn array(module: &mut Module<'_>, element: &ElementLayout) -> Id {
    let one = if element.is_one_member() {
        let only = element.members.first().map(|&member| member_type(module, element.word, member));
        only.unwrap_or_else(|| module.type_u32())
    } else {
        let members: Vec<spirv::Member> = element
            .members
            .iter()
            .map(|&member| spirv::Member::at(member_type(module, element.word, member), member.word * element.word))
            .collect();
        module.type_struct(StructKind::Plain, &members)
    };
    module.type_runtime_array(one, Some(element.stride))
}

/// The element of an access.
struct ElementIndex {
    index: Id,
    /// Whether the element exists, where the shader checks that.
    inside: Option<Id>,
}

fn place(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    elements: &StructuredElements,
    index: Value,
) -> Result<ElementIndex> {
    let index = cx.value(code, index)?;
    if !elements.block.is_bounded() {
        return Ok(ElementIndex { index, inside: None });
    }
    if bounds::driver_bounds_buffers(cx.input.options, &code.caps) {
        let index = index::last_element(code, index, elements.element.stride);
        return Ok(ElementIndex { index, inside: None });
    }
    let (length, bool_ty) = (elements.length(code)?, code.type_bool());
    let inside = code.binary(Op::ULessThan, bool_ty, index, length);
    Ok(ElementIndex { index, inside: Some(inside) })
}

/// The type of a member's components.
fn scalar(module: &mut Module<'_>, word: u32, member: ElementMember) -> Id {
    match (word, member.float) {
        (2, true) => module.type_storage_f16(),
        (2, false) => module.type_storage_u16(),
        (_, true) => module.type_f32(),
        (_, false) => module.type_u32(),
    }
}

/// The type of a member of an element whose words have these bytes.
fn member_type(module: &mut Module<'_>, word: u32, member: ElementMember) -> Id {
    let scalar = scalar(module, word, member);
    module.type_vector(scalar, member.count)
}

/// Pointer to a member, or to one of its components.
fn pointer(
    code: &mut Code<'_, '_>,
    elements: &StructuredElements,
    place: &ElementIndex,
    part: MemberAccess,
    component: Option<u32>,
) -> Id {
    let zero = code.const_u32(0);
    let member = (!elements.element.is_one_member()).then(|| code.const_u32(part.index));
    let component = component.filter(|_| part.member.count != 1).map(|component| code.const_u32(component));
    let ty = match component {
        None => member_type(code, elements.element.word, part.member),
        Some(_) => scalar(code, elements.element.word, part.member),
    };
    match (member, component) {
        (Some(member), Some(component)) => elements.block.part(code, ty, &[zero, place.index, member, component]),
        (Some(last), None) | (None, Some(last)) => elements.block.part(code, ty, &[zero, place.index, last]),
        (None, None) => elements.block.part(code, ty, &[zero, place.index]),
    }
}

fn guarded_load(code: &mut Code<'_, '_>, block: &MemoryBlock, place: &ElementIndex, pointer: Id) -> Result<Id> {
    match place.inside {
        None => Ok(block.load(code, pointer)),
        Some(inside) => {
            let ty = code.pointee(pointer);
            let zero = code.const_null(ty);
            code.if_value(ty, inside, zero, |code| Ok(block.load(code, pointer)))
        }
    }
}

/// The components of `mask` of an access.
pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    elements: &StructuredElements,
    components: AccessComponents,
    at: BufferPosition,
    mask: u32,
) -> Result<Lowered> {
    let first = elements.first_word(cx, at.offset);
    let place = place(cx, code, elements, at.index)?;
    let width = elements.element.word * 8;
    let mut leaves: [Option<Leaf>; 4] = [None; 4];
    let mut words: [Option<Leaf>; WORDS] = [None; WORDS];
    // Components of one word each are converted to their own type as a vector.
    let plain = components.words == 1 && code.width(components.ty) == Some(width);
    let read = word_mask(mask, components.words);
    for part in elements.element.parts(first, read) {
        let all = (1 << part.member.count) - 1;
        let several = part.touched.count_ones() > 1;
        let whole = several && (part.touched == all || !elements.written);
        let mut vector = None;
        if whole {
            let pointer = pointer(code, elements, &place, part, None);
            let loaded = guarded_load(code, &elements.block, &place, pointer)?;
            let own = if plain {
                code.type_vector(components.ty, part.member.count)
            } else {
                member_type(code, elements.element.word, part.member)
            };
            vector = Some(code.bitcast(own, loaded));
        }
        for component in (0..part.member.count).filter(|n| part.touched >> n & 1 != 0) {
            let value = match vector {
                Some(vector) => Leaf::Component(vector, component as u8),
                None => {
                    let pointer = pointer(code, elements, &place, part, Some(component));
                    Leaf::Value(guarded_load(code, &elements.block, &place, pointer)?)
                }
            };
            if let Some(word) = words.get_mut((part.start + component as i32) as usize) {
                *word = Some(value);
            }
        }
    }
    for (n, leaf) in leaves.iter_mut().enumerate().filter(|(n, _)| mask >> n & 1 != 0) {
        let mut own = words.iter().skip(n * components.words as usize).take(components.words as usize).flatten();
        let whole = match (own.next(), own.next()) {
            (Some(&component @ Leaf::Component(..)), None) if plain => {
                *leaf = Some(component);
                continue;
            }
            (Some(&low), Some(&high)) => {
                let (low, high, word) = (low.value(code), high.value(code), code.type_u32());
                let pair = code.type_vector(word, 2);
                code.construct(pair, &[low, high])
            }
            (Some(&word), None) if components.words == 1 => word.value(code),
            _ => return Err(bug!(cx.entry.place, "a component that no member of the element holds")),
        };
        *leaf = Some(Leaf::Value(component::from_word(code, width, components.ty, whole)));
    }
    // A component that is not read may be any value; the status says that all memory is resident.
    let (none, status) = (code.const_null(components.ty), code.const_u32(0));
    let [a, b, c, d] = leaves.map(|leaf| leaf.unwrap_or(Leaf::Value(none)));
    Ok(cx.locals.leaf_parts(&[a, b, c, d, Leaf::Value(status)]))
}

/// Stores the components that there are.
pub fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    elements: &StructuredElements,
    words_each: u32,
    at: BufferPosition,
    values: [Option<Leaf>; 4],
) -> Result<()> {
    let first = elements.first_word(cx, at.offset);
    let place = place(cx, code, elements, at.index)?;
    let width = elements.element.word * 8;
    let mut words: [Option<Leaf>; WORDS] = [None; WORDS];
    for (n, value) in values.into_iter().enumerate() {
        let Some(value) = value else { continue };
        let mut put = |at: usize, value| {
            if let Some(word) = words.get_mut(at) {
                *word = Some(value);
            }
        };
        if words_each == 1 {
            put(n, value);
            continue;
        }
        let word = code.type_u32();
        let pair = code.type_vector(word, 2);
        let value = value.value(code);
        let pair = code.bitcast(pair, value);
        put(n * 2, Leaf::Component(pair, 0));
        put(n * 2 + 1, Leaf::Component(pair, 1));
    }
    let mask = (0u32..).zip(&words).filter(|(_, word)| word.is_some()).fold(0, |mask, (n, _)| mask | 1 << n);
    let access = |code: &mut Code<'_, '_>| {
        let mut done = 0u32;
        for part in elements.element.parts(first, mask) {
            let scalar = scalar(code, elements.element.word, part.member);
            let mut own = Vec::with_capacity(part.member.count as usize);
            for component in (0..part.member.count).filter(|n| part.touched >> n & 1 != 0) {
                let word = words.get((part.start + component as i32) as usize).copied().flatten();
                let Some(word) = word else { continue };
                own.push((component, word));
            }
            done += own.len() as u32;
            if own.len() == part.member.count as usize {
                let values: Vec<Leaf> = own.iter().map(|&(_, value)| value).collect();
                let ty = member_type(code, elements.element.word, part.member);
                let value = component::to_words(code, width, ty, &values);
                let pointer = pointer(code, elements, &place, part, None);
                elements.block.store(code, pointer, value);
                continue;
            }
            for (component, value) in own {
                let pointer = pointer(code, elements, &place, part, Some(component));
                let value = value.value(code);
                let word = component::to_word(code, width, scalar, value);
                elements.block.store(code, pointer, word);
            }
        }
        match done == mask.count_ones() {
            true => Ok(()),
            false => Err(bug!(code.place(), "a component that no member of the element holds")),
        }
    };
    match place.inside {
        Some(inside) => code.if_then(inside, access),
        None => access(code),
    }
}

/// A pointer to a word for atomic operations, and the condition under which it may be accessed,
/// where the shader checks that.
pub fn target(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    elements: &StructuredElements,
    at: BufferPosition,
) -> Result<(Id, Option<Id>)> {
    let first = elements.first_word(cx, at.offset);
    let place = place(cx, code, elements, at.index)?;
    let part = elements.element.parts(first, 1).next();
    let part =
        part.ok_or_else(|| bug!(cx.entry.place, "an atomic operation on a word that no member of the element holds"))?;
    let component = part.start.unsigned_abs();
    Ok((pointer(code, elements, &place, part, Some(component)), place.inside))
}
