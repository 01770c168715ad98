//! One shader stage that is DXIL: its blob and entry point, whether they match the stage, and the
//! pipeline state that its code depends on. Pipelines and shader objects share this module.
//!
//! In: code, a stage, the state around it. Out: a [`DxilStage`], its [`PipelineState`], its
//! translation. What must hold: if the code depends on state that is unknown, the stage fails; the
//! layer never guesses.

use std::ffi::CString;
use std::sync::Arc;

use ash::vk;

use crate::intercept::inspect::StageDxil;
use crate::intercept::objects::Device;
use crate::intercept::scratch::Scratch;
use crate::settings::DualSource;
use crate::translate::{
    BlobDigest, Context, Emitted, EntryId, Failure, Module, ParsedBlob, PipelineState, Request, StageOfCode,
    interface_mismatches as mismatches_between,
};
use crate::translator::{Error, ErrorKind, Feature, Place, StreamOutput};
use crate::vulkan::pipeline_state::GraphicsState;

/// Why a pipeline or shader object is not created.
pub enum Refusal {
    /// Its DXIL cannot be used.
    Failed(Failure),
    /// The application forbade compilation and a translation is needed, or the cache does not have
    /// the code that an identifier names.
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
pub struct DxilStage<'a> {
    /// Its index among the stages.
    pub index: usize,
    /// The stage.
    pub stage: vk::ShaderStageFlags,
    /// The blob.
    pub blob: Arc<ParsedBlob>,
    /// The entry point.
    pub entry: EntryId,
    /// Where the code is.
    pub code: StageDxil<'a>,
}

impl<'a> DxilStage<'a> {
    /// A stage with this code and the entry point named by `pName`.
    ///
    /// # Errors
    /// The translator's errors; `CompileRequired` if the code is not parsed yet and compilation is
    /// forbidden, or if the cache does not have what an identifier names; an error if the entry
    /// point has another stage.
    pub fn new(
        index: usize,
        stage: vk::ShaderStageFlags,
        code: StageDxil<'a>,
        name: &str,
        may_compile: bool,
        scratch: &mut Scratch<'_>,
    ) -> Result<Self, Refusal> {
        let blob = match &code {
            StageDxil::Module(module) => parsed_module(module, scratch)?,
            StageDxil::Code(bytes) => parsed_blob(bytes, may_compile, scratch)?,
            // The code is not at hand, so only the cache can have it.
            StageDxil::Identified(identifier) => match scratch.device.context().identified(*identifier) {
                Some(blob) => blob?,
                None => return Err(Refusal::CompileRequired),
            },
        };
        let entry = blob.entry(name)?;
        check_stage(stage, &blob, entry)?;
        Ok(Self { index, stage, blob, entry, code })
    }
}

/// The parsed blob of a module, from the scratch or the cache, or parsed again.
fn parsed_module(module: &Module, scratch: &mut Scratch<'_>) -> Result<Arc<ParsedBlob>, Failure> {
    // The module lives as long as the call.
    let key = (std::ptr::from_ref(module) as usize, 0);
    if let Some(blob) = scratch.parsed.get(&key) {
        return Ok(blob.clone());
    }
    let blob = module.blob(&scratch.device.context())?;
    scratch.parsed.insert(key, blob.clone());
    Ok(blob)
}

/// Parses code, or takes the result from the scratch or the cache.
fn parsed_blob(bytes: &[u8], may_compile: bool, scratch: &mut Scratch<'_>) -> Result<Arc<ParsedBlob>, Refusal> {
    let key = (bytes.as_ptr() as usize, bytes.len());
    if let Some(blob) = scratch.parsed.get(&key) {
        return Ok(blob.clone());
    }
    let context = scratch.device.context();
    if !may_compile && !context.has_parsed(bytes)? {
        return Err(Refusal::CompileRequired);
    }
    let blob = context.parse(&context.source(bytes)?)?;
    scratch.parsed.insert(key, blob.clone());
    Ok(blob)
}

