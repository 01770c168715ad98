//! Images, texel buffers and samplers: the object that a handle stands for, and its type.
//!
//! In: a handle. Out: the loaded [`Image`] or sampler. What must hold: a storage image has a format
//! if its accesses need one, and the decorations of its variable (NonWritable, NonReadable,
//! Coherent) follow from the shader's accesses.

use rspirv::spirv::{Decoration, Dim, ImageFormat, StorageClass};

use super::format::{self, has_wide_texels, texel_type};

use crate::analysis::handles::Handle;
use crate::binding::plan::{Descriptor, DescriptorType, Location};
use crate::ir::Value;
use crate::ir::resources::{Resource, ResourceId};
use crate::lower::cx::{Code, Declared, EntryCx, FunctionCx, ImageDeclaration};
use crate::lower::resources::pairs::{self, ViewRange};
use crate::lower::resources::{declare, descriptor, handle};
use crate::ops::consts::{ComponentType, ResourceClass, ResourceKind, ShaderStage};
use dxil_base::entity::Entity as _;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, ImageType, MemoryAccess, Module};

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
    /// The elements of a typed buffer that are the view, where they are not all of its descriptor.
    pub range: Option<ViewRange>,
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
    let resource = handle::declaration(cx.input, handle);
    if let Location::Bindings(bindings) = handle::location(cx.input, handle.resource)? {
        return Ok((static_sampler(cx, code, handle, bindings)?, false));
    }
    let descriptor = handle::descriptor(cx.input, handle.resource)?;
    use DescriptorType as D;
    if !matches!(descriptor.ty, D::Sampler | D::CombinedImageSampler | D::Mutable) {
        return Err(binding_error!(
            resource.place(),
            "{resource} has a descriptor of type {}; a sampler needs SAMPLER or COMBINED_IMAGE_SAMPLER",
            descriptor.ty
        ));
    }
    let ImageDeclaration { content, variable, .. } = match cx.entry.images[handle.resource] {
        Some(known) => known,
        None => {
            let (content, name) = (code.type_sampler(), &cx.input.names[handle.resource]);
            let class = StorageClass::UniformConstant;
            let variable = declare::variable(cx.entry, code, class, content, descriptor, name)?;
            *cx.entry.images[handle.resource].insert(ImageDeclaration { ty: None, content, variable })
        }
    };
    let picked = descriptor::pick(cx, code, handle, descriptor, content, variable)?;
    Ok((descriptor::load(code, picked), picked.non_uniform))
}

/// The sampler that a handle picks from an array of static samplers with a binding each.
///
/// # Errors
/// `Binding` for a computed index, which cannot choose among bindings, and for a register without a
/// binding.
fn static_sampler(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    bindings: Descriptor,
) -> Result<Id> {
    let number = handle.element.constant;
    if handle.element.value.is_some() || number >= bindings.count {
        let (resource, count) = (handle::declaration(cx.input, handle), bindings.count);
        return Err(binding_error!(
            resource.place(),
            "{resource} is {count} static samplers with a binding each: the shader may name these by constant indexes, and \
             not compute an index"
        ));
    }
    let variable =
        cx.entry.declare(code, Declared::Resource(handle.resource.index() as u32, number), |cx, module| {
            let (content, name) = (module.type_sampler(), &cx.input.names[handle.resource]);
            declare::variable(cx, module, StorageClass::UniformConstant, content, bindings.nth(number), name)
        })?;
    Ok(code.load_constant(variable, MemoryAccess::default()))
}

/// The texture or typed buffer that a handle stands for.
pub fn open<'a>(cx: &mut FunctionCx<'_, 'a>, code: &mut Code<'_, '_>, value: Value) -> Result<Image<'a>> {
    let handle = handle::resolve(cx, value)?;
    let resource = handle::declaration(cx.input, handle);
    if !resource.kind.is_typed() {
        return Err(unsupported!(
            cx.entry.place,
            "{resource} is accessed as a texture or typed buffer, but is neither"
        ));
    }
    let descriptor = handle::descriptor(cx.input, handle.resource)?;
    if descriptor.ty == DescriptorType::InputAttachment {
        return Err(unsupported!(
            resource.place(),
            "{resource} is in an input_attachment, from which only loads of the pixel's own texel are possible; bind it \
             as a sampled image for other operations"
        ));
    }
    open_handle(cx, code, handle, descriptor)
}

