//! The interface to the translator: the only file that calls it, except for `pdb`.
//!
//! In: bytes and plain data. Out: parsed shaders, plans, words. What must hold: a panic of the
//! translator becomes an error of kind `Bug`. Plain data types of the translator are re-exported by
//! [`translator`](crate::translator); the rest of its interface is used only here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dxil_translator::binding::stage_flag;
#[cfg(feature = "validate")]
pub use dxil_translator::validate;
use dxil_translator::{Entry, Options, PipelineStage, PlanInputs, VertexInput};

use crate::translator::{
    BindingMap, BindingOptions, BlobDigest, CodeOptions, DeviceProfile, EntryId, Error, ErrorKind, Feature, MeshOutput,
    Model, PipelineLayout, PipelineState, Place, Plan, Request, RootSignature, StreamOutput, Tessellation,
    VertexLocations,
};

/// A parsed and verified blob. It is immutable.
pub struct Shader(pub(super) dxil_translator::Shader);

/// The result of a translation.
pub struct Translation {
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// The entry point's name in it.
    pub entry: String,
    /// The subgroup size that the pipeline stage must require, because of `[WaveSize]`.
    pub required_subgroup_size: Option<u32>,
    /// The size in x of a thread group; 0 for stages without one.
    pub group_width: u32,
}

/// Calls the translator. By its contract it does not panic; if it does, the application gets an
/// error.
pub(super) fn guarded<T>(what: &str, body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(body))
        .unwrap_or_else(|_| Err(Error::new(ErrorKind::Bug, Place::Input, format!("the translator panicked ({what})"))))
}

