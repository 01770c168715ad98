//! SPIR-V modules: translations, and containers embedded in SPIR-V.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use dxil_translator::{
    Bounds as Checks, EmbedOptions, Options as TranslationOptions, PlannedEntry, RawVectors as Vectors,
    StreamOutput as Row, embed, translate, translate_library,
};

use crate::border::{self, Answer, Failure, array, bytes, free, given, guard, hand, text, value, write};
use crate::error::{ErrorHandle, Result};
use crate::plan::{Plan, PlannedStage, chosen};
use crate::shader::locations;
use crate::structures::{read, read_array, structures};
use crate::texts::Texts;

/// A SPIR-V module. It does not change after its creation.
#[derive(Debug)]
pub struct Module {
    words: Vec<u32>,
    /// The names of the entry points of a translation.
    entry_names: Vec<Arc<CStr>>,
}

/// Who keeps D3D's rules for accesses outside a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Bounds {
    /// The driver, where a robustness feature of the profile covers the access; otherwise emitted
    /// checks.
    Auto = 0,
    /// Always the driver: the program knows that it keeps the rules.
    Driver = 1,
    /// Always emitted checks.
    Emit = 2,
}

/// How several components of a byte-address buffer are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum RawVectors {
    /// As vectors where the address is known to be aligned to the vector's size.
    Aligned = 0,
    /// One by one, so that each component has its own bounds on every device.
    Exact = 1,
}

/// The options of a translation. Members that are zero have their defaults. What the stages of the
/// plan say of each other (which stage reads the outputs of which, how patches and primitives are
/// linked) is known from the plan.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Options {
    /// sizeof(DxtrOptions), which the program sets.
    pub structure_size: usize,
    /// The name of the entry point in the module; null for its name in the container.
    pub entry_name: *const c_char,
    /// Not 0: the module has the names of resources and variables, for debuggers.
    pub names: u32,
    /// Not 0: the last stage before rasterization negates the y coordinate of the position, so that
    /// the viewport of Vulkan need not have a negative height.
    pub invert_y: u32,
    /// Not 0: SV_VertexID and SV_InstanceID include the base, as in Vulkan; in D3D they do not.
    pub vulkan_vertex_ids: u32,
    /// Not 0: two pipelines with the same expressions for the position compute the same position.
    pub invariant_position: u32,
    /// Not 0: all arithmetic of floats is precise.
    pub precise: u32,
    /// A value of DxtrBounds.
    pub bounds: u32,
    /// A value of DxtrRawVectors.
    pub raw_vectors: u32,
    /// A value of DxtrVertexLocations.
    pub vertex_locations: u32,
    /// The number of samples of the pipeline's targets; 0 if it is not known. A pixel shader that
    /// asks for it needs it.
    pub samples: u32,
    /// Not 0: VkPipelineMultisampleStateCreateInfo::sampleShadingEnable is set.
    pub sample_shading: u32,
    /// Not 0: the pipeline blends with two sources, and SV_Target1 is the second source of
    /// target 0.
    pub dual_source: u32,
    /// Number of stream outputs.
    pub stream_output_count: u32,
    /// The outputs that the last stage before rasterization also writes to buffers, between
    /// vkCmdBeginTransformFeedbackEXT and vkCmdEndTransformFeedbackEXT (VK_EXT_transform_feedback).
    pub stream_outputs: *const StreamOutput,
}

/// A row of an output that is also written to a buffer, as D3D12_SO_DECLARATION_ENTRY says. The
/// rows of an array follow each other. The elements of an array of stream outputs have the size
/// that the first one states.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StreamOutput {
    /// sizeof(DxtrStreamOutput), which the program sets.
    pub structure_size: usize,
    /// Semantic name, without the index.
    pub semantic: *const c_char,
    /// Semantic index.
    pub semantic_index: u32,
    /// The stream of a geometry shader.
    pub stream: u32,
    /// Number of the buffer. All outputs in a buffer are of one stream.
    pub buffer: u32,
    /// First byte in a vertex of the buffer.
    pub offset: u32,
    /// Bytes of a vertex, which all outputs in a buffer agree on.
    pub stride: u32,
}

structures! {
    Options;
    StreamOutput;
}

fn stream_outputs(given: &Options) -> Answer<Option<Arc<[Row]>>> {
    let rows = read_array(given.stream_outputs, given.stream_output_count)?;
    let row = |row: &StreamOutput| -> Answer<Row> {
        let semantic = border::given(text(row.semantic)?, "DxtrStreamOutput::semantic")?;
        let mut read = Row::new(semantic, row.semantic_index, row.buffer, row.offset, row.stride);
        read.stream = row.stream;
        Ok(read)
    };
    Ok(if rows.is_empty() { None } else { Some(rows.iter().map(row).collect::<Answer<_>>()?) })
}

fn translation_options(plan: &Plan, stage: &PlannedStage, given: Option<Options>) -> Answer<TranslationOptions> {
    let mut options = TranslationOptions::new(plan.profile.clone());
    options.pipeline = stage.state.clone();
    let Some(given) = given else { return Ok(options) };
    options.entry_point_name = text(given.entry_name)?.map(Arc::from);
    options.names = given.names != 0;
    options.invert_y = given.invert_y != 0;
    options.vulkan_vertex_ids = given.vulkan_vertex_ids != 0;
    options.invariant_position = given.invariant_position != 0;
    options.precise = given.precise != 0;
    options.bounds = chosen(given.bounds, &Checks::ALL, "DxtrBounds")?;
    options.raw_vectors = chosen(given.raw_vectors, &Vectors::ALL, "DxtrRawVectors")?;
    options.vertex_locations = locations(given.vertex_locations)?;
    options.pipeline.samples = given.samples;
    options.pipeline.sample_shading = given.sample_shading != 0;
    options.pipeline.dual_source = given.dual_source != 0;
    options.pipeline.stream_output = stream_outputs(&given)?;
    Ok(options)
}

