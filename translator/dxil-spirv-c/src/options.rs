//! The table of options: the structure of each, and what becomes of it.
//!
//! In: a pointer to an option, whose first member is its number. Out: the option as data. What must
//! hold: the numbers and members are those of the interface; docs/d3d12.md has a row for each,
//! which a test holds.

use std::ffi::c_char;

use crate::abi::{Bool, Code};
use crate::border::{Answer, Failure};

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It does what it says.
    Works,
    /// It is accepted, and the words do not depend on it.
    Ignored,
    /// A value that asks for something is refused; the others are accepted.
    Refused,
}

impl Support {
    /// The word in docs/d3d12.md.
    const fn name(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Ignored => "ignored",
            Self::Refused => "refused",
        }
    }
}

macro_rules! options {
    ($($number:literal $name:ident $support:ident $remark:literal { $($(#[doc = $doc:literal])? $field:ident: $ty:ty,)* })*) => {
        $(
            #[doc = concat!("The members of option ", stringify!($number), ".")]
            #[derive(Clone, Copy, Debug)]
            #[repr(C)]
            pub struct $name {
                /// The number of the option.
                pub number: u32,
                $(#[doc = concat!("`", stringify!($field), "`.")] pub $field: $ty,)*
            }
        )*

        /// An option with its members.
        #[derive(Clone, Copy, Debug)]
        pub enum Setting {
            $(#[doc = concat!("Option ", stringify!($number), ".")] $name($name),)*
        }

        /// Each option: number, name, what becomes of it, and how or why.
        pub const TABLE: &[(u32, &str, Support, &str)] =
            &[$(($number, stringify!($name), Support::$support, $remark),)*];

        impl Setting {
            /// Gives the option to a function. The pointer is to the option's structure.
            pub fn with_pointer<T>(&self, give: impl FnOnce(*const u32) -> T) -> T {
                match self {
                    $(Self::$name(option) => give(std::ptr::from_ref(option).cast()),)*
                }
            }

            /// Reads an option.
            ///
            /// # Errors
            /// If the pointer is null or the number is of no option.
            ///
            /// # Safety
            /// The pointer is null or points to a number, and if that is the number of an option,
            /// to the option's structure.
            pub unsafe fn read(option: *const u32) -> Answer<Self> {
                if option.is_null() {
                    return Err(Failure::argument("the option is null"));
                }
                // SAFETY: the pointer is not null, so it points to a number.
                match unsafe { option.read_unaligned() } {
                    // SAFETY: the number is that of the structure.
                    $($number => Ok(Self::$name(unsafe { option.cast::<$name>().read_unaligned() })),)*
                    number => {
                        let message = format!("option {number} is not one of version 2.68 of the interface");
                        Err(Failure::new(Code::UnsupportedFeature, message))
                    }
                }
            }
        }
    };
}

options! {
    1 ShaderDemoteToHelper Works "`shaderDemoteToHelperInvocation` of the profile" { supported: Bool, }
    2 DualSourceBlending Works "`SV_Target1` is the second source of target 0" { enabled: Bool, }
    3 OutputSwizzle Works "the order of components for each target: the lowest two bits are the number of the output's component that the target's first one gets" { swizzles: *const u32, count: u32, }
    4 RasterizerSampleCount Works "the sample count as a number, or the id of a specialisation constant; what depends on an unknown count, such as `SV_Coverage` per sample, is then refused" { count: u32, spec_constant: Bool, }
    5 RootConstantInlineUniformBlock Works "the root block is the uniform buffer, with root constants, root descriptors and words of tables" { set: u32, binding: u32, enable: Bool, }
    6 BindlessCbvSsboEmulation Works "constant buffers of heaps are storage buffers" { enable: Bool, }
    7 PhysicalStorageBuffer Works "`bufferDeviceAddress` of the profile" { enable: Bool, }
    8 SbtDescriptorSizeLog2 Works "the first word of a table's handle in a shader record, shifted right by these bits, is its heap index" { srv_uav_cbv: u32, sampler: u32, }
    9 SsboAlignment Works "a raw or structured buffer of a heap whose alignment is less has its start and size in the buffer of offsets" { alignment: u32, }
    10 TypedUavReadWithoutFormat Works "`shaderStorageImageReadWithoutFormat` of the profile" { supported: Bool, }
    11 ShaderSourceFile Ignored "a name for debuggers" { name: *const c_char, }
    12 BindlessTypedBufferOffsets Works "typed buffers of heaps have their start and size in the buffer of offsets" { enable: Bool, }
    13 BindlessOffsetBufferLayout Works "the pair of the descriptor with a heap index is number index × stride + untyped or typed" { untyped: u32, typed: u32, stride: u32, }
    15 DescriptorQa Refused "instrumentation of debug builds" { enabled: Bool, }
    16 MinPrecisionNative16Bit Works "`min16` types have 16 bits; otherwise 32 bits, decorated RelaxedPrecision" { enabled: Bool, }
    17 ShaderI8Dot Works "`shaderIntegerDotProduct` of the profile" { supported: Bool, }
    18 ShaderRayTracingPrimitiveCulling Works "`rayTraversalPrimitiveCulling` of the profile" { supported: Bool, }
    19 InvariantPosition Works "positions that a stage writes are decorated Invariant" { enabled: Bool, }
    20 ScalarBlockLayout Works "`scalarBlockLayout` of the profile; without robustness per component, components of raw buffers are accessed one by one" { supported: Bool, per_component_robustness: Bool, }
    21 BarycentricKhr Works "`fragmentShaderBarycentric` of the profile" { supported: Bool, }
    23 ArithmeticRelaxedPrecision Ignored "`min16` floats of 32 bits are always decorated RelaxedPrecision, which allows what D3D allows" { enabled: Bool, }
    24 PhysicalAddressDescriptorIndexing Works "the place of the address of a counter or an acceleration structure in the heap of addresses; the offset is less than the stride" { stride: u32, offset: u32, }
    25 ForceSubgroupSize Ignored "a workaround for applications that expect one size; the shader sees the device's" { value: u32, wave_size_enable: Bool, }
    26 DenormPreserveSupport Works "`DENORM_PRESERVE` of 16 and 64 bits in the profile" { f16: Bool, f64: Bool, }
    28 SubgroupPartitionedNv Works "`shaderSubgroupPartitioned` of the profile; otherwise a loop" { supported: Bool, }
    30 PreciseControl Works "forced, all arithmetic with floats is NoContraction; `precise` of the shader is kept and propagated in any case" { force: Bool, propagate: Bool, }
    31 SampleGradOptimizationControl Ignored "an optimisation: SampleGrad stays what the shader says" { enabled: Bool, assume_uniform_scale: Bool, }
    32 OpacityMicromap Works "the ray flag of micromaps is ignored without it" { enabled: Bool, }
    33 BranchControl Ignored "hints for drivers, which the shader's own hints stand for" { metadata: Bool, unroll: Bool, avoid_loop: Bool, flatten: Bool, branch: Bool, }
    34 SubgroupProperties Works "the subgroup sizes of the profile" { minimum: u32, maximum: u32, }
    35 DescriptorHeapRobustness Ignored "a workaround for indexes outside of a heap, which D3D leaves undefined" { enabled: Bool, }
    37 QuadControlReconvergence Works "`shaderQuadControl` and `shaderMaximalReconvergence` of the profile; reconvergence is not forced on shaders that do not need it" { quad_control: Bool, maximal: Bool, force_maximal: Bool, }
    38 RawAccessChainsNv Ignored "a form that one vendor's driver prefers" { supported: Bool, }
    39 DriverVersion Works "the driver of the profile, for the forms of docs/quirks.md" { driver_id: u32, driver_version: u32, }
    40 ComputeShaderDerivatives Works "`computeDerivativeGroupLinear` of the profile, if VK_KHR_compute_shader_derivatives is there" { nv: Bool, khr: Bool, }
    41 InstructionInstrumentation Refused "instrumentation of debug builds" { enabled: Bool, }
    42 ShaderQuirk Ignored "workarounds for applications, all but 13: see below" { quirk: u32, }
    44 MaxTessFactor Ignored "it limits an attribute of hull shaders that is a hint for drivers, clamps no factor, and has no counterpart in Vulkan" { factor: u32, }
    46 Float8Support Ignored "vendor intrinsics are refused by name, with or without it" { wmma_fp8: Bool, nv_coopmat2_conversions: Bool, }
    47 Nvapi Works "instructions with a form are translated, and the UAV needs no place; a shader with others is refused by name" { enabled: Bool, register_index: u32, register_space: u32, }
    48 ExtendedNonSemantic Ignored "information for debuggers" { enabled: Bool, }
    49 ViewInstancing Works "`SV_ViewID` by Vulkan's multiview and two specialisation constants: see below" { enabled: Bool, last_pre_rasterization: Bool, view_id_spec_id: u32, viewport_spec_id: u32, }
    50 MixedFloatDotProduct Ignored "dot2add has a form without the extension" { fp16_fp16_fp32: Bool, }
    51 ComputeShaderDerivativesQuad Works "`computeDerivativeGroupQuads` of the profile" { supports_quad: Bool, }
}

/// An option that outlives the call that gave it.
#[derive(Debug)]
pub struct OwnedOption {
    setting: Setting,
    /// What `OutputSwizzle` points to.
    swizzles: Vec<u32>,
}

impl OwnedOption {
    /// A copy of an option.
    ///
    /// # Safety
    /// The pointers in the option are null or point to what it says.
    pub unsafe fn new(setting: &Setting) -> Self {
        let swizzles = match setting {
            Setting::OutputSwizzle(option) if !option.swizzles.is_null() => {
                let at = |target| {
                    // SAFETY: the option has as many swizzles.
                    unsafe { option.swizzles.add(target).read_unaligned() }
                };
                (0..option.count as usize).map(at).collect()
            }
            _ => Vec::new(),
        };
        Self { setting: *setting, swizzles }
    }

    /// Gives the option to a function, unless it is a name, which the words do not need.
    pub fn give(&self, give: impl FnOnce(*const u32) -> i32) {
        match self.setting {
            Setting::ShaderSourceFile(_) => {}
            Setting::OutputSwizzle(option) => {
                let (swizzles, count) = (self.swizzles.as_ptr(), self.swizzles.len() as u32);
                Setting::OutputSwizzle(OutputSwizzle { swizzles, count, ..option }).with_pointer(give);
            }
            setting => {
                setting.with_pointer(give);
            }
        }
    }
}

/// The table of docs/d3d12.md.
pub fn markdown() -> String {
    let mut text = "| no. | option | | how, or why |\n|---|---|---|---|\n".to_owned();
    for (number, name, support, remark) in TABLE {
        text += &format!("| {number} | {name} | {} | {remark} |\n", support.name());
    }
    text
}

/// Whether the table has an option.
pub fn is_known(number: u32) -> bool {
    TABLE.iter().any(|(known, ..)| *known == number)
}
