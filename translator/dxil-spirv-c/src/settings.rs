//! Options to what a translation depends on: a device profile and the state of the pipeline.
//!
//! In: the options of a converter, in the order of its calls. Out: [`Options`] of the translator.
//! What must hold: nothing is emitted that an option does not allow; what no option tells of is
//! what every device has on which vkd3d-proton runs, or what its D3D features imply, and
//! vkd3d-proton holds the capabilities of the words to the device.

use dxil_translator::analysis::program::Entry;
use dxil_translator::ir::declarations::SignatureElement;
use dxil_translator::ops::OpCode;
use dxil_translator::ops::consts::SemanticKind;
use dxil_translator::{
    DeviceProfile, Error, ErrorKind, Feature, FloatControls, Options, Place, RawVectors, Result, ShaderStage,
    StorageFormats, Swizzle, VULKAN_1_3_DESKTOP, VertexLocations, ViewInstancing,
};

use crate::abi::{Bool, Code};
use crate::border::{Answer, Failure};
use crate::options::Setting;

/// Features that devices have beyond [`VULKAN_1_3_DESKTOP`] where D3D12 has the shaders that need
/// them.
const OPTIONAL_TIERS: [Feature; 22] = [
    Feature::RobustImageAccess,
    Feature::RobustImageAccess2,
    Feature::StencilExport,
    Feature::FragmentShaderSampleInterlock,
    Feature::FragmentShaderPixelInterlock,
    Feature::ImageInt64Atomics,
    Feature::StorageImageMultisample,
    Feature::AccelerationStructure,
    Feature::RayTracingPipeline,
    Feature::RayQuery,
    Feature::TaskShader,
    Feature::MeshShader,
    Feature::PipelineFragmentShadingRate,
    Feature::PrimitiveFragmentShadingRate,
    Feature::PrimitiveFragmentShadingRateMeshShader,
    Feature::PostDepthCoverage,
    Feature::ConservativeRasterization,
    Feature::MutableDescriptorType,
    Feature::PipelineRobustness,
    Feature::InputAttachmentArrayDynamicIndexing,
    Feature::TransformFeedback,
    Feature::GeometryStreams,
];

/// Features that only an option turns on.
const BY_OPTION: [Feature; 11] = [
    Feature::DemoteToHelperInvocation,
    Feature::StorageImageReadWithoutFormat,
    Feature::BufferDeviceAddress,
    Feature::IntegerDotProduct,
    Feature::ScalarBlockLayout,
    Feature::RayTraversalPrimitiveCulling,
    Feature::OpacityMicromap,
    Feature::FragmentShaderBarycentric,
    Feature::SubgroupPartitioned,
    Feature::Float16,
    Feature::Int16,
];

/// The workaround of option 42 by which fused multiplications are precise.
const PRECISE_FMA: u32 = 13;

/// `VkShaderStageFlags` of all stages of DXIL.
const STAGES: u32 = 0x3fff;

/// The options of a converter.
#[derive(Clone, Debug)]
pub struct Settings {
    profile: DeviceProfile,
    /// Whether minimum-precision types have 16 bits.
    native_min_precision: bool,
    dual_source: bool,
    swizzles: [Swizzle; 8],
    samples: u32,
    /// The specialisation constant that has the sample count.
    samples_constant: Option<u32>,
    raw_vectors: RawVectors,
    /// Set and binding of the uniform buffer that is the root block.
    pub root_block: Option<[u32; 2]>,
    invariant: bool,
    /// Whether all arithmetic is `precise`.
    exact: bool,
    /// Whether a workaround asks for the same.
    precise_fma: bool,
    /// Whether constant buffers of heaps are storage buffers.
    pub constants_as_storage: bool,
    /// The sizes of resource and sampler descriptors, as powers of two.
    pub descriptor_sizes: [u32; 2],
    /// Buffers with a smaller alignment have their offset in a buffer.
    pub storage_alignment: u32,
    /// Whether typed buffers of heaps have their offset in a buffer.
    pub typed_offsets: bool,
    /// In a buffer of starts and sizes: the pair of an entry that is for raw and structured
    /// buffers, that for typed buffers, and the number of pairs of an entry.
    pub offset_layout: [u32; 3],
    /// Stride and offset of an address in its heap, in addresses.
    pub address_place: [u32; 2],
    /// The specialisation constants for the views of the pipeline, if it draws several.
    view_instancing: Option<ViewInstancing>,
    /// Whether another stage than the rasterizer gets the outputs, if the pipeline draws several
    /// views.
    feeds_stage: bool,
    /// Space and register of the UAV that carries NVAPI's instructions.
    pub vendor_uav: Option<[u32; 2]>,
}

