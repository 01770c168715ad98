//! Descriptors: the variable that a resource's place becomes, and the one of its descriptors that a handle picks.
//!
//! In: a resolved [`Handle`] and the plan's [`Descriptor`]. Out: pointers and loaded objects. What must hold: set and
//! binding come from the plan alone; an index that differs between lanes is marked NonUniform down to the object that the
//! access names (Vulkan, «Shader Resource Interface»); each index has the feature that its descriptor type asks for.

use rspirv::spirv::{Capability, Decoration, Dim, ImageFormat, Op, StorageClass};

use super::Code;
use super::context::{Context, Declared};
use super::handle::Handle;
use super::structured::{self, Elements};
use crate::binding::plan::{Descriptor, DescriptorType};
use crate::dxil::consts::{ComponentType, ResourceClass, ResourceKind};
use crate::dxil::ir::Value;
use crate::dxil::resources::{Resource, ResourceId};
use crate::entity::Entity;
use crate::error::Result;
use crate::options::Bounds;
use crate::profile::Feature;
use crate::spirv::{Id, ImageType, Member, Module, StructKind, Type};

/// Which of a buffer's declarations is that of elements; those of words have numbers by width.
const ELEMENTS: u32 = 1;

/// A pointer to one descriptor.
#[derive(Clone, Copy)]
pub(super) struct Picked {
    /// The pointer.
    pub pointer: Id,
    /// Whether its index differs between lanes, so that what is loaded through it is marked too.
    pub non_uniform: bool,
}

/// An image or texel buffer that an operation accesses.
#[derive(Clone, Copy)]
pub(super) struct Image<'a> {
    /// The declaration.
    pub resource: &'a Resource,
    /// Its type.
    pub ty: ImageType,
    /// The pointer to it, for atomics.
    pub pointer: Id,
    /// The loaded image.
    pub value: Id,
    /// Whether the descriptor's index differs between lanes.
    pub non_uniform: bool,
}

impl Image<'_> {
    /// Whether its texels are signed integers in SPIR-V, which the IR's integers are not.
    pub fn is_signed(&self) -> bool {
        is_signed(self.resource.element)
    }
}

/// The words of a raw or structured buffer.
#[derive(Clone, Copy)]
pub(super) enum Words<'a> {
    /// A storage buffer: an array of words in a block.
    Block {
        /// Pointer to the block.
        block: Id,
        /// The element type.
        element: Id,
        /// Its bits.
        width: u32,
        /// Whether the descriptor's index differs between lanes.
        non_uniform: bool,
    },
    /// A texel buffer of R32_UINT.
    Texels(Image<'a>),
}

impl Words<'_> {
    /// Bits of a word.
    pub fn width(&self) -> u32 {
        match self {
            Words::Block { width, .. } => *width,
            Words::Texels(_) => 32,
        }
    }

    /// Type of a word.
    pub fn element(&self, module: &mut Module<'_>) -> Id {
        match self {
            Words::Block { element, .. } => *element,
            Words::Texels(_) => module.type_u32(),
        }
    }
}

fn is_signed(element: Option<ComponentType>) -> bool {
    matches!(element, Some(ComponentType::I16 | ComponentType::I32))
}

impl<'a> Context<'a> {
    /// Whether the driver, not the shader, answers for accesses outside a buffer. `robustBufferAccess` alone does not: it
    /// lets such a load give anything that the buffer holds, and a store change it.
    pub fn driver_bounds_buffers(&self) -> bool {
        self.driver_bounds(Feature::RobustBufferAccess2)
    }

    /// Whether the driver, not the shader, answers for stores and atomic operations outside an image.
    pub fn driver_bounds_image_writes(&self) -> bool {
        self.driver_bounds(Feature::RobustImageAccess)
    }

    /// The same for loads. `robustImageAccess` alone does not: it promises nothing for a level that is not there, and lets alpha be
    /// one elsewhere (VK_EXT_image_robustness, issue 1).
    pub fn driver_bounds_image_loads(&self) -> bool {
        self.driver_bounds(Feature::RobustImageAccess2)
    }

    fn driver_bounds(&self, feature: Feature) -> bool {
        match self.options.bounds {
            Bounds::Auto => self.options.profile.has(feature),
            Bounds::Driver => true,
            Bounds::Emit => false,
        }
    }

