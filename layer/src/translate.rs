//! The seam to the translator: everything the layer asks of it, in the layer's terms.
//!
//! In: bytes and plain data. Out: parsed shaders, plans, words. What must hold: no Vulkan handle crosses this line, and a panic
//! of the translator comes back as an error of kind `Bug`.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use dxil_translator::error::{Error, ErrorKind, Place};
pub use dxil_translator::profile::{DeviceProfile, Feature, FloatControls, VULKAN_1_1_FLOOR};

use crate::settings::Bindings;

/// One binding of a descriptor set layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayoutBinding {
    /// Binding number.
    pub binding: u32,
    /// `VkDescriptorType`.
    pub ty: i32,
    /// Descriptors; bytes for an inline uniform block.
    pub count: u32,
    /// `VkShaderStageFlags`.
    pub stages: u32,
    /// Whether the samplers are part of the layout.
    pub immutable_samplers: bool,
}

/// A push-constant range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PushRange {
    /// `VkShaderStageFlags`.
    pub stages: u32,
    /// First byte.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// A pipeline layout as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PipelineLayout {
    /// By set number; `None` where the layout leaves the set open (pipeline libraries).
    pub sets: Vec<Option<Vec<LayoutBinding>>>,
    /// Push-constant ranges.
    pub push_ranges: Vec<PushRange>,
}

/// A shader's front end: parsed and verified, immutable.
#[derive(Debug)]
pub struct Shader {}

/// Where each resource of one stage lives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan {}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plan")
    }
}

/// What a translation gives back.
pub struct Translation {
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// `[WaveSize]`: the subgroup size that the pipeline stage must ask for.
    pub required_subgroup_size: Option<u32>,
}

fn guarded<T>(what: &str, body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(body))
        .unwrap_or_else(|_| Err(Error::new(ErrorKind::Bug, Place::Input, format!("the translator panicked ({what})"))))
}

impl Shader {
    /// Parses and verifies a blob that begins with `DXBC`.
    ///
    /// # Errors
    /// The translator's.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        guarded("parse", || {
            let _ = bytes;
            Err(Error::new(ErrorKind::Unsupported, Place::Input, "this build has no translator"))
        })
    }

    /// Names of the entry points.
    pub fn entries(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Whether the blob is a library: no entry can be chosen before a pipeline names it.
    pub fn is_library(&self) -> bool {
        self.entries().len() != 1
    }

    /// Bytes it occupies, about.
    pub fn byte_size(&self) -> usize {
        0
    }
}

/// The binding plans of a pipeline's DXIL stages, one each.
///
/// # Errors
/// The translator's, mostly of kind `Binding`.
pub fn plan(
    stages: &[(&Shader, Option<&str>)],
    bindings: &Bindings,
    layout: Option<&PipelineLayout>,
    profile: &DeviceProfile,
) -> Result<Vec<Plan>, Error> {
    guarded("plan", || {
        let _ = (bindings, layout, profile);
        Ok(stages.iter().map(|_| Plan {}).collect())
    })
}

/// The SPIR-V of one entry point under a plan.
///
/// # Errors
/// The translator's.
pub fn translate(
    shader: &Shader,
    entry: Option<&str>,
    plan: &Plan,
    profile: &DeviceProfile,
) -> Result<Translation, Error> {
    guarded("translate", || {
        let _ = (shader, entry, plan, profile);
        Err(Error::new(ErrorKind::Unsupported, Place::Input, "this build has no translator"))
    })
}