impl Shader {
    /// Parses and verifies a blob that begins with `DXBC`.
    ///
    /// # Errors
    /// The translator's.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        guarded("parse", || dxil_translator::Shader::parse(bytes).map(Self))
    }

    /// The entry point named by a `pName`.
    ///
    /// # Errors
    /// The translator's error, with the names of the blob's entry points.
    pub fn find_entry(&self, name: &str) -> Result<EntryId, Error> {
        self.0.find_entry(Some(name))
    }

    /// The name of an entry point, for messages.
    pub fn entry_name(&self, entry: EntryId) -> &str {
        self.0.entry(entry).map_or("", |entry| &entry.name)
    }

    /// D3D's name of the stage of an entry point, for messages.
    pub fn stage_name(&self, entry: EntryId) -> String {
        self.0.entry(entry).map_or_else(String::new, |entry| entry.stage.to_string())
    }

    /// The bit of `VkShaderStageFlagBits` for the stage of an entry point; 0 if Vulkan has no such
    /// stage.
    pub fn stage_flag(&self, entry: EntryId) -> u32 {
        self.0.entry(entry).and_then(|entry| stage_flag(entry.stage)).unwrap_or(0)
    }

    /// Whether the entry is a pixel shader with an output of index 1, which blending can use as its
    /// second source.
    pub fn has_second_target(&self, entry: EntryId) -> bool {
        self.0.entry(entry).is_some_and(Entry::has_second_target)
    }

    /// Whether the entry writes a layer, viewport or shading rate. They are read by the rasterizer
    /// or, as ordinary values, by the next shader stage.
    pub fn writes_for_rasterizer(&self, entry: EntryId) -> bool {
        self.0.entry(entry).is_some_and(Entry::writes_for_rasterizer)
    }

    /// Whether the entry has all of these outputs.
    pub fn outputs(&self, entry: EntryId, rows: &[StreamOutput]) -> bool {
        let has = |entry: &Entry, row: &StreamOutput| entry.has_output(&row.semantic, row.index, row.stream);
        self.0.entry(entry).is_some_and(|entry| rows.iter().all(|row| has(entry, row)))
    }

    /// Whether the entry is a pixel shader that reads the number of samples of its targets.
    pub fn asks_for_samples(&self, entry: EntryId) -> bool {
        self.0.entry(entry).is_some_and(Entry::asks_for_samples)
    }

    /// Whether the entry is a pixel shader with values that depend on sample shading.
    pub fn reads_samples(&self, entry: EntryId) -> bool {
        self.0.entry(entry).is_some_and(Entry::reads_samples)
    }

    /// Whether the entry is a pixel shader that evaluates 16-bit inputs at explicit positions.
    pub fn evaluates_16_bit_inputs(&self, entry: EntryId) -> bool {
        self.0.entry(entry).is_some_and(Entry::evaluates_16_bit_inputs)
    }

    /// Whether the entry has inputs or outputs of 16 bits.
    pub fn has_16_bit_interface(&self, entry: EntryId) -> bool {
        self.0.entry(entry).is_some_and(Entry::has_16_bit_interface)
    }

    /// The outputs of a mesh shader, with which pixel shader inputs are matched; `None` for other
    /// stages.
    pub fn mesh_outputs(&self, entry: EntryId) -> Option<Arc<[MeshOutput]>> {
        self.0.mesh_outputs(entry)
    }

    /// The first location of the patch constants of a hull shader that needs another one than the
    /// default; `None` for others.
    pub fn patch_location(&self, entry: EntryId) -> Option<u32> {
        self.0.patch_location(entry)
    }

    /// The tessellation modes of a hull shader; `None` for other stages.
    pub fn tessellation(&self, entry: EntryId) -> Option<Tessellation> {
        self.0.tessellation(entry)
    }

    /// The first per-primitive attribute of a mesh shader that is not a system value.
    pub fn attribute_of_primitives(&self, entry: EntryId) -> Option<String> {
        let outputs = self.mesh_outputs(entry)?;
        let found = outputs.iter().find(|output| output.per_primitive && output.location.is_some());
        found.map(|output| format!("{}{}", output.semantic, output.index))
    }

    /// Why nothing can be emitted of the shader's source; `None` if something can.
    pub fn debug_warning(&self) -> Option<String> {
        self.0.debug_warning()
    }

    /// The inputs of a vertex shader that it reads, and that no attribute at one of these locations
    /// feeds.
    pub fn unfed_inputs(&self, entry: EntryId, by: VertexLocations, is_fed: impl Fn(u32) -> bool) -> Vec<String> {
        // A location that the choice does not give is an error of the translation.
        let inputs = self.0.vertex_inputs(entry, by).unwrap_or_default().into_iter();
        let unfed = inputs.filter(|input| input.is_read && !is_fed(input.location));
        let text = |input: VertexInput| {
            format!(
                "the vertex shader reads {}{} at location {}, which no VkVertexInputAttributeDescription gives",
                input.semantic.escape_debug(),
                input.index,
                input.location
            )
        };
        unfed.map(text).collect()
    }

    /// Whether the blob is a library, whose entry point is known only when a pipeline names it.
    pub fn is_library(&self) -> bool {
        self.0.is_library()
    }

    /// The memory of the parsed data, in bytes.
    pub fn byte_size(&self) -> usize {
        self.0.memory_size()
    }

    /// The request for a translation.
    ///
    /// # Errors
    /// The translator's, where the shader does not have the entry point.
    pub fn request(
        &self,
        blob: BlobDigest,
        entry: EntryId,
        plan: &Plan,
        pipeline_state: PipelineState,
        code: CodeOptions,
        profile: &DeviceProfile,
    ) -> Result<Request, Error> {
        let mut options = Options::new(profile.clone());
        options.pipeline = pipeline_state;
        (options.bounds, options.raw_vectors) = (code.bounds, code.raw_vectors);
        (options.vertex_locations, options.vulkan_vertex_ids) = (code.vertex_locations, code.vulkan_vertex_ids);
        (options.invert_y, options.names, options.debug) = (code.invert_y, code.names, code.debug);
        (options.invariant_position, options.precise) = (code.invariant_position, code.precise);
        Request::new(blob, &self.0, entry, plan.clone(), options)
    }
}