    /// The variable of a descriptor or of an array of them.
    pub fn descriptor_variable(
        &mut self,
        module: &mut Module<'_>,
        class: StorageClass,
        content: Id,
        descriptor: Descriptor,
        name: &str,
    ) -> Result<Id> {
        let ty = match descriptor.count {
            0 => return Err(bug!(self.place, "the binding plan has an array of no descriptors")),
            1 => content,
            u32::MAX => {
                module.caps.capability(Capability::RuntimeDescriptorArray)?;
                module.type_runtime_array(content, None)
            }
            count => module.type_array(content, count, None),
        };
        let variable = module.variable(class, ty, None)?;
        module.decorate_binding(variable, descriptor.set, descriptor.binding);
        module.name(variable, name);
        Ok(variable)
    }

    /// The descriptor that a handle picks from the variable of its binding.
    pub fn pick(
        &mut self,
        code: &mut Code<'_, '_>,
        handle: Handle,
        descriptor: Descriptor,
        content: Id,
        variable: Id,
    ) -> Result<Picked> {
        let resource = self.resource(handle);
        if descriptor.count == 1 {
            if resource.is_array() && self.const_uint(handle.index) != Some(u64::from(resource.lower_bound)) {
                return Err(binding_error!(resource.place(), "the binding plan has one descriptor for {resource}"));
            }
            return Ok(Picked { pointer: variable, non_uniform: false });
        }
        let shift = descriptor.first.wrapping_sub(resource.lower_bound);
        let index = if let Some(index) = self.const_uint(handle.index) {
            let in_range = (u64::from(resource.lower_bound)..=u64::from(resource.upper_bound())).contains(&index);
            if !in_range {
                return Err(malformed!(self.place, "register {index} of {resource}, which does not have it"));
            }
            let element = (index as u32).wrapping_add(shift);
            if element >= descriptor.count {
                let count = descriptor.count;
                return Err(binding_error!(resource.place(), "register {index} of {resource}: the plan has {count}"));
            }
            code.const_u32(element)
        } else {
            let (dynamic, non_uniform) = indexing(descriptor.ty);
            code.caps.capability(if handle.non_uniform { non_uniform } else { dynamic })?;
            let index = self.value(code, handle.index)?;
            add(code, index, shift)
        };
        let non_uniform = handle.non_uniform && self.const_uint(handle.index).is_none();
        let pointer = code.access_chain(content, variable, &[index]);
        if non_uniform {
            code.caps.capability(Capability::ShaderNonUniform)?;
            code.mark(index, Decoration::NonUniform);
            code.mark_new(pointer, Decoration::NonUniform);
        }
        Ok(Picked { pointer, non_uniform })
    }

    /// Loads the object that a descriptor is.
    fn load_descriptor(&mut self, code: &mut Code<'_, '_>, picked: Picked) -> Id {
        let value = code.load(picked.pointer);
        if picked.non_uniform {
            code.mark_new(value, Decoration::NonUniform);
        }
        value
    }

    /// The sampler that a handle stands for, and whether it differs between lanes.
    pub fn sampler(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<(Id, bool)> {
        let handle = self.handle(value)?;
        let resource = self.resource(handle);
        let descriptor = self.descriptor(handle.resource)?;
        use DescriptorType as D;
        if !matches!(descriptor.ty, D::Sampler | D::CombinedImageSampler | D::Mutable) {
            return Err(binding_error!(resource.place(), "{resource} in a descriptor of type {}", descriptor.ty));
        }
        let content = code.type_sampler();
        let what = Declared::Resource(handle.resource.index() as u32, 0);
        let variable = self.declare(code, what, |cx, module| {
            cx.descriptor_variable(module, StorageClass::UniformConstant, content, descriptor, &resource.name)
        })?;
        let picked = self.pick(code, handle, descriptor, content, variable)?;
        Ok((self.load_descriptor(code, picked), picked.non_uniform))
    }

    /// The texture or typed buffer that a handle stands for.
    pub fn image(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Image<'a>> {
        let handle = self.handle(value)?;
        let resource = self.resource(handle);
        if !resource.kind.is_typed() {
            return Err(unsupported!(self.place, "{resource} accessed as a texture or typed buffer"));
        }
        let descriptor = self.descriptor(handle.resource)?;
        self.image_of(code, handle, descriptor)
    }

    fn image_of(&mut self, code: &mut Code<'_, '_>, handle: Handle, descriptor: Descriptor) -> Result<Image<'a>> {
        let resource = self.resource(handle);
        let ty = self.image_type(code, handle.resource, descriptor)?;
        let content = code.type_image(ty)?;
        let what = Declared::Resource(handle.resource.index() as u32, 0);
        let variable = self.declare(code, what, |cx, module| {
            let class = StorageClass::UniformConstant;
            let id = cx.descriptor_variable(module, class, content, descriptor, &resource.name)?;
            if ty.storage {
                cx.decorate_access(module, id, handle.resource);
            }
            Ok(id)
        })?;
        let picked = self.pick(code, handle, descriptor, content, variable)?;
        let value = self.load_descriptor(code, picked);
        Ok(Image { resource, ty, pointer: picked.pointer, value, non_uniform: picked.non_uniform })
    }