/// Refuses an entry point whose stage differs from the pipeline's stage
/// (VUID-VkPipelineShaderStageCreateInfo-pName-00707), because drivers do not check its SPIR-V. In
/// a library, a wrong `pName` is enough to cause this.
fn check_stage(stage: vk::ShaderStageFlags, blob: &ParsedBlob, entry: EntryId) -> Result<(), Failure> {
    let flag = blob.shader.stage_flag(entry);
    if flag == stage.as_raw() {
        return Ok(());
    }
    let reason = format!("the stage {} was given an entry point of {}", stage_name(stage.as_raw()), stage_name(flag));
    Err(blob.failure(Some(entry), Error::new(ErrorKind::Unsupported, Place::Input, reason)))
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

/// Refuses a mesh shader with per-primitive attributes in a library whose pixel shader is in
/// another library. A pixel shader does not declare which of its inputs are per-primitive, so they
/// are known only if both are translated together.
pub fn check_pixel_shader(dxil: &DxilStage<'_>, state: impl Fn() -> Option<GraphicsState>) -> Result<(), Failure> {
    if dxil.stage != vk::ShaderStageFlags::MESH_EXT {
        return Ok(());
    }
    let Some(name) = dxil.blob.shader.attribute_of_primitives(dxil.entry) else { return Ok(()) };
    if !state().is_some_and(|state| state.pixel_shader_elsewhere) {
        return Ok(());
    }
    let reason = format!(
        "the mesh shader outputs `{name}` per primitive, and a pixel shader that is created apart from it cannot find it; \
         create both in one pipeline library, or as linked shader objects"
    );
    Err(dxil.blob.failure(Some(dxil.entry), Error::new(ErrorKind::Unsupported, Place::Input, reason)))
}

/// The context of a stage.
pub struct Around<'a> {
    /// The device.
    pub device: &'a Device,
    /// The stages of the same pipeline that are DXIL, or the linked ones.
    pub dxil_stages: &'a [&'a DxilStage<'a>],
    /// Whether these are all stages up to the pixel shader, so that their interfaces can be
    /// matched.
    pub all_dxil: bool,
    /// Whether another shader stage reads the outputs of this one, instead of the rasterizer;
    /// `None` if it is unknown.
    pub feeds_stage: &'a dyn Fn(&DxilStage<'_>) -> Option<bool>,
    /// Reads the graphics state. Called only if a shader depends on it.
    pub state: &'a dyn Fn() -> Option<GraphicsState>,
}

/// Whether `dxil_stages` are all `count` stages of a graphics pipeline, from the first one to the
/// pixel shader.
pub fn are_whole(dxil_stages: &[&DxilStage<'_>], count: usize) -> bool {
    use vk::ShaderStageFlags as S;
    let has = |stages: S| dxil_stages.iter().any(|dxil| stages.contains(dxil.stage));
    dxil_stages.len() == count && has(S::FRAGMENT) && has(S::VERTEX | S::MESH_EXT)
}

/// What the stages read, and the stage before or a vertex attribute does not give. Unless they are
/// the `whole` list of stages, others may be between them. `attributes` gives `None` if they are
/// unknown.
pub fn interface_mismatches<'a>(
    device: &Device,
    dxil_stages: &[&DxilStage<'_>],
    whole: bool,
    attributes: impl FnOnce() -> Option<&'a [vk::VertexInputAttributeDescription]>,
) -> Vec<String> {
    use vk::ShaderStageFlags as S;
    let mut found = Vec::new();
    if let Some(vertex) = dxil_stages.iter().find(|dxil| dxil.stage == S::VERTEX)
        && let Some(attributes) = attributes()
    {
        let locations = device.instance.settings.code.vertex_locations;
        let is_fed = |location| attributes.iter().any(|attribute| attribute.location == location);
        found = vertex.blob.shader.unfed_inputs(vertex.entry, locations, is_fed);
    }
    // Stages of other pipelines, of which there may be thousands, have no such interfaces.
    let graphics = S::ALL_GRAPHICS | S::MESH_EXT | S::TASK_EXT;
    if whole && dxil_stages.len() > 1 && dxil_stages.iter().all(|dxil| graphics.contains(dxil.stage)) {
        let stages: Vec<_> = dxil_stages.iter().map(|dxil| (&dxil.blob.shader, dxil.entry)).collect();
        found.extend(mismatches_between(&stages));
    }
    found
}

/// The message about what [`interface_mismatches`] found.
pub fn undefined_inputs(mismatches: &[String]) -> String {
    format!("{}; D3D12 refuses this, and Vulkan leaves the values undefined", mismatches.join("; "))
}

impl DxilStage<'_> {
    /// The name of the entry point in its translation.
    ///
    /// # Errors
    /// The name cannot be a C string.
    pub fn emitted_name(&self, stage: &StageOfCode) -> Result<CString, Failure> {
        CString::new(stage.entry.as_str()).map_err(|_| {
            let error = Error::new(ErrorKind::Unsupported, Place::Input, "the entry point's name contains a NUL");
            self.blob.failure(Some(self.entry), error)
        })
    }

    /// The stages that, if present, read the outputs of this one before the rasterizer.
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
        self.blob.failure(Some(self.entry), Error::new(ErrorKind::Binding, Place::Input, reason))
    }
}