/// Translates a stage of a plan, by its index in DxtrPlanInfo, to a module with one entry point.
/// `options` may be null for the defaults. Different threads may translate stages of one plan at
/// the same time. The same input gives the same words on every run, thread and machine.
///
/// On success `*module` is a handle, which the program frees with dxtr_module_free; otherwise it is
/// null. `error` may be null; otherwise `*error` is null on success, and an error that the program
/// frees. Codes: UNSUPPORTED, MISSING_FEATURE, BINDING, LIMIT, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_translate(
    plan: Option<&Plan>,
    stage: u32,
    options: *const Options,
    module: *mut *mut Module,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        hand(module, || {
            let plan = given(plan, "the plan")?;
            let stage = plan.stage(stage)?;
            let options = translation_options(plan, stage, read(options)?)?;
            let done = translate(&stage.shader, stage.entry, &stage.plan, &options)?;
            Ok(Module { words: done.words, entry_names: vec![Texts::default().intern(&done.reflection.entry)] })
        })
    })
}

/// Translates `stage_count` stages of a plan, whose indexes in DxtrPlanInfo are at `stages`, to one
/// module with an entry point for each of them, in their order. All must be entry points of one
/// library, such as the shaders of a ray-tracing pipeline. They share types and constants, and a
/// device needs the features of all of them. DxtrOptions::entry_name must be null. For the rest it
/// is as dxtr_plan_translate.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_translate_library(
    plan: Option<&Plan>,
    stages: *const u32,
    stage_count: u32,
    options: *const Options,
    module: *mut *mut Module,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        hand(module, || {
            let plan = given(plan, "the plan")?;
            let stages = array(stages, stage_count)?.iter().map(|&stage| plan.stage(stage));
            let stages = stages.collect::<Answer<Vec<_>>>()?;
            let first = *given(stages.first(), "the first stage")?;
            if stages.iter().any(|stage| stage.shader_index != first.shader_index) {
                return Err(Failure::argument("the stages are entry points of different shaders"));
            }
            if stages.iter().any(|stage| stage.state != first.state) {
                return Err(Failure::argument("the stages need different state of the pipeline, so each is a module"));
            }
            let options = translation_options(plan, first, read(options)?)?;
            if options.entry_point_name.is_some() {
                return Err(Failure::argument("DxtrOptions::entry_name is for a module with one entry point"));
            }
            let entries: Vec<_> = stages.iter().map(|stage| PlannedEntry::new(stage.entry, &stage.plan)).collect();
            let done = translate_library(&first.shader, &entries, &options)?;
            let texts = Texts::default();
            let entry_names = done.reflections.iter().map(|reflection| texts.intern(&reflection.entry)).collect();
            Ok(Module { words: done.words, entry_names })
        })
    })
}

/// Makes a SPIR-V module that carries the DXIL container of `size` bytes at `data`, for a library
/// that takes SPIR-V and hands it to Vulkan, where the layer translates the container
/// (docs/layer.md). The bytes are not needed after the call.
///
/// On success `*module` is a handle, which the program frees with dxtr_module_free; otherwise it is
/// null. `error` may be null; otherwise `*error` is null on success, and an error that the program
/// frees. Codes: MALFORMED, UNSUPPORTED, LIMIT, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_embed(
    data: *const c_void,
    size: usize,
    module: *mut *mut Module,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        hand(module, || {
            let bytes = bytes(data, size)?;
            Ok(Module { words: embed(bytes, &EmbedOptions::default())?, entry_names: Vec::new() })
        })
    })
}

/// The words of a module, for VkShaderModuleCreateInfo::pCode. `*size` is their size in bytes, as
/// in VkShaderModuleCreateInfo::codeSize; the pointer may be null. The words live as long as the
/// module. Null and 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_module_words(module: Option<&Module>, size: *mut usize) -> *const u32 {
    value(std::ptr::null(), || {
        if !size.is_null() {
            write(size, module.map_or(0, |module| size_of_val(&*module.words)))?;
        }
        Ok(given(module, "the module")?.words.as_ptr())
    })
}

/// The name of the entry point of a translation, for VkPipelineShaderStageCreateInfo::pName; of
/// several the first. It lives as long as the module. Null for null and for a module of dxtr_embed,
/// whose entry points have the names of those of the container.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_module_entry_name(module: Option<&Module>) -> *const c_char {
    dxtr_module_entry_name_at(module, 0)
}

/// The name of the entry point with this index, in the order of dxtr_plan_translate_library. It
/// lives as long as the module. Null for null and for an index that is not there.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_module_entry_name_at(module: Option<&Module>, index: u32) -> *const c_char {
    let name = module.and_then(|module| module.entry_names.get(index as usize));
    name.map_or(std::ptr::null(), |name| name.as_ptr())
}

/// Frees a module. Null is accepted.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_module_free(module: Option<Box<Module>>) {
    free(module);
}
