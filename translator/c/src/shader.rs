//! Parsed containers and what they declare: entry points, resources, vertex inputs, needed
//! features.

use std::ffi::{CString, c_char, c_void};
use std::sync::OnceLock;

use dxil_translator::binding::stage_flag;
use dxil_translator::ir::declarations::StageProperties;
use dxil_translator::ir::resources::{DescriptorOrigin, Heap as IrHeap, Resource as IrResource, ResourceId};
use dxil_translator::{Entry as IrEntry, EntryId, Requirements, VertexLocations as Locations, requirements};

use crate::border::{Answer, Failure, bytes, code, free, given, guard, hand, text, write};
use crate::error::{ErrorHandle, Result};
use crate::root_signature::RootSignature;
use crate::structures::{fill, structures};
use crate::texts::Texts;

/// A count of descriptors that the application chooses: an unbounded array, or a descriptor heap.
pub const UNBOUNDED: u32 = 0xFFFF_FFFF;

/// A parsed and verified DXIL container. It does not change after its creation.
#[derive(Debug)]
pub struct Shader {
    pub(crate) shader: dxil_translator::Shader,
    texts: Texts,
    entries: Vec<EntryId>,
    /// The needed features of the entry points whose features were asked for.
    features: Vec<OnceLock<std::result::Result<Features, Failure>>>,
}

/// Names for C, and the array of pointers to them.
#[derive(Debug)]
struct Features {
    _names: Vec<CString>,
    pointers: Vec<*const c_char>,
}

// SAFETY: the pointers are to names that the same object owns and that never change.
unsafe impl Send for Features {}
// SAFETY: as above.
unsafe impl Sync for Features {}

/// An entry point. The texts live as long as the shader.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Entry {
    /// sizeof(DxtrEntry), which the program sets.
    pub structure_size: usize,
    /// The name in the container, which is mangled in most libraries.
    pub name: *const c_char,
    /// The name in the source.
    pub plain_name: *const c_char,
    /// VkShaderStageFlagBits; 0 for a stage that Vulkan does not have.
    pub stage: u32,
    /// Number of resources that its code uses (dxtr_shader_resource).
    pub resource_count: u32,
    /// Number of inputs from vertex buffers (dxtr_shader_vertex_input); 0 for other stages than the
    /// vertex stage.
    pub vertex_input_count: u32,
    /// Number of local root signatures that the library associates with it
    /// (dxtr_shader_local_root_signature).
    pub local_root_signature_count: u32,
    /// Threads of a group in x, y and z; 0 for a stage without groups.
    pub thread_group: [u32; 3],
    /// The smallest wave size in lanes that `WaveSize` allows; 0 for any. The pipeline requires a
    /// size of the range with VkPipelineShaderStageRequiredSubgroupSizeCreateInfo.
    pub wave_size_min: u32,
    /// The largest wave size in lanes that `WaveSize` allows; 0 for any.
    pub wave_size_max: u32,
    /// The wave size in lanes that `WaveSize` prefers; 0 for none.
    pub wave_size_preferred: u32,
    /// Bytes of the payload of a ray-tracing, mesh or amplification shader; 0 for none.
    pub payload_bytes: u32,
    /// Bytes of the attributes of a hit; 0 for none.
    pub attribute_bytes: u32,
}

/// A descriptor heap that a shader indexes by itself (shader model 6.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Heap {
    /// The resource has registers and is in no heap.
    None = 0,
    /// ResourceDescriptorHeap.
    Resources = 1,
    /// SamplerDescriptorHeap.
    Samplers = 2,
}

/// The kind of a resource, with D3D's numbers (D3D_SHADER_INPUT_TYPE has others).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
#[expect(missing_docs, reason = "the names are HLSL's")]
pub enum ResourceKind {
    Texture1d = 1,
    Texture2d = 2,
    Texture2dMs = 3,
    Texture3d = 4,
    TextureCube = 5,
    Texture1dArray = 6,
    Texture2dArray = 7,
    Texture2dMsArray = 8,
    TextureCubeArray = 9,
    Buffer = 10,
    ByteAddressBuffer = 11,
    StructuredBuffer = 12,
    ConstantBuffer = 13,
    Sampler = 14,
    TextureBuffer = 15,
    AccelerationStructure = 16,
    FeedbackTexture2d = 17,
    FeedbackTexture2dArray = 18,
}

