//! The resources that a pipeline declares, as data.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::spirv::{Dim, ImageFormat};

use super::called::RayStage;
use crate::vulkan::SetBinding;

/// What the stages declare.
#[derive(Default)]
pub struct Declared {
    /// The views of each place, which are several only where an array has elements of several
    /// kinds, as a heap.
    pub resources: BTreeMap<SetBinding, Vec<Resource>>,
    /// The push constants.
    pub push_constants: Option<Block>,
    /// What stages read of their shader records, by the number of the stage.
    pub records: BTreeMap<usize, ShaderRecord>,
    /// What the stages of a ray-tracing pipeline call.
    pub rays: Vec<RayStage>,
    /// The threads of a group, of a compute shader.
    pub local_size: [u32; 3],
    /// What results may depend on besides the inputs.
    pub depends: Vec<String>,
}

/// A resource, or the elements of an array that shaders see as one kind.
#[derive(Clone, Debug)]
pub struct Resource {
    /// What it is.
    pub kind: Kind,
    /// No stage declares it `NonWritable`.
    pub is_writable: bool,
    /// It is an element of an array.
    pub is_element: bool,
    /// The elements of the array that shaders access; `None` for one that they compute in a way
    /// that the lab does not follow.
    pub accesses: BTreeSet<Option<Index>>,
}

/// An element of an array of descriptors: the sum of a word, if there is one, and of a number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Index {
    /// The words that the first may be; none for a sum of the number alone.
    pub words: Vec<WordAt>,
    /// The smallest number.
    pub low: i64,
    /// The largest number.
    pub high: i64,
}

impl Index {
    /// Whether an array of so many descriptors has all elements that this is with some word.
    pub fn is_in(&self, count: u32) -> bool {
        let first = if self.words.is_empty() { self.low } else { 0 };
        first >= 0 && self.high - self.low + first < i64::from(count)
    }
}

/// Memory that has words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Memory {
    /// The push constants.
    Push,
    /// The shader records of the stage of this number.
    Record(usize),
    /// The buffer at a place, by the number of its view.
    Buffer(SetBinding, usize),
}

/// A word of memory, or one at each of so many bytes from it on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WordAt {
    /// The memory.
    pub memory: Memory,
    /// The offset in bytes.
    pub offset: u32,
    /// The distance of the words in bytes, if there are several.
    pub every: Option<u32>,
}

/// What a resource is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A buffer with structure.
    Block(Block),
    /// An image, or a buffer of texels.
    Image(Shape),
    /// A sampler; whether it compares with a reference.
    Sampler(bool),
    /// An acceleration structure.
    Structure,
    /// Something that the lab cannot make.
    Other,
}

/// An image as a shader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its dimensions.
    pub dim: Dim,
    /// It has layers.
    pub is_arrayed: bool,
    /// It has several samples per texel.
    pub is_multisampled: bool,
    /// Its numbers.
    pub scalar: Scalar,
    /// Its integers have a sign.
    pub is_signed: bool,
    /// The format that the shader names.
    pub format: ImageFormat,
    /// It is compared with a reference.
    pub is_compared: bool,
    /// It is accessed by atomic operations, for which it has one component.
    pub is_atomic: bool,
    /// It is written, or read without a sampler as such.
    pub is_storage: bool,
}

/// The kind of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A floating-point number.
    Float,
    /// An integer.
    Integer,
}

/// A number in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its offset in bytes.
    pub offset: u32,
    /// Its kind.
    pub scalar: Scalar,
    /// Its width in bits.
    pub width: u32,
}

impl Field {
    /// Whether it may be an index of descriptors.
    pub fn is_word(&self) -> bool {
        (self.scalar, self.width) == (Scalar::Integer, 32)
    }
}

/// The numbers of a buffer.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// It is a uniform block, and no storage buffer.
    pub is_uniform: bool,
    /// The bytes before the array of open length.
    pub size: u32,
    /// The numbers there.
    pub fields: Vec<Field>,
    /// The array of open length: the stride of an element in bytes, and the numbers of an element,
    /// with offsets in the element.
    pub tail: Option<(u32, Vec<Field>)>,
    /// The values of words that are indexes of descriptors.
    pub choices: Vec<Choice>,
}

/// What a stage reads of its shader record.
#[derive(Clone, Default, Debug)]
pub struct ShaderRecord {
    /// The numbers.
    pub block: Block,
    /// What is at each address in it, by the offset of the address in bytes.
    pub addresses: BTreeMap<u32, Pointee>,
}

/// What is at an address.
#[derive(Clone, Debug)]
pub enum Pointee {
    /// An acceleration structure.
    Structure,
    /// A buffer.
    Buffer(Block),
}

/// The values that a word may have.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The offset in bytes.
    pub offset: u32,
    /// The distance of the words in bytes, if there are several.
    pub every: Option<u32>,
    /// The values, of which there is one.
    pub values: Vec<u32>,
}

impl Block {
    /// The values that the word at an offset may have; `None` for a word that is no index.
    pub fn choice(&self, offset: u32) -> Option<&[u32]> {
        let is_at = |it: &&Choice| match (offset.checked_sub(it.offset), it.every) {
            (Some(behind), Some(every)) => behind % every.max(1) == 0,
            (behind, _) => behind == Some(0),
        };
        self.choices.iter().find(is_at).map(|it| &it.values[..])
    }
}

