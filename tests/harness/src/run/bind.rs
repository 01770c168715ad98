//! The resources, descriptor sets and pipeline layout of a fixture.

use ash::{khr, vk};
use dxil_test_support::spirv::words;

use super::descriptor_buffer::{Content, DescriptorBuffers};
use super::descriptors::{Descriptors, image_usage, is_buffer_info, is_dynamic};
use super::heap_buffers::DeviceHeaps;
use super::outputs::Outputs;
use super::structures::Structures;
use super::uses::Uses;
use crate::error::{Error, Result};
use crate::spec::{Fixture, Kind, Mips, Register, Resource, SamplerState};
use crate::vulkan::{Context, Format};
use dxil_vulkan::Named as _;
use dxil_vulkan::{Buffer, Image, ImageShape, Objects, View};

/// The buffer or image of one element of a resource.
pub(super) enum Store<'c> {
    Buffer(Buffer<'c>),
    Image(Image<'c>, Format),
    /// An acceleration structure and its address, both null for a null structure.
    Structure(vk::AccelerationStructureKHR, vk::DeviceAddress),
    None,
}

/// The objects of one `resource` line. A line with `is=` has no stores of its own.
pub(super) struct Object<'c> {
    register: Register,
    /// The index of the object whose stores this one uses: its own index, or that of the resource
    /// which `is=` names.
    pub(super) memory: usize,
    pub(super) stores: Vec<Store<'c>>,
    /// The samplers of elements with even and with odd numbers.
    samplers: [vk::Sampler; 2],
    /// The layout of the images while shaders use them.
    pub(super) layout: vk::ImageLayout,
}

/// All resources of a fixture, with descriptor sets that refer to them.
pub(super) struct Bound<'c> {
    pub(super) context: &'c Context,
    // What refers to the resources is destroyed before them.
    pub(super) owned: Objects<'c>,
    image_views: Vec<View<'c>>,
    structures: Option<Structures<'c>>,
    pub(super) objects: Vec<Object<'c>>,
    pub(super) set_layouts: Vec<vk::DescriptorSetLayout>,
    /// The descriptor sets; null for the set whose descriptors are pushed.
    sets: Vec<vk::DescriptorSet>,
    /// The descriptor buffers, which replace the descriptor sets.
    descriptor_buffers: Option<DescriptorBuffers<'c>>,
    /// The heaps of the device, which replace the descriptor sets.
    pub(super) heaps: Option<DeviceHeaps<'c>>,
    pushed: Vec<Descriptors>,
    pub(super) push_commands: Option<khr::push_descriptor::Device>,
    /// The dynamic offsets of each set.
    dynamic_offsets: Vec<Vec<u32>>,
    /// The views of the input attachments, by index.
    input_views: Vec<vk::ImageView>,
    pub(super) push: Option<(vk::ShaderStageFlags, Vec<u8>)>,
    /// The pipeline layout.
    pub(super) layout: vk::PipelineLayout,
}

/// What a resource's buffer has around its content.
const NOISE: u8 = 0xa5;

/// The content of a resource's buffer: noise up to the dynamic offset, then its own content, within
/// its margins.
fn offset_by(resource: &Resource, data: Vec<u8>) -> Vec<u8> {
    let mut all = vec![NOISE; (resource.offset + resource.margin) as usize];
    all.extend(data);
    all.resize(all.len() + resource.margin as usize, NOISE);
    all
}

pub(super) fn texel_format(kind: &Kind) -> vk::Format {
    match kind {
        Kind::TypedBuffer(format, _) => format.vk,
        // As texel buffers, raw and structured buffers consist of 32-bit words.
        _ => vk::Format::R32_UINT,
    }
}

impl<'c> Bound<'c> {
    /// Creates every resource with its initial contents.
    pub(super) fn new(fixture: &Fixture, context: &'c Context) -> Result<Self> {
        let mut bound = Self {
            context,
            owned: Objects::new(&context.gpu),
            image_views: Vec::new(),
            structures: None,
            objects: Vec::new(),
            set_layouts: Vec::new(),
            sets: Vec::new(),
            descriptor_buffers: None,
            heaps: None,
            pushed: Vec::new(),
            push_commands: None,
            dynamic_offsets: Vec::new(),
            input_views: Vec::new(),
            push: None,
            layout: vk::PipelineLayout::null(),
        };
        if !fixture.scene.tops.is_empty() {
            bound.structures = Some(Structures::new(context, &fixture.scene)?);
        }
        for (index, resource) in fixture.resources.iter().enumerate() {
            let memory = fixture.memory_of(resource).unwrap_or(index);
            let object = bound.object(
                fixture,
                resource,
                memory,
                &Uses::new(fixture, index, resource, context.heaps.is_some()),
            )?;
            bound.objects.push(object);
        }
        bound.fill(fixture)?;
        Ok(bound)
    }

