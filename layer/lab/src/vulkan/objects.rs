//! What was made, and its end.

use ash::vk;

use super::device::Lab;

/// Objects that are destroyed together, the newest first.
pub struct Objects<'a> {
    lab: &'a Lab,
    made: Vec<Object>,
    /// The structures that the capture does not have, by `sType`.
    pub lost: Vec<i32>,
}

enum Object {
    Sampler(vk::Sampler),
    Conversion(vk::SamplerYcbcrConversion),
    SetLayout(vk::DescriptorSetLayout),
    Layout(vk::PipelineLayout),
    Module(vk::ShaderModule),
    RenderPass(vk::RenderPass),
    Pipeline(vk::Pipeline),
    Buffer(vk::Buffer),
    Texels(vk::BufferView),
    Image(vk::Image),
    View(vk::ImageView),
    Memory(vk::DeviceMemory),
    DescriptorPool(vk::DescriptorPool),
    CommandPool(vk::CommandPool),
    Fence(vk::Fence),
}

/// A method for each kind, which keeps the object and gives it back.
macro_rules! keep {
    ($($name:ident: $kind:ident($ty:ident),)*) => {$(
        #[doc = concat!("Keeps a `Vk", stringify!($ty), "` until the end.")]
        pub fn $name(&mut self, object: vk::$ty) -> vk::$ty {
            self.made.push(Object::$kind(object));
            object
        }
    )*};
}

impl<'a> Objects<'a> {
    /// No objects.
    pub fn new(lab: &'a Lab) -> Self {
        Self { lab, made: Vec::new(), lost: Vec::new() }
    }

    keep! {
        sampler: Sampler(Sampler),
        conversion: Conversion(SamplerYcbcrConversion),
        set_layout: SetLayout(DescriptorSetLayout),
        layout: Layout(PipelineLayout),
        module: Module(ShaderModule),
        render_pass: RenderPass(RenderPass),
        pipeline: Pipeline(Pipeline),
        buffer: Buffer(Buffer),
        texels: Texels(BufferView),
        image: Image(Image),
        view: View(ImageView),
        memory: Memory(DeviceMemory),
        descriptor_pool: DescriptorPool(DescriptorPool),
        command_pool: CommandPool(CommandPool),
        fence: Fence(Fence),
    }
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        let device = &self.lab.device;
        for object in self.made.drain(..).rev() {
            // SAFETY: the object was made on this device, and nothing that uses it is left.
            unsafe {
                match object {
                    Object::Sampler(it) => device.destroy_sampler(it, None),
                    Object::Conversion(it) => device.destroy_sampler_ycbcr_conversion(it, None),
                    Object::SetLayout(it) => device.destroy_descriptor_set_layout(it, None),
                    Object::Layout(it) => device.destroy_pipeline_layout(it, None),
                    Object::Module(it) => device.destroy_shader_module(it, None),
                    Object::RenderPass(it) => device.destroy_render_pass(it, None),
                    Object::Pipeline(it) => device.destroy_pipeline(it, None),
                    Object::Buffer(it) => device.destroy_buffer(it, None),
                    Object::Texels(it) => device.destroy_buffer_view(it, None),
                    Object::Image(it) => device.destroy_image(it, None),
                    Object::View(it) => device.destroy_image_view(it, None),
                    Object::Memory(it) => device.free_memory(it, None),
                    Object::DescriptorPool(it) => device.destroy_descriptor_pool(it, None),
                    Object::CommandPool(it) => device.destroy_command_pool(it, None),
                    Object::Fence(it) => device.destroy_fence(it, None),
                }
            }
        }
    }
}
