//! Reads the resources that a translated pipeline declares.
//!
//! In: SPIR-V of the pipeline's stages. Out: what is at each binding, and which of its words the
//! shaders use as floating-point numbers. What must hold: a module that cannot be read, or a form
//! that the lab does not know, is an error or [`Kind::Other`], and never a guess.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

use super::called::RayStage;
use super::declared::{
    Block, Declared, Field, Index, Kind, Memory, Pointee, Resource, Scalar, ShaderRecord, Shape, WordAt, merge_block,
};
use super::reader::{Reader, SurveyError};
use super::{depends, usage};
use crate::words::load;

/// The largest uniform block in bytes; larger arrays are not taken apart.
const LARGEST_BLOCK: u32 = 1 << 16;
/// The deepest nesting of types.
const DEPTH: u32 = 64;
/// Reads the stages of a pipeline.
///
/// # Errors
/// A module that does not parse, or has more numbers than the lab follows.
pub fn declared(stages: &[Vec<u32>]) -> Result<Declared, SurveyError> {
    let mut declared = Declared::default();
    for (stage, words) in stages.iter().enumerate() {
        let module = load(words).map_err(SurveyError::Module)?;
        Reader::new(&module).read(&mut declared, stage)?;
    }
    declared.depends.sort();
    declared.depends.dedup();
    Ok(declared)
}

