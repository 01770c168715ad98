//! One shader stage that is DXIL: its blob and entry point, whether they fit where the application uses
//! them, and what the code depends on around them. Pipelines and shader objects share this.
//!
//! In: code, a stage, the state around it. Out: a [`Part`], its [`Facts`], its translation. What must
//! hold: what the code depends on and nobody can know here is a failure, never a guess.

use std::ffi::CString;
use std::sync::Arc;

use ash::vk;

use crate::intercept::inspect::StageDxil;
use crate::intercept::objects::Device;
use crate::intercept::scratch::Scratch;
use crate::settings::DualSource;
use crate::translate::{Blob, Context, Emitted, EntryId, Facts, Failure, Request, Source};
use crate::translator::{Error, ErrorKind, Feature, Place};
use crate::vulkan::pipeline_state::GraphicsState;
use crate::vulkan::reads::Fact;

/// Why a pipeline or shader object is not created.
pub enum Refusal {
    /// Its DXIL cannot be used.
    Failed(Failure),
    /// The application forbade compilation, and a translation is needed.
    CompileRequired,
    /// The driver refused a module.
    Driver(vk::Result),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<vk::Result> for Refusal {
    fn from(result: vk::Result) -> Self {
        Self::Driver(result)
    }
}

/// A stage that is DXIL.
pub struct Part<'a> {
    /// Its place among the stages.
    pub index: usize,
    /// The stage.
    pub stage: vk::ShaderStageFlags,
    /// The blob.
    pub source: Arc<Source>,
    /// The entry point.
    pub entry: EntryId,
    /// Where the code is.
    pub dxil: StageDxil<'a>,
}

impl<'a> Part<'a> {
    /// A stage with this code and the entry point that `pName` means.
    ///
    /// # Errors
    /// The translator's; `CompileRequired` where the code is not parsed yet and may not be; the entry
    /// point is of another kind than the stage.
    pub fn new(
        (index, stage): (usize, vk::ShaderStageFlags),
        dxil: StageDxil<'a>,
        name: &str,
        may_compile: bool,
        scratch: &mut Scratch<'_>,
    ) -> Result<Self, Refusal> {
        let source = match &dxil {
            StageDxil::Module(module) => module.source.clone(),
            StageDxil::Code(bytes) => source(bytes, may_compile, scratch)?,
        };
        let entry = source.entry(name)?;
        check_stage(stage, &source, entry)?;
        Ok(Self { index, stage, source, entry, dxil })
    }
}

/// The parsed blob of code.
fn source(bytes: &[u8], may_compile: bool, scratch: &mut Scratch<'_>) -> Result<Arc<Source>, Refusal> {
    let key = (bytes.as_ptr() as usize, bytes.len());
    if let Some(source) = scratch.parsed.get(&key) {
        return Ok(source.clone());
    }
    let context = scratch.device.context();
    if !may_compile && !context.store.has_source(Blob::of(bytes)?.hash) {
        return Err(Refusal::CompileRequired);
    }
    let source = context.parse(bytes)?;
    scratch.parsed.insert(key, source.clone());
    Ok(source)
}

/// Refuses an entry point of another kind than the pipeline's stage
/// (VUID-VkPipelineShaderStageCreateInfo-pName-00707): a driver would take its SPIR-V unseen. In a
/// library, a wrong `pName` is all that this takes.
fn check_stage(stage: vk::ShaderStageFlags, source: &Source, entry: EntryId) -> Result<(), Failure> {
    let flag = source.shader.stage_flag(entry);
    if flag == stage.as_raw() {
        return Ok(());
    }
    let reason = format!("the stage {} was given an entry point of {}", stage_name(stage.as_raw()), stage_name(flag));
    Err(source.failure(Some(entry), Error::new(ErrorKind::Unsupported, Place::Input, reason)))
}

/// The name of a bit of `VkShaderStageFlagBits`.
fn stage_name(flag: u32) -> String {
    const NAMES: [&str; 14] = [
        "VERTEX_BIT",
        "TESSELLATION_CONTROL_BIT",
        "TESSELLATION_EVALUATION_BIT",
        "GEOMETRY_BIT",
        "FRAGMENT_BIT",
        "COMPUTE_BIT",
        "TASK_BIT_EXT",
        "MESH_BIT_EXT",
        "RAYGEN_BIT_KHR",
        "ANY_HIT_BIT_KHR",
        "CLOSEST_HIT_BIT_KHR",
        "MISS_BIT_KHR",
        "INTERSECTION_BIT_KHR",
        "CALLABLE_BIT_KHR",
    ];
    match NAMES.get(flag.trailing_zeros() as usize) {
        Some(name) if flag.is_power_of_two() => format!("VK_SHADER_STAGE_{name}"),
        _ => format!("no known stage (bits {flag:#x})"),
    }
}

/// Refuses a mesh shader with attributes of primitives in a library whose pixel shader is in another
/// one. A pixel shader does not say which of its inputs have one value per primitive, so that only
/// its translation beside the mesh shader can read them.
pub fn check_pixel_shader(part: &Part<'_>, state: impl Fn() -> Option<GraphicsState>) -> Result<(), Failure> {
    if part.stage != vk::ShaderStageFlags::MESH_EXT {
        return Ok(());
    }
    let Some(name) = part.source.shader.attribute_of_primitives(part.entry) else { return Ok(()) };
    if !state().is_some_and(|state| state.pixel_shader_elsewhere) {
        return Ok(());
    }
    let reason = format!(
        "the mesh shader outputs `{name}` per primitive, and a pixel shader that is created apart from it cannot find it; \
         create both in one pipeline library, or as linked shader objects"
    );
    Err(part.source.failure(Some(part.entry), Error::new(ErrorKind::Unsupported, Place::Input, reason)))
}