impl Settings {
    /// The settings of a converter without options.
    pub fn new() -> Self {
        let mut profile = VULKAN_1_3_DESKTOP;
        OPTIONAL_TIERS.iter().for_each(|&feature| profile.features.set(feature, true));
        BY_OPTION.iter().for_each(|&feature| profile.features.set(feature, false));
        profile.subgroup.stages = STAGES;
        profile.formats.read_without_format = 0;
        profile.float.f16 &= !FloatControls::DENORM_PRESERVE;
        profile.float.f64 &= !FloatControls::DENORM_PRESERVE;
        // The largest root signature has as many bytes.
        profile.limits.max_push_constants_size = 256;
        Self {
            profile,
            native_min_precision: false,
            dual_source: false,
            swizzles: Default::default(),
            samples: 0,
            samples_constant: None,
            raw_vectors: RawVectors::Exact,
            root_block: None,
            invariant: false,
            exact: false,
            precise_fma: false,
            constants_as_storage: false,
            descriptor_sizes: [0, 0],
            storage_alignment: 1,
            typed_offsets: false,
            offset_layout: [0, 0, 1],
            address_place: [1, 0],
            view_instancing: None,
            feeds_stage: false,
            vendor_uav: None,
        }
    }

    fn feature(&mut self, feature: Feature, on: Bool) {
        self.profile.features.set(feature, on != 0);
    }

    /// Applies an option.
    ///
    /// # Errors
    /// `UnsupportedFeature` if it asks for what the table of docs/d3d12.md calls refused.
    ///
    /// # Safety
    /// The pointers in the option are null or point to what it says.
    pub unsafe fn apply(&mut self, setting: &Setting) -> Answer {
        use Setting as S;
        let refused = |what: &str| Err(Failure::new(Code::UnsupportedFeature, what));
        match setting {
            S::OutputSwizzle(option) if option.count != 0 => {
                if option.swizzles.is_null() {
                    return Err(Failure::argument("the swizzles of the outputs are null"));
                }
                self.swizzles = Default::default();
                for target in 0..option.count as usize {
                    // SAFETY: the pointer is not null, so it points to as many numbers.
                    let number = unsafe { option.swizzles.add(target).read_unaligned() };
                    let swizzle = u8::try_from(number).map(Swizzle::from_bits);
                    match (self.swizzles.get_mut(target), swizzle) {
                        (Some(of_target), Ok(swizzle)) => *of_target = swizzle,
                        (None, Ok(Swizzle::IDENTITY)) => {}
                        _ => return Err(Failure::argument(&format!("the swizzle of target {target} is {number:#x}"))),
                    }
                }
                Ok(())
            }
            S::DescriptorQa(option) if option.enabled != 0 => refused("descriptors are not instrumented"),
            S::InstructionInstrumentation(option) if option.enabled != 0 => {
                refused("instructions are not instrumented")
            }
            _ => {
                self.set(setting);
                Ok(())
            }
        }
    }

