//! Descriptor sets with a resource in every descriptor that the shaders use.
//!
//! In: the layout of a pipeline, and what its modules declare. Out: descriptor sets, what their
//! resources contain at first, and which of them are results. What must hold: the content depends
//! on the seed and the binding alone; an error names the binding.

use ash::vk;
use dxil_capture::Digest;
use dxil_capture::model::{Binding, PipelineLayout};
use dxil_vulkan::{Buffer, Gpu, Named as _, Objects, Structure};
use rspirv::spirv::Dim;

use super::declared::{Block, Declared, Kind, Resource, Shape};
use super::fill::NumberSource;
use super::formats::{format_of, spec_of, texels};
use super::picture::Image;
use super::scene::Scene;
use super::slots::Slots;
use super::stop::{CannotRun, ResourceFault, Stop};
use super::texel::{components, element_of};
use crate::results::Element;
use crate::vulkan::{Made, SetBinding};

/// The size of a storage buffer, in bytes.
const BUFFER: usize = 1 << 16;
/// The texels of a buffer of texels. Their format may depend on the device, and so may its size.
const TEXELS: usize = 1 << 12;
/// The most descriptors of an array that get a resource of their own; further ones share these.
const DISTINCT: u32 = 16;
/// The most bytes of a block before its array of open length. A member may have any offset, and the
/// block has a content for all that is before it; D3D's constant buffers end at 64 KiB.
const LARGEST_BLOCK: u32 = 1 << 24;
/// The most descriptors of a binding: those of the largest heap that D3D promises. Each is written.
const LARGEST_BINDING: u32 = 1 << 20;
/// The most descriptors of all bindings together.
const DESCRIPTORS: u64 = 1 << 24;
/// The most numbers of a buffer's elements. Where they do not overlap there are fewer than
/// [`BUFFER`].
const NUMBERS: usize = 1 << 20;

/// What a pipeline reads and writes.
pub struct Bound<'g> {
    gpu: &'g Gpu,
    /// Views of texel buffers, samplers and the descriptor pool.
    objects: Objects<'g>,
    /// The sets, by number.
    pub sets: Vec<vk::DescriptorSet>,
    /// Zeros, one for each dynamic descriptor.
    pub dynamic_offsets: Vec<u32>,
    /// The buffers.
    pub buffers: Vec<Filled<Buffer<'g>>>,
    /// The images.
    pub images: Vec<Filled<Image<'g>>>,
    /// The push constants.
    pub push_constants: Vec<u8>,
    /// The shader records without handles and addresses, one behind another.
    pub records: Vec<u8>,
    /// What rays meet, if there are some.
    scene: Option<Scene<'g>>,
}

/// A resource with its content.
pub struct Filled<T> {
    /// The resource.
    pub it: T,
    /// What it contains before the pipeline runs.
    pub bytes: Vec<u8>,
    /// Its name, its elements, and how many of them are a texel, if the pipeline may write it.
    pub output: Option<(String, Element, usize)>,
}

/// Makes the resources of a pipeline and binds them.
///
/// # Errors
/// What the lab cannot make, or the driver's error.
pub fn bind<'g>(
    gpu: &'g Gpu,
    made: &Made<'_>,
    layout: &PipelineLayout,
    (declared, slots): (&Declared, &Slots),
    source: NumberSource,
) -> Result<Bound<'g>, Stop> {
    let mut bound = Bound {
        gpu,
        objects: Objects::new(gpu),
        sets: Vec::new(),
        dynamic_offsets: Vec::new(),
        buffers: Vec::new(),
        images: Vec::new(),
        push_constants: Vec::new(),
        records: Vec::new(),
        scene: None,
    };
    allocate(made, layout, &mut bound)?;
    for ((number, set), handle) in (0..).zip(&layout.sets).zip(bound.sets.clone()) {
        for binding in set.iter().flat_map(|set| &set.bindings) {
            let place = (number, binding.binding);
            // A descriptor that no shader uses needs no resource.
            let Some(views) = declared.resources.get(&place) else { continue };
            let mut binder = Binder { bound: &mut bound, source, place, binding, handle };
            binder.bind(views, slots.get(&place).map_or(&[], Vec::as_slice))?;
        }
    }
    let size = layout.push_ranges.iter().map(|range| range.offset + range.size).max().unwrap_or(0);
    let none = Block::default();
    let block = declared.push_constants.as_ref().unwrap_or(&none);
    bound.push_constants = source.constants(stream((u32::MAX, 0), 0), block, size as usize);
    Ok(bound)
}

