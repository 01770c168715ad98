//! Image instructions. Operands are written in mask order, and the capabilities that operands and
//! formats need are declared.

use rspirv::spirv::{Capability, Dim, ImageFormat, ImageOperands as Mask, Op};

use super::block::OpenBlock;
use super::types::{ImageType, Type};
use super::words::Id;
use dxil_base::error::Result;

/// The optional operands of image instructions. They are written in the order of their mask bits
/// (SPIR-V 3.14), whatever the order in which the caller sets them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImageOperands {
    /// Bias, for implicit-lod samples.
    pub bias: Option<Id>,
    /// Explicit level of detail; the mip level in a fetch.
    pub lod: Option<Id>,
    /// Explicit derivatives.
    pub grad: Option<(Id, Id)>,
    /// Offset of the texel, written as ConstOffset if it is a constant, and else as Offset.
    pub offset: Option<Id>,
    /// Four constant offsets of a gather.
    pub const_offsets: Option<Id>,
    /// Sample index.
    pub sample: Option<Id>,
    /// Smallest level of detail.
    pub min_lod: Option<Id>,
    /// MakeTexelAvailable for writes, MakeTexelVisible for reads, at this scope (an id), under the
    /// Vulkan memory model. Implies NonPrivateTexel.
    pub coherent: Option<Id>,
    /// SignExtend (`Some(true)`) or ZeroExtend, from SPIR-V 1.4 on. It is ignored in older
    /// versions.
    pub extend_signed: Option<bool>,
}

impl ImageOperands {
    const WORDS: usize = 12;

    fn encode(&self, block: &mut OpenBlock<'_, '_>, coherent: Mask) -> Result<([u32; Self::WORDS], usize)> {
        let mut mask = Mask::NONE;
        let mut words = [0; Self::WORDS];
        let mut count = 1;
        let mut push = |bit: Mask, id: Id| {
            mask |= bit;
            if let Some(slot) = words.get_mut(count) {
                *slot = id.word();
                count += 1;
            }
        };
        if let Some(bias) = self.bias {
            push(Mask::BIAS, bias);
        }
        if let Some(lod) = self.lod {
            push(Mask::LOD, lod);
        }
        if let Some((x, y)) = self.grad {
            push(Mask::GRAD, x);
            push(Mask::GRAD, y);
        }
        if let Some(offset) = self.offset {
            if block.constant_value(offset).is_some() {
                push(Mask::CONST_OFFSET, offset);
            } else {
                block.caps.capability(Capability::ImageGatherExtended)?;
                push(Mask::OFFSET, offset);
            }
        }
        if let Some(offsets) = self.const_offsets {
            block.caps.capability(Capability::ImageGatherExtended)?;
            push(Mask::CONST_OFFSETS, offsets);
        }
        if let Some(sample) = self.sample {
            push(Mask::SAMPLE, sample);
        }
        if let Some(lod) = self.min_lod {
            block.caps.capability(Capability::MinLod)?;
            push(Mask::MIN_LOD, lod);
        }
        if let Some(scope) = self.coherent {
            push(coherent | Mask::NON_PRIVATE_TEXEL, scope);
        }
        if let Some(signed) = self.extend_signed
            && block.caps.version() >= (1, 4)
        {
            mask |= if signed { Mask::SIGN_EXTEND } else { Mask::ZERO_EXTEND };
        }
        words[0] = mask.bits();
        Ok((words, if mask == Mask::NONE { 0 } else { count }))
    }
}

impl OpenBlock<'_, '_> {
    /// The image type of an image or sampled-image value.
    pub fn image_type(&self, image: Id) -> Option<ImageType> {
        match self.ty_of(image)? {
            Type::Image(image) => Some(image),
            Type::SampledImage { image } => match self.ty(image)? {
                Type::Image(image) => Some(image),
                _ => None,
            },
            _ => None,
        }
    }

    fn image_op<const N: usize>(
        &mut self,
        op: Op,
        ty: Id,
        head: [u32; N],
        operands: &ImageOperands,
        coherent: Mask,
    ) -> Result<Id> {
        use Op as O;
        if matches!(
            op,
            O::ImageSparseFetch
                | O::ImageSparseRead
                | O::ImageSparseGather
                | O::ImageSparseDrefGather
                | O::ImageSparseSampleImplicitLod
                | O::ImageSparseSampleExplicitLod
                | O::ImageSparseSampleDrefImplicitLod
                | O::ImageSparseSampleDrefExplicitLod
        ) {
            self.caps.capability(Capability::SparseResidency)?;
        }
        let (words, count) = operands.encode(self, coherent)?;
        Ok(self.op_with(op, ty, head, words.get(..count).unwrap_or_default()))
    }

