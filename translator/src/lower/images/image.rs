//! Images, texel buffers and samplers: the object that a handle stands for, and its type.
//!
//! In: a handle. Out: the loaded [`Image`] or sampler. What must hold: a storage image has a format
//! if its accesses need one, and the decorations of its variable (NonWritable, NonReadable,
//! Coherent) follow from the shader's accesses.

use rspirv::spirv::{Capability, Dim, ImageFormat, StorageClass};

use crate::binding::plan::{Descriptor, DescriptorType};
use crate::dxil::consts::{ComponentType, ResourceClass, ResourceKind};
use crate::dxil::handles::Handle;
use crate::dxil::ir::Value;
use crate::dxil::resources::{Resource, ResourceId};
use crate::entity::Entity;
use crate::error::Result;
use crate::lower::cx::{Code, Declared, FunctionCx, ModuleCx};
use crate::lower::resources::{descriptor, handle};
use crate::profile::Feature;
use crate::spirv::{Id, ImageType, Module};

/// An image or texel buffer that an operation accesses.
#[derive(Clone, Copy)]
pub struct Image<'a> {
    /// The resource as the shader declares it.
    pub resource: &'a Resource,
    /// The SPIR-V image type.
    pub ty: ImageType,
    /// The pointer to the image, for atomic operations.
    pub pointer: Id,
    /// The loaded image.
    pub value: Id,
    /// Whether the descriptor's index differs between lanes.
    pub non_uniform: bool,
}

impl Image<'_> {
    /// Whether its texels are signed integers in SPIR-V. The IR's integers have no sign.
    pub fn is_signed(&self) -> bool {
        is_signed(self.resource.element)
    }
}

fn is_signed(element: Option<ComponentType>) -> bool {
    matches!(element, Some(ComponentType::I16 | ComponentType::I32))
}

/// The sampler that a handle stands for, and whether the descriptor's index differs between lanes.
pub(super) fn sampler(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<(Id, bool)> {
    let handle = handle::resolve(cx, value)?;
    let resource = handle::declaration(cx, handle);
    let descriptor = handle::descriptor(cx, handle.resource)?;
    use DescriptorType as D;
    if !matches!(descriptor.ty, D::Sampler | D::CombinedImageSampler | D::Mutable) {
        return Err(binding_error!(
            resource.place(),
            "{resource} has a descriptor of type {}; a sampler needs SAMPLER or COMBINED_IMAGE_SAMPLER",
            descriptor.ty
        ));
    }
    let content = code.type_sampler();
    let what = Declared::Resource(handle.resource.index() as u32, 0);
    let variable = cx.declare(code, what, |cx, module| {
        descriptor::variable(cx, module, StorageClass::UniformConstant, content, descriptor, &resource.name)
    })?;
    let picked = descriptor::pick(cx, code, handle, descriptor, content, variable)?;
    Ok((descriptor::load(code, picked), picked.non_uniform))
}

/// The texture or typed buffer that a handle stands for.
pub fn of<'a>(cx: &mut FunctionCx<'_, 'a>, code: &mut Code<'_, '_>, value: Value) -> Result<Image<'a>> {
    let handle = handle::resolve(cx, value)?;
    let resource = handle::declaration(cx, handle);
    if !resource.kind.is_typed() {
        return Err(unsupported!(cx.place, "{resource} is accessed as a texture or typed buffer, but is neither"));
    }
    let descriptor = handle::descriptor(cx, handle.resource)?;
    of_handle(cx, code, handle, descriptor)
}

/// The image in the descriptor of a resolved handle.
pub fn of_handle<'a>(
    cx: &mut FunctionCx<'_, 'a>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    descriptor: Descriptor,
) -> Result<Image<'a>> {
    let resource = handle::declaration(cx, handle);
    let ty = image_type(cx, code, handle.resource, descriptor)?;
    let content = code.type_image(ty)?;
    let what = Declared::Resource(handle.resource.index() as u32, 0);
    let variable = cx.declare(code, what, |cx, module| {
        let class = StorageClass::UniformConstant;
        let id = descriptor::variable(cx, module, class, content, descriptor, &resource.name)?;
        if ty.storage {
            descriptor::decorate_access(cx, module, id, handle.resource);
        }
        Ok(id)
    })?;
    let picked = descriptor::pick(cx, code, handle, descriptor, content, variable)?;
    let value = descriptor::load(code, picked);
    Ok(Image { resource, ty, pointer: picked.pointer, value, non_uniform: picked.non_uniform })
}