impl Reader<'_> {
    fn read(&self, declared: &mut Declared, stage: usize) -> Result<(), SurveyError> {
        let usage = usage::usage(self)?;
        // The memory that each variable is.
        let mut homes: BTreeMap<Word, Memory> = BTreeMap::new();
        for variable in self.module.types_global_values.iter().filter(|it| it.class.opcode == Op::Variable) {
            let (Some(id), Some(Operand::StorageClass(class))) = (variable.result_id, variable.operands.first()) else {
                continue;
            };
            let Some(pointee) = variable.result_type.and_then(|ty| self.pointee(ty)) else { continue };
            let block = || {
                let mut block = self.block(self.element(pointee))?;
                usage.mark(id, &mut block, self)?;
                Ok::<_, SurveyError>(block)
            };
            if *class == StorageClass::PushConstant {
                homes.insert(id, Memory::Push);
                let found = block()?;
                let known = declared.push_constants.get_or_insert_default();
                self.step(known.fields.len())?;
                merge_block(known, found);
                continue;
            }
            if *class == StorageClass::ShaderRecordBufferKHR {
                homes.insert(id, Memory::Record(stage));
                let found = ShaderRecord { block: block()?, addresses: BTreeMap::new() };
                let known = declared.records.entry(stage).or_default();
                self.step(known.block.fields.len())?;
                known.merge(found);
                self.addresses(id, &usage, known)?;
                continue;
            }
            let (Some(set), Some(binding)) =
                (self.decoration(id, None, Decoration::DescriptorSet), self.decoration(id, None, Decoration::Binding))
            else {
                continue;
            };
            let kind = match class {
                StorageClass::Uniform => Kind::Block(Block { is_uniform: true, ..block()? }),
                StorageClass::StorageBuffer => Kind::Block(block()?),
                StorageClass::UniformConstant => self.opaque(id, self.element(pointee), &usage),
                _ => Kind::Other,
            };
            let is_writable = self.decoration(id, None, Decoration::NonWritable).is_none();
            let is_element = self.element(pointee) != pointee;
            let views = declared.resources.entry((set, binding)).or_default();
            // Any number of variables may be at one place, and each merge looks at what is known.
            for known in views.iter() {
                self.step(if let Kind::Block(known) = &known.kind { 1 + known.fields.len() } else { 1 })?;
            }
            let view = Resource::add(views, Resource { kind, is_writable, is_element, accesses: BTreeSet::new() });
            homes.insert(id, Memory::Buffer((set, binding), view));
        }
        for (variable, index) in &usage.accesses {
            let Some(Memory::Buffer(place, view)) = homes.get(variable) else { continue };
            let index = index.as_ref().and_then(|index| {
                let words = index.words.iter().map(|word| {
                    let memory = *homes.get(&word.variable)?;
                    Some(WordAt { memory, offset: word.offset, every: word.every })
                });
                // A variable that is no buffer, as that of a built-in, has any value.
                Some(Index { words: words.collect::<Option<_>>()?, low: index.low, high: index.high })
            });
            if let Some(view) = declared.resources.get_mut(place).and_then(|views| views.get_mut(*view)) {
                view.accesses.insert(index);
            }
        }
        declared.rays.push(RayStage::read(self)?);
        depends::add(self, declared);
        Ok(())
    }

    /// Adds what is at the addresses in a variable, which is a shader record.
    fn addresses(&self, variable: Word, usage: &usage::Usage, record: &mut ShaderRecord) -> Result<(), SurveyError> {
        for (word, pointer) in usage.addresses.iter().filter(|(word, _)| word.variable == variable) {
            self.step(1)?;
            let pointee = match pointer {
                None => Pointee::Structure,
                Some((id, ty)) => {
                    let mut block = self.block(*ty)?;
                    usage.mark(*id, &mut block, self)?;
                    Pointee::Buffer(block)
                }
            };
            let found = ShaderRecord { addresses: [(word.offset, pointee)].into(), ..ShaderRecord::default() };
            record.merge(found);
        }
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
            (Op::TypeAccelerationStructureKHR, _) => Kind::Structure,
            (
                Op::TypeImage,
                [
                    Operand::IdRef(sampled),
                    Operand::Dim(dim),
                    _,
                    Operand::LiteralBit32(arrayed),
                    Operand::LiteralBit32(multisampled),
                    Operand::LiteralBit32(sampled_or_storage),
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
                    is_storage: *sampled_or_storage == 2,
                })
            }
            _ => Kind::Other,
        }
    }

    /// The numbers of a block.
    fn block(&self, ty: Word) -> Result<Block, SurveyError> {
        let mut block = Block::default();
        self.fields_of(ty, 0, &mut block, DEPTH)?;
        Ok(block)
    }

    /// Adds the numbers of a type at an offset to a block.
    fn fields_of(&self, ty: Word, offset: u32, block: &mut Block, depth: u32) -> Result<(), SurveyError> {
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
                    self.fields_of(inner, offset.saturating_add(index.saturating_mul(size)), block, depth - 1)?;
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
                    self.fields_of(inner, at, block, depth - 1)?;
                    block.size = block.size.max(at.saturating_add(stride));
                }
            }
            (Op::TypeRuntimeArray, Some(inner)) => {
                let stride = self.decoration(ty, None, Decoration::ArrayStride).unwrap_or(0);
                let mut element = Block::default();
                self.fields_of(inner, 0, &mut element, depth - 1)?;
                block.size = block.size.max(offset);
                block.tail = Some((stride.max(1), element.fields));
            }
            (Op::TypeStruct, _) => {
                for (member, operand) in (0..).zip(&found.operands) {
                    let at = self.decoration(ty, Some(member), Decoration::Offset).unwrap_or(0);
                    if let Some(member) = operand.id_ref_any() {
                        self.fields_of(member, offset.saturating_add(at), block, depth - 1)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rspirv::binary::Assemble as _;
    use rspirv::dr::Builder;

    use super::*;

    /// A module with a uniform block of a structure that has another one twice, and so on to a
    /// structure with this many numbers.
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

    fn numbers(words: Vec<u32>) -> Result<usize, SurveyError> {
        let declared = declared(&[words])?;
        match &declared.resources[&(0, 0)][0].kind {
            Kind::Block(block) => Ok(block.fields.len()),
            kind => panic!("{kind:?}"),
        }
    }

    #[test]
    fn structures_that_double_are_counted_with_and_without_numbers() {
        assert_eq!(numbers(doubled(4, 1)).unwrap(), 16);
        assert_eq!(numbers(doubled(4, 0)).unwrap(), 0);
        // Without numbers there are 2^63 structures, and none of them is one more field.
        for levels in [40, 63] {
            let error = numbers(doubled(levels, 0)).unwrap_err().to_string();
            assert!(error.contains("steps"), "{error}");
        }
    }

    #[test]
    fn a_structure_in_itself_ends() {
        let mut b = Builder::new();
        let own = b.id();
        b.type_struct_id(Some(own), [own, own]);
        uniform(&mut b, own);
        assert!(numbers(b.module().assemble()).unwrap_err().to_string().contains("steps"));
    }

    #[test]
    fn variables_at_one_place_share_the_steps() {
        let mut b = Builder::new();
        let number = b.type_int(32, 0);
        let ty = b.type_struct(vec![number; 4096]);
        for _ in 0..4096 {
            uniform(&mut b, ty);
        }
        assert!(numbers(b.module().assemble()).unwrap_err().to_string().contains("steps"));
    }
}
