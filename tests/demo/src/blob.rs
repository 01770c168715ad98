//! Shaders as the program passes them to Vulkan.

/// The compiled forms of one shader.
pub struct Blob {
    pub name: &'static str,
    pub dxil: &'static [u8],
    pub spirv: &'static [u8],
}