/// The image type of a resource in a descriptor.
fn image_type(cx: &ModuleCx<'_>, module: &mut Module<'_>, id: ResourceId, descriptor: Descriptor) -> Result<ImageType> {
    let resource = &cx.program.resources[id];
    use DescriptorType as D;
    use ResourceKind as K;
    // A raw or structured buffer may be bound as a texel buffer of format R32_UINT.
    let buffer = !resource.kind.is_texture();
    let storage = match descriptor.ty {
        D::SampledImage | D::CombinedImageSampler if !buffer => false,
        D::UniformTexelBuffer if buffer => false,
        D::StorageImage if !buffer => true,
        D::StorageTexelBuffer if buffer => true,
        D::Mutable => resource.class == ResourceClass::Uav,
        other => {
            return Err(binding_error!(
                resource.place(),
                "{resource} has a descriptor of type {other}, which its kind does not allow"
            ));
        }
    };
    if !storage && resource.class == ResourceClass::Uav {
        let ty = descriptor.ty;
        return Err(binding_error!(
            resource.place(),
            "{resource} is writable, but has a descriptor of type {ty}, which is read-only"
        ));
    }
    let sampled_type = match resource.element {
        _ if !resource.kind.is_typed() => module.type_u32(),
        // A tbuffer is bound as a texel buffer of format R32G32B32A32_UINT: one texel is a row, and
        // its members have various types.
        _ if resource.kind == ResourceKind::TBuffer => module.type_u32(),
        _ if has_wide_texels(cx, id) => module.type_int(64)?,
        Some(element) => texel_type(module, element).ok_or_else(|| {
            unsupported!(cx.place, "{resource} has texels of type {element}, which Vulkan images do not have")
        })?,
        None => return Err(malformed!(resource.place(), "{resource} has no element type")),
    };
    let dim = match resource.kind {
        K::Texture1D | K::Texture1DArray => Dim::Dim1D,
        K::Texture3D => Dim::Dim3D,
        K::TextureCube | K::TextureCubeArray => Dim::DimCube,
        kind if kind.is_texture() => Dim::Dim2D,
        _ => Dim::DimBuffer,
    };
    Ok(ImageType {
        sampled_type,
        dim,
        depth: None,
        arrayed: resource.kind.is_array(),
        multisampled: resource.kind.is_multisampled(),
        storage,
        format: if storage { format(cx, module, id) } else { ImageFormat::Unknown },
    })
}

/// Whether a typed resource has texels of one 64-bit number, which 64-bit atomic operations
/// require. Without such operations a 64-bit texel is a pair of words, both in DXIL and in the
/// descriptor. Signedness is not a property of the texel: DXIL leaves it to the operations.
fn has_wide_texels(cx: &ModuleCx<'_>, id: ResourceId) -> bool {
    let usage = cx.usage.of(id);
    usage.atomic && usage.widths & 64 != 0 && cx.program.resources[id].kind.is_typed()
}

/// The format of a storage image. DXIL has the type of the components but not their number, so the
/// format is Unknown wherever that is allowed. Atomic operations need a format, and so do loads on
/// devices that cannot load without one. For these the format has one 32-bit component, which is
/// what D3D guarantees for typed loads (D3D11.3, «Typed UAV loads»; more needs the
/// TypedUAVLoadAdditionalFormats flag).
fn format(cx: &ModuleCx<'_>, module: &Module<'_>, id: ResourceId) -> ImageFormat {
    let (usage, resource) = (cx.usage.of(id), &cx.program.resources[id]);
    // Vulkan 1.3 allows the capability without the feature, but only for formats that support it
    // (VK_KHR_format_feature_flags2). On such a device it is used only if the shader declares loads
    // from additional formats.
    let without = module.caps.enabled(Feature::StorageImageReadWithoutFormat)
        || cx.entry.flags.typed_uav_load_additional_formats()
            && module.caps.allows(Capability::StorageImageReadWithoutFormat);
    if resource.kind.is_typed() && !usage.atomic && (!usage.read || without) {
        return ImageFormat::Unknown;
    }
    match resource.element {
        Some(_) if has_wide_texels(cx, id) => ImageFormat::R64ui,
        Some(ComponentType::I16 | ComponentType::I32) => ImageFormat::R32i,
        Some(ComponentType::U16 | ComponentType::U32) | None => ImageFormat::R32ui,
        _ if !resource.kind.is_typed() => ImageFormat::R32ui,
        _ => ImageFormat::R32f,
    }
}

/// The SPIR-V type of a texel's components. Vulkan requires a signed type for a signed format
/// («Image Format and Type Matching»).
fn texel_type(module: &mut Module<'_>, element: ComponentType) -> Option<Id> {
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
