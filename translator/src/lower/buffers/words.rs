//! Raw and structured buffers as arrays of words: 32 bits each, or 16 for 16-bit components; values
//! of 64 bits are two words.
//!
//! In: a handle and the type of an access's components. Out: [`Words`], a storage buffer's block or
//! a texel buffer, and accesses to one word of it.

use rspirv::spirv::{Decoration, StorageClass};

use super::block::{Block, Declaration};
use super::texels::Texels;
use crate::binding::plan::DescriptorType;
use crate::dxil::consts::ResourceKind;
use crate::dxil::handles::Handle;
use crate::error::Result;
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::images::image;
use crate::lower::resources::{descriptor, handle};
use crate::spirv::{Id, Member, Type};

/// The alignment in bytes of the address of a raw or structured buffer: that of a word. D3D12 promises
/// no more, for structured buffers neither.
pub const ADDRESS: u32 = 4;

/// The words of a raw or structured buffer.
#[derive(Clone, Copy)]
pub enum Words<'a> {
    /// An array of words in a block.
    Block {
        /// The block.
        block: Block,
        /// The type of a word.
        element: Id,
        /// The width of a word in bits.
        width: u32,
    },
    /// Texels of a texel buffer of R32_UINT, or halves of them.
    Texels(Texels<'a>),
}

impl<'a> Words<'a> {
    /// The words of a buffer for components of type `component`. Native 16-bit components are words
    /// themselves, for which the device needs 16-bit storage only; all others are made of words of
    /// 32 bits.
    pub fn open(cx: &mut FunctionCx<'_, 'a>, code: &mut Code<'_, '_>, handle: Handle, component: Id) -> Result<Self> {
        // Minimum-precision numbers take 32 bits in memory (DXIL.rst, "Memory accesses").
        let narrow = code.width(component) == Some(16) && cx.entry.flags.native_low_precision();
        let (width, element) = if narrow { (16, component) } else { (32, code.type_u32()) };
        Self::of_width(cx, code, handle, width, element)
    }

    /// The words of a buffer as atomic operations access them: a component of 64 bits is one word.
    pub fn open_for_atomics(
        cx: &mut FunctionCx<'_, 'a>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        component: Id,
    ) -> Result<Self> {
        match code.width(component) {
            Some(64) => Self::of_width(cx, code, handle, 64, component),
            _ => Self::open(cx, code, handle, component),
        }
    }

    fn of_width(
        cx: &mut FunctionCx<'_, 'a>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        width: u32,
        element: Id,
    ) -> Result<Self> {
        use DescriptorType as D;
        let resource = handle::declaration(cx, handle);
        if !matches!(resource.kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer) {
            return Err(unsupported!(cx.place, "{resource} accessed as a raw or structured buffer"));
        }
        if let Some(place) = handle::location(cx, handle.resource)?.descriptor() {
            match place.ty {
                D::StorageBuffer | D::StorageBufferDynamic | D::Mutable => {}
                ty @ (D::UniformTexelBuffer | D::StorageTexelBuffer) if width == 64 => {
                    return Err(unsupported!(
                        resource.place(),
                        "a 64-bit atomic operation on {resource} in a {ty}, whose texels have 32 bits; bind the buffer as \
                         a storage buffer"
                    ));
                }
                D::UniformTexelBuffer | D::StorageTexelBuffer => {
                    let image = image::of_handle(cx, code, handle, place)?;
                    return Ok(Words::Texels(Texels { image, width, element }));
                }
                other => return Err(binding_error!(resource.place(), "{resource} in a descriptor of type {other}")),
            }
        }
        let array = code.type_runtime_array(element, Some(width / 8));
        // A buffer with words of several types is several variables on one binding. Then each must see
        // what is written through the others.
        let usage = cx.usage.of(handle.resource);
        let aliased = usage.written && (usage.widths & 16 != 0 || usage.atomic && usage.widths & 64 != 0);
        let which = width + u32::from(matches!(code.ty(element), Some(Type::Float { .. })));
        let members = vec![Member::at(array, 0)];
        let aligned = (width / 8).min(ADDRESS);
        let declaration = Declaration { class: StorageClass::StorageBuffer, members, which, aligned };
        let block = Block::open(cx, code, handle, &declaration, |cx, module, id| {
            descriptor::decorate_access(cx, module, id, handle.resource);
            if aliased && !usage.memory.aliased {
                module.mark(id, Decoration::Aliased);
            }
        })?;
        Ok(Words::Block { block, element, width })
    }

    /// Whether the buffer has a known end.
    pub fn is_bounded(&self) -> bool {
        match self {
            Words::Block { block, .. } => block.is_bounded(),
            Words::Texels(_) => true,
        }
    }

    /// The width of a word in bits.
    pub fn width(&self) -> u32 {
        match self {
            Words::Block { width, .. } | Words::Texels(Texels { width, .. }) => *width,
        }
    }

    /// The type of a word.
    pub fn element(&self) -> Id {
        match self {
            Words::Block { element, .. } | Words::Texels(Texels { element, .. }) => *element,
        }
    }

    /// The number of words.
    pub fn length(&self, code: &mut Code<'_, '_>) -> Result<Id> {
        match self {
            Words::Block { block, .. } => block.length(code),
            Words::Texels(texels) => texels.length(code),
        }
    }

    /// Loads the word at an index.
    pub fn load(&self, code: &mut Code<'_, '_>, at: Id) -> Result<Id> {
        match self {
            Words::Block { block, .. } => {
                let pointer = self.pointer(code, at)?;
                Ok(block.load(code, pointer))
            }
            Words::Texels(texels) => texels.load(code, at),
        }
    }

    /// Stores the word at an index.
    pub fn store(&self, code: &mut Code<'_, '_>, at: Id, value: Id) -> Result<()> {
        match self {
            Words::Block { block, .. } => {
                let pointer = self.pointer(code, at)?;
                block.store(code, pointer, value);
                Ok(())
            }
            Words::Texels(texels) => texels.store(code, at, value),
        }
    }

    /// A pointer to the word at an index, for loads, stores and atomic operations.
    pub fn pointer(&self, code: &mut Code<'_, '_>, at: Id) -> Result<Id> {
        match self {
            Words::Block { block, element, .. } => {
                let zero = code.const_u32(0);
                Ok(block.part(code, *element, &[zero, at]))
            }
            Words::Texels(texels) => texels.pointer(code, at),
        }
    }
}