/// A resource that the code of an entry point uses. The texts live as long as the shader.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Resource {
    /// sizeof(DxtrResource), which the program sets.
    pub structure_size: usize,
    /// Its name in the source; empty where the container has none.
    pub name: *const c_char,
    /// What it is, for people: registers, type, size.
    pub description: *const c_char,
    /// A value of DxtrHeap. A view of a heap has no registers.
    pub heap: u32,
    /// A value of DxtrResourceKind.
    pub kind: u32,
    /// The letter of its registers: 98 ('b') for a constant buffer, 115 ('s') for a sampler, 116
    /// ('t') for an SRV, 117 ('u') for a UAV.
    pub register_class: u32,
    /// Its first register.
    pub first_register: u32,
    /// Its register space.
    pub space: u32,
    /// Its number of registers; 1 is no array, DXTR_UNBOUNDED an array without an end.
    pub count: u32,
    /// Size in bytes of a constant buffer, or of an element of a structured buffer; otherwise 0.
    pub size: u32,
    /// Whether a UAV has a hidden counter that the shader uses, 0 or 1.
    pub has_counter: u32,
}

/// How the inputs of a vertex shader get their locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum VertexLocations {
    /// Counted in the order of the signature, one for each row of an element. DXC's SPIR-V has the
    /// same locations.
    Order = 0,
    /// The row at which the signature packs the element.
    Row = 1,
    /// TEXCOORDn is at location n; another semantic is an error.
    Texcoord = 2,
}

/// The type of a component, as shaders see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
#[expect(missing_docs, reason = "the names are those of the types")]
pub enum ComponentType {
    Other = 0,
    I16 = 2,
    U16 = 3,
    I32 = 4,
    U32 = 5,
    I64 = 6,
    U64 = 7,
    F16 = 8,
    F32 = 9,
    F64 = 10,
}

/// An input of a vertex shader that comes from a vertex buffer. A row of an array is an input by
/// itself. The text lives as long as the shader.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct VertexInput {
    /// sizeof(DxtrVertexInput), which the program sets.
    pub structure_size: usize,
    /// Semantic name, without the index.
    pub semantic: *const c_char,
    /// Semantic index.
    pub semantic_index: u32,
    /// VkVertexInputAttributeDescription::location.
    pub location: u32,
    /// First component at the location, 0 to 3.
    pub component: u32,
    /// Number of components, 1 to 4.
    pub component_count: u32,
    /// A value of DxtrComponentType.
    pub component_type: u32,
    /// Not 0: the shader reads it. D3D12 and the layer want an attribute for each of these.
    pub is_read: u32,
}

structures! {
    Entry;
    Resource;
    VertexInput;
}

impl Shader {
    fn new(shader: dxil_translator::Shader) -> Self {
        let entries: Vec<EntryId> = shader.entries().map(|(id, _)| id).collect();
        let features = entries.iter().map(|_| OnceLock::new()).collect();
        Self { shader, texts: Texts::default(), entries, features }
    }

    /// The entry point with this index.
    pub(crate) fn entry(&self, index: u32) -> Answer<(EntryId, &IrEntry)> {
        let id = self.entries.get(index as usize).copied();
        let count = self.entries.len();
        let missing = || Failure::argument(format!("no entry point has the index {index}; the shader has {count}"));
        id.and_then(|id| Some((id, self.shader.entry(id)?))).ok_or_else(missing)
    }

    fn describe(&self, index: u32) -> Answer<Entry> {
        let (id, entry) = self.entry(index)?;
        let [wave_size_min, most, wave_size_preferred] = entry.properties.wave_size().unwrap_or_default();
        let (payload_bytes, attribute_bytes) = match entry.properties {
            StageProperties::Rays { payload_bytes, attribute_bytes } => (payload_bytes, attribute_bytes),
            StageProperties::Mesh { payload_bytes, .. } | StageProperties::Amplification { payload_bytes, .. } => {
                (payload_bytes, 0)
            }
            _ => (0, 0),
        };
        Ok(Entry {
            structure_size: 0,
            name: self.texts.pointer(&entry.name),
            plain_name: self.texts.pointer(entry.plain_name()),
            stage: stage_flag(entry.stage).unwrap_or(0),
            resource_count: used(&self.shader, entry).count() as u32,
            // The order of the signature gives every input a location.
            vertex_input_count: self.shader.vertex_inputs(id, Locations::Order)?.len() as u32,
            local_root_signature_count: self.shader.entry_local_root_signatures(id).len() as u32,
            thread_group: entry.properties.num_threads().unwrap_or_default(),
            wave_size_min,
            wave_size_max: if most == 0 { wave_size_min } else { most },
            wave_size_preferred,
            payload_bytes,
            attribute_bytes,
        })
    }