/// What the stages of a pipeline read, and the stage before does not write.
pub fn interface_mismatches(stages: &[(&Shader, EntryId)]) -> Vec<String> {
    let stages: Vec<_> = stages.iter().map(|&(shader, entry)| PipelineStage::new(&shader.0, entry)).collect();
    let found = guarded("interfaces", || Ok(dxil_translator::interface_mismatches(&stages)));
    found.unwrap_or_default().iter().map(ToString::to_string).collect()
}

/// Whether the header of SPIR-V code declares an embedded container. Only the header is read, the
/// generator word first.
pub fn is_embedded(code: &[u8]) -> bool {
    dxil_translator::is_embedded(code)
}

/// The container embedded in a SPIR-V module, and its hash; `None` for other code.
///
/// # Errors
/// The translator's error, if the container is damaged.
pub fn embedded(code: &[u8]) -> Result<Option<(Vec<u8>, BlobDigest)>, Error> {
    guarded("embedded container", || {
        let found = dxil_translator::extract(code)?;
        Ok(found.map(|embedded| (embedded.container, embedded.digest)))
    })
}

/// Parses the root signature in a file, in any format that the translator reads.
///
/// # Errors
/// The translator's, with the byte or with line and column.
pub fn root_signature(bytes: &[u8]) -> Result<RootSignature, Error> {
    guarded("root signature", || RootSignature::from_bytes(bytes, None))
}

/// The largest text of a binding map, in bytes.
pub const MAP_BYTES: u64 = dxil_base::limits::TEXT_BYTES as u64;

/// Parses a binding map.
///
/// # Errors
/// The translator's.
pub fn binding_map(text: &str) -> Result<BindingMap, Error> {
    guarded("binding map", || BindingMap::parse(text))
}

/// The root signatures that come from settings or from an application, and not from a container.
#[derive(Clone, Copy, Default)]
pub struct RootSignatures<'a> {
    /// The root signature of all stages, which overrides those in the containers.
    pub global: Option<&'a RootSignature>,
    /// The local root signature of ray-tracing shaders that have none or several in their library.
    pub local: Option<&'a RootSignature>,
    /// The local root signatures of the single stages, which come before the others; none or one
    /// for each stage.
    pub locals: &'a [Option<Arc<RootSignature>>],
}

impl<'a> RootSignatures<'a> {
    /// A stage of a pipeline.
    fn stage(&self, index: usize, shader: &'a Shader, entry: EntryId) -> PipelineStage<'a> {
        let stage = PipelineStage::new(&shader.0, entry);
        if !shader.0.entry(entry).is_some_and(|entry| entry.stage.is_rays()) {
            return stage;
        }
        let own = self.locals.get(index).and_then(Option::as_deref);
        match own.or(self.local.filter(|_| stage.local_root_signature.is_none())) {
            Some(local) => stage.with_local_root_signature(Some(local)),
            None => stage,
        }
    }
}

/// The inputs of planning besides options, a layout and a profile.
#[derive(Clone, Copy, Default)]
pub struct Given<'a> {
    /// The root signatures.
    pub signatures: RootSignatures<'a>,
    /// The binding map.
    pub map: Option<&'a BindingMap>,
}

/// The binding plans of a pipeline.
pub struct Planned {
    /// The binding model of the plans.
    pub model: Model,
    /// One plan for each DXIL stage.
    pub stages: Vec<Plan>,
}

/// Makes the binding plans of a pipeline's DXIL stages.
///
/// # Errors
/// The translator's errors, mostly of kind `Binding`.
pub fn plan(
    stages: &[(&Shader, EntryId)],
    options: &BindingOptions,
    given: Given<'_>,
    layout: Option<&PipelineLayout>,
    profile: &DeviceProfile,
) -> Result<Planned, Error> {
    guarded("plan", || {
        let stages =
            stages.iter().enumerate().map(|(index, &(shader, entry))| given.signatures.stage(index, shader, entry));
        let stages: Vec<_> = stages.collect();
        let inputs = PlanInputs::new(profile).with_options(*options).with_map(given.map).with_layout(layout);
        let inputs = inputs.with_root_signature(given.signatures.global);
        let plan = dxil_translator::plan(&stages, &inputs)?;
        static ONCE: AtomicBool = AtomicBool::new(false);
        if plan.second_choice && !ONCE.swap(true, Ordering::Relaxed) {
            log::info!("bindings = auto: the pipeline layout matches the {} model, which is used", plan.model);
        }
        Ok(Planned { model: plan.model, stages: plan.stages })
    })
}

