//! Capabilities and extensions, and every question that lowering has about the device.
//!
//! In: the profile and a SPIR-V version. Out: OpCapability and OpExtension, sorted; answers. What
//! must hold: every capability of a module is checked against the profile here, and a capability
//! that `RULES` does not contain is refused. [`Caps`] holds the profile and does not hand it out.
//! Lowerings that have two forms choose by [`Caps::allows`], or by [`Caps::enabled`] for a feature
//! that has no capability. The list `disallowed-fields` of clippy.toml holds `lower` to this.
//!
//! The rules come from the table in the Vulkan specification's appendix «Vulkan Environment for
//! SPIR-V» («SPIR-V Capabilities»). The extensions, and the versions that include them, come from
//! the SPIR-V specification, «Capability» (3.31).

use rspirv::spirv::{Capability, Op};

use super::words::{Section, instruction, with_string};
use dxil_base::error::{Error, ErrorKind, Place, Result};
use dxil_base::profile::{DeviceLimits, DeviceProfile, Feature};
use dxil_base::quirks::Quirk;

/// The condition under which a profile allows a capability.
#[derive(Clone, Copy, Debug)]
pub(super) enum Requirement {
    /// Every Vulkan 1.1 device has it.
    Always,
    /// Any of the features is enough.
    Any(&'static [Feature]),
    /// Any of the features, or the Vulkan version, is enough.
    AnyOrApi(&'static [Feature], (u8, u8)),
    /// A bit of `VkSubgroupFeatureFlags`.
    Subgroup(u32),
    /// A bit of the float controls, of any width.
    Float(u32),
}

/// What a capability needs and a profile does not have.
enum Need {
    /// A later version of SPIR-V.
    Version((u8, u8)),
    /// One of these features.
    Feature(&'static [Feature]),
    /// A bit of `VkSubgroupFeatureFlags`.
    Subgroup(u32),
    /// A property of the float controls.
    Float,
}

/// An extension, and the first SPIR-V version that does not need it.
pub(super) type Extension = (&'static str, (u8, u8));

/// No version includes the extension.
const NEVER: (u8, u8) = (u8::MAX, u8::MAX);

pub(super) struct Rule {
    pub(super) capability: Capability,
    pub(super) allow: Requirement,
    pub(super) extension: Option<Extension>,
}

const fn rule(capability: Capability, allow: Requirement) -> Rule {
    Rule { capability, allow, extension: None }
}
const fn with(capability: Capability, allow: Requirement, name: &'static str, core: (u8, u8)) -> Rule {
    Rule { capability, allow, extension: Some((name, core)) }
}

const DESCRIPTOR_INDEXING: &str = "SPV_EXT_descriptor_indexing";

/// Every capability that translated code may declare.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = {
    use Requirement::{Always, Any, AnyOrApi, Float, Subgroup};
    use dxil_base::profile::{Feature as F, FloatControls as FC};
    use Capability as C;
    &[
        rule(C::Shader, Always),
        rule(C::Geometry, Any(&[F::GeometryShader])),
        rule(C::Tessellation, Any(&[F::TessellationShader])),
        rule(C::TransformFeedback, Any(&[F::TransformFeedback])),
        rule(C::GeometryStreams, Any(&[F::GeometryStreams])),
        rule(C::GeometryPointSize, Any(&[F::TessellationAndGeometryPointSize])),
        rule(C::TessellationPointSize, Any(&[F::TessellationAndGeometryPointSize])),
        rule(C::Float16, Any(&[F::Float16])),
        rule(C::Float64, Any(&[F::Float64])),
        rule(C::Int64, Any(&[F::Int64])),
        rule(C::Int64Atomics, Any(&[F::BufferInt64Atomics, F::SharedInt64Atomics, F::ImageInt64Atomics])),
        rule(C::Int16, Any(&[F::Int16])),
        rule(C::Int8, Any(&[F::Int8])),
        rule(C::ImageGatherExtended, Any(&[F::ImageGatherExtended])),
        rule(C::StorageImageMultisample, Any(&[F::StorageImageMultisample])),
        rule(C::UniformBufferArrayDynamicIndexing, Any(&[F::UniformBufferArrayDynamicIndexing])),
        rule(C::SampledImageArrayDynamicIndexing, Any(&[F::SampledImageArrayDynamicIndexing])),
        rule(C::StorageBufferArrayDynamicIndexing, Any(&[F::StorageBufferArrayDynamicIndexing])),
        rule(C::StorageImageArrayDynamicIndexing, Any(&[F::StorageImageArrayDynamicIndexing])),
        rule(C::ClipDistance, Any(&[F::ClipDistance])),
        rule(C::CullDistance, Any(&[F::CullDistance])),
        rule(C::ImageCubeArray, Any(&[F::ImageCubeArray])),
        rule(C::SampledCubeArray, Any(&[F::ImageCubeArray])),
        rule(C::SampleRateShading, Any(&[F::SampleRateShading])),
        rule(C::InterpolationFunction, Any(&[F::SampleRateShading])),
        rule(C::SparseResidency, Any(&[F::ResourceResidency])),
        rule(C::MinLod, Any(&[F::ResourceMinLod])),
        rule(C::InputAttachment, Always),
        rule(C::Sampled1D, Always),
        rule(C::Image1D, Always),
        rule(C::SampledBuffer, Always),
        rule(C::ImageBuffer, Always),
        rule(C::ImageMSArray, Any(&[F::StorageImageMultisample])),
        // The feature only promises that the formats work. The capability is always allowed
        // (Vulkan, «Features»).
        rule(C::StorageImageExtendedFormats, Always),
        rule(C::ImageQuery, Always),
        rule(C::DerivativeControl, Always),
        rule(C::StorageImageReadWithoutFormat, AnyOrApi(&[F::StorageImageReadWithoutFormat], (1, 3))),
        rule(C::StorageImageWriteWithoutFormat, AnyOrApi(&[F::StorageImageWriteWithoutFormat], (1, 3))),
        rule(C::MultiViewport, Any(&[F::MultiViewport])),
        rule(C::GroupNonUniform, Subgroup(1)),
        rule(C::GroupNonUniformVote, Subgroup(2)),
        rule(C::GroupNonUniformArithmetic, Subgroup(4)),
        rule(C::GroupNonUniformBallot, Subgroup(8)),
        rule(C::GroupNonUniformShuffle, Subgroup(0x10)),
        rule(C::GroupNonUniformShuffleRelative, Subgroup(0x20)),
        rule(C::GroupNonUniformClustered, Subgroup(0x40)),
        rule(C::GroupNonUniformQuad, Subgroup(0x80)),
        with(C::GroupNonUniformPartitionedEXT, Any(&[F::SubgroupPartitioned]), "SPV_NV_shader_subgroup_partitioned", NEVER),
        with(C::DrawParameters, Any(&[F::DrawParameters]), "SPV_KHR_shader_draw_parameters", (1, 3)),
        with(C::MultiView, Any(&[F::Multiview]), "SPV_KHR_multiview", (1, 3)),
        with(C::StorageBuffer16BitAccess, Any(&[F::StorageBuffer16Bit]), "SPV_KHR_16bit_storage", (1, 3)),
        with(C::UniformAndStorageBuffer16BitAccess, Any(&[F::UniformAndStorageBuffer16Bit]), "SPV_KHR_16bit_storage", (1, 3)),
        with(C::StoragePushConstant16, Any(&[F::StoragePushConstant16]), "SPV_KHR_16bit_storage", (1, 3)),
        with(C::StorageInputOutput16, Any(&[F::StorageInputOutput16]), "SPV_KHR_16bit_storage", (1, 3)),
        with(C::StorageBuffer8BitAccess, Any(&[F::StorageBuffer8Bit]), "SPV_KHR_8bit_storage", (1, 5)),
        with(C::ShaderLayer, Any(&[F::OutputLayer]), "", (1, 5)),
        with(C::ShaderViewportIndex, Any(&[F::OutputViewportIndex]), "", (1, 5)),
        with(C::ShaderViewportIndexLayerEXT, Any(&[F::ViewportIndexLayer]), "SPV_EXT_shader_viewport_index_layer", NEVER),
        with(C::DenormPreserve, Float(FC::DENORM_PRESERVE), "SPV_KHR_float_controls", (1, 4)),
        with(C::DenormFlushToZero, Float(FC::DENORM_FLUSH_TO_ZERO), "SPV_KHR_float_controls", (1, 4)),
        with(C::SignedZeroInfNanPreserve, Float(FC::SIGNED_ZERO_INF_NAN_PRESERVE), "SPV_KHR_float_controls", (1, 4)),
        with(C::RoundingModeRTE, Float(FC::ROUNDING_RTE), "SPV_KHR_float_controls", (1, 4)),
        with(C::RoundingModeRTZ, Float(FC::ROUNDING_RTZ), "SPV_KHR_float_controls", (1, 4)),
        with(C::LongVectorEXT, Any(&[F::LongVector]), "SPV_EXT_long_vector", NEVER),
        with(C::FloatControls2, Any(&[F::FloatControls2]), "SPV_KHR_float_controls2", NEVER),
        with(C::ShaderNonUniform, AnyOrApi(NON_UNIFORM, (1, 2)), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::RuntimeDescriptorArray, Any(&[F::RuntimeDescriptorArray]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::InputAttachmentArrayDynamicIndexing, Any(&[F::InputAttachmentArrayDynamicIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::UniformTexelBufferArrayDynamicIndexing, Any(&[F::UniformTexelBufferArrayDynamicIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::StorageTexelBufferArrayDynamicIndexing, Any(&[F::StorageTexelBufferArrayDynamicIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::UniformBufferArrayNonUniformIndexing, Any(&[F::UniformBufferArrayNonUniformIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::SampledImageArrayNonUniformIndexing, Any(&[F::SampledImageArrayNonUniformIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::StorageBufferArrayNonUniformIndexing, Any(&[F::StorageBufferArrayNonUniformIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::StorageImageArrayNonUniformIndexing, Any(&[F::StorageImageArrayNonUniformIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::UniformTexelBufferArrayNonUniformIndexing, Any(&[F::UniformTexelBufferArrayNonUniformIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::StorageTexelBufferArrayNonUniformIndexing, Any(&[F::StorageTexelBufferArrayNonUniformIndexing]), DESCRIPTOR_INDEXING, (1, 5)),
        with(C::VulkanMemoryModel, Any(&[F::VulkanMemoryModel]), "SPV_KHR_vulkan_memory_model", (1, 5)),
        with(C::VulkanMemoryModelDeviceScope, Any(&[F::VulkanMemoryModelDeviceScope]), "SPV_KHR_vulkan_memory_model", (1, 5)),
        with(C::PhysicalStorageBufferAddresses, Any(&[F::BufferDeviceAddress]), "SPV_KHR_physical_storage_buffer", (1, 5)),
        with(C::DemoteToHelperInvocation, Any(&[F::DemoteToHelperInvocation]), "SPV_EXT_demote_to_helper_invocation", (1, 6)),
        with(C::DotProduct, Any(&[F::IntegerDotProduct]), "SPV_KHR_integer_dot_product", (1, 6)),
        with(C::DotProductInput4x8Bit, Any(&[F::IntegerDotProduct]), "SPV_KHR_integer_dot_product", (1, 6)),
        with(C::DotProductInput4x8BitPacked, Any(&[F::IntegerDotProduct]), "SPV_KHR_integer_dot_product", (1, 6)),
        with(C::FragmentBarycentricKHR, Any(&[F::FragmentShaderBarycentric]), "SPV_KHR_fragment_shader_barycentric", NEVER),
        with(C::FragmentShaderSampleInterlockEXT, Any(&[F::FragmentShaderSampleInterlock]), "SPV_EXT_fragment_shader_interlock", NEVER),
        with(C::FragmentShaderPixelInterlockEXT, Any(&[F::FragmentShaderPixelInterlock]), "SPV_EXT_fragment_shader_interlock", NEVER),
        with(C::FragmentShadingRateKHR, Any(&[F::PipelineFragmentShadingRate, F::PrimitiveFragmentShadingRate]), "SPV_KHR_fragment_shading_rate", NEVER),
        with(C::ShaderClockKHR, Any(&[F::SubgroupClock, F::DeviceClock]), "SPV_KHR_shader_clock", NEVER),
        with(C::StencilExportEXT, Any(&[F::StencilExport]), "SPV_EXT_shader_stencil_export", NEVER),
        with(C::SampleMaskPostDepthCoverage, Any(&[F::PostDepthCoverage]), "SPV_KHR_post_depth_coverage", NEVER),
        with(C::FragmentFullyCoveredEXT, Any(&[F::ConservativeRasterization]), "SPV_EXT_fragment_fully_covered", NEVER),
        with(C::AtomicFloat32AddEXT, Any(&[F::ImageFloat32AtomicAdd]), "SPV_EXT_shader_atomic_float_add", NEVER),
        with(C::Int64ImageEXT, Any(&[F::ImageInt64Atomics]), "SPV_EXT_shader_image_int64", NEVER),
        with(C::QuadControlKHR, Any(&[F::QuadControl]), "SPV_KHR_quad_control", NEVER),
        with(C::ComputeDerivativeGroupQuadsKHR, Any(&[F::ComputeDerivativeGroupQuads]), "SPV_KHR_compute_shader_derivatives", NEVER),
        with(C::RayTracingKHR, Any(&[F::RayTracingPipeline]), "SPV_KHR_ray_tracing", NEVER),
        with(C::RayTraversalPrimitiveCullingKHR, Any(&[F::RayTraversalPrimitiveCulling]), "SPV_KHR_ray_tracing", NEVER),
        with(C::RayQueryKHR, Any(&[F::RayQuery]), "SPV_KHR_ray_query", NEVER),
        with(C::RayTracingOpacityMicromapEXT, Any(&[F::OpacityMicromap]), "SPV_EXT_opacity_micromap", NEVER),
        with(C::ShaderInvocationReorderNV, Any(&[F::RayTracingInvocationReorder]), "SPV_NV_shader_invocation_reorder", NEVER),
        with(C::ShaderInvocationReorderEXT, Any(&[F::RayTracingInvocationReorderExt]), "SPV_EXT_shader_invocation_reorder", NEVER),
        with(C::MeshShadingEXT, Any(&[F::MeshShader, F::TaskShader]), "SPV_EXT_mesh_shader", NEVER),
        with(C::ComputeDerivativeGroupLinearKHR, Any(&[F::ComputeDerivativeGroupLinear]), "SPV_KHR_compute_shader_derivatives", NEVER),
    ]
};

/// The first SPIR-V version that may have a capability. The Vulkan extensions for rays and meshes
/// depend on `VK_KHR_spirv_1_4` (Vulkan, appendix «Layers & Extensions»); no extension brings the
/// subgroup operations of Vulkan 1.1 to older versions.
pub(super) const fn least_version(capability: Capability) -> (u8, u8) {
    match capability {
        // It needs physical addresses, by an extension or by this version.
        Capability::ShaderInvocationReorderNV | Capability::ShaderInvocationReorderEXT => (1, 5),
        Capability::RayTracingKHR
        | Capability::RayTraversalPrimitiveCullingKHR
        | Capability::RayQueryKHR
        | Capability::RayTracingOpacityMicromapEXT
        | Capability::MeshShadingEXT => (1, 4),
        Capability::GroupNonUniform
        | Capability::GroupNonUniformVote
        | Capability::GroupNonUniformArithmetic
        | Capability::GroupNonUniformBallot
        | Capability::GroupNonUniformShuffle
        | Capability::GroupNonUniformShuffleRelative
        | Capability::GroupNonUniformClustered
        | Capability::GroupNonUniformQuad
        | Capability::LongVectorEXT => (1, 3),
        _ => (1, 0),
    }
}

static NON_UNIFORM: &[Feature] = &[
    Feature::UniformBufferArrayNonUniformIndexing,
    Feature::SampledImageArrayNonUniformIndexing,
    Feature::StorageBufferArrayNonUniformIndexing,
    Feature::StorageImageArrayNonUniformIndexing,
    Feature::UniformTexelBufferArrayNonUniformIndexing,
    Feature::StorageTexelBufferArrayNonUniformIndexing,
];

/// The capabilities and extensions of a module.
pub struct Caps<'p> {
    profile: &'p DeviceProfile,
    version: (u8, u8),
    /// The place of errors; see [`Module::set_place`](super::Module::set_place).
    pub(super) place: Place,
    /// Those of the current entry point, sorted by number. There are few of them, and they are
    /// looked up often.
    used: Vec<Capability>,
    /// Those of the entry points before, sorted by number.
    before: Vec<Capability>,
    extensions: Vec<&'static str>,
}

impl<'p> Caps<'p> {
    /// No capabilities yet. `version` is the SPIR-V version to write, lowered to that of the
    /// profile.
    pub(super) fn new(profile: &'p DeviceProfile, version: (u8, u8)) -> Self {
        let version = version.min(profile.spirv);
        Caps { profile, version, place: Place::Input, used: Vec::new(), before: Vec::new(), extensions: Vec::new() }
    }

    /// Whether a module for the device can have vectors of this many components, more than the core
    /// has (SPV_EXT_long_vector).
    pub fn has_long_vectors(profile: &DeviceProfile, components: u32) -> bool {
        profile.limits.max_vector_components >= components
            && Caps::new(profile, profile.spirv).allows(Capability::LongVectorEXT)
    }

    /// The SPIR-V version being written.
    pub fn version(&self) -> (u8, u8) {
        self.version
    }

    /// Whether the current entry point has declared a capability. What an entry point is lowered to
    /// does not depend on those before it.
    pub fn has(&self, capability: Capability) -> bool {
        self.used.binary_search(&capability).is_ok()
    }

    /// Whether an entry point of the module has declared a capability.
    pub(super) fn module_has(&self, capability: Capability) -> bool {
        self.has(capability) || self.before.binary_search(&capability).is_ok()
    }

    /// Begins the next entry point, which has declared no capability yet.
    pub(super) fn begin_entry(&mut self) {
        self.before = self.of_module();
        self.used.clear();
    }

    /// The capabilities of the module, in order.
    fn of_module(&self) -> Vec<Capability> {
        let mut all = [&*self.before, &*self.used].concat();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The capabilities that the current entry point has declared, in order.
    pub fn capabilities(&self) -> &[Capability] {
        &self.used
    }

    /// The declared extensions, in order.
    pub fn extensions(&self) -> &[&'static str] {
        &self.extensions
    }

    /// Whether the device has the feature enabled. A lowering asks this for a feature that has no
    /// capability, such as robustness, and [`allows`](Self::allows) for one that has.
    pub fn enabled(&self, feature: Feature) -> bool {
        self.profile.has(feature)
    }

    /// Whether the device has a float control, a constant of
    /// [`FloatControls`](dxil_base::profile::FloatControls), for floats of this width.
    pub fn has_float_control(&self, width: u32, control: u32) -> bool {
        let float = &self.profile.float;
        let controls = match width {
            16 => float.f16,
            32 => float.f32,
            64 => float.f64,
            _ => 0,
        };
        controls & control != 0
    }

    /// The largest range of a uniform buffer that a descriptor may have, in bytes.
    pub fn max_uniform_buffer_range(&self) -> u32 {
        self.profile.limits.max_uniform_buffer_range
    }

    /// Limits of the device.
    pub fn limits(&self) -> &DeviceLimits {
        &self.profile.limits
    }

    /// Whether storage images of a kind may be read without a format: `kind` is a constant of
    /// [`StorageFormats`](dxil_base::profile::StorageFormats). Vulkan permits it by feature, and
    /// from version 1.3 on by format (Vulkan, appendix "Vulkan Environment for SPIR-V",
    /// `StorageImageReadWithoutFormat`).
    pub fn reads_without_format(&self, kind: u32) -> bool {
        let by_format = self.profile.api >= (1, 3) && self.profile.formats.read_without_format & kind != 0;
        self.enabled(Feature::StorageImageReadWithoutFormat) || by_format
    }

    /// Checks that the profile has the feature.
    ///
    /// # Errors
    /// `MissingFeature`, which names the feature and the Vulkan structure that enables it.
    pub fn require(&self, feature: Feature) -> Result<()> {
        if self.enabled(feature) { Ok(()) } else { Err(self.missing(feature, "the shader")) }
    }

    /// Checks that the profile has one of the features.
    ///
    /// # Errors
    /// `MissingFeature` with the first feature; the message names all.
    pub fn require_any(&self, features: &[Feature]) -> Result<()> {
        if self.any(features) { Ok(()) } else { Err(self.missing_any(features)) }
    }

    fn any(&self, features: &[Feature]) -> bool {
        features.iter().any(|&feature| self.enabled(feature))
    }

    #[cold]
    fn missing_any(&self, features: &[Feature]) -> Error {
        match features {
            &[only] => self.missing(only, "the shader"),
            [first, rest @ ..] => {
                let others: Vec<String> = rest.iter().map(|f| f.to_string()).collect();
                self.missing(*first, &format!("the shader (or one of {})", others.join(", ")))
            }
            [] => bug!(self.place, "one feature of an empty list was required"),
        }
    }

    #[cold]
    fn missing(&self, feature: Feature, what: &str) -> Error {
        let message = match feature.structure() {
            "(extension)" => format!("{what} needs the extension {}, which is not enabled", feature.name()),
            structure => format!("{what} needs {structure}::{}, which is not enabled", feature.name()),
        };
        Error::new(ErrorKind::MissingFeature(feature), self.place, message)
    }

    /// Whether [`capability`](Self::capability) would succeed. Lowerings choose between forms by
    /// it.
    pub fn allows(&self, capability: Capability) -> bool {
        RULES.iter().find(|r| r.capability == capability).is_some_and(|rule| self.missed(rule).is_none())
    }

    /// Declares a capability, and its extension if the SPIR-V version does not include it.
    ///
    /// # Errors
    /// `MissingFeature` if the profile does not allow the capability.
    pub fn capability(&mut self, capability: Capability) -> Result<()> {
        let Err(at) = self.used.binary_search(&capability) else { return Ok(()) };
        let Some(rule) = RULES.iter().find(|r| r.capability == capability) else {
            return Err(bug!(self.place, "capability {capability:?} has no rule"));
        };
        self.check(rule)?;
        if let Some((name, core)) = rule.extension
            && self.version < core
        {
            self.extension(name);
        }
        self.used.insert(at, capability);
        Ok(())
    }

    /// Declares a capability that every profile allows.
    pub(super) fn always(&mut self, capability: Capability) {
        if let Err(at) = self.used.binary_search(&capability) {
            self.used.insert(at, capability);
        }
    }

    fn check(&self, rule: &Rule) -> Result<()> {
        match self.missed(rule) {
            None => Ok(()),
            Some(need) => Err(self.refusal(rule.capability, need)),
        }
    }

    /// What a capability needs and the profile does not have.
    fn missed(&self, rule: &Rule) -> Option<Need> {
        // No extension provides the capability in older versions.
        if let Some(("", core)) = rule.extension
            && self.version < core
        {
            return Some(Need::Version(core));
        }
        // The feature comes first: without it a newer SPIR-V version does not help.
        let (profile, features) =
            (self.profile, |all: &'static [Feature]| (!self.any(all)).then_some(Need::Feature(all)));
        let need = match rule.allow {
            Requirement::Always => None,
            Requirement::Any(all) => features(all),
            Requirement::AnyOrApi(_, api) if profile.api >= api => None,
            Requirement::AnyOrApi(all, _) => features(all),
            Requirement::Subgroup(bit) => (profile.subgroup.operations & bit == 0).then_some(Need::Subgroup(bit)),
            Requirement::Float(bit) => {
                let has = [16, 32, 64].into_iter().any(|width| self.has_float_control(width, bit));
                (!has).then_some(Need::Float)
            }
        };
        let least = least_version(rule.capability);
        need.or_else(|| (self.version < least).then_some(Need::Version(least)))
    }

    #[cold]
    fn refusal(&self, capability: Capability, need: Need) -> Error {
        match need {
            Need::Version((major, minor)) => {
                unsupported!(self.place, "{capability:?} needs SPIR-V {major}.{minor} or later")
            }
            Need::Feature(features) => self.missing_any(features),
            Need::Subgroup(bit) => unsupported!(
                self.place,
                "{capability:?} needs bit {bit:#x} of VkPhysicalDeviceSubgroupProperties::supportedOperations, which the device does not have"
            ),
            Need::Float => unsupported!(
                self.place,
                "{capability:?} needs a property of VkPhysicalDeviceFloatControlsProperties that the device does not have"
            ),
        }
    }

    fn extension(&mut self, name: &'static str) {
        if let Err(at) = self.extensions.binary_search(&name) {
            self.extensions.insert(at, name);
        }
    }

    /// Declares what variables of the storage class `StorageBuffer` need before SPIR-V 1.3.
    ///
    /// # Errors
    /// `MissingFeature` where the device has neither Vulkan 1.1 nor the extension.
    pub(super) fn storage_buffer(&mut self) -> Result<()> {
        if self.version < (1, 3) {
            self.require_any(&[Feature::StorageBufferStorageClass])?;
            self.extension("SPV_KHR_storage_buffer_storage_class");
        }
        Ok(())
    }

    /// Whether OpTerminateInvocation may be written. Declares its extension if it is needed.
    pub(super) fn use_terminate_invocation(&mut self) -> bool {
        let allowed = self.enabled(Feature::TerminateInvocation);
        if allowed && self.version < (1, 6) {
            self.extension("SPV_KHR_terminate_invocation");
        }
        allowed
    }

    /// Whether instructions of a non-semantic set may be written. Declares their extension if it is
    /// needed.
    pub(super) fn use_non_semantic_info(&mut self) -> bool {
        let allowed = self.enabled(Feature::NonSemanticInfo);
        if allowed && self.version < (1, 6) {
            self.extension("SPV_KHR_non_semantic_info");
        }
        allowed
    }

    /// Declares a capability of subgroup operations for a stage, given as its
    /// `VkShaderStageFlagBits`.
    ///
    /// # Errors
    /// `Unsupported` if the device does not support subgroup operations in the stage, or not this
    /// kind of them. The message names the property.
    pub fn subgroup(&mut self, stage: u32, capability: Capability) -> Result<()> {
        if self.profile.subgroup.stages & stage == 0 {
            return Err(unsupported!(
                self.place,
                "a wave operation needs bit {stage:#x} of VkPhysicalDeviceSubgroupProperties::supportedStages, which the device does not have"
            ));
        }
        self.capability(capability)
    }

    /// Whether [`subgroup`](Self::subgroup) would succeed. Lowerings choose between forms by it.
    pub fn allows_subgroup(&self, stage: u32, capability: Capability) -> bool {
        self.profile.subgroup.stages & stage != 0 && self.allows(capability)
    }

    /// Whether the execution mode for maximal reconvergence may be written. Declares its extension
    /// if so.
    pub fn use_maximal_reconvergence(&mut self) -> bool {
        let allowed = self.enabled(Feature::MaximalReconvergence);
        if allowed {
            self.extension("SPV_KHR_maximal_reconvergence");
        }
        allowed
    }

    /// Whether 16-bit values of min-precision and `half` code are 16 bits wide in arithmetic.
    /// Otherwise they have 32 bits and RelaxedPrecision.
    pub fn native_16_bit(&self) -> bool {
        self.enabled(Feature::Float16) && self.enabled(Feature::Int16)
    }

    /// Whether stage inputs and outputs may be 16 bits wide. Otherwise they are widened.
    pub fn native_16_bit_io(&self) -> bool {
        self.enabled(Feature::StorageInputOutput16)
    }

    /// Whether discard is lowered to a demotion. Otherwise it is a flag and a kill at the end.
    pub fn native_demote(&self) -> bool {
        self.allows(Capability::DemoteToHelperInvocation)
    }

    /// Whether uniform buffers may have arrays of words. Otherwise the elements of their arrays are
    /// of sixteen bytes (Vulkan, «Offset and Stride Assignment»).
    pub fn has_uniform_word_arrays(&self) -> bool {
        self.enabled(Feature::ScalarBlockLayout) || self.enabled(Feature::UniformBufferStandardLayout)
    }

    /// Whether the device's driver has a quirk.
    pub fn has_quirk(&self, quirk: Quirk) -> bool {
        quirk.applies(&self.profile.driver)
    }

    /// Writes OpCapability and OpExtension.
    pub(super) fn write(&self, out: &mut Section) {
        for capability in self.of_module() {
            instruction(out, [Op::Capability as u32, capability as u32], ());
        }
        for name in &self.extensions {
            with_string(out, Op::Extension, &[], name, ());
        }
    }
}