/// What is around a stage.
pub struct Around<'a> {
    /// The device.
    pub device: &'a Device,
    /// The stages of the same pipeline that are DXIL, or the linked ones.
    pub parts: &'a [&'a Part<'a>],
    /// Whether these are all stages up to the pixel shader, so that they can agree on their interfaces.
    pub all_dxil: bool,
    /// Whether another shader stage reads what this one writes, instead of the rasterizer.
    pub feeds_stage: &'a dyn Fn(&Part<'_>) -> Fact<bool>,
    /// Reads the graphics state. Called only if a shader depends on it.
    pub state: &'a dyn Fn() -> Option<GraphicsState>,
}

/// Whether `parts` are all of `count` stages, from the first one of a graphics pipeline to the pixel shader.
pub fn are_whole(parts: &[&Part<'_>], count: usize) -> bool {
    use vk::ShaderStageFlags as S;
    let has = |stages: S| parts.iter().any(|part| stages.contains(part.stage));
    parts.len() == count && has(S::FRAGMENT) && has(S::VERTEX | S::MESH_EXT)
}

impl Part<'_> {
    /// The name of the entry point in its translation.
    ///
    /// # Errors
    /// The name cannot be a C string.
    pub fn emitted_name(&self, emitted: &Emitted) -> Result<CString, Failure> {
        CString::new(emitted.entry.as_str()).map_err(|_| {
            let error = Error::new(ErrorKind::Unsupported, Place::Input, "the entry point's name contains a NUL");
            self.source.failure(Some(self.entry), error)
        })
    }

    /// The stages that read what this one writes, if they are there, before the rasterizer does.
    pub fn readers(&self) -> vk::ShaderStageFlags {
        use vk::ShaderStageFlags as S;
        match self.stage {
            S::VERTEX => S::TESSELLATION_CONTROL | S::GEOMETRY,
            S::TESSELLATION_EVALUATION => S::GEOMETRY,
            _ => S::empty(),
        }
    }

    /// A failure of kind `Binding` that concerns this stage.
    pub fn failure(&self, reason: &str) -> Failure {
        self.source.failure(Some(self.entry), Error::new(ErrorKind::Binding, Place::Input, reason))
    }
}

/// The state of the pipeline that the code of a stage depends on. Where the number of samples is
/// unknown it is 0, which the translator refuses in a shader that needs it. A pixel shader finds the
/// outputs of a mesh shader by what that shader says of them, if it is DXIL too.
pub fn facts(part: &Part<'_>, around: &Around<'_>) -> Result<Facts, Failure> {
    let shader = &part.source.shader;
    let mut facts = Facts::default();
    if shader.writes_for_rasterizer(part.entry) {
        facts.feeds_stage = match (around.feeds_stage)(part) {
            Fact::Known(feeds) => feeds,
            Fact::Unknown => return Err(part.failure(UNKNOWN_READER)),
        };
    }
    if around.device.profile.has(Feature::DualSrcBlend) && shader.has_second_target(part.entry) {
        facts.dual_source = dual_source(part, around.device, (around.state)().as_ref())?;
    }
    if part.stage == vk::ShaderStageFlags::FRAGMENT {
        facts.mesh_outputs = around.parts.iter().find_map(|other| other.source.shader.mesh_outputs(other.entry));
    }
    if around.device.profile.has(Feature::StorageInputOutput16) && shader.has_16_bit_interface(part.entry) {
        facts.wide_interface = around.all_dxil
            && around.parts.iter().any(|other| other.source.shader.evaluates_16_bit_inputs(other.entry));
    }
    facts.sample_shading = shader.reads_samples(part.entry) && (around.state)().is_some_and(|s| s.sample_shading);
    if facts.sample_shading || shader.asks_for_samples(part.entry) {
        facts.samples = (around.state)().map_or(0, |s| s.samples.or(0));
    }
    Ok(facts)
}

const UNKNOWN_READER: &str = "the shader writes a layer, a viewport or a shading rate, which the rasterizer reads or, as \
                              plain values, a shader stage that follows; VkShaderCreateInfoEXT::nextStage names both: \
                              link the shader objects, or name one of them";

/// Whether the second target of a pixel shader is the second source of blending.
fn dual_source(part: &Part<'_>, device: &Device, state: Option<&GraphicsState>) -> Result<bool, Failure> {
    match device.instance.settings.dual_source {
        DualSource::On => return Ok(true),
        DualSource::Off => return Ok(false),
        DualSource::Auto => {}
    }
    match state.map_or(Fact::Known(false), GraphicsState::second_source) {
        Fact::Known(known) => Ok(known),
        // Only with the feature may a command set a blend factor of the second source
        // (VUID-VkColorBlendEquationEXT-dualSrcBlend-07357), and it is the application that knows its commands.
        Fact::Unknown if !device.blends_two_sources => Ok(false),
        Fact::Unknown => {
            let reason = "whether SV_Target1 is a second colour attachment or the second source of blending is not known \
                          here: blending is dynamic or in another pipeline library, and so is the number of colour \
                          attachments; create the pixel shader's library together with the fragment output state, or set \
                          dual_source to on or off";
            Err(part.failure(reason))
        }
    }
}

/// The translation that a request names.
///
/// # Errors
/// The translator's; `CompileRequired` where it is not in the cache and may not be made.
pub fn translate(
    context: &Context<'_>,
    source: &Source,
    request: &Arc<Request>,
    may_compile: bool,
) -> Result<Arc<Emitted>, Refusal> {
    if !may_compile && !context.store.has(request) {
        return Err(Refusal::CompileRequired);
    }
    Ok(context.emit(source, request)?)
}
