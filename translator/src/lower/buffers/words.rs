//! Raw and structured buffers as arrays of words: 32 bits each, or 16 for 16-bit components; values
//! of 64 bits are two words. Several words that follow one another may be accessed as a vector,
//! through another declaration of the buffer: an array of vectors.
//!
//! In: a handle, the type of an access's components, and the sizes of its vectors. Out:
//! [`BufferWords`], a storage buffer's blocks or a texel buffer, and accesses to one word or vector
//! of it.

use rspirv::spirv::{Decoration, Op, StorageClass};

use super::block::{Declaration, MemoryBlock};
use super::texels::Texels;
use crate::analysis::handles::Handle;
use crate::binding::plan::DescriptorType;
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::images::image;
use crate::lower::numbers::index;
use crate::lower::resources::pairs::{self, ViewRange};
use crate::lower::resources::{declare, handle};
use crate::ops::consts::ResourceKind;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Member, Module, Type};

/// The alignment in bytes of the address of a raw or structured buffer: that of a word. D3D12
/// promises no more, for structured buffers neither.
pub const ADDRESS: u32 = 4;

/// The words of a raw or structured buffer.
#[derive(Clone, Copy)]
pub struct BufferWords<'a> {
    memory: WordMemory<'a>,
    word: WordType,
    /// The start and the size in words of a view that is a part of its descriptor.
    view: Option<ViewRange>,
}

/// A word.
#[derive(Clone, Copy)]
struct WordType {
    /// Its width in bits.
    width: u32,
    /// Its type.
    ty: Id,
}

#[derive(Clone, Copy)]
enum WordMemory<'a> {
    /// Arrays in blocks: of single words at index 1, of vectors of n words at index n. Those that
    /// the access needs are there.
    Blocks([Option<MemoryBlock>; 5]),
    /// Texels of a texel buffer of R32_UINT, or halves of them.
    Texels(Texels<'a>),
}

/// The mask of declarations for single words alone, as
/// [`declarations`](crate::analysis::entry::declarations) gives it.
pub const SINGLE: u32 = 1 << 1;

impl<'a> BufferWords<'a> {
    /// The words of a buffer for components of type `component`, by the declarations of a mask (bit
    /// n for vectors of n words, bit 1 for single words). Native 16-bit components are words
    /// themselves, for which the device needs 16-bit storage only; all others are made of words of
    /// 32 bits.
    pub fn open(
        cx: &mut FunctionCx<'_, 'a>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        component: Id,
        declarations: u32,
    ) -> Result<Self> {
        let word = match is_narrow(cx, code, component) {
            true => WordType { width: 16, ty: component },
            false => WordType { width: 32, ty: code.type_u32() },
        };
        Self::open_words(cx, code, handle, word, declarations)
    }

    /// The words of a buffer as atomic operations access them: a component of 64 bits is one word.
    pub fn open_for_atomics(
        cx: &mut FunctionCx<'_, 'a>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        component: Id,
    ) -> Result<Self> {
        match code.width(component) {
            Some(64) => Self::open_words(cx, code, handle, WordType { width: 64, ty: component }, SINGLE),
            _ => Self::open(cx, code, handle, component, SINGLE),
        }
    }

    fn open_words(
        cx: &mut FunctionCx<'_, 'a>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        word: WordType,
        declarations: u32,
    ) -> Result<Self> {
        use DescriptorType as D;
        let resource = handle::declaration(cx.input, handle);
        if !matches!(resource.kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer) {
            return Err(unsupported!(cx.entry.place, "{resource} accessed as a raw or structured buffer"));
        }
        let bytes = word.width / 8;
        let view = pairs::range(cx, code, handle)?.map(|view| ViewRange {
            start: index::shifted(code, view.start, bytes),
            size: index::shifted(code, view.size, bytes),
        });
        if let Some(place) = handle::location(cx.input, handle.resource)?.descriptor() {
            match place.ty {
                D::StorageBuffer | D::StorageBufferDynamic | D::Mutable => {}
                ty @ (D::UniformTexelBuffer | D::StorageTexelBuffer) if word.width == 64 => {
                    return Err(unsupported!(
                        resource.place(),
                        "a 64-bit atomic operation on {resource} in a {ty}, whose texels have 32 bits; bind the buffer as \
                         a storage buffer"
                    ));
                }
                D::UniformTexelBuffer | D::StorageTexelBuffer => {
                    let image = image::open_handle(cx, code, handle, place)?;
                    let texels = Texels { image, width: word.width, element: word.ty };
                    return Ok(BufferWords { memory: WordMemory::Texels(texels), word, view });
                }
                other => return Err(binding_error!(resource.place(), "{resource} in a descriptor of type {other}")),
            }
        }
        let mut blocks = [None; 5];
        for (count, block) in (0u32..).zip(&mut blocks).filter(|(count, _)| declarations >> count & 1 != 0) {
            *block = Some(open_block(cx, code, handle, word, count)?);
        }
        Ok(BufferWords { memory: WordMemory::Blocks(blocks), word, view })
    }

    /// Whether the buffer has a known end.
    pub fn is_bounded(&self) -> bool {
        match &self.memory {
            WordMemory::Blocks(blocks) => blocks.iter().flatten().all(MemoryBlock::is_bounded),
            WordMemory::Texels(_) => true,
        }
    }

    /// The width of a word in bits.
    pub fn width(&self) -> u32 {
        self.word.width
    }