/// The pipeline state that the code of a stage depends on. An unknown number of samples is 0, which
/// the translator refuses in a shader that needs it. The inputs of a pixel shader are matched with
/// the outputs of a mesh shader if that is DXIL too.
pub fn pipeline_state(dxil: &DxilStage<'_>, around: &Around<'_>) -> Result<PipelineState, Failure> {
    let shader = &dxil.blob.shader;
    let mut pipeline_state = PipelineState::default();
    if shader.writes_for_rasterizer(dxil.entry) {
        pipeline_state.feeds_stage = match (around.feeds_stage)(dxil) {
            Some(feeds) => feeds,
            None => return Err(dxil.failure(UNKNOWN_READER)),
        };
    }
    if around.device.profile.has(Feature::DualSrcBlend) && shader.has_second_target(dxil.entry) {
        pipeline_state.dual_source = dual_source(dxil, around.device, (around.state)().as_ref())?;
    }
    if dxil.stage == vk::ShaderStageFlags::FRAGMENT {
        pipeline_state.mesh_outputs =
            around.dxil_stages.iter().find_map(|other| other.blob.shader.mesh_outputs(other.entry));
    }
    let (hull, domain) = (vk::ShaderStageFlags::TESSELLATION_CONTROL, vk::ShaderStageFlags::TESSELLATION_EVALUATION);
    if (hull | domain).contains(dxil.stage) && around.dxil_stages.iter().any(|other| other.stage == domain) {
        pipeline_state.patch_location =
            around.dxil_stages.iter().find_map(|other| other.blob.shader.patch_location(other.entry));
    }
    if around.device.profile.has(Feature::StorageInputOutput16) && shader.has_16_bit_interface(dxil.entry) {
        pipeline_state.wide_interface = around.all_dxil
            && around.dxil_stages.iter().any(|other| other.blob.shader.evaluates_16_bit_inputs(other.entry));
    }
    pipeline_state.sample_shading =
        shader.reads_samples(dxil.entry) && (around.state)().is_some_and(|s| s.sample_shading);
    if pipeline_state.sample_shading || shader.asks_for_samples(dxil.entry) {
        pipeline_state.samples = (around.state)().map_or(0, |s| s.samples.unwrap_or(0));
    }
    pipeline_state.stream_output = stream_output(dxil, around)?;
    Ok(pipeline_state)
}

/// The outputs that the setting `stream_output` has the last stage before the rasterizer write to
/// buffers.
fn stream_output(dxil: &DxilStage<'_>, around: &Around<'_>) -> Result<Option<Arc<[StreamOutput]>>, Failure> {
    use vk::ShaderStageFlags as S;
    if !(S::VERTEX | S::TESSELLATION_EVALUATION | S::GEOMETRY).contains(dxil.stage) {
        return Ok(None);
    }
    let lists = &around.device.instance.settings.stream_output;
    let found = lists.find(&dxil.blob.hash, |rows| dxil.blob.shader.outputs(dxil.entry, rows));
    match found.as_ref().map(|_| (around.feeds_stage)(dxil)) {
        Some(None) => {
            let reason = "the setting stream_output is for the shader if no shader stage follows, and \
                          VkShaderCreateInfoEXT::nextStage names stages of both kinds: link the shader objects, or name one \
                          of them";
            Err(dxil.failure(reason))
        }
        Some(Some(true)) => Ok(None),
        _ => Ok(found),
    }
}

const UNKNOWN_READER: &str = "the shader writes a layer, a viewport or a shading rate, which the rasterizer reads or, as \
                              plain values, a shader stage that follows; VkShaderCreateInfoEXT::nextStage names both: \
                              link the shader objects, or name one of them";

/// Whether the second target of a pixel shader is the second source of blending.
fn dual_source(dxil: &DxilStage<'_>, device: &Device, state: Option<&GraphicsState>) -> Result<bool, Failure> {
    match device.instance.settings.dual_source {
        DualSource::On => return Ok(true),
        DualSource::Off => return Ok(false),
        DualSource::Auto => {}
    }
    match state.map_or(Some(false), GraphicsState::second_source) {
        Some(known) => Ok(known),
        // Commands may set blend factors of the second source only if the application enabled the
        // feature (VUID-VkColorBlendEquationEXT-dualSrcBlend-07357).
        None if !device.blends_two_sources => Ok(false),
        None => {
            let reason = "whether SV_Target1 is a second colour attachment or the second source of blending is not known \
                          here: blending is dynamic or in another pipeline library, and so is the number of colour \
                          attachments; create the pixel shader's library together with the fragment output state, or set \
                          dual_source to on or off";
            Err(dxil.failure(reason))
        }
    }
}

/// The largest number of blobs that a message of [`refused_by_driver`] names.
const LISTED: usize = 32;

/// The message about a driver that does not take translated code: what `command` returned, for
/// which blobs, and how the user finds out more.
pub fn refused_by_driver(command: &str, error: vk::Result, blobs: &[BlobDigest]) -> String {
    let listed: Vec<_> = blobs.iter().take(LISTED).map(BlobDigest::short).collect();
    let more = match blobs.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{command} returned {} for code that was translated from DXIL (blobs {}{more}); the setting capture_dir \
         (environment variable VK_DXIL_TRANSLATE_CAPTURE_DIR=FOLDER) writes all that is needed to repeat it, and dump_dir \
         the translations alone",
        error.as_raw(),
        listed.join(", ")
    )
}

/// The translation for a request.
///
/// # Errors
/// The translator's errors; `CompileRequired` if it is not in the cache and compilation is
/// forbidden.
pub fn translate(
    context: &Context<'_>,
    blob: &ParsedBlob,
    request: &Arc<Request>,
    may_compile: bool,
) -> Result<Arc<Emitted>, Refusal> {
    if !may_compile && !context.store.has_emitted(request, blob.pdb) {
        return Err(Refusal::CompileRequired);
    }
    Ok(context.emit(blob, request)?)
}