impl<'g> Bound<'g> {
    /// The acceleration structure of the scene, which is built where it is needed first.
    ///
    /// # Errors
    /// The driver's.
    pub fn scene(&mut self) -> Result<&Structure<'g>, Stop> {
        let scene = match self.scene.take() {
            Some(scene) => scene,
            None => Scene::new(self.gpu)?,
        };
        Ok(&self.scene.insert(scene).top)
    }

    /// The digest of all inputs. Two drivers may need different formats for one resource, and then
    /// get different contents.
    pub fn digest(&self) -> Digest {
        let images = self.images.iter().map(|image| (image.it.image.shape.format.as_raw(), &image.bytes));
        let all = self
            .buffers
            .iter()
            .map(|buffer| (0, &buffer.bytes))
            .chain(images)
            .chain([&self.push_constants, &self.records].map(|it| (0, it)));
        let parts = all.map(|(format, bytes)| [&format.to_le_bytes()[..], &Digest::new(bytes).0].concat());
        Digest::new(&parts.collect::<Vec<_>>().concat())
    }
}

/// The stream of random numbers of a resource.
fn stream((set, binding): SetBinding, element: u32) -> u64 {
    u64::from(set) << 48 ^ u64::from(binding) << 16 ^ u64::from(element)
}

/// Allocates the sets.
fn allocate(made: &Made<'_>, layout: &PipelineLayout, bound: &mut Bound<'_>) -> Result<(), Stop> {
    use vk::DescriptorType as Type;
    if made.sets.is_empty() {
        return Ok(());
    }
    let (mut sizes, mut total) = (Vec::new(), 0);
    for (number, set) in layout.sets.iter().enumerate() {
        let Some(set) = set else {
            return Err(CannotRun::OtherLibrary(number).into());
        };
        if set.flags != 0 {
            let flags = vk::DescriptorSetLayoutCreateFlags::from_raw(set.flags);
            return Err(CannotRun::SetFlags { set: number, flags }.into());
        }
        for binding in set.bindings.iter().filter(|binding| binding.count != 0) {
            total += u64::from(binding.count);
            check_count(number, binding, total)?;
            let ty = Type::from_raw(binding.ty);
            match ty {
                Type::SAMPLER
                | Type::SAMPLED_IMAGE
                | Type::STORAGE_IMAGE
                | Type::UNIFORM_TEXEL_BUFFER
                | Type::STORAGE_TEXEL_BUFFER
                | Type::UNIFORM_BUFFER
                | Type::STORAGE_BUFFER
                | Type::ACCELERATION_STRUCTURE_KHR
                | Type::MUTABLE_EXT => {}
                Type::UNIFORM_BUFFER_DYNAMIC | Type::STORAGE_BUFFER_DYNAMIC => {
                    bound.dynamic_offsets.extend((0..binding.count).map(|_| 0));
                }
                _ => {
                    return Err(CannotRun::Type { set: number, binding: binding.binding, ty }.into());
                }
            }
            sizes.push(vk::DescriptorPoolSize { ty, descriptor_count: binding.count });
        }
    }
    if sizes.is_empty() {
        // A pool must have space for something, also if all sets are empty.
        sizes.push(vk::DescriptorPoolSize { ty: Type::SAMPLER, descriptor_count: 1 });
    }
    let device = &bound.gpu.device;
    let info = vk::DescriptorPoolCreateInfo::default().max_sets(made.sets.len() as u32).pool_sizes(&sizes);
    // SAFETY: a valid create info.
    let pool = unsafe { device.create_descriptor_pool(&info, None) };
    let pool = bound.objects.descriptor_pool(pool.named("vkCreateDescriptorPool")?);
    let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&made.sets);
    // SAFETY: a live pool with space for the sets, and live layouts.
    let sets = unsafe { device.allocate_descriptor_sets(&info) };
    bound.sets = sets.named("vkAllocateDescriptorSets")?;
    Ok(())
}

/// Whether the lab fills a binding, with which the layout has so many descriptors.
fn check_count(set: usize, binding: &Binding, total: u64) -> Result<(), CannotRun> {
    let (binding, count) = (binding.binding, binding.count);
    if count > LARGEST_BINDING {
        return Err(CannotRun::Binding { set, binding, count, most: LARGEST_BINDING });
    }
    if total > DESCRIPTORS {
        return Err(CannotRun::Descriptors(DESCRIPTORS));
    }
    Ok(())
}