impl Declared {
    /// Takes the numbers of blocks and the formats of images from a translation that is the same on
    /// every machine. That for a device may use the same words in another way, or read an image
    /// without a format, and the inputs must not differ between devices.
    pub fn take_numbers(&mut self, everywhere: Self) {
        for (place, mut found) in everywhere.resources {
            let Some(views) = self.resources.get_mut(&place) else { continue };
            for (view, found) in views.iter().zip(&mut found) {
                match (&view.kind, &mut found.kind) {
                    // A uniform block may be declared larger than what is read of it.
                    (Kind::Block(block), Kind::Block(found)) => found.size = found.size.max(block.size),
                    (Kind::Image(image), Kind::Image(found)) if image.format != ImageFormat::Unknown => {
                        found.format = image.format;
                    }
                    _ => {}
                }
            }
            *views = found;
        }
        if let (Some(block), Some(found)) = (&mut self.push_constants, everywhere.push_constants) {
            *block = found;
        }
        self.records = everywhere.records;
        self.rays = everywhere.rays;
    }
}

impl ShaderRecord {
    /// Adds what another stage reads of the same record, or the same stage in another way.
    pub fn merge(&mut self, found: Self) {
        for choice in found.block.choices.iter().cloned() {
            let known = self.block.choices.iter_mut().find(|it| (it.offset, it.every) == (choice.offset, choice.every));
            match known {
                Some(known) => known.values.retain(|value| choice.values.contains(value)),
                None => self.block.choices.push(choice),
            }
        }
        merge_block(&mut self.block, found.block);
        for (offset, pointee) in found.addresses {
            match (self.addresses.entry(offset).or_insert_with(|| pointee.clone()), pointee) {
                (Pointee::Buffer(known), Pointee::Buffer(found)) => merge_block(known, found),
                (known, _) => *known = Pointee::Structure,
            }
        }
    }
}

impl Resource {
    /// Whether an element of an array may be what both see.
    fn is_like(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Block(a), Kind::Block(b)) => {
                let stride = |block: &Block| block.tail.as_ref().map(|(stride, _)| *stride);
                a.is_uniform == b.is_uniform && (a.is_uniform || stride(a) == stride(b))
            }
            (Kind::Image(a), Kind::Image(b)) => a.is_like(b),
            (Kind::Sampler(a), Kind::Sampler(b)) => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    /// Whether an element that one sees may be accessed as the other, though it has numbers of
    /// other types.
    pub fn is_compatible(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Block(a), Kind::Block(b)) => a.is_uniform == b.is_uniform,
            _ => self.is_like(other),
        }
    }

    /// Whether all elements of an array of so many descriptors that shaders access are known, but
    /// for words of memory.
    pub fn is_followed(&self, count: u32) -> bool {
        self.accesses.iter().all(|access| access.as_ref().is_some_and(|index| index.is_in(count)))
    }

    /// Adds what a stage or a variable sees at a place, and returns the number of its view.
    pub fn add(views: &mut Vec<Self>, found: Self) -> usize {
        let known = views.iter().position(|it| !found.is_element || it.is_like(&found));
        match known {
            Some(known) => {
                views[known].merge(found);
                known
            }
            None => {
                views.push(found);
                views.len() - 1
            }
        }
    }

    /// Two stages, or two variables of one stage, that see the same.
    fn merge(&mut self, other: Self) {
        self.is_writable |= other.is_writable;
        match (&mut self.kind, other.kind) {
            (Kind::Block(known), Kind::Block(found)) => merge_block(known, found),
            (Kind::Image(known), Kind::Image(found)) => {
                known.is_compared |= found.is_compared;
                known.is_atomic |= found.is_atomic;
                if known.format == ImageFormat::Unknown {
                    known.format = found.format;
                }
            }
            (Kind::Sampler(known), Kind::Sampler(found)) => *known |= found,
            _ => {}
        }
    }
}

impl Shape {
    /// Whether one image may be seen as both.
    fn is_like(&self, other: &Self) -> bool {
        let of = |it: &Self| (it.dim, it.is_arrayed, it.is_multisampled, it.scalar, it.is_signed, it.is_storage);
        let formats = [self.format, other.format];
        let is_open = formats.contains(&ImageFormat::Unknown);
        // What is compared has depths, and what is accessed by atomic operations has one component.
        let of_use = |it: &Self| (it.is_compared, it.is_atomic);
        of(self) == of(other) && (is_open || formats[0] == formats[1]) && of_use(self) == of_use(other)
    }
}

/// Two views of one block. What one of them uses as a floating-point number is one.
pub fn merge_block(known: &mut Block, found: Block) {
    known.size = known.size.max(found.size);
    let mut fields: BTreeMap<u32, Field> = known.fields.drain(..).map(|field| (field.offset, field)).collect();
    for field in found.fields {
        let it = fields.entry(field.offset).or_insert(field);
        if field.scalar == Scalar::Float {
            it.scalar = Scalar::Float;
        }
    }
    known.fields.extend(fields.into_values());
    if known.tail.is_none() {
        known.tail = found.tail;
    }
}
