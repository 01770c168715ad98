//! Accesses to structured buffers whose elements have members ([`Element`]).
//!
//! In: an access and the [`Element`] of its buffer. Out: one load or store for each member it
//! touches. What must hold: bounds are D3D's, per element, by the driver where it answers for them,
//! else by a comparison with the number of elements; of memory that the shader writes somewhere,
//! nothing is read that the access itself does not read, and nothing else is ever written.

use std::rc::Rc;

use rspirv::spirv::{Decoration, Op, StorageClass};

use super::component;
use crate::binding::plan::DescriptorType;
use crate::dxil::ir::Value;
use crate::entity::Entity;
use crate::error::Result;
use crate::lower::cx::{Code, Declared, FunctionCx, Lowered};
use crate::lower::facts::{Element, Member, Part, word_mask};
use crate::lower::numbers::index;
use crate::lower::resources::{bounds, descriptor, handle};
use crate::spirv::{self, Id, Module, StructKind};

/// Words of the widest access: four numbers of 64 bits.
const WORDS: usize = 8;

/// Which of a buffer's declarations is that of elements; those of words have numbers by width.
const ELEMENTS: u32 = 1;

/// The elements of the buffer that a handle stands for.
#[derive(Clone)]
pub struct Elements {
    /// What one is made of.
    pub element: Rc<Element>,
    /// Pointer to the block of them.
    pub block: Id,
    /// Whether the descriptor's index differs between lanes.
    pub non_uniform: bool,
    /// Whether something writes to the buffer.
    pub written: bool,
}

impl Elements {
    /// How many elements there are.
    pub fn length(&self, code: &mut Code<'_, '_>) -> Id {
        let word = code.type_u32();
        let length = code.op(Op::ArrayLength, word, &[self.block.word(), 0]);
        if self.non_uniform {
            code.mark_new(length, Decoration::NonUniform);
        }
        length
    }
}