/// Whether the content of a block has a size that the lab allocates.
pub fn check_block(block: &Block) -> Result<(), ResourceFault> {
    if block.size > LARGEST_BLOCK {
        return Err(ResourceFault::Block { size: block.size, most: LARGEST_BLOCK });
    }
    // Members may all be at one place, and elements a byte apart.
    let numbers = block.tail.as_ref().map_or(0, |(stride, fields)| BUFFER / (*stride).max(1) as usize * fields.len());
    if numbers > NUMBERS {
        return Err(ResourceFault::Numbers { numbers, most: NUMBERS });
    }
    Ok(())
}

/// The size of a storage buffer. In D3D a structured buffer has whole elements, so the lab's has
/// them.
pub fn storage_size(block: &Block) -> usize {
    let fixed = block.size as usize;
    let stride = block.tail.as_ref().map_or(1, |(stride, _)| *stride as usize);
    fixed + BUFFER.saturating_sub(fixed) / stride * stride
}

/// The type of a descriptor of a binding that has a view.
fn type_of(binding: &Binding, view: &Resource) -> vk::DescriptorType {
    use vk::DescriptorType as Type;
    let ty = Type::from_raw(binding.ty);
    let is_texels = |shape: &Shape| shape.dim == Dim::DimBuffer;
    match &view.kind {
        _ if ty != Type::MUTABLE_EXT => ty,
        Kind::Block(block) if block.is_uniform => Type::UNIFORM_BUFFER,
        Kind::Block(_) => Type::STORAGE_BUFFER,
        Kind::Image(shape) => match (is_texels(shape), shape.is_storage) {
            (false, false) => Type::SAMPLED_IMAGE,
            (false, true) => Type::STORAGE_IMAGE,
            (true, false) => Type::UNIFORM_TEXEL_BUFFER,
            (true, true) => Type::STORAGE_TEXEL_BUFFER,
        },
        Kind::Structure => Type::ACCELERATION_STRUCTURE_KHR,
        Kind::Sampler(_) => Type::SAMPLER,
        Kind::Other => ty,
    }
}

/// One binding.
struct Binder<'a, 'b> {
    bound: &'a mut Bound<'b>,
    source: NumberSource,
    place: SetBinding,
    binding: &'a Binding,
    handle: vk::DescriptorSet,
}

/// What a descriptor points to.
#[derive(Clone, Copy)]
enum Written {
    Buffer(vk::DescriptorBufferInfo),
    Image(vk::DescriptorImageInfo),
    Texels(vk::BufferView),
    Structure(vk::AccelerationStructureKHR),
}

impl Binder<'_, '_> {
    /// Fills the descriptors of the binding. Each has the view of its slot, or else the first one.
    fn bind(&mut self, views: &[Resource], slots: &[usize]) -> Result<(), Stop> {
        if !self.binding.samplers.is_empty() {
            return Ok(());
        }
        let view_of = |slot: u32| slots.get(slot as usize).copied().unwrap_or(0);
        let mut written: Vec<(vk::DescriptorType, Written)> = Vec::new();
        // The resources of each view so far, of which later descriptors take turns.
        let mut made: Vec<(Vec<Written>, usize)> = vec![(Vec::new(), 0); views.len()];
        for slot in 0..self.binding.count {
            let number = view_of(slot);
            let (Some(view), Some((known, count))) = (views.get(number), made.get_mut(number)) else { continue };
            if known.len() < DISTINCT as usize {
                known.push(self.resource(view, slot)?);
            }
            written.push((type_of(self.binding, view), known[*count % known.len()]));
            *count += 1;
        }
        self.write(&written);
        Ok(())
    }