/// Translates a request; `shader` is the request's blob.
///
/// # Errors
/// The translator's.
pub fn translate(shader: &Shader, request: &Request) -> Result<Translation, Error> {
    guarded("translate", || {
        let translation = request.translate(&shader.0)?;
        let (reflection, profile) = (translation.reflection, &request.options.profile);
        let required_subgroup_size = match reflection.wave_size {
            Some(wave_size) => {
                let threads = reflection.workgroup_size.unwrap_or_default().into_iter().map(u64::from).product();
                subgroup_size(wave_size, shader.stage_flag(request.entry), threads, profile)?
            }
            None => None,
        };
        let group_width = reflection.workgroup_size.map_or(0, |[width, ..]| width);
        Ok(Translation {
            words: translation.words,
            entry: reflection.entry.into(),
            required_subgroup_size,
            group_width,
        })
    })
}

/// The subgroup size that a stage with `[WaveSize(least, most, preferred)]` must require; `None` if
/// the device has only one size and it is allowed. `stage` is its `VkShaderStageFlagBits`, and
/// `threads` the size of its thread group.
fn subgroup_size(
    [least, most, preferred]: [u32; 3],
    stage: u32,
    threads: u64,
    profile: &DeviceProfile,
) -> Result<Option<u32>, Error> {
    let most = if most == 0 { least } else { most };
    let device = &profile.subgroup;
    let fits = |size: u32| (least..=most).contains(&size);
    if device.min_size == device.max_size && fits(device.size) {
        return Ok(None);
    }
    let possible =
        |size: &u32| size.is_power_of_two() && fits(*size) && (device.min_size..=device.max_size).contains(size);
    let sizes = [preferred, device.size].into_iter().chain((0..8).map(|shift| 1 << shift));
    let mut sizes = sizes.filter(possible).peekable();
    let fail = |kind, more: String| {
        let reason = format!(
            "the shader requires waves of {least} to {most} lanes, and the device has subgroups of {} to {} \
             invocations{more}",
            device.min_size, device.max_size
        );
        Err(Error::new(kind, Place::Input, reason))
    };
    if sizes.peek().is_none() || !profile.has(Feature::SubgroupSizeControl) {
        let kind = ErrorKind::MissingFeature(Feature::SubgroupSizeControl);
        return fail(kind, format!(", {} by default", device.size));
    }
    // VUID-VkPipelineShaderStageCreateInfo-pNext-02755.
    if device.required_size_stages & stage == 0 {
        let more = format!(
            ", whose size a stage can require only in the stages {:#x} \
             (VkPhysicalDeviceSubgroupSizeControlProperties::requiredSubgroupSizeStages), not in {stage:#x}",
            device.required_size_stages
        );
        return fail(ErrorKind::Unsupported, more);
    }
    // VUID-VkPipelineShaderStageCreateInfo-pNext-02756.
    let subgroups = device.max_compute_workgroup_subgroups;
    let holds = |size: &u32| subgroups == 0 || threads <= u64::from(subgroups) * u64::from(*size);
    match sizes.find(holds) {
        Some(size) => Ok(Some(size)),
        None => {
            let more = format!(
                ", of which a workgroup has at most {subgroups} if their size is required \
                 (VkPhysicalDeviceSubgroupSizeControlProperties::maxComputeWorkgroupSubgroups); the shader's group of \
                 {threads} threads needs more"
            );
            fail(ErrorKind::Unsupported, more)
        }
    }
}

#[cfg(test)]
mod tests;