/// The elements of the structured buffer that a handle stands for, where its accesses show what they are made of and it is a storage
/// buffer.
pub fn elements(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<Option<Elements>> {
    let handle = handle::resolve(cx, value)?;
    let Some(element) = cx.usage.element(handle.resource).cloned() else { return Ok(None) };
    let (resource, descriptor) = (handle::declaration(cx, handle), handle::descriptor(cx, handle.resource)?);
    use DescriptorType as D;
    if !matches!(descriptor.ty, D::StorageBuffer | D::StorageBufferDynamic | D::Mutable) {
        return Ok(None);
    }
    let one = if element.is_one_member() {
        let only = element.members.first().map(|&member| member_type(code, element.word, member));
        only.unwrap_or_else(|| code.type_u32())
    } else {
        let members: Vec<spirv::Member> = element
            .members
            .iter()
            .map(|&member| spirv::Member::at(member_type(code, element.word, member), member.word * element.word))
            .collect();
        code.type_struct(StructKind::Plain, &members)
    };
    let array = code.type_runtime_array(one, Some(element.stride));
    let content = code.type_struct(StructKind::Block, &[spirv::Member::at(array, 0)]);
    let what = Declared::Resource(handle.resource.index() as u32, ELEMENTS);
    let variable = cx.declare(code, what, |cx, module| {
        let class = StorageClass::StorageBuffer;
        let id = descriptor::variable(cx, module, class, content, descriptor, &resource.name)?;
        descriptor::decorate_access(cx, module, id, handle.resource);
        Ok(id)
    })?;
    let picked = descriptor::pick(cx, code, handle, descriptor, content, variable)?;
    let written = cx.usage.of(handle.resource).written;
    Ok(Some(Elements { element, block: picked.pointer, non_uniform: picked.non_uniform, written }))
}

/// The components of an access: their type and the words that one takes.
#[derive(Clone, Copy)]
pub struct Components {
    /// Their type.
    pub ty: Id,
    /// 1 or 2.
    pub words: u32,
}

/// The element of an access.
struct Place {
    index: Id,
    /// Whether it is there, where the shader checks that.
    inside: Option<Id>,
}

fn place(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, elements: &Elements, index: Value) -> Result<Place> {
    let index = cx.value(code, index)?;
    if bounds::driver_bounds_buffers(cx, &code.caps) {
        let index = index::last_element(code, index, elements.element.stride);
        return Ok(Place { index, inside: None });
    }
    let (length, bool_ty) = (elements.length(code), code.type_bool());
    let inside = code.binary(Op::ULessThan, bool_ty, index, length);
    Ok(Place { index, inside: Some(inside) })
}

/// The type of a member's components.
fn scalar(module: &mut Module<'_>, word: u32, member: Member) -> Id {
    match (word, member.float) {
        (2, true) => module.type_storage_f16(),
        (2, false) => module.type_storage_u16(),
        (_, true) => module.type_f32(),
        (_, false) => module.type_u32(),
    }
}

/// The type of a member of an element whose words have these bytes.
fn member_type(module: &mut Module<'_>, word: u32, member: Member) -> Id {
    let scalar = scalar(module, word, member);
    module.type_vector(scalar, member.count)
}

/// Pointer to a member, or to one of its components.
fn pointer(code: &mut Code<'_, '_>, elements: &Elements, place: &Place, part: Part, component: Option<u32>) -> Id {
    let mut chain = vec![code.const_u32(0), place.index];
    if !elements.element.is_one_member() {
        chain.push(code.const_u32(part.index));
    }
    let ty = match component.filter(|_| part.member.count != 1) {
        None => member_type(code, elements.element.word, part.member),
        Some(component) => {
            chain.push(code.const_u32(component));
            scalar(code, elements.element.word, part.member)
        }
    };
    let pointer = code.access_chain(ty, elements.block, &chain);
    if elements.non_uniform {
        code.mark_new(pointer, Decoration::NonUniform);
    }
    pointer
}

fn guarded_load(code: &mut Code<'_, '_>, place: &Place, pointer: Id) -> Result<Id> {
    match place.inside {
        None => Ok(code.load(pointer)),
        Some(inside) => {
            let ty = code.pointee(pointer);
            let zero = code.const_null(ty);
            code.if_value(ty, inside, zero, |code| Ok(code.load(pointer)))
        }
    }
}

/// The components of `mask` of an access from byte `offset` of an element on.
pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    elements: &Elements,
    components: Components,
    (index, first): (Value, u32),
    mask: u32,
) -> Result<Lowered> {
    let place = place(cx, code, elements, index)?;
    let width = elements.element.word * 8;
    let mut leaves: [Option<Id>; 4] = [None; 4];
    let mut words: [Option<Id>; WORDS] = [None; WORDS];
    let read = word_mask(mask, components.words);
    for part in elements.element.parts(first, read) {
        let all = (1 << part.member.count) - 1;
        let several = part.touched.count_ones() > 1;
        let whole = several && (part.touched == all || !elements.written);
        // Numbers of a word are a vector of their own type at once.
        let plain = components.words == 1 && code.width(components.ty) == Some(width);
        let mut vector = None;
        if whole {
            let pointer = pointer(code, elements, &place, part, None);
            let loaded = guarded_load(code, &place, pointer)?;
            let own = if plain {
                code.type_vector(components.ty, part.member.count)
            } else {
                member_type(code, elements.element.word, part.member)
            };
            vector = Some(code.bitcast(own, loaded));
        }
        for component in (0..part.member.count).filter(|n| part.touched >> n & 1 != 0) {
            let value = match vector {
                Some(vector) => code.component(vector, component),
                None => {
                    let pointer = pointer(code, elements, &place, part, Some(component));
                    guarded_load(code, &place, pointer)?
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
            (Some(&low), Some(&high)) => {
                let word = code.type_u32();
                let pair = code.type_vector(word, 2);
                code.construct(pair, &[low, high])
            }
            (Some(&word), None) if components.words == 1 => word,
            _ => return Err(bug!(cx.place, "a component of an element that no member holds")),
        };
        *leaf = Some(component::from_word(code, width, components.ty, whole));
    }
    // What nothing reads is zero, and the status says that all is there.
    let (none, status) = (code.const_null(components.ty), code.const_u32(0));
    let [a, b, c, d] = leaves.map(|leaf| leaf.unwrap_or(none));
    Ok(cx.parts(&[a, b, c, d, status]))
}

/// Stores components: those that there are.
pub fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    elements: &Elements,
    words_each: u32,
    (index, first): (Value, u32),
    values: [Option<Id>; 4],
) -> Result<Lowered> {
    let place = place(cx, code, elements, index)?;
    let width = elements.element.word * 8;
    let mut words: [Option<Id>; WORDS] = [None; WORDS];
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
        let pair = code.bitcast(pair, value);
        put(n * 2, code.component(pair, 0));
        put(n * 2 + 1, code.component(pair, 1));
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
                own.push((component, component::to_word(code, width, scalar, word)));
            }
            done += own.len() as u32;
            if own.len() == part.member.count as usize {
                let values: Vec<Id> = own.iter().map(|&(_, value)| value).collect();
                let ty = member_type(code, elements.element.word, part.member);
                let value = code.construct(ty, &values);
                let pointer = pointer(code, elements, &place, part, None);
                code.store(pointer, value);
                continue;
            }
            for (component, value) in own {
                let pointer = pointer(code, elements, &place, part, Some(component));
                code.store(pointer, value);
            }
        }
        match done == mask.count_ones() {
            true => Ok(()),
            false => Err(bug!(code.place(), "a component of an element that no member holds")),
        }
    };
    match place.inside {
        Some(inside) => code.if_then(inside, access)?,
        None => access(code)?,
    }
    Ok(Lowered::Nothing)
}

/// Pointer to a word, for atomics, and the condition under which it may be touched where that is checked here.
pub fn target(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    elements: &Elements,
    index: Value,
    first: u32,
) -> Result<(Id, Option<Id>)> {
    let place = place(cx, code, elements, index)?;
    let part = elements.element.parts(first, 1).next();
    let part = part.ok_or_else(|| bug!(cx.place, "an atomic operation on a word that no member holds"))?;
    let component = part.start.unsigned_abs();
    Ok((pointer(code, elements, &place, part, Some(component)), place.inside))
}