/// The image in the descriptor of a resolved handle.
pub fn open_handle<'a>(
    cx: &mut FunctionCx<'_, 'a>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    descriptor: Descriptor,
) -> Result<Image<'a>> {
    let resource = handle::declaration(cx.input, handle);
    let (ty, content, variable) = match cx.entry.images[handle.resource] {
        Some(ImageDeclaration { ty: Some(ty), content, variable }) => (ty, content, variable),
        _ => {
            let ty = image_type(cx.entry, code, handle.resource, descriptor)?;
            let (content, name) = (code.type_image(ty)?, &cx.input.names[handle.resource]);
            let class = StorageClass::UniformConstant;
            let variable = declare::variable(cx.entry, code, class, content, descriptor, name)?;
            if ty.dim == Dim::DimSubpassData {
                let index = resource.lower_bound.saturating_sub(descriptor.first);
                code.decorate(variable, Decoration::InputAttachmentIndex, &[index]);
            } else if ty.storage {
                declare::decorate_access(cx.entry, code, variable, handle.resource);
            }
            cx.entry.images[handle.resource] = Some(ImageDeclaration { ty: Some(ty), content, variable });
            (ty, content, variable)
        }
    };
    let range = match resource.kind {
        ResourceKind::TypedBuffer => pairs::range(cx, code, handle)?,
        _ => None,
    };
    let picked = descriptor::pick(cx, code, handle, descriptor, content, variable)?;
    let value = descriptor::load(code, picked);
    Ok(Image { resource, ty, pointer: picked.pointer, value, non_uniform: picked.non_uniform, range })
}

/// The image type of a resource in a descriptor.
fn image_type(cx: &EntryCx<'_>, module: &mut Module<'_>, id: ResourceId, descriptor: Descriptor) -> Result<ImageType> {
    let resource = &cx.input.program.resources[id];
    use DescriptorType as D;
    use ResourceKind as K;
    // A raw or structured buffer may be bound as a texel buffer of format R32_UINT.
    let buffer = !resource.kind.is_texture();
    let storage = match descriptor.ty {
        D::SampledImage | D::CombinedImageSampler if !buffer => false,
        D::UniformTexelBuffer if buffer => false,
        D::StorageImage if !buffer => true,
        D::StorageTexelBuffer if buffer => true,
        D::InputAttachment => return input_attachment_type(cx, module, id),
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
        _ if has_wide_texels(cx.input, id) => module.type_int(64)?,
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
        format: if storage { format::image_format(cx.input, module, id)? } else { ImageFormat::Unknown },
    })
}

/// The image type of a texture in an input attachment.
fn input_attachment_type(cx: &EntryCx<'_>, module: &mut Module<'_>, id: ResourceId) -> Result<ImageType> {
    let resource = &cx.input.program.resources[id];
    let (stage, kind) = (cx.input.entry.stage, resource.kind);
    if stage != ShaderStage::Pixel {
        return Err(binding_error!(
            resource.place(),
            "{resource} has a descriptor of type input_attachment, which only pixel shaders read; this is a {stage} shader"
        ));
    }
    if !matches!(kind, ResourceKind::Texture2D | ResourceKind::Texture2DMS) {
        return Err(binding_error!(
            resource.place(),
            "{resource} has a descriptor of type input_attachment, which a Texture2D or Texture2DMS may have, not a {kind}"
        ));
    }
    let Some(element) = resource.element else {
        return Err(malformed!(resource.place(), "{resource} has no element type"));
    };
    let sampled_type = texel_type(module, element).ok_or_else(|| {
        unsupported!(cx.place, "{resource} has texels of type {element}, which Vulkan images do not have")
    })?;
    Ok(ImageType {
        sampled_type,
        dim: Dim::DimSubpassData,
        depth: None,
        arrayed: false,
        multisampled: kind.is_multisampled(),
        storage: true,
        format: ImageFormat::Unknown,
    })
}
