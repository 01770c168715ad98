//! Raw and structured buffers as arrays of words: 32 bits each, or 16 for 16-bit components; values
//! of 64 bits are two words.
//!
//! In: a handle and the type of an access's components. Out: [`Words`], a storage buffer's block or
//! a texel buffer, and accesses to one word of it.

use rspirv::spirv::{Decoration, Dim, Op, StorageClass};

use crate::binding::plan::DescriptorType;
use crate::dxil::consts::ResourceKind;
use crate::dxil::ir::Value;
use crate::entity::Entity;
use crate::error::Result;
use crate::lower::cx::{Code, Declared, FunctionCx};
use crate::lower::images::{Image, image};
use crate::lower::resources::{descriptor, handle};
use crate::spirv::{Id, ImageOperands, Member, Module, StructKind, Type};

/// The words of a raw or structured buffer.
#[derive(Clone, Copy)]
pub enum Words<'a> {
    /// A storage buffer: an array of words in a block.
    Block {
        /// Pointer to the block.
        block: Id,
        /// The element type.
        element: Id,
        /// Its bits.
        width: u32,
        /// Whether the descriptor's index differs between lanes.
        non_uniform: bool,
    },
    /// A texel buffer of R32_UINT.
    Texels(Image<'a>),
}

impl Words<'_> {
    /// Bits of a word.
    pub fn width(&self) -> u32 {
        match self {
            Words::Block { width, .. } => *width,
            Words::Texels(_) => 32,
        }
    }

    /// Type of a word.
    pub fn element(&self, module: &mut Module<'_>) -> Id {
        match self {
            Words::Block { element, .. } => *element,
            Words::Texels(_) => module.type_u32(),
        }
    }
}

/// The words of the raw or structured buffer that a handle stands for, for components of type `component`: those of 16
/// bits are words themselves, for which storage alone is needed; all others are made of words of 32 bits.
pub fn of<'a>(cx: &mut FunctionCx<'_, 'a>, code: &mut Code<'_, '_>, value: Value, component: Id) -> Result<Words<'a>> {
    // Minimum precision takes 32 bits in memory; only native 16-bit types take 16 (DXIL.rst, "Memory accesses").
    let narrow = code.width(component) == Some(16) && cx.entry.flags.native_low_precision();
    let (width, element) = if narrow { (16, component) } else { (32, code.type_u32()) };
    of_width(cx, code, value, width, element)
}

/// The words of a buffer as atomic operations take them: those of 64 bits are one word.
pub fn for_atomics<'a>(
    cx: &mut FunctionCx<'_, 'a>,
    code: &mut Code<'_, '_>,
    value: Value,
    component: Id,
) -> Result<Words<'a>> {
    match code.width(component) {
        Some(64) => of_width(cx, code, value, 64, component),
        _ => of(cx, code, value, component),
    }
}

fn of_width<'a>(
    cx: &mut FunctionCx<'_, 'a>,
    code: &mut Code<'_, '_>,
    value: Value,
    width: u32,
    element: Id,
) -> Result<Words<'a>> {
    let handle = handle::resolve(cx, value)?;
    let resource = handle::declaration(cx, handle);
    if !matches!(resource.kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer) {
        return Err(unsupported!(cx.place, "{resource} accessed as a raw or structured buffer"));
    }
    let descriptor = handle::descriptor(cx, handle.resource)?;
    use DescriptorType as D;
    match descriptor.ty {
        D::StorageBuffer | D::StorageBufferDynamic | D::Mutable => {}
        D::UniformTexelBuffer | D::StorageTexelBuffer if width != 32 => {
            return Err(unsupported!(cx.place, "{width}-bit access to {resource} in a texel buffer"));
        }
        D::UniformTexelBuffer | D::StorageTexelBuffer => {
            return Ok(Words::Texels(image::of_handle(cx, code, handle, descriptor)?));
        }
        other => return Err(binding_error!(resource.place(), "{resource} in a descriptor of type {other}")),
    }
    let array = code.type_runtime_array(element, Some(width / 8));
    let content = code.type_struct(StructKind::Block, &[Member::at(array, 0)]);
    // Buffers of several element types are several variables on one binding; each other's writes must be seen.
    let usage = cx.usage.of(handle.resource);
    let aliased = usage.written && (usage.widths & 16 != 0 || usage.atomic && usage.widths & 64 != 0);
    let which = width + u32::from(matches!(code.ty(element), Some(Type::Float { .. })));
    let what = Declared::Resource(handle.resource.index() as u32, which);
    let variable = cx.declare(code, what, |cx, module| {
        let class = StorageClass::StorageBuffer;
        let id = descriptor::variable(cx, module, class, content, descriptor, &resource.name)?;
        descriptor::decorate_access(cx, module, id, handle.resource);
        if aliased {
            module.mark(id, Decoration::Aliased);
        }
        Ok(id)
    })?;
    let picked = descriptor::pick(cx, code, handle, descriptor, content, variable)?;
    Ok(Words::Block { block: picked.pointer, element, width, non_uniform: picked.non_uniform })
}

/// Number of words.
pub fn length(code: &mut Code<'_, '_>, words: &Words<'_>) -> Result<Id> {
    let word = code.type_u32();
    match *words {
        Words::Block { block, non_uniform, .. } => {
            let length = code.op(Op::ArrayLength, word, &[block.word(), 0]);
            if non_uniform {
                code.mark_new(length, Decoration::NonUniform);
            }
            Ok(length)
        }
        Words::Texels(image) => code.image_query(Op::ImageQuerySize, word, image.value, None),
    }
}

pub fn load_word(code: &mut Code<'_, '_>, words: &Words<'_>, at: Id) -> Result<Id> {
    match *words {
        Words::Block { .. } => {
            let pointer = pointer(code, words, at)?;
            Ok(code.load(pointer))
        }
        Words::Texels(image) => {
            let word = code.type_u32();
            let texel_ty = code.type_vector(word, 4);
            let operands = ImageOperands::default();
            let texel = match image.ty.storage {
                true => code.image_read(Op::ImageRead, texel_ty, image.value, at, &operands)?,
                false => code.image_fetch(Op::ImageFetch, texel_ty, image.value, at, &operands)?,
            };
            Ok(code.extract(word, texel, &[0]))
        }
    }
}

pub fn store_word(code: &mut Code<'_, '_>, words: &Words<'_>, at: Id, value: Id) -> Result<()> {
    match *words {
        Words::Block { .. } => {
            let pointer = pointer(code, words, at)?;
            code.store(pointer, value);
            Ok(())
        }
        Words::Texels(image) => {
            let word = code.type_u32();
            let texel_ty = code.type_vector(word, 4);
            let texel = code.splat(texel_ty, value);
            code.image_write(image.value, at, texel, &ImageOperands::default())
        }
    }
}

/// Pointer to a word, for loads, stores and atomics.
pub fn pointer(code: &mut Code<'_, '_>, words: &Words<'_>, at: Id) -> Result<Id> {
    match *words {
        Words::Block { block, element, non_uniform, .. } => {
            let zero = code.const_u32(0);
            let pointer = code.access_chain(element, block, &[zero, at]);
            if non_uniform {
                code.mark_new(pointer, Decoration::NonUniform);
            }
            Ok(pointer)
        }
        Words::Texels(image) => {
            debug_assert!(image.ty.dim == Dim::DimBuffer);
            let word = code.type_u32();
            let pointer = code.image_texel_pointer(word, image.pointer, at, None);
            if image.non_uniform {
                code.mark_new(pointer, Decoration::NonUniform);
            }
            Ok(pointer)
        }
    }
}