    fn needed(&self, index: u32) -> Answer<&Features> {
        let (id, _) = self.entry(index)?;
        let slot = given(self.features.get(index as usize), "the entry point")?;
        let needed = slot.get_or_init(|| {
            let Requirements { features, .. } = requirements(&self.shader, id, || Ok::<_, Failure>(()))?;
            let names = features.iter().filter_map(|feature| CString::new(feature.name()).ok());
            let names: Vec<CString> = names.collect();
            let pointers = names.iter().map(|name| name.as_ptr()).collect();
            Ok(Features { _names: names, pointers })
        });
        needed.as_ref().map_err(Clone::clone)
    }
}

/// The resource with this index among those that an entry point uses.
pub(crate) fn resource<'a>(
    shader: &'a dxil_translator::Shader,
    entry: &'a IrEntry,
    index: u32,
) -> Answer<(ResourceId, &'a IrResource)> {
    let missing = || Failure::argument(format!("the entry point uses no resource with the index {index}"));
    used(shader, entry).nth(index as usize).ok_or_else(missing)
}

/// The resources that an entry point uses.
fn used<'a>(
    shader: &'a dxil_translator::Shader,
    entry: &'a IrEntry,
) -> impl Iterator<Item = (ResourceId, &'a IrResource)> {
    shader.program().resources.iter().filter(|(id, _)| entry.reachable.resources.contains(*id))
}

/// A choice of locations by its number.
pub(crate) fn locations(number: u32) -> Answer<Locations> {
    match number {
        0 => Ok(Locations::Order),
        1 => Ok(Locations::Row),
        2 => Ok(Locations::Texcoord),
        _ => Err(Failure::argument(format!("{number} is no value of DxtrVertexLocations"))),
    }
}

/// Parses and verifies a DXIL container of `size` bytes at `data`, or bare LLVM bitcode. The bytes
/// are not needed after the call. The time and memory that a container may take are limited
/// (docs/limits.md).
///
/// On success `*shader` is a handle, which the program frees with dxtr_shader_free; otherwise it is
/// null. `error` may be null; otherwise `*error` is null on success, and an error that the program
/// frees. Codes: MALFORMED, UNSUPPORTED, LIMIT, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_parse(
    data: *const c_void,
    size: usize,
    shader: *mut *mut Shader,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        hand(shader, || {
            let bytes = bytes(data, size)?;
            Ok(Shader::new(dxil_translator::Shader::parse(bytes)?))
        })
    })
}

/// The number of entry points: 1 for a shader of a stage, any for a library. 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_entry_count(shader: Option<&Shader>) -> u32 {
    shader.map_or(0, |shader| shader.entries.len() as u32)
}

/// Fills `*entry` with the entry point of an index below dxtr_shader_entry_count. Codes:
/// INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_entry(shader: Option<&Shader>, index: u32, entry: *mut Entry) -> Result {
    code(|| fill(entry, given(shader, "the shader")?.describe(index)?))
}

/// Gives the index of the entry point with this name, in the container or in the source. With null
/// for the name, of the only entry point.
///
/// `error` may be null; otherwise `*error` is null on success, and an error that the program frees.
/// Codes: UNSUPPORTED where no entry point or several have the name, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_find_entry(
    shader: Option<&Shader>,
    name: *const c_char,
    index: *mut u32,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        let shader = given(shader, "the shader")?;
        let id = shader.shader.find_entry(text(name)?)?;
        let found = shader.entries.iter().position(|&other| other == id);
        write(index, given(found, "the entry point")? as u32)
    })
}

/// Fills `*resource` with a resource that an entry point uses: of an index below
/// DxtrEntry::resource_count. dxtr_plan_place tells where it lives. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_resource(
    shader: Option<&Shader>,
    entry: u32,
    index: u32,
    resource: *mut Resource,
) -> Result {
    code(|| {
        let shader = given(shader, "the shader")?;
        let (_, found) = self::resource(&shader.shader, shader.entry(entry)?.1, index)?;
        let heap = match found.origin {
            DescriptorOrigin::Registers => Heap::None,
            DescriptorOrigin::Heap(IrHeap::Resources) => Heap::Resources,
            DescriptorOrigin::Heap(IrHeap::Samplers) => Heap::Samplers,
        };
        let description = Resource {
            structure_size: 0,
            name: shader.texts.pointer(&found.name),
            description: shader.texts.pointer(&found.to_string()),
            heap: heap as u32,
            kind: found.kind as u32,
            register_class: found.class.letter().into(),
            first_register: found.lower_bound,
            space: found.space,
            count: found.count,
            size: found.size,
            has_counter: found.has_counter.into(),
        };
        fill(resource, description)
    })
}