    /// A resource of its own for a descriptor.
    fn resource(&mut self, view: &Resource, element: u32) -> Result<Written, Stop> {
        use vk::DescriptorType as Type;
        if let Kind::Block(block) = &view.kind {
            check_block(block).map_err(|what| self.cannot(what))?;
        }
        let (ty, is_writable) = (type_of(self.binding, view), view.is_writable);
        match (ty, &view.kind) {
            (Type::UNIFORM_BUFFER | Type::UNIFORM_BUFFER_DYNAMIC, Kind::Block(block)) => {
                let size = (block.size as usize).next_multiple_of(16).max(16);
                let bytes = self.source.constants(stream(self.place, element), block, size);
                self.buffer(bytes, vk::BufferUsageFlags::UNIFORM_BUFFER, None)
            }
            (Type::STORAGE_BUFFER | Type::STORAGE_BUFFER_DYNAMIC, Kind::Block(block)) => {
                let size = storage_size(block);
                let bytes = self.source.elements(stream(self.place, element), block, size);
                let output = is_writable.then_some((element, Element::of_block(block)));
                self.buffer(bytes, vk::BufferUsageFlags::STORAGE_BUFFER, output)
            }
            (Type::UNIFORM_TEXEL_BUFFER | Type::STORAGE_TEXEL_BUFFER, Kind::Image(shape)) => {
                self.texels(element, (shape, ty == Type::STORAGE_TEXEL_BUFFER), is_writable)
            }
            (Type::SAMPLED_IMAGE | Type::STORAGE_IMAGE, Kind::Image(shape)) => {
                self.image(element, (shape, ty == Type::STORAGE_IMAGE), is_writable)
            }
            (Type::SAMPLER, Kind::Sampler(compares)) => self.sampler(*compares),
            (Type::ACCELERATION_STRUCTURE_KHR, Kind::Structure) => Ok(Written::Structure(self.bound.scene()?.handle)),
            _ => Err(self.cannot(ResourceFault::Kind)),
        }
    }

    fn cannot(&self, what: ResourceFault) -> Stop {
        let (set, binding) = self.place;
        CannotRun::Resource { set, binding, what }.into()
    }

    fn name(&self, element: u32) -> String {
        let (set, binding) = self.place;
        match self.binding.count {
            1 => format!("set {set}, binding {binding}"),
            _ => format!("set {set}, binding {binding}[{element}]"),
        }
    }

    fn buffer(
        &mut self,
        bytes: Vec<u8>,
        usage: vk::BufferUsageFlags,
        output: Option<(u32, Element)>,
    ) -> Result<Written, Stop> {
        let it = Buffer::new(self.bound.gpu, usage, &bytes)?;
        let output = output.map(|(element, kind)| (self.name(element), kind, 1));
        let info = vk::DescriptorBufferInfo { buffer: it.handle, offset: 0, range: vk::WHOLE_SIZE };
        self.bound.buffers.push(Filled { it, bytes, output });
        Ok(Written::Buffer(info))
    }

    fn texels(
        &mut self,
        element: u32,
        (shape, is_storage): (&Shape, bool),
        is_writable: bool,
    ) -> Result<Written, Stop> {
        let format = format_of(shape, is_storage).ok_or_else(|| self.cannot(ResourceFault::Format))?;
        let bytes = texels(self.source, stream(self.place, element), format, TEXELS);
        let (usage, needed) = match is_storage {
            true => (vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER, vk::FormatFeatureFlags::STORAGE_TEXEL_BUFFER),
            false => (vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER, vk::FormatFeatureFlags::UNIFORM_TEXEL_BUFFER),
        };
        let gpu = self.bound.gpu;
        if !gpu.instance.format_features(format).buffer_features.contains(needed) {
            return Err(self.cannot(ResourceFault::Texels(format)));
        }
        let it = Buffer::new(gpu, usage, &bytes)?;
        let info = vk::BufferViewCreateInfo::default().buffer(it.handle).format(format).range(vk::WHOLE_SIZE);
        // SAFETY: a live buffer.
        let view = unsafe { gpu.device.create_buffer_view(&info, None) };
        let view = self.bound.objects.buffer_view(view.named("vkCreateBufferView")?);
        let output = (is_storage && is_writable).then(|| (self.name(element), element_of(format), components(format)));
        self.bound.buffers.push(Filled { it, bytes, output });
        Ok(Written::Texels(view))
    }

    fn image(&mut self, element: u32, (shape, is_storage): (&Shape, bool), is_writable: bool) -> Result<Written, Stop> {
        let format = format_of(shape, is_storage).ok_or_else(|| self.cannot(ResourceFault::Format))?;
        let mut spec = spec_of(shape).ok_or_else(|| self.cannot(ResourceFault::Dimensions))?;
        spec.shape.format = format;
        if is_storage {
            // A descriptor of a storage image has one level.
            spec.shape.mips = 1;
            spec.usage = vk::ImageUsageFlags::STORAGE;
        }
        let it = Image::new(self.bound.gpu, spec)?;
        let bytes = texels(self.source, stream(self.place, element), format, spec.shape.texels());
        // Images with several samples cannot be copied to or from buffers.
        let single = spec.shape.samples == 1;
        let output =
            (is_storage && is_writable && single).then(|| (self.name(element), element_of(format), components(format)));
        let view = it.view.handle;
        self.bound.images.push(Filled { it, bytes, output });
        Ok(Written::Image(vk::DescriptorImageInfo {
            sampler: vk::Sampler::null(),
            image_view: view,
            image_layout: vk::ImageLayout::GENERAL,
        }))
    }

