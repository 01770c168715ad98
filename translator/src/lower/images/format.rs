//! The types of texels, and the formats of storage images and storage texel buffers.
//!
//! In: a resource in such a descriptor, and what the shader does with it. Out: the format that its
//! image type declares. What must hold: a declared format is that of every view which D3D lets the
//! application bind there, because Vulkan requires that the two are equal («Image Format and Type
//! Matching»). Where no format is known and the device cannot read without one, the resource is
//! refused.

use rspirv::spirv::ImageFormat;

use crate::ir::resources::{Resource, ResourceId};
use crate::lower::cx::Inputs;
use crate::ops::consts::{ComponentType, ResourceClass, ResourceKind};
use dxil_base::error::{Error, ErrorKind, Result};
use dxil_base::profile::{Feature, StorageFormats};
use dxil_spirv_builder::{Id, Module};

/// The format of a storage image or storage texel buffer. DXIL has the type of the components but
/// not their number, so the format is Unknown wherever that is allowed.
///
/// # Errors
/// `MissingFeature` where the shader reads texels whose format is not known, and the device cannot.
pub(super) fn image_format(input: Inputs<'_>, module: &Module<'_>, id: ResourceId) -> Result<ImageFormat> {
    let (usage, resource) = (input.analysis.usage.resource(id), &input.program.resources[id]);
    // Raw and structured buffers are words, and a row of a tbuffer is a texel: docs/bindings.md
    // says so.
    match resource.kind {
        kind if !kind.is_typed() => return Ok(ImageFormat::R32ui),
        ResourceKind::TBuffer => return Ok(ImageFormat::Rgba32ui),
        _ => {}
    }
    // Atomic operations need a format, and D3D has them on one component only.
    if usage.atomic {
        return Ok(if has_wide_texels(input, id) { ImageFormat::R64ui } else { one_component(resource) });
    }
    if !usage.read || module.caps.enabled(Feature::StorageImageReadWithoutFormat) {
        return Ok(ImageFormat::Unknown);
    }
    // D3D guarantees typed loads from UAVs of one 32-bit component alone, and a shader with others
    // has a flag (D3D11.3, «Typed UAV loads»). SRVs have every format. DXC sets no flag for
    // components of two words, which it loads as several components; only the declaration tells of
    // such a load of the low word alone.
    let known = resource.class == ResourceClass::Uav && !input.entry.flags.typed_uav_load_additional_formats();
    if known && !usage.several && !takes_two_words(resource) {
        return Ok(one_component(resource));
    }
    if module.caps.reads_without_format(kind(resource)) {
        return Ok(ImageFormat::Unknown);
    }
    Err(Error::new(
        ErrorKind::MissingFeature(Feature::StorageImageReadWithoutFormat),
        resource.place(),
        format!(
            "{resource} is read as a storage image or storage texel buffer of any format, which needs \
             VkPhysicalDeviceFeatures::shaderStorageImageReadWithoutFormat, or Vulkan 1.3 and a format with \
             VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT (`format.read_without_format` of the profile); the \
             device has neither"
        ),
    ))
}

/// The format with one component of the resource's type.
fn one_component(resource: &Resource) -> ImageFormat {
    match resource.element {
        Some(ComponentType::I16 | ComponentType::I32) => ImageFormat::R32i,
        Some(ComponentType::U16 | ComponentType::U32) | None => ImageFormat::R32ui,
        _ => ImageFormat::R32f,
    }
}

/// Whether a component takes two words. D3D views such buffers in formats of two or four
/// components.
fn takes_two_words(resource: &Resource) -> bool {
    use ComponentType as C;
    resource.has_pairs || matches!(resource.element, Some(C::I64 | C::U64 | C::F64 | C::SNormF64 | C::UNormF64))
}

/// The kind of a resource's texels, as a constant of [`StorageFormats`].
fn kind(resource: &Resource) -> u32 {
    use ComponentType as C;
    use StorageFormats as F;
    let (image, buffer) = match resource.element {
        Some(C::I16 | C::I32) => (F::IMAGE_SINT, F::BUFFER_SINT),
        Some(C::F16 | C::F32 | C::SNormF16 | C::UNormF16 | C::SNormF32 | C::UNormF32) => {
            (F::IMAGE_FLOAT, F::BUFFER_FLOAT)
        }
        _ => (F::IMAGE_UINT, F::BUFFER_UINT),
    };
    if resource.kind.is_texture() { image } else { buffer }
}

/// Whether a typed resource has texels of one 64-bit number, which 64-bit atomic operations
/// require. Without such operations a 64-bit texel is a pair of words, both in DXIL and in the
/// descriptor. Signedness is not a property of the texel: DXIL leaves it to the operations.
pub(super) fn has_wide_texels(input: Inputs<'_>, id: ResourceId) -> bool {
    let usage = input.analysis.usage.resource(id);
    usage.atomic && usage.widths & 64 != 0 && input.program.resources[id].kind.is_typed()
}

/// The SPIR-V type of a texel's components. Vulkan requires a signed type for a signed format
/// («Image Format and Type Matching»).
pub(super) fn texel_type(module: &mut Module<'_>, element: ComponentType) -> Option<Id> {
    use ComponentType as C;
    Some(match element {
        C::F16 | C::F32 | C::SNormF16 | C::UNormF16 | C::SNormF32 | C::UNormF32 => module.type_f32(),
        C::I16 | C::I32 => module.type_i32(),
        C::U16 | C::U32 => module.type_u32(),
        // DXIL loads and stores a 64-bit component as two words. D3D views such buffers as
        // R32G32_UINT, or as R32G32B32A32_UINT if a texel has two components.
        C::I64 | C::U64 | C::F64 | C::SNormF64 | C::UNormF64 => module.type_u32(),
        _ => return None,
    })
}