    /// The type of a word.
    pub fn element(&self) -> Id {
        self.word.ty
    }

    /// The number of words.
    pub fn length(&self, code: &mut Code<'_, '_>) -> Result<Id> {
        if let Some(view) = self.view {
            return Ok(view.size);
        }
        match &self.memory {
            WordMemory::Blocks(_) => self.block(code, 1)?.length(code),
            WordMemory::Texels(texels) => texels.length(code),
        }
    }

    /// Loads the word at an index.
    pub fn load(&self, code: &mut Code<'_, '_>, at: Id) -> Result<Id> {
        match &self.memory {
            WordMemory::Blocks(_) => {
                let (block, pointer) = (self.block(code, 1)?, self.pointer(code, at)?);
                Ok(block.load(code, pointer))
            }
            WordMemory::Texels(texels) => {
                let at = self.in_descriptor(code, at);
                texels.load(code, at)
            }
        }
    }

    /// Stores the word at an index.
    pub fn store(&self, code: &mut Code<'_, '_>, at: Id, value: Id) -> Result<()> {
        match &self.memory {
            WordMemory::Blocks(_) => {
                let (block, pointer) = (self.block(code, 1)?, self.pointer(code, at)?);
                block.store(code, pointer, value);
                Ok(())
            }
            WordMemory::Texels(texels) => {
                let at = self.in_descriptor(code, at);
                texels.store(code, at, value)
            }
        }
    }

    /// A pointer to the word at an index, for loads, stores and atomic operations.
    pub fn pointer(&self, code: &mut Code<'_, '_>, at: Id) -> Result<Id> {
        let at = self.in_descriptor(code, at);
        match &self.memory {
            WordMemory::Blocks(_) => {
                let (block, zero) = (self.block(code, 1)?, code.const_u32(0));
                Ok(block.part(code, self.word.ty, &[zero, at]))
            }
            WordMemory::Texels(texels) => texels.pointer(code, at),
        }
    }

    /// The index in the descriptor of a word of the view.
    fn in_descriptor(&self, code: &mut Code<'_, '_>, at: Id) -> Id {
        let Some(view) = self.view else { return at };
        let word = code.type_u32();
        code.binary(Op::IAdd, word, at, view.start)
    }

    /// Whether vectors are accessed as such. In a texel buffer each word is a texel.
    pub fn has_vectors(&self) -> bool {
        matches!(self.memory, WordMemory::Blocks(_))
    }

    /// Loads a vector of `count` words by its number in the array of such vectors.
    pub fn load_vector(&self, code: &mut Code<'_, '_>, number: Id, count: u32) -> Result<Id> {
        let (block, pointer) = self.vector(code, number, count)?;
        Ok(block.load(code, pointer))
    }

    /// Stores a vector of `count` words by its number in the array of such vectors.
    pub fn store_vector(&self, code: &mut Code<'_, '_>, number: Id, count: u32, value: Id) -> Result<()> {
        let (block, pointer) = self.vector(code, number, count)?;
        block.store(code, pointer, value);
        Ok(())
    }

    fn vector(&self, code: &mut Code<'_, '_>, number: Id, count: u32) -> Result<(MemoryBlock, Id)> {
        let block = self.block(code, count)?;
        let (ty, zero) = (code.type_vector(self.word.ty, count), code.const_u32(0));
        Ok((block, block.part(code, ty, &[zero, number])))
    }

    fn block(&self, code: &mut Code<'_, '_>, count: u32) -> Result<MemoryBlock> {
        match &self.memory {
            WordMemory::Blocks(blocks) => blocks.get(count as usize).copied().flatten(),
            WordMemory::Texels(_) => None,
        }
        .ok_or_else(|| bug!(code.place(), "a buffer is not declared by vectors of {count} words"))
    }
}

/// Whether components are words of 16 bits. Minimum-precision numbers take 32 bits in memory
/// (DXIL.rst, "Memory accesses").
pub fn is_narrow(cx: &FunctionCx<'_, '_>, code: &Code<'_, '_>, component: Id) -> bool {
    code.width(component) == Some(16) && cx.input.entry.flags.native_low_precision()
}

/// The block whose content is an array of words, or of vectors of `count` words.
fn open_block(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    word: WordType,
    count: u32,
) -> Result<MemoryBlock> {
    let members = |_: &mut FunctionCx<'_, '_>, module: &mut Module<'_>| {
        let vector = module.type_vector(word.ty, count);
        let array = module.type_runtime_array(vector, Some(word.width / 8 * count.next_power_of_two()));
        vec![Member::at(array, 0)]
    };
    // A buffer with words of several types is several variables on one binding. Then each must see
    // what is written through the others.
    let usage = cx.input.analysis.usage.resource(handle.resource);
    let several = usage.widths & 16 != 0
        || usage.atomic && usage.widths & 64 != 0
        || cx.input.analysis.vectors.several(handle.resource);
    let aliased = usage.written && several;
    let float = u32::from(matches!(code.ty(word.ty), Some(Type::Float { .. })));
    let which = (count - 1) * 128 + word.width + float;
    let aligned = (word.width / 8).min(ADDRESS);
    let declaration = Declaration { class: StorageClass::StorageBuffer, which, aligned };
    MemoryBlock::open(cx, code, handle, &declaration, members, |cx, module, id| {
        declare::decorate_access(cx, module, id, handle.resource);
        if aliased && !usage.memory.aliased {
            module.mark(id, Decoration::Aliased);
        }
    })
}