    /// A sampler that takes the nearest texel: weights of filters differ between devices.
    fn sampler(&mut self, compares: bool) -> Result<Written, Stop> {
        let info = vk::SamplerCreateInfo::default()
            .max_lod(vk::LOD_CLAMP_NONE)
            .compare_enable(compares)
            .compare_op(vk::CompareOp::LESS_OR_EQUAL);
        // SAFETY: a valid create info.
        let made = unsafe { self.bound.gpu.device.create_sampler(&info, None) };
        let sampler = self.bound.objects.sampler(made.named("vkCreateSampler")?);
        Ok(Written::Image(vk::DescriptorImageInfo { sampler, ..Default::default() }))
    }

    /// Writes the descriptors, those of one type behind one another at once.
    fn write(&self, written: &[(vk::DescriptorType, Written)]) {
        let mut first = 0;
        for part in written.chunk_by(|a, b| a.0 == b.0) {
            let (mut buffers, mut images, mut texels, mut structures) = (vec![], vec![], vec![], vec![]);
            for (_, one) in part {
                match one {
                    Written::Buffer(info) => buffers.push(*info),
                    Written::Image(info) => images.push(*info),
                    Written::Texels(view) => texels.push(*view),
                    Written::Structure(handle) => structures.push(*handle),
                }
            }
            let mut next =
                vk::WriteDescriptorSetAccelerationStructureKHR::default().acceleration_structures(&structures);
            let write = vk::WriteDescriptorSet {
                dst_set: self.handle,
                dst_binding: self.place.1,
                dst_array_element: first,
                descriptor_count: part.len() as u32,
                descriptor_type: part[0].0,
                p_buffer_info: buffers.as_ptr(),
                p_image_info: images.as_ptr(),
                p_texel_buffer_view: texels.as_ptr(),
                p_next: if structures.is_empty() { std::ptr::null() } else { (&raw mut next).cast() },
                ..Default::default()
            };
            // SAFETY: a live set, and as many live resources of its type.
            unsafe { self.bound.gpu.device.update_descriptor_sets(&[write], &[]) };
            first += part.len() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says(result: Result<(), impl ToString>) -> String {
        result.err().unwrap().to_string()
    }

    #[test]
    fn a_block_has_a_size_before_it_has_a_content() {
        let block = |size| Block { size, ..Block::default() };
        assert!(check_block(&block(LARGEST_BLOCK)).is_ok());
        for size in [LARGEST_BLOCK + 1, u32::MAX] {
            let text = says(check_block(&block(size)));
            assert!(text.contains(&format!("a block of {size} bytes")), "{text}");
        }
    }

    #[test]
    fn descriptors_are_counted_before_they_are_written() {
        let binding = |count| Binding { binding: 3, count, ..Binding::default() };
        assert!(check_count(2, &binding(LARGEST_BINDING), DESCRIPTORS).is_ok());
        let text = says(check_count(2, &binding(u32::MAX), u32::MAX.into()));
        assert!(text.contains("set 2, binding 3 has 4294967295 descriptors"), "{text}");
        let text = says(check_count(2, &binding(1), DESCRIPTORS + 1));
        assert!(text.contains("more than the 16777216 descriptors"), "{text}");
    }

    #[test]
    fn elements_that_overlap_are_counted() {
        use crate::exec::declared::{Field, Scalar};
        let number = Field { offset: 0, scalar: Scalar::Integer, width: 32 };
        let block = |stride, fields| Block { tail: Some((stride, vec![number; fields])), ..Block::default() };
        for (stride, fields) in [(1, 1), (4, 1), (64, 64), (1 << 16, 1 << 14), (u32::MAX, 1 << 16)] {
            assert!(check_block(&block(stride, fields)).is_ok());
        }
        let text = says(check_block(&block(1, 1 << 16)));
        assert!(text.contains("elements of 4294967296 numbers"), "{text}");
    }
}
