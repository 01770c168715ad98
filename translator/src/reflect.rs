//! Properties of a translation that SPIR-V does not carry, or that the layer should not parse from
//! it.

use std::sync::Arc;

use crate::binding::plan::Descriptor;
use crate::ir::resources::Resource;
use crate::ops::consts::{ComponentType, ShaderStage};

/// The registers of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Registers {
    /// The register class: `b`, `t`, `u` or `s`.
    pub class: char,
    /// The first register.
    pub first: u32,
    /// The number of registers; `u32::MAX` is unbounded.
    pub count: u32,
    /// The register space.
    pub space: u32,
}

/// A descriptor that a translated shader uses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Binding {
    /// The D3D resource. It prints as text.
    pub resource: Resource,
    /// Its registers; `None` for a view of a descriptor heap, which has none.
    pub registers: Option<Registers>,
    /// Location of the descriptor.
    pub descriptor: Descriptor,
}

/// An input of a vertex shader that comes from a vertex buffer. A row of an array is one by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct VertexInput {
    /// Semantic name, without the index.
    pub semantic: Arc<str>,
    /// Semantic index.
    pub index: u32,
    /// `VkVertexInputAttributeDescription::location`.
    pub location: u32,
    /// First component at the location.
    pub component: u32,
    /// Number of components, 1 to 4.
    pub components: u32,
    /// The type of a component.
    pub ty: ComponentType,
    /// Whether the shader reads it.
    pub is_read: bool,
}

/// Properties of one translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reflection {
    /// The entry point's name in the SPIR-V.
    pub entry: Box<str>,
    /// The shader stage.
    pub stage: Option<ShaderStage>,
    /// The descriptors that the shader uses, in the order of the resources.
    pub bindings: Vec<Binding>,
    /// Size of the push constants that the shader reads, in bytes; 0 for none.
    pub push_constant_size: u32,
    /// `[numthreads]` of a compute shader.
    pub workgroup_size: Option<[u32; 3]>,
    /// `[WaveSize]`: minimum, maximum (0: exactly the minimum) and preferred size (0: none), in
    /// lanes.
    pub wave_size: Option<[u32; 3]>,
}
