//! The structures and numbers of the interface, version 2.68.
//!
//! In: nothing. Out: data with C's layout. What must hold: sizes and offsets are those of the
//! public header, on machines with pointers of eight bytes.

use std::ffi::{c_char, c_void};

/// The version of the interface: major, minor, patch.
pub const VERSION: [u32; 3] = [2, 68, 0];

/// `dxil_spv_bool`.
pub type Bool = u8;

/// `dxil_spv_result`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    /// The call did what it should.
    Success = 0,
    /// A limit of memory was reached.
    OutOfMemory = -1,
    /// An error of no other kind.
    Generic = -2,
    /// The shader needs what is not supported.
    UnsupportedFeature = -3,
    /// The input is no shader.
    Parser = -4,
    /// A check of the result failed.
    FailedValidation = -5,
    /// An argument is null or out of range.
    InvalidArgument = -6,
    /// There is no such data.
    NoData = -7,
}

/// `dxil_spv_shader_stage`: the number that stands for a library.
pub const STAGE_UNKNOWN: i32 = 0;

/// `dxil_spv_vulkan_descriptor_type`.
pub mod descriptor_type {
    /// The type that the resource has by itself.
    pub const IDENTITY: i32 = 0;
    /// A storage buffer.
    pub const STORAGE_BUFFER: i32 = 1;
    /// A texel buffer.
    pub const TEXEL_BUFFER: i32 = 2;
    /// An address in the root block.
    pub const ADDRESS: i32 = 3;
    /// A uniform buffer.
    pub const UNIFORM_BUFFER: i32 = 4;
    /// An input attachment.
    pub const INPUT_ATTACHMENT: i32 = 5;
}

/// The number that stands for «none» in register spaces, indexes and offsets.
pub const NONE: u32 = u32::MAX;

/// `dxil_spv_d3d_binding`: a resource that a callback is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct D3dBinding {
    /// Shader stage.
    pub stage: i32,
    /// Resource kind, numbered as in DXIL.
    pub kind: i32,
    /// Its number within its class.
    pub resource_index: u32,
    /// Register space; [`NONE`] for a view of a descriptor heap.
    pub register_space: u32,
    /// First register; [`NONE`] for a view of a descriptor heap.
    pub register_index: u32,
    /// Number of registers; [`NONE`] is unbounded.
    pub range_size: u32,
    /// Alignment of a raw or structured buffer in bytes; 0 for others.
    pub alignment: u32,
}

/// `dxil_spv_uav_d3d_binding`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct UavD3dBinding {
    /// The resource.
    pub d3d_binding: D3dBinding,
    /// Whether the shader uses its hidden counter.
    pub has_counter: Bool,
}

/// `dxil_spv_vulkan_binding`: the place that a callback answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct VulkanBinding {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// The word of the root block, after the root descriptors, with the table's heap index, or
    /// [`NONE`]; the number of a root descriptor; or the index of an input attachment.
    pub root_constant_index: u32,
    /// What is added to the heap index.
    pub heap_root_offset: u32,
    /// Whether the variable is the runtime array of a heap.
    pub use_heap: Bool,
    /// One of [`descriptor_type`].
    pub descriptor_type: i32,
}

/// `dxil_spv_srv_vulkan_binding`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct SrvBinding {
    /// The resource.
    pub buffer_binding: VulkanBinding,
    /// The buffer with the offset and size of each view.
    pub offset_binding: VulkanBinding,
}

/// `dxil_spv_uav_vulkan_binding`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct UavBinding {
    /// The resource.
    pub buffer_binding: VulkanBinding,
    /// Its hidden counter.
    pub counter_binding: VulkanBinding,
    /// The buffer with the offset and size of each view.
    pub offset_binding: VulkanBinding,
}

/// `dxil_spv_cbv_vulkan_binding`. The C structure has a union of the place and of the offset of
/// root constants; both begin at the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct CbvBinding {
    /// The place. Of root constants, `set` is the first word after the root descriptors.
    pub vulkan: VulkanBinding,
    /// Whether the buffer is root constants.
    pub push_constant: Bool,
}

/// `dxil_spv_d3d_vertex_input` and `dxil_spv_d3d_shader_stage_io`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StageIo {
    /// Semantic name.
    pub semantic: *const c_char,
    /// Semantic index.
    pub semantic_index: u32,
    /// First row of the signature.
    pub start_row: u32,
    /// Number of rows.
    pub rows: u32,
}

/// `dxil_spv_vulkan_vertex_input`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct VertexInput {
    /// Location of the first row.
    pub location: u32,
}

/// `dxil_spv_d3d_stream_output`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StreamOutputSemantic {
    /// Semantic name.
    pub semantic: *const c_char,
    /// Semantic index.
    pub semantic_index: u32,
}

/// `dxil_spv_vulkan_stream_output`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct StreamOutputPlace {
    /// Byte in a vertex of the buffer.
    pub offset: u32,
    /// Bytes of a vertex.
    pub stride: u32,
    /// Number of the buffer.
    pub buffer_index: u32,
    /// Whether the output is written to a buffer.
    pub enable: Bool,
}

/// `dxil_spv_vulkan_shader_stage_io`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct StageIoPlace {
    /// Location of the first row.
    pub location: u32,
    /// First component.
    pub component: u32,
    /// [`PER_PRIMITIVE`], or 0.
    pub flags: u32,
}

/// The flag of an output that has one value per primitive.
pub const PER_PRIMITIVE: u32 = 1;

/// `dxil_spv_compiled_spirv`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CompiledSpirv {
    /// The words.
    pub data: *const c_void,
    /// Their size in bytes.
    pub size: usize,
}

/// `dxil_spv_rdat_subobject`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RdatSubobject {
    /// Kind, numbered as in RDAT.
    pub kind: u32,
    /// Name.
    pub name: *const c_char,
    /// `D3D12_HIT_GROUP_TYPE`.
    pub hit_group_type: u32,
    /// Names that the subobject lists.
    pub exports: *const *const c_char,
    /// Their number.
    pub num_exports: u32,
    /// Numbers that the subobject has.
    pub args: [u32; 2],
    /// A serialised root signature.
    pub payload: *const c_void,
    /// Its size in bytes.
    pub payload_size: usize,
}

/// `dxil_spv_node_input_data` and `dxil_spv_node_output_data`, which nothing here fills.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct NodeData {
    _opaque: [u8; 0],
}

/// A callback for a resource, an input or an output: 0 is «no place».
pub type Callback<I, O> = Option<unsafe extern "C" fn(user: *mut c_void, input: *const I, output: *mut O) -> Bool>;

/// `dxil_spv_log_cb`: user data, level, and a text that ends with a newline.
pub type LogCallback = Option<unsafe extern "C" fn(user: *mut c_void, level: i32, text: *const c_char)>;

/// Holds structures to their sizes in bytes.
macro_rules! sizes {
    ($($ty:ty = $size:literal,)*) => { $(const _: () = assert!(size_of::<$ty>() == $size);)* };
}

#[cfg(target_pointer_width = "64")]
sizes! {
    Code = 4,
    D3dBinding = 28,
    UavD3dBinding = 32,
    VulkanBinding = 24,
    SrvBinding = 48,
    UavBinding = 72,
    CbvBinding = 28,
    StageIo = 24,
    VertexInput = 4,
    StreamOutputSemantic = 16,
    StreamOutputPlace = 16,
    StageIoPlace = 12,
    CompiledSpirv = 16,
    RdatSubobject = 64,
}
