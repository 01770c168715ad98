//! The resources that a translated pipeline declares.
//!
//! In: SPIR-V of the pipeline's stages. Out: what is at each binding, and which of its words the shaders
//! use as floating-point numbers. What must hold: a module that cannot be read, or a form that the lab
//! does not know, is an error or [`Kind::Other`], and never a guess.

use std::cell::Cell;
use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, Dim, ImageFormat, Op, StorageClass, Word};

use super::{facts, usage};

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

/// The largest uniform block in bytes; larger arrays are not taken apart.
const LARGEST_BLOCK: u32 = 1 << 16;
/// The deepest nesting of types.
const DEPTH: u32 = 64;
/// The most steps in which a module's resources are read: types that are taken apart, and numbers that are
/// followed. A type of a few instructions can have more numbers than a machine can count, because a
/// structure may have another twice; a large shader of a game needs a few hundred thousand steps.
const STEPS: usize = 1 << 23;

impl Declared {
    /// Reads the stages of a pipeline.
    ///
    /// # Errors
    /// A module that does not parse, or has more numbers than the lab follows.
    pub fn of(stages: &[Vec<u32>]) -> Result<Self, String> {
        let mut declared = Self::default();
        for words in stages {
            let module = rspirv::dr::load_words(words).map_err(|error| format!("the translated module: {error}"))?;
            Reader::new(&module).read(&mut declared)?;
        }
        declared.depends.sort();
        declared.depends.dedup();
        Ok(declared)
    }
}

impl Declared {
    /// Takes the numbers of blocks from a translation that is the same on every machine. That for a device
    /// may use the same words in another way, and the inputs must not differ between devices.
    pub fn take_numbers(&mut self, everywhere: Self) {
        for (place, found) in everywhere.resources {
            if let (Some(Resource { kind: Kind::Block(block), .. }), Kind::Block(found)) =
                (self.resources.get_mut(&place), found.kind)
            {
                // A uniform block may be declared larger than what is read of it.
                *block = Block { size: block.size.max(found.size), ..found };
            }
        }
        if let (Some(block), Some(found)) = (&mut self.push_constants, everywhere.push_constants) {
            *block = found;
        }
    }
}

/// A module with its ids found.
pub(super) struct Reader<'a> {
    pub module: &'a Module,
    pub types: BTreeMap<Word, &'a Instruction>,
    decorations: BTreeMap<(Word, Option<u32>), BTreeMap<Decoration, u32>>,
    /// The steps that are left.
    steps: Cell<usize>,
}

impl<'a> Reader<'a> {
    pub fn new(module: &'a Module) -> Self {
        let mut decorations: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for annotation in &module.annotations {
            let (target, decoration, rest) = match &annotation.operands[..] {
                [Operand::IdRef(id), Operand::Decoration(decoration), rest @ ..] => ((*id, None), *decoration, rest),
                [Operand::IdRef(id), Operand::LiteralBit32(member), Operand::Decoration(decoration), rest @ ..] => {
                    ((*id, Some(*member)), *decoration, rest)
                }
                _ => continue,
            };
            let number = match rest.first() {
                Some(Operand::LiteralBit32(number)) => *number,
                Some(Operand::BuiltIn(builtin)) => *builtin as u32,
                _ => 0,
            };
            decorations.entry(target).or_default().insert(decoration, number);
        }
        let types = module.types_global_values.iter().filter_map(|it| Some((it.result_id?, it))).collect();
        Self { module, types, decorations, steps: Cell::new(STEPS) }
    }

    /// Counts steps.
    ///
    /// # Errors
    /// There are no more of them.
    pub fn step(&self, count: usize) -> Result<(), String> {
        let left = self.steps.get().checked_sub(count);
        let left = left.ok_or_else(|| {
            format!("the module's types and values have more numbers than the lab follows in {STEPS} steps")
        })?;
        self.steps.set(left);
        Ok(())
    }

    /// The number of a decoration.
    pub fn decoration(&self, id: Word, member: Option<u32>, decoration: Decoration) -> Option<u32> {
        self.decorations.get(&(id, member))?.get(&decoration).copied()
    }

    /// The numbers of the built-in variables.
    pub fn builtins(&self) -> impl Iterator<Item = &u32> + Clone {
        self.decorations.values().filter_map(|it| it.get(&Decoration::BuiltIn))
    }

    /// A constant's lowest 32 bits.
    pub fn constant(&self, id: Word) -> Option<u32> {
        let instruction = self.types.get(&id)?;
        match (instruction.class.opcode, instruction.operands.first()) {
            (Op::Constant, Some(Operand::LiteralBit32(value))) => Some(*value),
            (Op::ConstantNull, _) => Some(0),
            _ => None,
        }
    }

