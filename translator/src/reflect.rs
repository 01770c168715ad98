//! What the layer needs to know of a translation besides the words.

use crate::binding::plan::Descriptor;
use crate::dxil::consts::ShaderStage;

/// A descriptor that a translated shader uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The D3D resource, as text.
    pub resource: Box<str>,
    /// Where it is.
    pub descriptor: Descriptor,
}

/// Facts of one translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reflection {
    /// The entry point's name in the SPIR-V.
    pub entry: Box<str>,
    /// Its stage.
    pub stage: Option<ShaderStage>,
    /// Descriptors used, in the order of the resources.
    pub bindings: Vec<Binding>,
    /// Bytes of push constants read; 0 for none.
    pub push_constant_size: u32,
    /// Compute: `[numthreads]`.
    pub workgroup_size: Option<[u32; 3]>,
    /// `[WaveSize]`: minimum, maximum (0: exactly the minimum), preferred (0: none).
    pub wave_size: Option<[u32; 3]>,
}