    /// OpSampledImage. The result must be used in the block that makes it (SPIR-V, OpSampledImage),
    /// so callers ask for one at each use.
    pub fn sampled_image(&mut self, image: Id, sampler: Id) -> Id {
        let Some(image_ty) = self.type_of(image) else {
            self.fault(format!("{image} has no type"));
            return image;
        };
        let ty = self.type_sampled_image(image_ty);
        self.pure(Op::SampledImage, ty, &[image, sampler])
    }

    /// A sample without comparison: `ImageSample*Lod`, sparse or not. `ty` is the result type; for
    /// sparse instructions it is the struct.
    ///
    /// # Errors
    /// `MissingFeature` if the profile lacks a feature that the operands need.
    pub fn image_sample(
        &mut self,
        op: Op,
        ty: Id,
        sampled_image: Id,
        coordinates: Id,
        operands: &ImageOperands,
    ) -> Result<Id> {
        self.image_op(op, ty, [sampled_image.word(), coordinates.word()], operands, Mask::NONE)
    }

    /// A sample or gather with a third operand: the reference of a comparison, or the component of
    /// OpImageGather.
    ///
    /// # Errors
    /// `MissingFeature` if the profile lacks a feature that the operands need.
    pub fn image_sample_with(
        &mut self,
        op: Op,
        ty: Id,
        sampled_image: Id,
        coordinates: Id,
        third: Id,
        operands: &ImageOperands,
    ) -> Result<Id> {
        self.image_op(op, ty, [sampled_image.word(), coordinates.word(), third.word()], operands, Mask::NONE)
    }

    /// OpImageFetch or OpImageSparseFetch.
    ///
    /// # Errors
    /// `MissingFeature` if the profile lacks a feature that the operands need.
    pub fn image_fetch(&mut self, op: Op, ty: Id, image: Id, coordinates: Id, operands: &ImageOperands) -> Result<Id> {
        self.image_op(op, ty, [image.word(), coordinates.word()], operands, Mask::NONE)
    }

    /// OpImageRead or OpImageSparseRead.
    ///
    /// # Errors
    /// `MissingFeature` if the format is unknown and the profile does not allow reading such
    /// images.
    pub fn image_read(&mut self, op: Op, ty: Id, image: Id, coordinates: Id, operands: &ImageOperands) -> Result<Id> {
        if self.image_type(image).is_some_and(|i| i.format == ImageFormat::Unknown && i.dim != Dim::DimSubpassData) {
            self.caps.capability(Capability::StorageImageReadWithoutFormat)?;
        }
        self.image_op(op, ty, [image.word(), coordinates.word()], operands, Mask::MAKE_TEXEL_VISIBLE)
    }

    /// OpImageWrite.
    ///
    /// # Errors
    /// `MissingFeature` if the format is unknown and the profile does not allow writing such
    /// images.
    pub fn image_write(&mut self, image: Id, coordinates: Id, texel: Id, operands: &ImageOperands) -> Result<()> {
        if self.image_type(image).is_some_and(|i| i.format == ImageFormat::Unknown) {
            self.caps.capability(Capability::StorageImageWriteWithoutFormat)?;
        }
        let (words, count) = operands.encode(self, Mask::MAKE_TEXEL_AVAILABLE)?;
        let head = [image.word(), coordinates.word(), texel.word()];
        self.stmt_with(Op::ImageWrite, head, words.get(..count).unwrap_or_default());
        Ok(())
    }

    /// An image query (size, levels, samples, lod). Declares its capability.
    ///
    /// # Errors
    /// None in Vulkan, where the capability is always allowed. The result type shows that a
    /// capability is declared.
    pub fn image_query(&mut self, op: Op, ty: Id, image: Id, operand: Option<Id>) -> Result<Id> {
        self.caps.capability(Capability::ImageQuery)?;
        Ok(self.op_with(op, ty, [image.word()], operand.as_slice()))
    }

    /// OpImageTexelPointer into the image that `image` points to, for atomics. `sample` is zero
    /// unless multisampled.
    pub fn image_texel_pointer(&mut self, texel: Id, image: Id, coordinates: Id, sample: Option<Id>) -> Id {
        let ty = self.type_pointer(rspirv::spirv::StorageClass::Image, texel);
        let sample = sample.unwrap_or_else(|| self.const_u32(0));
        self.op(Op::ImageTexelPointer, ty, &[image, coordinates, sample])
    }
}