    /// The type that a pointer type points to.
    pub fn pointee(&self, pointer: Word) -> Option<Word> {
        self.types.get(&pointer)?.operands.get(1)?.id_ref_any()
    }

    fn read(&self, declared: &mut Declared) -> Result<(), String> {
        let usage = usage::of(self)?;
        for variable in self.module.types_global_values.iter().filter(|it| it.class.opcode == Op::Variable) {
            let (Some(id), Some(Operand::StorageClass(class))) = (variable.result_id, variable.operands.first()) else {
                continue;
            };
            let Some(pointee) = variable.result_type.and_then(|ty| self.pointee(ty)) else { continue };
            let block = || {
                let mut block = self.block(self.element(pointee))?;
                usage.mark(id, &mut block, self)?;
                Ok::<_, String>(block)
            };
            if *class == StorageClass::PushConstant {
                let found = block()?;
                let known = declared.push_constants.get_or_insert_default();
                self.step(known.fields.len())?;
                merge_block(known, found);
                continue;
            }
            let (Some(set), Some(binding)) =
                (self.decoration(id, None, Decoration::DescriptorSet), self.decoration(id, None, Decoration::Binding))
            else {
                continue;
            };
            let kind = match class {
                StorageClass::Uniform | StorageClass::StorageBuffer => Kind::Block(block()?),
                StorageClass::UniformConstant => self.opaque(id, self.element(pointee), &usage),
                _ => Kind::Other,
            };
            let is_writable = self.decoration(id, None, Decoration::NonWritable).is_none();
            let found = Resource { kind, is_writable };
            match declared.resources.entry((set, binding)) {
                std::collections::btree_map::Entry::Vacant(free) => {
                    free.insert(found);
                }
                std::collections::btree_map::Entry::Occupied(mut known) => {
                    // Any number of variables may be at one place, and each merge looks at what is known.
                    if let Kind::Block(known) = &known.get().kind {
                        self.step(known.fields.len())?;
                    }
                    known.get_mut().merge(found);
                }
            }
        }
        facts::add(self, declared);
        Ok(())
    }

    /// The element of an array of resources, or the type itself.
    fn element(&self, ty: Word) -> Word {
        match self.types.get(&ty) {
            Some(it) if matches!(it.class.opcode, Op::TypeArray | Op::TypeRuntimeArray) => {
                it.operands.first().and_then(Operand::id_ref_any).unwrap_or(ty)
            }
            _ => ty,
        }
    }

    fn opaque(&self, variable: Word, ty: Word, usage: &usage::Usage) -> Kind {
        let Some(found) = self.types.get(&ty) else { return Kind::Other };
        match (found.class.opcode, &found.operands[..]) {
            (Op::TypeSampler, _) => Kind::Sampler(usage.compared.contains(&variable)),
            (
                Op::TypeImage,
                [
                    Operand::IdRef(sampled),
                    Operand::Dim(dim),
                    _,
                    Operand::LiteralBit32(arrayed),
                    Operand::LiteralBit32(multisampled),
                    _,
                    Operand::ImageFormat(format),
                    ..,
                ],
            ) => {
                let (scalar, is_signed) = match self.types.get(sampled).map(|it| (it.class.opcode, &it.operands[..])) {
                    Some((Op::TypeFloat, [Operand::LiteralBit32(32), ..])) => (Scalar::Float, true),
                    Some((Op::TypeInt, [Operand::LiteralBit32(32), Operand::LiteralBit32(sign)])) => {
                        (Scalar::Integer, *sign != 0)
                    }
                    _ => return Kind::Other,
                };
                Kind::Image(Shape {
                    dim: *dim,
                    is_arrayed: *arrayed != 0,
                    is_multisampled: *multisampled != 0,
                    scalar,
                    is_signed,
                    format: *format,
                    is_compared: usage.compared.contains(&variable),
                    is_atomic: usage.atomic.contains(&variable),
                })
            }
            _ => Kind::Other,
        }
    }

    /// The numbers of a block.
    fn block(&self, ty: Word) -> Result<Block, String> {
        let mut block = Block::default();
        self.flatten(ty, 0, &mut block, DEPTH)?;
        Ok(block)
    }

