//! Declares in Vulkan what the root signature of docs/pipeline-layout.md declares in D3D12, and
//! creates a compute pipeline from the DXIL container through the layer.
//!
//! In: the path of the container. Out: the line `pipeline created`.

use ash::vk;

type Failure = Box<dyn std::error::Error>;

// [layout]
/// The set layouts, one for each set, and the pipeline layout.
fn layouts(
    device: &ash::Device,
    smooth: vk::Sampler,
    images: u32,
) -> Result<([vk::DescriptorSetLayout; 2], vk::PipelineLayout), vk::Result> {
    // Set 0 is the descriptor table. `images` is the capacity of its unbounded array. A set has as
    // many of them as its allocation asks for, and not all of these need a descriptor.
    let table = [vk::DescriptorSetLayoutBinding::default()
        .binding(0)
        .descriptor_type(vk::DescriptorType::SAMPLED_IMAGE)
        .descriptor_count(images)
        .stage_flags(vk::ShaderStageFlags::COMPUTE)];
    let flags = [vk::DescriptorBindingFlags::PARTIALLY_BOUND | vk::DescriptorBindingFlags::VARIABLE_DESCRIPTOR_COUNT];
    let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
    let table = vk::DescriptorSetLayoutCreateInfo::default().bindings(&table).push_next(&mut flags);

    // Set 1 is the root set. CBV(b1) is root parameter 2, and UAV(u0) is root parameter 3. The
    // static sampler follows the four parameters.
    let samplers = [smooth];
    let binding = |binding, ty| {
        vk::DescriptorSetLayoutBinding::default()
            .binding(binding)
            .descriptor_type(ty)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
    };
    let root = [
        binding(2, vk::DescriptorType::UNIFORM_BUFFER),
        binding(3, vk::DescriptorType::STORAGE_BUFFER),
        binding(4, vk::DescriptorType::SAMPLER).immutable_samplers(&samplers),
    ];
    let root = vk::DescriptorSetLayoutCreateInfo::default().bindings(&root);

    // The two root constants of b0 are the push constants.
    let constants = [vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::COMPUTE, offset: 0, size: 8 }];
    // SAFETY: the device and the sampler are alive, and what the create infos point to outlives the
    // calls.
    unsafe {
        let table = device.create_descriptor_set_layout(&table, None)?;
        let root = device.create_descriptor_set_layout(&root, None)?;
        let sets = [table, root];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&constants);
        Ok((sets, device.create_pipeline_layout(&info, None)?))
    }
}

/// The static sampler. The other members have the values of the default: nearest mip level, no
/// comparison, and no anisotropy.
fn static_sampler(device: &ash::Device) -> Result<vk::Sampler, vk::Result> {
    let info = vk::SamplerCreateInfo::default()
        .mag_filter(vk::Filter::LINEAR)
        .min_filter(vk::Filter::LINEAR)
        .mipmap_mode(vk::SamplerMipmapMode::NEAREST)
        .address_mode_u(vk::SamplerAddressMode::CLAMP_TO_EDGE)
        .address_mode_v(vk::SamplerAddressMode::CLAMP_TO_EDGE)
        .address_mode_w(vk::SamplerAddressMode::CLAMP_TO_EDGE)
        .max_lod(f32::MAX);
    // SAFETY: the device is alive.
    unsafe { device.create_sampler(&info, None) }
}
// [layout]

/// A compute pipeline from a DXIL container.
fn pipeline(device: &ash::Device, layout: vk::PipelineLayout, dxil: &[u8]) -> Result<vk::Pipeline, vk::Result> {
    let words: Vec<u32> =
        dxil.chunks(4).map(|c| u32::from_le_bytes(std::array::from_fn(|i| c.get(i).copied().unwrap_or(0)))).collect();
    let info = vk::ShaderModuleCreateInfo { code_size: dxil.len(), p_code: words.as_ptr(), ..Default::default() };
    // SAFETY: the device and the layout are alive, and `words` has at least `code_size` bytes. The
    // layer takes the container; code that it refuses does not reach the driver.
    unsafe {
        let module = device.create_shader_module(&info, None)?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        let made = device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
        device.destroy_shader_module(module, None);
        made.map(|pipelines| pipelines[0]).map_err(|(_, error)| error)
    }
}

fn instance(entry: &ash::Entry) -> Result<ash::Instance, vk::Result> {
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
    let layers = [c"VK_LAYER_DXIL_translate".as_ptr()];
    let info = vk::InstanceCreateInfo::default().application_info(&application).enabled_layer_names(&layers);
    // SAFETY: what the create info points to outlives the call.
    unsafe { entry.create_instance(&info, None) }
}

/// A device with the features that the binding flags and the unbounded array need.
fn device(instance: &ash::Instance) -> Result<ash::Device, Failure> {
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&priorities)];
    let mut features = vk::PhysicalDeviceVulkan12Features::default()
        .runtime_descriptor_array(true)
        .descriptor_binding_partially_bound(true)
        .descriptor_binding_variable_descriptor_count(true);
    let plain = vk::PhysicalDeviceFeatures::default().shader_sampled_image_array_dynamic_indexing(true);
    let info =
        vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_features(&plain).push_next(&mut features);
    // SAFETY: the physical device belongs to the instance, and what the create info points to
    // outlives the call.
    unsafe {
        let physical = *instance.enumerate_physical_devices()?.first().ok_or("there is no Vulkan device")?;
        Ok(instance.create_device(physical, &info, None)?)
    }
}

fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("usage: pipeline-layout FILE.dxil")?;
    let dxil = std::fs::read(path)?;
    // SAFETY: the Vulkan loader is a library of the system, and running its initialisers has no
    // preconditions.
    let entry = unsafe { ash::Entry::load() }?;
    let instance = instance(&entry)?;
    let device = device(&instance)?;
    let sampler = static_sampler(&device)?;
    let (sets, layout) = layouts(&device, sampler, 1024)?;
    let pipeline = pipeline(&device, layout, &dxil)?;
    println!("pipeline created");
    // SAFETY: this is the last use of these objects, each before what it was made from.
    unsafe {
        device.destroy_pipeline(pipeline, None);
        device.destroy_pipeline_layout(layout, None);
        sets.into_iter().for_each(|set| device.destroy_descriptor_set_layout(set, None));
        device.destroy_sampler(sampler, None);
        device.destroy_device(None);
        instance.destroy_instance(None);
    }
    Ok(())
}
