//! Objects that are destroyed together.

use ash::vk;

use crate::gpu::Gpu;

/// Objects that are destroyed together, the newest first.
pub struct Objects<'a> {
    gpu: &'a Gpu,
    made: Vec<Object>,
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
    BufferView(vk::BufferView),
    Image(vk::Image),
    DescriptorPool(vk::DescriptorPool),
    QueryPool(vk::QueryPool),
    Framebuffer(vk::Framebuffer),
}

/// A method for each kind, which adds the object and returns it.
macro_rules! add {
    ($($name:ident: $kind:ident($ty:ident),)*) => {$(
        #[doc = concat!("Adds a `Vk", stringify!($ty), "`.")]
        pub fn $name(&mut self, object: vk::$ty) -> vk::$ty {
            self.made.push(Object::$kind(object));
            object
        }
    )*};
}

impl<'a> Objects<'a> {
    /// No objects.
    #[must_use]
    pub fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, made: Vec::new() }
    }

    add! {
        sampler: Sampler(Sampler),
        conversion: Conversion(SamplerYcbcrConversion),
        set_layout: SetLayout(DescriptorSetLayout),
        layout: Layout(PipelineLayout),
        module: Module(ShaderModule),
        render_pass: RenderPass(RenderPass),
        pipeline: Pipeline(Pipeline),
        buffer: Buffer(Buffer),
        buffer_view: BufferView(BufferView),
        image: Image(Image),
        descriptor_pool: DescriptorPool(DescriptorPool),
        query_pool: QueryPool(QueryPool),
        framebuffer: Framebuffer(Framebuffer),
    }
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        let device = &self.gpu.device;
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
                    Object::BufferView(it) => device.destroy_buffer_view(it, None),
                    Object::Image(it) => device.destroy_image(it, None),
                    Object::DescriptorPool(it) => device.destroy_descriptor_pool(it, None),
                    Object::QueryPool(it) => device.destroy_query_pool(it, None),
                    Object::Framebuffer(it) => device.destroy_framebuffer(it, None),
                }
            }
        }
    }
}