    fn flatten(&self, ty: Word, offset: u32, block: &mut Block, depth: u32) -> Result<(), String> {
        // A type without numbers costs as much as one with them.
        self.step(1)?;
        // A capture's own SPIR-V may say anything.
        let is_over = depth == 0 || block.fields.len() as u32 >= LARGEST_BLOCK;
        let Some(found) = self.types.get(&ty).filter(|_| !is_over) else { return Ok(()) };
        let operand = |at: usize| match found.operands.get(at) {
            Some(Operand::LiteralBit32(number)) => Some(*number),
            _ => None,
        };
        let inner = found.operands.first().and_then(Operand::id_ref_any);
        match (found.class.opcode, inner) {
            (opcode @ (Op::TypeFloat | Op::TypeInt), _) => {
                let scalar = if opcode == Op::TypeFloat { Scalar::Float } else { Scalar::Integer };
                let width = operand(0).unwrap_or(32);
                block.fields.push(Field { offset, scalar, width });
                block.size = block.size.max(offset.saturating_add(width / 8));
            }
            (Op::TypeVector, Some(inner)) => {
                let size = self.size(inner);
                for index in 0..operand(1).unwrap_or(0).min(4) {
                    self.flatten(inner, offset.saturating_add(index.saturating_mul(size)), block, depth - 1)?;
                }
            }
            (Op::TypeArray, Some(inner)) => {
                let stride = self.decoration(ty, None, Decoration::ArrayStride).unwrap_or(0);
                let length = found.operands.get(1).and_then(Operand::id_ref_any).and_then(|id| self.constant(id));
                for index in 0..length.unwrap_or(0) {
                    let at = offset.saturating_add(index.saturating_mul(stride));
                    if at >= LARGEST_BLOCK || stride == 0 && index > 0 {
                        break;
                    }
                    self.flatten(inner, at, block, depth - 1)?;
                    block.size = block.size.max(at.saturating_add(stride));
                }
            }
            (Op::TypeRuntimeArray, Some(inner)) => {
                let stride = self.decoration(ty, None, Decoration::ArrayStride).unwrap_or(0);
                let mut element = Block::default();
                self.flatten(inner, 0, &mut element, depth - 1)?;
                block.size = block.size.max(offset);
                block.tail = Some((stride.max(1), element.fields));
            }
            (Op::TypeStruct, _) => {
                for (member, operand) in (0..).zip(&found.operands) {
                    let at = self.decoration(ty, Some(member), Decoration::Offset).unwrap_or(0);
                    if let Some(member) = operand.id_ref_any() {
                        self.flatten(member, offset.saturating_add(at), block, depth - 1)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The size of a number in bytes.
    fn size(&self, ty: Word) -> u32 {
        match self.types.get(&ty).and_then(|it| it.operands.first()) {
            Some(Operand::LiteralBit32(width)) => width / 8,
            _ => 4,
        }
    }
}

impl Resource {
    /// Two stages, or two variables of one stage, at one place.
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

/// Two views of one block. What one of them uses as a floating-point number is one.
fn merge_block(known: &mut Block, found: Block) {
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

#[cfg(test)]
mod tests {
    use rspirv::binary::Assemble as _;
    use rspirv::dr::Builder;

    use super::*;

    /// A module with a uniform block of a structure that has another one twice, and so on to a structure
    /// with this many numbers.
    fn doubled(levels: usize, numbers: usize) -> Vec<u32> {
        let mut b = Builder::new();
        let number = b.type_int(32, 0);
        let mut inner = b.type_struct(vec![number; numbers]);
        for _ in 0..levels {
            inner = b.type_struct([inner, inner]);
        }
        uniform(&mut b, inner);
        b.module().assemble()
    }

    fn uniform(b: &mut Builder, ty: Word) {
        let pointer = b.type_pointer(None, StorageClass::Uniform, ty);
        let variable = b.variable(pointer, None, StorageClass::Uniform, None);
        b.decorate(variable, Decoration::DescriptorSet, [Operand::LiteralBit32(0)]);
        b.decorate(variable, Decoration::Binding, [Operand::LiteralBit32(0)]);
    }

    fn numbers(words: Vec<u32>) -> Result<usize, String> {
        let declared = Declared::of(&[words])?;
        match &declared.resources[&(0, 0)].kind {
            Kind::Block(block) => Ok(block.fields.len()),
            kind => Err(format!("{kind:?}")),
        }
    }

    #[test]
    fn structures_that_double_are_counted_with_and_without_numbers() {
        assert_eq!(numbers(doubled(4, 1)), Ok(16));
        assert_eq!(numbers(doubled(4, 0)), Ok(0));
        // Without numbers there are 2^63 structures, and none of them is one more field.
        for levels in [40, 63] {
            let error = numbers(doubled(levels, 0)).unwrap_err();
            assert!(error.contains("steps"), "{error}");
        }
    }

    #[test]
    fn a_structure_in_itself_ends() {
        let mut b = Builder::new();
        let own = b.id();
        b.type_struct_id(Some(own), [own, own]);
        uniform(&mut b, own);
        assert!(numbers(b.module().assemble()).unwrap_err().contains("steps"));
    }

    #[test]
    fn variables_at_one_place_share_the_steps() {
        let mut b = Builder::new();
        let number = b.type_int(32, 0);
        let ty = b.type_struct(vec![number; 4096]);
        for _ in 0..4096 {
            uniform(&mut b, ty);
        }
        assert!(numbers(b.module().assemble()).unwrap_err().contains("steps"));
    }
}