    /// Creates the descriptors, after the layouts.
    pub(super) fn make_descriptors(&mut self, fixture: &Fixture) -> Result<()> {
        match fixture.descriptor_buffer {
            true => self.make_descriptor_buffers(fixture),
            false => self.make_sets(fixture),
        }
    }

    fn object(&mut self, fixture: &Fixture, resource: &Resource, memory: usize, uses: &Uses) -> Result<Object<'c>> {
        let mut samplers = [vk::Sampler::null(); 2];
        self.check_texel_buffer(resource)?;
        let made = if resource.alias.is_some() { 0 } else { resource.count };
        let stores = (0..made as usize).map(|element| {
            Ok(match &resource.kind {
                Kind::Structures(names) => {
                    // One name stands for all elements.
                    let name = names.get(element).or(names.first()).and_then(Option::as_deref);
                    let top = name.and_then(|name| fixture.scene.top(name));
                    let (handle, address) = top.and_then(|top| self.structures.as_ref()?.top(top)).unwrap_or_default();
                    Store::Structure(handle, address)
                }
                Kind::Sampler(state) => {
                    if samplers[0] == vk::Sampler::null() {
                        samplers = [self.sampler(state)?; 2];
                        if let Some(odd) = state.odd {
                            samplers[1] = self.sampler(&SamplerState { filters: [odd; 2], ..*state })?;
                        }
                    }
                    Store::None
                }
                Kind::ConstantBuffer(_) | Kind::Buffer(_) | Kind::TypedBuffer(..) => {
                    let bytes = match resource.kind {
                        // A range that is exactly as large as the buffer shows whether a shader
                        // needs more.
                        Kind::ConstantBuffer(bytes) => u64::from(bytes),
                        _ => resource.words() * 4,
                    };
                    let bytes = usize::try_from(bytes + u64::from(resource.offset) + u64::from(resource.margin) * 2);
                    let bytes = bytes.unwrap_or(usize::MAX);
                    Store::Buffer(Buffer::new(&self.context.gpu, uses.buffer, &vec![0; bytes])?)
                }
                Kind::Texture(shape, format, _) => {
                    let shape = ImageShape { cube: uses.cube, reformatted: uses.reformatted, ..*shape };
                    let copied = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
                    Store::Image(Image::new(&self.context.gpu, shape, format.aspect(), uses.image | copied)?, *format)
                }
            })
        });
        let stores = stores.collect::<Result<_>>()?;
        Ok(Object { register: resource.register, memory, stores, samplers, layout: uses.layout })
    }

    /// Writes the initial contents of every resource.
    pub(super) fn fill(&self, fixture: &Fixture) -> Result<()> {
        for (resource, object) in fixture.resources.iter().zip(&self.objects) {
            for (index, store) in (0..).zip(&object.stores) {
                let data = || resource.pattern.bytes(index * resource.words(), resource.words());
                match store {
                    Store::Buffer(buffer) => {
                        let mut data = data();
                        self.list_addresses(fixture, resource.register, &mut data);
                        buffer.write(&offset_by(resource, data));
                    }
                    Store::Image(image, _) if image.shape.samples > 1 => {
                        image.clear(vk::ClearValue::default(), object.layout)?
                    }
                    Store::Image(image, format) => {
                        image.upload(&data(), format.aspect(), format.bytes(), object.layout)?
                    }
                    Store::Structure(..) | Store::None => {}
                }
            }
        }
        Ok(())
    }

    /// The image that is bound at a register, if it is one.
    pub(super) fn image(&self, register: Register) -> Option<&Image<'c>> {
        let object = self.objects.iter().find(|object| object.register == register)?;
        match self.objects.get(object.memory)?.stores.first()? {
            Store::Image(image, _) => Some(image),
            _ => None,
        }
    }

    /// The address of the resource at a register: of its first element, if it is a buffer or an
    /// acceleration structure.
    pub(super) fn address(&self, register: Register) -> Option<vk::DeviceAddress> {
        let object = self.objects.iter().find(|object| object.register == register)?;
        match self.objects.get(object.memory)?.stores.first()? {
            Store::Buffer(buffer) => Some(buffer.address()),
            Store::Structure(_, address) => Some(*address),
            _ => None,
        }
    }

    /// Records a command that writes words to the start of a buffer.
    pub(super) fn update(&self, fixture: &Fixture, commands: vk::CommandBuffer, resource: usize, words: &[u32]) {
        let start = fixture.resources.get(resource).map_or(0, |resource| resource.margin.into());
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        for store in self.objects.get(resource).into_iter().flat_map(|object| &object.stores) {
            if let Store::Buffer(buffer) = store {
                // SAFETY: the command buffer is recording outside rendering. `Resource::updatable`
                // has checked the size, and `Uses::new` has added the usage TRANSFER_DST.
                unsafe { self.context.gpu.device.cmd_update_buffer(commands, buffer.handle, start, &data) };
            }
        }
    }

    fn check_texel_buffer(&self, resource: &Resource) -> Result<()> {
        let needed = match resource.descriptor {
            vk::DescriptorType::UNIFORM_TEXEL_BUFFER => vk::FormatFeatureFlags::UNIFORM_TEXEL_BUFFER,
            vk::DescriptorType::STORAGE_TEXEL_BUFFER => vk::FormatFeatureFlags::STORAGE_TEXEL_BUFFER,
            _ => return Ok(()),
        };
        let format = texel_format(&resource.kind);
        if self.context.gpu.instance.format_features(format).buffer_features.contains(needed) {
            return Ok(());
        }
        Err(Error::Skip(format!("the driver does not support {needed:?} for {format:?}")))
    }

    /// The create info of a sampler.
    pub(super) fn sampler_info(&self, state: &SamplerState) -> Result<vk::SamplerCreateInfo<'static>> {
        let anisotropy = state.anisotropy.filter(|_| self.context.features.has("sampler_anisotropy"));
        if state.anisotropy.is_some() && anisotropy.is_none() {
            return Err(Error::Skip("the driver does not support sampler_anisotropy".into()));
        }
        Ok(vk::SamplerCreateInfo::default()
            .min_filter(state.filters[0])
            .mag_filter(state.filters[1])
            .mipmap_mode(state.mip)
            .address_mode_u(state.address)
            .address_mode_v(state.address)
            .address_mode_w(state.address)
            .mip_lod_bias(state.bias)
            .anisotropy_enable(anisotropy.is_some())
            .max_anisotropy(anisotropy.unwrap_or(1.0))
            .compare_enable(state.compare.is_some())
            .compare_op(state.compare.unwrap_or(vk::CompareOp::NEVER))
            .min_lod(state.lod[0])
            .max_lod(state.lod[1])
            .border_color(state.border))
    }

    fn sampler(&mut self, state: &SamplerState) -> Result<vk::Sampler> {
        let info = self.sampler_info(state)?;
        // SAFETY: the device is alive, and the create info holds no pointers.
        let sampler = unsafe { self.context.gpu.device.create_sampler(&info, None) }.named("vkCreateSampler")?;
        Ok(self.owned.sampler(sampler))
    }

    /// The samplers at a register, of even and of odd elements.
    fn samplers_at(&self, register: Register) -> [vk::Sampler; 2] {
        let found = self.objects.iter().find(|object| object.register == register);
        found.map_or([vk::Sampler::null(); 2], |object| object.samplers)
    }

    /// The immutable samplers of a resource's binding, if it has such: those of the resource
    /// itself, or of the sampler that it is combined with.
    pub(super) fn immutable(&self, fixture: &Fixture, resource: &Resource) -> Option<[vk::Sampler; 2]> {
        let register = resource.with.unwrap_or(resource.register);
        let sampler = fixture.resources.iter().find(|other| other.register == register)?;
        match sampler.kind {
            Kind::Sampler(state) if state.fixed => Some(self.samplers_at(register)),
            _ => None,
        }
    }

    /// Writes the addresses of buffers and acceleration structures into the push constants.
    pub(super) fn write_addresses(&self, fixture: &Fixture, data: &mut [u8]) {
        for (resource, object) in fixture.resources.iter().zip(&self.objects) {
            let Some(at) = resource.address.map(|at| at as usize) else { continue };
            if let (Some(address), Some(slot)) = (self.address(object.register), data.get_mut(at..at + 8)) {
                slot.copy_from_slice(&address.to_le_bytes());
            }
        }
    }

    /// Writes the addresses that a buffer lists into its content.
    fn list_addresses(&self, fixture: &Fixture, list: Register, data: &mut [u8]) {
        for (resource, object) in fixture.resources.iter().zip(&self.objects) {
            let Some((_, element)) = resource.listed.filter(|(register, _)| *register == list) else { continue };
            let [stride, offset] = fixture.address_place.unwrap_or([1, 0]).map(|number| number as usize);
            let slots = data.chunks_exact_mut(8).skip(element as usize * stride + offset).step_by(stride);
            let Some(memory) = self.objects.get(object.memory) else { continue };
            for (slot, store) in slots.zip(&memory.stores) {
                let address = match store {
                    Store::Buffer(buffer) => buffer.address(),
                    Store::Structure(_, address) => *address,
                    Store::Image(..) | Store::None => continue,
                };
                slot.copy_from_slice(&address.to_le_bytes());
            }
        }
    }

    fn make_sets(&mut self, fixture: &Fixture) -> Result<()> {
        let described = described(fixture)?;
        for (set, layout) in (0u32..).zip(self.set_layouts.clone()) {
            let here: Vec<_> = described.iter().filter(|(resource, _)| resource.place.set == set).collect();
            let pushed = fixture.push_set == Some(set);
            let handle = if pushed { vk::DescriptorSet::null() } else { self.allocate(fixture, layout, &here)? };
            self.sets.push(handle);
            for &&(resource, index) in &here {
                let Some(descriptors) = self.descriptors(fixture, resource, index)? else { continue };
                if pushed {
                    self.pushed.push(descriptors);
                    continue;
                }
                descriptors.written(handle, |write| {
                    // SAFETY: the array for this descriptor type has as many entries as the type
                    // requires, which are alive and of this device, and no pending command uses the
                    // set.
                    unsafe { self.context.gpu.device.update_descriptor_sets(&[write], &[]) };
                });
            }
            // Dynamic offsets are ordered by binding and element.
            let mut dynamic: Vec<_> = here.iter().filter(|(resource, _)| is_dynamic(resource.descriptor)).collect();
            dynamic.sort_by_key(|(resource, _)| resource.place.binding);
            let offsets = dynamic.iter().flat_map(|(resource, _)| vec![resource.offset; resource.count as usize]);
            self.dynamic_offsets.push(offsets.collect());
        }
        Ok(())
    }

    fn make_descriptor_buffers(&mut self, fixture: &Fixture) -> Result<()> {
        let described = described(fixture)?;
        let mut sets = Vec::new();
        for (set, layout) in (0u32..).zip(self.set_layouts.clone()) {
            let mut contents = Vec::new();
            for &(resource, index) in described.iter().filter(|(resource, _)| resource.place.set == set) {
                let heaps = fixture.heaps.filter(|heaps| resource.heap.is_some() && heaps.is_mutable(resource.place));
                let types = heaps.map_or_else(|| vec![resource.descriptor], |_| fixture.heap_types().collect());
                if let Some(descriptors) = self.descriptors(fixture, resource, index)? {
                    contents.push(Content { descriptors, types });
                }
            }
            sets.push((layout, contents));
        }
        self.descriptor_buffers = Some(DescriptorBuffers::new(self.context, &sets)?);
        Ok(())
    }

    /// A new set for the resources of a layout, from a pool of its own.
    fn allocate(
        &mut self,
        fixture: &Fixture,
        layout: vk::DescriptorSetLayout,
        here: &[&(&Resource, usize)],
    ) -> Result<vk::DescriptorSet> {
        let mut sizes: Vec<_> = here
            .iter()
            .map(|(resource, _)| match fixture.heaps.filter(|_| resource.heap.is_some()) {
                None => vk::DescriptorPoolSize::default()
                    .ty(resource.descriptor)
                    .descriptor_count(resource.descriptor_count()),
                Some(heaps) => {
                    let mutable = heaps.is_mutable(resource.place);
                    let ty = if mutable { vk::DescriptorType::MUTABLE_EXT } else { resource.descriptor };
                    vk::DescriptorPoolSize::default().ty(ty).descriptor_count(heaps.size)
                }
            })
            .collect();
        if sizes.is_empty() {
            sizes.push(vk::DescriptorPoolSize::default().ty(vk::DescriptorType::STORAGE_BUFFER).descriptor_count(1));
        }
        let blocks =
            here.iter().filter(|(resource, _)| resource.descriptor == vk::DescriptorType::INLINE_UNIFORM_BLOCK).count();
        let mut inline =
            vk::DescriptorPoolInlineUniformBlockCreateInfo::default().max_inline_uniform_block_bindings(blocks as u32);
        let mut info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        if blocks > 0 {
            info = info.push_next(&mut inline);
        }
        let device = &self.context.gpu.device;
        // SAFETY: the pool sizes and the chained structure outlive the call.
        let pool = unsafe { device.create_descriptor_pool(&info, None) }.named("vkCreateDescriptorPool")?;
        self.owned.descriptor_pool(pool);
        let layouts = [layout];
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        // SAFETY: the pool and the set layout belong to this device, and the pool has space for the
        // set, which lives as long as the pool.
        let sets = unsafe { device.allocate_descriptor_sets(&info) }.named("vkAllocateDescriptorSets")?;
        sets.first().copied().ok_or_else(|| Error::Wrong("vkAllocateDescriptorSets gave no set".into()))
    }

    /// The descriptors of one resource; `None` where there is nothing to write.
    fn descriptors(&mut self, fixture: &Fixture, resource: &Resource, index: usize) -> Result<Option<Descriptors>> {
        let combined = resource.with.map(|register| self.samplers_at(register)[0]);
        let Some(object) = self.objects.get(index) else { return Ok(None) };
        let Some(memory) = self.objects.get(object.memory) else { return Ok(None) };
        let mut inline = Vec::new();
        let (mut buffers, mut images, mut texels) = (Vec::new(), Vec::new(), Vec::new());
        let mut addresses = Vec::new();
        let mut structures = Vec::new();
        for element in 0..resource.count {
            let (store, mips) = match resource.mips {
                Mips::All => (element, 0..vk::REMAINING_MIP_LEVELS),
                Mips::One(mip) => (element, mip..mip + 1),
                Mips::Each => (0, element..element + 1),
            };
            let Some(store) = memory.stores.get(store as usize) else { continue };
            match store {
                Store::Buffer(buffer) if fixture.descriptor_buffer => addresses.push(
                    vk::DescriptorAddressInfoEXT::default()
                        .address(buffer.address())
                        .range(buffer.size)
                        .format(texel_format(&resource.kind)),
                ),
                Store::Buffer(buffer) if is_buffer_info(resource.descriptor) => {
                    let range =
                        if resource.offset == 0 { vk::WHOLE_SIZE } else { buffer.size - u64::from(resource.offset) };
                    buffers.push(vk::DescriptorBufferInfo::default().buffer(buffer.handle).range(range))
                }
                Store::Buffer(_) if resource.descriptor == vk::DescriptorType::INLINE_UNIFORM_BLOCK => {
                    inline = resource.pattern.bytes(0, resource.words());
                }
                Store::Buffer(buffer) => {
                    let info = vk::BufferViewCreateInfo::default()
                        .buffer(buffer.handle)
                        .format(texel_format(&resource.kind))
                        .range(vk::WHOLE_SIZE);
                    // SAFETY: the buffer is alive and has the texel buffer usage of its descriptor
                    // type, and `check_texel_buffer` has checked the format.
                    let view = unsafe { self.context.gpu.device.create_buffer_view(&info, None) };
                    texels.push(self.owned.buffer_view(view.named("vkCreateBufferView")?));
                }
                Store::Image(image, _) => {
                    let Kind::Texture(_, format, kind) = resource.kind else { continue };
                    let mut range = format.whole(kind).base_mip_level(mips.start);
                    if mips.end != vk::REMAINING_MIP_LEVELS {
                        range.level_count = mips.end - mips.start;
                    }
                    let usage = image_usage(resource.descriptor);
                    let view = image.view(format.vk, kind, range, usage)?;
                    if resource.descriptor == vk::DescriptorType::INPUT_ATTACHMENT {
                        self.input_views.push(view.handle);
                    }
                    images.push(
                        vk::DescriptorImageInfo::default()
                            .image_view(view.handle)
                            .image_layout(memory.layout)
                            .sampler(combined.unwrap_or_default()),
                    );
                    self.image_views.push(view);
                }
                Store::Structure(handle, address) => structures.push((*handle, *address)),
                Store::None => {
                    let sampler = object.samplers[images.len() % 2];
                    images.push(vk::DescriptorImageInfo::default().sampler(sampler));
                }
            }
        }
        let immutable = self.immutable(fixture, resource).is_some();
        if immutable && resource.descriptor == vk::DescriptorType::SAMPLER {
            return Ok(None);
        }
        Ok(Some(Descriptors {
            set: resource.place.set,
            binding: resource.place.binding,
            first: resource.heap.unwrap_or(0),
            ty: resource.descriptor,
            count: resource.descriptor_count(),
            buffers,
            images,
            texels,
            addresses,
            structures,
            inline,
        }))
    }

    /// The views of the input attachments, in the order of the `resource` lines.
    pub(super) fn input_views(&self) -> &[vk::ImageView] {
        &self.input_views
    }

    /// Records commands that bind every set and set the push constants.
    pub(super) fn bind(&self, commands: vk::CommandBuffer, point: vk::PipelineBindPoint) {
        if let Some(heaps) = &self.heaps {
            return heaps.bind(commands, self.push.as_ref().map_or(&[], |(_, data)| data));
        }
        if let Some(buffers) = &self.descriptor_buffers {
            buffers.bind(commands, point, self.layout);
        }
        let device = &self.context.gpu.device;
        for ((number, &set), offsets) in (0..).zip(&self.sets).zip(&self.dynamic_offsets) {
            if set != vk::DescriptorSet::null() {
                // SAFETY: the command buffer is recording. The set was allocated with the layout of
                // this number in the pipeline layout, there is an offset for each dynamic
                // descriptor, and all of these live until `Gpu::submit` has waited for the queue.
                unsafe { device.cmd_bind_descriptor_sets(commands, point, self.layout, number, &[set], offsets) };
            }
        }
        for descriptors in &self.pushed {
            let Some(push) = &self.push_commands else { continue };
            descriptors.written(vk::DescriptorSet::null(), |write| {
                // SAFETY: the command buffer is recording, the device has the extension enabled,
                // the set layout of this number is a push-descriptor layout, and the write is valid
                // for it.
                unsafe { push.cmd_push_descriptor_set(commands, point, self.layout, descriptors.set, &[write]) };
            });
        }
        if let Some((stages, data)) = &self.push {
            // SAFETY: the command buffer is recording, and the layout has a push-constant range of
            // these stages and this size.
            unsafe { device.cmd_push_constants(commands, self.layout, *stages, 0, data) };
        }
    }

    /// Reads every resource that is marked `out`.
    pub(super) fn outputs(&self, fixture: &Fixture) -> Result<Outputs> {
        let mut outputs = Outputs::new();
        for (resource, object) in fixture.resources.iter().zip(&self.objects).filter(|(resource, _)| resource.out) {
            let mut all = Vec::new();
            for store in &object.stores {
                match store {
                    Store::Buffer(buffer) => {
                        let (start, margin) = ((resource.offset + resource.margin) as usize, resource.margin as usize);
                        let mut bytes = buffer.read((resource.words() * 4) as usize + start + margin);
                        let after = bytes.split_off(bytes.len() - margin);
                        let noise = bytes.iter().take(start).chain(&after);
                        if margin != 0 && noise.into_iter().any(|&byte| byte != NOISE) {
                            let name = resource.register.output();
                            return Err(Error::Wrong(format!("the shader has written outside of {name}")));
                        }
                        all.extend(bytes.into_iter().skip(start));
                    }
                    Store::Image(image, format) => {
                        all.extend(image.download(format.aspect(), format.bytes(), object.layout)?);
                    }
                    Store::Structure(..) | Store::None => {}
                }
            }
            outputs.push((resource.register.output(), words(&all)));
        }
        Ok(outputs)
    }
}

/// The resources that have a descriptor of their own, with their indexes. A sampler that is part of
/// a combined image sampler has none, nor has a resource that is reached by its address.
pub(super) fn described(fixture: &Fixture) -> Result<Vec<(&Resource, usize)>> {
    let mut described: Vec<(&Resource, usize)> = Vec::new();
    for (index, resource) in fixture.resources.iter().enumerate() {
        let inside = fixture.resources.iter().any(|other| other.with == Some(resource.register));
        if inside || !resource.described {
            continue;
        }
        let own = (resource.place, resource.heap);
        if let Some((other, _)) = described.iter().find(|(other, _)| (other.place, other.heap) == own) {
            let [a, b] = [other, resource].map(|resource| resource.register.output());
            let what =
                format!("{a} and {b} are both at set {}, binding {}", resource.place.set, resource.place.binding);
            return Err(Error::Spec(what));
        }
        described.push((resource, index));
    }
    Ok(described)
}