    /// What the shader does with a storage image or buffer, as decorations of its variable.
    fn decorate_access(&mut self, module: &mut Module<'_>, variable: Id, id: ResourceId) {
        let (usage, resource) = (self.usage.of(id), &self.program.resources[id]);
        if !usage.written {
            module.mark(variable, Decoration::NonWritable);
        }
        if !usage.read && usage.written {
            module.mark(variable, Decoration::NonReadable);
        }
        // D3D11.3, "sync": after a fence the threads of the group see each other's writes to any UAV. Vulkan promises that of variables
        // that are Coherent (SPIR-V 3.20), so those through which lanes can exchange something have to be.
        let exchanged = self.usage.uav_fences && usage.read && usage.written;
        if resource.globally_coherent || exchanged {
            module.mark(variable, Decoration::Coherent);
        }
    }

    /// The image type of a resource in a descriptor.
    fn image_type(&self, module: &mut Module<'_>, id: ResourceId, descriptor: Descriptor) -> Result<ImageType> {
        let resource = &self.program.resources[id];
        use DescriptorType as D;
        use ResourceKind as K;
        // Raw and structured buffers may live in texel buffers of R32_UINT.
        let buffer = !resource.kind.is_texture();
        let storage = match descriptor.ty {
            D::SampledImage | D::CombinedImageSampler if !buffer => false,
            D::UniformTexelBuffer if buffer => false,
            D::StorageImage if !buffer => true,
            D::StorageTexelBuffer if buffer => true,
            D::Mutable => resource.class == ResourceClass::Uav,
            other => return Err(binding_error!(resource.place(), "{resource} in a descriptor of type {other}")),
        };
        if !storage && resource.class == ResourceClass::Uav {
            let ty = descriptor.ty;
            return Err(binding_error!(resource.place(), "{resource}, which is written, in a descriptor of type {ty}"));
        }
        let sampled_type = match resource.element {
            _ if !resource.kind.is_typed() => module.type_u32(),
            // A constant buffer's rows in a buffer of R32G32B32A32_UINT: its members have types of their own.
            _ if resource.kind == ResourceKind::TBuffer => module.type_u32(),
            _ if self.has_wide_texels(id) => module.type_int(64)?,
            Some(element) => texel_type(module, element)
                .ok_or_else(|| unsupported!(self.place, "{resource}: texels of {element}"))?,
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
            format: if storage { self.format(module, id) } else { ImageFormat::Unknown },
        })
    }

    /// Whether a typed resource has one number of 64 bits to a texel, which atomic operations of that width want; without them such
    /// texels are pairs of words, in DXIL as in the descriptor. DXIL does not say that they are signed: the operations do.
    fn has_wide_texels(&self, id: ResourceId) -> bool {
        let usage = self.usage.of(id);
        usage.atomic && usage.widths & 64 != 0 && self.program.resources[id].kind.is_typed()
    }

    /// The format of a storage image. DXIL knows the type of a component and not their number, so it is unknown where that
    /// will do; atomics need it, and so do loads on devices that cannot load without. There D3D's own base rule holds: typed
    /// loads are of one 32-bit component (D3D11.3, «Typed UAV loads»; more is the TypedUAVLoadAdditionalFormats flag).
    fn format(&self, module: &Module<'_>, id: ResourceId) -> ImageFormat {
        let (usage, resource) = (self.usage.of(id), &self.program.resources[id]);
        // Vulkan 1.3 allows the capability without the feature, but only for formats that support it (VK_KHR_format_feature_flags2):
        // such a device is asked for it only where nothing else will do.
        let without = self.options.profile.has(Feature::StorageImageReadWithoutFormat)
            || self.entry.flags.typed_uav_load_additional_formats()
                && module.caps.allows(Capability::StorageImageReadWithoutFormat);
        if resource.kind.is_typed() && !usage.atomic && (!usage.read || without) {
            return ImageFormat::Unknown;
        }
        match resource.element {
            Some(_) if self.has_wide_texels(id) => ImageFormat::R64ui,
            Some(ComponentType::I16 | ComponentType::I32) => ImageFormat::R32i,
            Some(ComponentType::U16 | ComponentType::U32) | None => ImageFormat::R32ui,
            _ if !resource.kind.is_typed() => ImageFormat::R32ui,
            _ => ImageFormat::R32f,
        }
    }

    /// The words of the raw or structured buffer that a handle stands for, for components of type `component`: those of 16
    /// bits are words themselves, for which storage alone is needed; all others are made of words of 32 bits.
    pub fn words(&mut self, code: &mut Code<'_, '_>, value: Value, component: Id) -> Result<Words<'a>> {
        // Minimum precision takes 32 bits in memory; only native 16-bit types take 16 (DXIL.rst, "Memory accesses").
        let narrow = code.width(component) == Some(16) && self.entry.flags.native_low_precision();
        let (width, element) = if narrow { (16, component) } else { (32, code.type_u32()) };
        self.words_as(code, value, width, element)
    }

    /// The elements of the structured buffer that a handle stands for, where its accesses show what they are made of and it is a storage
    /// buffer.
    pub fn elements(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Option<Elements>> {
        let handle = self.handle(value)?;
        let Some(element) = self.usage.element(handle.resource).cloned() else { return Ok(None) };
        let (resource, descriptor) = (self.resource(handle), self.descriptor(handle.resource)?);
        use DescriptorType as D;
        if !matches!(descriptor.ty, D::StorageBuffer | D::StorageBufferDynamic | D::Mutable) {
            return Ok(None);
        }
        let one = if element.is_one_member() {
            let only = element.members.first().map(|&member| structured::member_type(code, element.word, member));
            only.unwrap_or_else(|| code.type_u32())
        } else {
            let members: Vec<Member> = element
                .members
                .iter()
                .map(|&member| {
                    Member::at(structured::member_type(code, element.word, member), member.word * element.word)
                })
                .collect();
            code.type_struct(StructKind::Plain, &members)
        };
        let array = code.type_runtime_array(one, Some(element.stride));
        let content = code.type_struct(StructKind::Block, &[Member::at(array, 0)]);
        let what = Declared::Resource(handle.resource.index() as u32, ELEMENTS);
        let variable = self.declare(code, what, |cx, module| {
            let class = StorageClass::StorageBuffer;
            let id = cx.descriptor_variable(module, class, content, descriptor, &resource.name)?;
            cx.decorate_access(module, id, handle.resource);
            Ok(id)
        })?;
        let picked = self.pick(code, handle, descriptor, content, variable)?;
        let written = self.usage.of(handle.resource).written;
        Ok(Some(Elements { element, block: picked.pointer, non_uniform: picked.non_uniform, written }))
    }

    /// The words of a buffer as atomic operations take them: those of 64 bits are one word.
    pub fn atomic_words(&mut self, code: &mut Code<'_, '_>, value: Value, component: Id) -> Result<Words<'a>> {
        match code.width(component) {
            Some(64) => self.words_as(code, value, 64, component),
            _ => self.words(code, value, component),
        }
    }

    fn words_as(&mut self, code: &mut Code<'_, '_>, value: Value, width: u32, element: Id) -> Result<Words<'a>> {
        let handle = self.handle(value)?;
        let resource = self.resource(handle);
        if !matches!(resource.kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer) {
            return Err(unsupported!(self.place, "{resource} accessed as a raw or structured buffer"));
        }
        let descriptor = self.descriptor(handle.resource)?;
        use DescriptorType as D;
        match descriptor.ty {
            D::StorageBuffer | D::StorageBufferDynamic | D::Mutable => {}
            D::UniformTexelBuffer | D::StorageTexelBuffer if width != 32 => {
                return Err(unsupported!(self.place, "{width}-bit access to {resource} in a texel buffer"));
            }
            D::UniformTexelBuffer | D::StorageTexelBuffer => {
                return Ok(Words::Texels(self.image_of(code, handle, descriptor)?));
            }
            other => return Err(binding_error!(resource.place(), "{resource} in a descriptor of type {other}")),
        }
        let array = code.type_runtime_array(element, Some(width / 8));
        let content = code.type_struct(StructKind::Block, &[Member::at(array, 0)]);
        // Buffers of several element types are several variables on one binding; each other's writes must be seen.
        let usage = self.usage.of(handle.resource);
        let aliased = usage.written && (usage.widths & 16 != 0 || usage.atomic && usage.widths & 64 != 0);
        let which = width + u32::from(matches!(code.ty(element), Some(Type::Float { .. })));
        let what = Declared::Resource(handle.resource.index() as u32, which);
        let variable = self.declare(code, what, |cx, module| {
            let class = StorageClass::StorageBuffer;
            let id = cx.descriptor_variable(module, class, content, descriptor, &resource.name)?;
            cx.decorate_access(module, id, handle.resource);
            if aliased {
                module.mark(id, Decoration::Aliased);
            }
            Ok(id)
        })?;
        let picked = self.pick(code, handle, descriptor, content, variable)?;
        Ok(Words::Block { block: picked.pointer, element, width, non_uniform: picked.non_uniform })
    }

    /// The hidden counter of the UAV that a handle stands for: a pointer for atomics.
    pub fn counter(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Id> {
        let handle = self.handle(value)?;
        let resource = self.resource(handle);
        let planned = self.plan.resources.get(handle.resource).and_then(|plan| plan.counter);
        let Some(descriptor) = planned else {
            return Err(binding_error!(
                resource.place(),
                "the binding plan has no place for the counter of {resource}"
            ));
        };
        let ty = descriptor.ty;
        if !matches!(ty, DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic | DescriptorType::Mutable)
        {
            return Err(binding_error!(resource.place(), "the counter of {resource} in a descriptor of type {ty}"));
        }
        let word = code.type_u32();
        let content = code.type_struct(StructKind::Block, &[Member::at(word, 0)]);
        let variable = self.declare(code, Declared::Counter(handle.resource.index() as u32), |cx, module| {
            cx.descriptor_variable(module, StorageClass::StorageBuffer, content, descriptor, "")
        })?;
        let picked = self.pick(code, handle, descriptor, content, variable)?;
        let zero = code.const_u32(0);
        let pointer = code.access_chain(word, picked.pointer, &[zero]);
        if picked.non_uniform {
            code.mark_new(pointer, Decoration::NonUniform);
        }
        Ok(pointer)
    }
}