/// Fills `*input` with an input of a vertex shader: of an index below
/// DxtrEntry::vertex_input_count. `locations` is a value of DxtrVertexLocations, the same as in
/// DxtrOptions.
///
/// `error` may be null; otherwise `*error` is null on success, and an error that the program frees.
/// Codes: BINDING where an input has no location by this choice, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_vertex_input(
    shader: Option<&Shader>,
    entry: u32,
    index: u32,
    locations: u32,
    input: *mut VertexInput,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        let shader = given(shader, "the shader")?;
        let (id, _) = shader.entry(entry)?;
        let inputs = shader.shader.vertex_inputs(id, self::locations(locations)?)?;
        let found = inputs.get(index as usize);
        let found = found.ok_or_else(|| Failure::argument(format!("no vertex input has the index {index}")))?;
        let component_type = match found.ty as u32 {
            known @ 2..=10 => known,
            _ => ComponentType::Other as u32,
        };
        let description = VertexInput {
            structure_size: 0,
            semantic: shader.texts.pointer(&found.semantic),
            semantic_index: found.index,
            location: found.location,
            component: found.component,
            component_count: found.components,
            component_type,
            is_read: u32::from(found.is_read),
        };
        fill(input, description)
    })
}

/// Gives the device features that an entry point needs and that Vulkan 1.3 does not guarantee: the
/// members of Vulkan's feature structures, or extensions, in `(*names)[0]` to
/// `(*names)[*count - 1]`. The array and the names live as long as the shader. The first call for
/// an entry point translates it, up to twice for each of these features; later calls give what the
/// first one found.
///
/// `error` may be null; otherwise `*error` is null on success, and an error that the program frees.
/// Codes: UNSUPPORTED, BINDING and LIMIT where no device has what the entry point needs,
/// INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_features(
    shader: Option<&Shader>,
    entry: u32,
    names: *mut *const *const c_char,
    count: *mut u32,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        let needed = given(shader, "the shader")?.needed(entry)?;
        write(names, needed.pointers.as_ptr())?;
        write(count, needed.pointers.len() as u32)
    })
}

/// Gives the global root signature that the container has for an entry point, as a handle that the
/// program frees with dxtr_root_signature_free; null where it has none, or a library associates
/// several. A plan takes it by itself. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_root_signature(
    shader: Option<&Shader>,
    entry: u32,
    root_signature: *mut *mut RootSignature,
) -> Result {
    code(|| {
        write(root_signature, std::ptr::null_mut())?;
        let shader = given(shader, "the shader")?;
        match shader.shader.entry_root_signature(shader.entry(entry)?.0) {
            Some(found) => hand(root_signature, || Ok(RootSignature::new(found.clone()))),
            None => Ok(()),
        }
    })
}

/// Gives a local root signature that a library associates with an entry point: of an index below
/// DxtrEntry::local_root_signature_count. `*root_signature` is a handle that the program frees with
/// dxtr_root_signature_free. `*name` is the name of the subobject in the library; it lives as long
/// as the shader, and the pointer may be null. A shader of several hit groups may have one for each
/// of them; the program then gives the one of the group in DxtrStage. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_local_root_signature(
    shader: Option<&Shader>,
    entry: u32,
    index: u32,
    root_signature: *mut *mut RootSignature,
    name: *mut *const c_char,
) -> Result {
    code(|| {
        let shader = given(shader, "the shader")?;
        let all = shader.shader.entry_local_root_signatures(shader.entry(entry)?.0);
        let missing = || Failure::argument(format!("no local root signature has the index {index}"));
        let &(found_name, found) = all.get(index as usize).ok_or_else(missing)?;
        hand(root_signature, || Ok(RootSignature::new(found.clone())))?;
        if name.is_null() { Ok(()) } else { write(name, shader.texts.pointer(found_name)) }
    })
}

/// Frees a shader. Null is accepted. Plans that were made from it stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_shader_free(shader: Option<Box<Shader>>) {
    free(shader);
}