    /// Applies an option that is not refused.
    fn set(&mut self, setting: &Setting) {
        use Setting as S;
        match *setting {
            S::ShaderDemoteToHelper(option) => self.feature(Feature::DemoteToHelperInvocation, option.supported),
            S::DualSourceBlending(option) => self.dual_source = option.enabled != 0,
            S::RasterizerSampleCount(option) => {
                let constant = option.spec_constant != 0;
                self.samples = if constant { 0 } else { option.count };
                self.samples_constant = constant.then_some(option.count);
            }
            S::RootConstantInlineUniformBlock(option) => {
                self.root_block = (option.enable != 0).then_some([option.set, option.binding]);
            }
            S::BindlessCbvSsboEmulation(option) => self.constants_as_storage = option.enable != 0,
            S::PhysicalStorageBuffer(option) => self.feature(Feature::BufferDeviceAddress, option.enable),
            S::SbtDescriptorSizeLog2(option) => self.descriptor_sizes = [option.srv_uav_cbv, option.sampler],
            S::SsboAlignment(option) => self.storage_alignment = option.alignment,
            S::TypedUavReadWithoutFormat(option) => {
                self.feature(Feature::StorageImageReadWithoutFormat, option.supported);
                self.profile.formats.read_without_format = if option.supported != 0 { StorageFormats::ALL } else { 0 };
            }
            S::BindlessTypedBufferOffsets(option) => self.typed_offsets = option.enable != 0,
            S::BindlessOffsetBufferLayout(option) => {
                self.offset_layout = [option.untyped, option.typed, option.stride];
            }
            S::MinPrecisionNative16Bit(option) => self.native_min_precision = option.enabled != 0,
            S::ShaderI8Dot(option) => self.feature(Feature::IntegerDotProduct, option.supported),
            S::ShaderRayTracingPrimitiveCulling(option) => {
                self.feature(Feature::RayTraversalPrimitiveCulling, option.supported);
            }
            S::OpacityMicromap(option) => self.feature(Feature::OpacityMicromap, option.enabled),
            S::PreciseControl(option) => self.exact = option.force != 0,
            S::ShaderQuirk(option) => self.precise_fma |= option.quirk == PRECISE_FMA,
            S::InvariantPosition(option) => self.invariant = option.enabled != 0,
            S::ScalarBlockLayout(option) => {
                self.feature(Feature::ScalarBlockLayout, option.supported);
                let vectors = option.supported != 0 && option.per_component_robustness != 0;
                self.raw_vectors = if vectors { RawVectors::Aligned } else { RawVectors::Exact };
            }
            S::BarycentricKhr(option) => self.feature(Feature::FragmentShaderBarycentric, option.supported),
            S::PhysicalAddressDescriptorIndexing(option) => self.address_place = [option.stride, option.offset],
            S::DenormPreserveSupport(option) => {
                let mut preserves = |controls: fn(&mut FloatControls) -> &mut u32, on: Bool| {
                    let controls = controls(&mut self.profile.float);
                    let without = *controls & !FloatControls::DENORM_PRESERVE;
                    *controls = without | if on != 0 { FloatControls::DENORM_PRESERVE } else { 0 };
                };
                preserves(|float| &mut float.f16, option.f16);
                preserves(|float| &mut float.f64, option.f64);
            }
            S::SubgroupPartitionedNv(option) => self.feature(Feature::SubgroupPartitioned, option.supported),
            S::SubgroupProperties(option) => {
                let subgroup = &mut self.profile.subgroup;
                (subgroup.min_size, subgroup.max_size) = (option.minimum, option.maximum);
                subgroup.size = option.maximum;
            }
            S::QuadControlReconvergence(option) => {
                self.feature(Feature::QuadControl, option.quad_control);
                self.feature(Feature::MaximalReconvergence, option.maximal);
            }
            S::DriverVersion(option) => {
                (self.profile.driver.id, self.profile.driver.version) = (option.driver_id, option.driver_version);
            }
            S::ComputeShaderDerivatives(option) => self.feature(Feature::ComputeDerivativeGroupLinear, option.khr),
            S::ComputeShaderDerivativesQuad(option) => {
                self.feature(Feature::ComputeDerivativeGroupQuads, option.supports_quad);
            }
            S::ViewInstancing(option) => {
                let constants = ViewInstancing::new(option.view_id_spec_id, option.viewport_spec_id);
                self.view_instancing = (option.enabled != 0).then_some(constants);
                self.feeds_stage = option.enabled != 0 && option.last_pre_rasterization == 0;
            }
            S::Nvapi(option) => {
                self.vendor_uav = (option.enabled != 0).then_some([option.register_space, option.register_index]);
            }
            _ => {}
        }
    }

    /// Whether several views of a stage can be drawn at once: no mesh shader, and none that chooses
    /// the layer.
    pub fn has_views(&self, entry: &Entry) -> bool {
        let is_layer = |element: &SignatureElement| element.semantic == SemanticKind::RenderTargetArrayIndex;
        match entry.stage {
            ShaderStage::Mesh => false,
            ShaderStage::Vertex | ShaderStage::Domain | ShaderStage::Geometry => {
                self.feeds_stage || !entry.outputs.elements.iter().any(is_layer)
            }
            _ => true,
        }
    }

    /// Refuses view instancing where the original library can do it: the interface does not say how
    /// the specialisation constants hold their numbers, so its form is the one that a program
    /// means.
    ///
    /// # Errors
    /// `Unsupported` for all but pixel shaders to which the view makes no difference.
    pub fn leave_views(&self, entry: &Entry) -> Result<()> {
        let views = [SemanticKind::ViewId, SemanticKind::RenderTargetArrayIndex, SemanticKind::ViewPortArrayIndex];
        let sees = entry.reachable.operations.has(OpCode::ViewID)
            || entry.inputs.elements.iter().any(|element| views.contains(&element.semantic));
        match self.view_instancing {
            Some(_) if entry.stage != ShaderStage::Pixel || sees => {
                Err(Error::new(ErrorKind::Unsupported, Place::Input, "view instancing (option 49)"))
            }
            _ => Ok(()),
        }
    }

    /// The options for the translation of an entry point.
    pub fn translation(&self, entry: &Entry) -> Options {
        let mut options = Options::new(self.profile.clone());
        let native = self.native_min_precision || entry.flags.native_low_precision();
        for feature in [Feature::Float16, Feature::Int16] {
            options.profile.features.set(feature, native);
        }
        options.pipeline.dual_source = self.dual_source;
        options.pipeline.output_swizzles = self.swizzles;
        options.pipeline.samples = self.samples;
        options.pipeline.samples_constant = self.samples_constant;
        options.pipeline.view_instancing = self.view_instancing;
        options.pipeline.feeds_stage = self.feeds_stage;
        options.raw_vectors = self.raw_vectors;
        options.vertex_locations = VertexLocations::Row;
        options.invariant_position = self.invariant;
        options.precise = self.exact || self.precise_fma;
        options
    }
}