/// The SPIR-V type of a component of texels. Vulkan wants it signed where the format is («Image Format and Type Matching»).
fn texel_type(module: &mut Module<'_>, element: ComponentType) -> Option<Id> {
    use ComponentType as C;
    Some(match element {
        C::F16 | C::F32 | C::SNormF16 | C::UNormF16 | C::SNormF32 | C::UNormF32 => module.type_f32(),
        C::I16 | C::I32 => module.type_i32(),
        C::U16 | C::U32 => module.type_u32(),
        // Two words each, as DXIL loads and stores them: D3D views such buffers as R32G32_UINT, or R32G32B32A32_UINT for pairs.
        C::I64 | C::U64 | C::F64 | C::SNormF64 | C::UNormF64 => module.type_u32(),
        _ => return None,
    })
}

/// The capabilities for a dynamically uniform and for a non-uniform index into descriptors of a type.
fn indexing(ty: DescriptorType) -> (Capability, Capability) {
    use Capability as C;
    use DescriptorType as D;
    match ty {
        D::StorageImage => (C::StorageImageArrayDynamicIndexing, C::StorageImageArrayNonUniformIndexing),
        D::UniformTexelBuffer => {
            (C::UniformTexelBufferArrayDynamicIndexing, C::UniformTexelBufferArrayNonUniformIndexing)
        }
        D::StorageTexelBuffer => {
            (C::StorageTexelBufferArrayDynamicIndexing, C::StorageTexelBufferArrayNonUniformIndexing)
        }
        D::UniformBuffer | D::UniformBufferDynamic => {
            (C::UniformBufferArrayDynamicIndexing, C::UniformBufferArrayNonUniformIndexing)
        }
        D::StorageBuffer | D::StorageBufferDynamic => {
            (C::StorageBufferArrayDynamicIndexing, C::StorageBufferArrayNonUniformIndexing)
        }
        _ => (C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing),
    }
}

/// `a + b` in 32 bits, folded where it can be.
pub(super) fn add(code: &mut Code<'_, '_>, a: Id, b: u32) -> Id {
    if b == 0 {
        return a;
    }
    if let Some(a) = code.constant_u32(a) {
        return code.const_u32(a.wrapping_add(b));
    }
    let (ty, b) = (code.type_u32(), code.const_u32(b));
    code.binary(Op::IAdd, ty, a, b)
}
