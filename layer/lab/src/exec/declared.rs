//! The resources that a pipeline declares, as data.

use std::collections::BTreeMap;

use rspirv::spirv::{Dim, ImageFormat};

/// A set and a binding.
pub type Place = (u32, u32);

/// What the stages declare.
#[derive(Default)]
pub struct Declared {
    /// The resources.
    pub resources: BTreeMap<Place, Resource>,
    /// The push constants.
    pub push_constants: Option<Block>,
    /// The threads of a group, of a compute shader.
    pub local_size: [u32; 3],
    /// What results may depend on besides the inputs.
    pub depends: Vec<String>,
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// What it is.
    pub kind: Kind,
    /// No stage declares it `NonWritable`.
    pub is_writable: bool,
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

/// The numbers of a buffer.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// The bytes before the array of open length.
    pub size: u32,
    /// The numbers there.
    pub fields: Vec<Field>,
    /// The array of open length: the stride of an element in bytes, and the numbers of an element, with
    /// offsets in the element.
    pub tail: Option<(u32, Vec<Field>)>,
}

impl Declared {
    /// Takes the numbers of blocks and the formats of images from a translation that is the same on every
    /// machine. That for a device may use the same words in another way, or read an image without a format, and
    /// the inputs must not differ between devices.
    pub fn take_numbers(&mut self, everywhere: Self) {
        for (place, found) in everywhere.resources {
            match (self.resources.get_mut(&place).map(|it| &mut it.kind), found.kind) {
                (Some(Kind::Block(block)), Kind::Block(found)) => {
                    // A uniform block may be declared larger than what is read of it.
                    *block = Block { size: block.size.max(found.size), ..found };
                }
                (Some(Kind::Image(image)), Kind::Image(found)) if image.format == ImageFormat::Unknown => {
                    image.format = found.format;
                }
                _ => {}
            }
        }
        if let (Some(block), Some(found)) = (&mut self.push_constants, everywhere.push_constants) {
            *block = found;
        }
    }
}

impl Resource {
    /// Two stages, or two variables of one stage, at one place.
    pub fn merge(&mut self, other: Self) {
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
