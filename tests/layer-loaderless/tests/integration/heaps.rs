//! Pipelines and shader objects of VK_EXT_descriptor_heap: the mappings that the layer adds, those
//! of the application, and what is refused.
//!
//! The strides are those of the fake: 24 bytes for samplers, and 64 for everything else, because an
//! image descriptor of 60 bytes is aligned to 32.

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, MAPPING_INFO, MappingSeen, SPIRV, Setting, ShaderCode, StageSeen, Unknown,
    chained_stage, compute_pipeline, fixture, next, stage,
};

const INVALID: vk::Result = vk::Result::ERROR_INVALID_SHADER_NV;
/// A shader with one raw buffer, `u0`.
const RAW: &str = "buffer/raw_read_write.dxil";
/// A shader with a root signature, two tables of the resource heap, and ResourceDescriptorHeap:
/// constant buffers and a raw buffer.
const CONSTANTS: &str = "heaps/constants.dxil";
/// A shader without a root signature that takes all kinds of resources from ResourceDescriptorHeap,
/// and counters.
const KINDS: &str = "heaps/kinds.dxil";

/// `VkSpirvResourceTypeFlagBitsEXT`.
mod mask {
    pub const SAMPLER: u32 = 0x1;
    pub const SAMPLED_IMAGE: u32 = 0x2;
    pub const STORAGE_IMAGE: u32 = 0x4 | 0x8;
    pub const UNIFORM_BUFFER: u32 = 0x20;
    pub const STORAGE_BUFFER: u32 = 0x40 | 0x80;
}

/// `VkDescriptorSetAndBindingMappingEXT`, with the data of a constant offset.
#[repr(C)]
#[derive(Clone, Copy)]
struct Mapping {
    s_type: i32,
    next: *const c_void,
    set: u32,
    binding: u32,
    count: u32,
    mask: u32,
    source: u32,
    /// The data is a union that is aligned to eight bytes.
    padding: u32,
    offset: u32,
    stride: u32,
    others: [u64; 6],
}

/// `VkShaderDescriptorSetAndBindingMappingInfoEXT`.
#[repr(C)]
struct MappingInfo {
    s_type: i32,
    next: *const c_void,
    count: u32,
    mappings: *const Mapping,
}

/// A mapping to bytes of a heap.
fn mapping(set: u32, binding: u32, count: u32, mask: u32) -> Mapping {
    let (s_type, next) = (1_000_135_005, ptr::null());
    Mapping {
        s_type,
        next,
        set,
        binding,
        count,
        mask,
        source: 0,
        padding: 0,
        offset: 4096,
        stride: 128,
        others: [0; 6],
    }
}

fn info(mappings: &[Mapping], next: *const c_void) -> MappingInfo {
    MappingInfo { s_type: MAPPING_INFO, next, count: mappings.len() as u32, mappings: mappings.as_ptr() }
}

fn as_next(info: &MappingInfo) -> *const c_void {
    ptr::from_ref(info).cast()
}

/// What the layer's mapping looks like.
fn heap(set: u32, mask: u32, stride: u32) -> MappingSeen {
    MappingSeen { set, count: 1, mask, stride, ..MappingSeen::default() }
}

fn device_with(extensions: &[&CStr], settings: impl Into<Vec<Setting>>) -> App {
    let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
    let config = Config { all_features: true, extensions: &[c"VK_EXT_descriptor_heap"], ..Config::default() };
    let request = InstanceRequest::new(settings).with_messages();
    let info = vk::DeviceCreateInfo::default().enabled_extension_names(&names);
    App::with(config, &request, &info).unwrap()
}

fn app(settings: impl Into<Vec<Setting>>) -> App {
    device_with(&[c"VK_EXT_descriptor_heap"], settings)
}

/// Creates a compute pipeline of descriptor heaps.
fn create(app: &App, name: &str, mappings: *const c_void) -> (vk::Result, Vec<StageSeen>) {
    let module = app.module(&fixture(name));
    let mut info = compute_pipeline(module);
    info.stage.p_next = mappings;
    create_info(app, info)
}

fn create_info(app: &App, info: vk::ComputePipelineCreateInfo<'_>) -> (vk::Result, Vec<StageSeen>) {
    let mut flags =
        vk::PipelineCreateFlags2CreateInfoKHR::default().flags(vk::PipelineCreateFlags2KHR::from_raw(1 << 36));
    let (result, _) = app.compute(&[info.push_next(&mut flags)]);
    (result, stages(app))
}

fn stages(app: &App) -> Vec<StageSeen> {
    let events = app.events();
    let mut calls = events.into_iter().filter_map(|event| match event {
        Event::Pipelines { pipelines, .. } => Some(pipelines[0].stages.clone()),
        _ => None,
    });
    calls.next().unwrap_or_default()
}

/// Tables are indexes in push data, so the heap is all that has to be mapped.
#[test]
fn a_root_signature_needs_no_mappings_of_the_application() {
    let app = app([]);
    let (result, stages) = create(&app, CONSTANTS, ptr::null());
    assert_eq!(result.as_raw(), 0, "{:?}", app.fake_instance().messages());
    assert_eq!(stages[0].mappings, [heap(1, mask::UNIFORM_BUFFER | mask::STORAGE_BUFFER, 64)]);
}

#[test]
fn static_samplers_are_embedded() {
    let app = app([]);
    let code = [fixture("heaps/graphics.vs.dxil"), fixture("heaps/graphics.ps.dxil")].map(|code| app.module(&code));
    let list = [
        stage(vk::ShaderStageFlags::VERTEX, code[0], c"vs_main"),
        stage(vk::ShaderStageFlags::FRAGMENT, code[1], c"ps_main"),
    ];
    let heaps = vk::PipelineCreateFlags2KHR::from_raw(1 << 36);
    let mut flags = vk::PipelineCreateFlags2CreateInfoKHR::default().flags(heaps);
    let info = vk::GraphicsPipelineCreateInfo::default().stages(&list).push_next(&mut flags);
    assert_eq!(app.graphics(&[info]).0.as_raw(), 0, "{:?}", app.fake_instance().messages());
    let stages = stages(&app);
    assert_eq!(stages[0].mappings, [heap(2, mask::STORAGE_BUFFER, 64)], "the table of the vertex shader");
    // Static sampler 0 follows two parameters.
    let embedded = MappingSeen { binding: 2, sampler: Some([0, 0]), ..heap(0, mask::SAMPLER, 0) };
    let (samplers, resources) = (heap(1, mask::SAMPLER, 24), heap(2, mask::SAMPLED_IMAGE | mask::UNIFORM_BUFFER, 64));
    assert_eq!(stages[1].mappings, [embedded, samplers, resources]);
}

#[test]
fn declared_resources_need_mappings() {
    let app = app([(c"register_shifts", c"u=200")]);
    let (result, stages) = create(&app, RAW, ptr::null());
    assert!(result == INVALID && stages.is_empty());
    let message = app.message();
    assert!(message.contains("nothing maps u0 (set 0 binding 200, storage_buffer) to a descriptor heap"), "{message}");
    assert!(message.contains("VkShaderDescriptorSetAndBindingMappingInfoEXT"), "{message}");
    // A mapping of other bindings, or of other types, is none.
    for other in
        [mapping(0, 201, 9, 0xff), mapping(0, 0, 200, 0xff), mapping(1, 200, 1, 0xff), mapping(0, 200, 1, 0x2f)]
    {
        let list = [other];
        assert!(create(&app, RAW, as_next(&info(&list, ptr::null()))).0 == INVALID);
        assert!(app.message().contains("nothing maps u0"));
    }
    for count in [1, u32::MAX - 199] {
        let list = [mapping(0, 200, count, mask::STORAGE_BUFFER)];
        let info = info(&list, ptr::null());
        let (result, stages) = create(&app, RAW, as_next(&info));
        assert_eq!(result.as_raw(), 0, "{:?}", app.fake_instance().messages());
        assert_eq!(
            stages[0].chain,
            [(MAPPING_INFO, as_next(&info) as usize)],
            "nothing is added, so nothing is copied"
        );
    }
}

#[test]
fn mappings_of_both_are_one_list() {
    let app = app([]);
    // The counters have no place in a heap.
    let (result, _) = create(&app, KINDS, ptr::null());
    assert!(result == INVALID);
    let message = app.message();
    assert!(message.contains("nothing maps the counters of ResourceDescriptorHeap (set 31 binding 0"), "{message}");
    let list = [mapping(31, 0, 1, u32::MAX >> 1), mapping(30, 0, 1, mask::UNIFORM_BUFFER)];
    let after = Unknown::before(ptr::null());
    let info = info(&list, after.as_next());
    let (result, stages) = create(&app, KINDS, as_next(&info));
    assert_eq!(result.as_raw(), 0, "{:?}", app.fake_instance().messages());
    let seen = &stages[0].mappings;
    let own = |set, mask| MappingSeen { offset: 4096, ..heap(set, mask, 128) };
    assert_eq!(seen[..2], [own(31, u32::MAX >> 1), own(30, mask::UNIFORM_BUFFER)]);
    let rest = mask::SAMPLED_IMAGE | mask::STORAGE_IMAGE | mask::STORAGE_BUFFER;
    assert!(seen[2..].contains(&heap(30, rest, 64)), "{seen:?}");
    assert!(seen[2..].contains(&heap(29, mask::SAMPLER, 24)), "{seen:?}");
    assert_eq!(seen.len(), 4);
    assert_eq!(stages[0].chain[1].1, after.as_next() as usize, "the rest of the chain is shared");
    assert_eq!((info.count, info.mappings), (2, list.as_ptr()), "the application's structure is unchanged");
    // The mappings cannot be found behind a structure of unknown size.
    let before = Unknown::before(as_next(&info));
    assert!(create(&app, KINDS, before.as_next()).0 == INVALID);
    assert!(app.message().contains("chain that structure after VkShaderDescriptorSetAndBindingMappingInfoEXT"));
}

/// With mappings of the application, tables are sets as the settings say.
#[test]
fn mappings_give_the_places_of_the_settings() {
    let list = [mapping(0, 0, 8, u32::MAX >> 1), mapping(1, 0, 8, u32::MAX >> 1)];
    let info = info(&list, ptr::null());
    let (result, stages) = create(&app([]), CONSTANTS, as_next(&info));
    assert_eq!((result.as_raw(), stages[0].mappings.len()), (0, 3), "two tables, and the heap in set 3");
    assert_eq!(stages[0].mappings[2], heap(3, mask::UNIFORM_BUFFER, 64));
    let offsets = app([(c"root_tables", c"offsets")]);
    let (result, stages) = create(&offsets, CONSTANTS, as_next(&info));
    assert_eq!((result.as_raw(), stages[0].mappings.len()), (0, 2), "the application maps set 1");
}

#[test]
fn chained_code_and_shader_objects() {
    let app = app([]);
    let code = ShaderCode::new(&fixture(CONSTANTS));
    let chained = code.info();
    let info = vk::ComputePipelineCreateInfo::default().stage(chained_stage(
        vk::ShaderStageFlags::COMPUTE,
        next(&chained),
        c"main",
    ));
    let (result, stages) = create_info(&app, info);
    let expected = [heap(1, mask::UNIFORM_BUFFER | mask::STORAGE_BUFFER, 64)];
    assert_eq!((result.as_raw(), &stages[0].mappings[..]), (0, &expected[..]));
    assert!(stages[0].chained_words.as_ref().is_some_and(|words| words[0] == 0x0723_0203));

    let heaps = vk::ShaderCreateFlagsEXT::from_raw(1 << 10);
    let object = |bytes: &'static [u8]| {
        let info = vk::ShaderCreateInfoEXT::default().stage(vk::ShaderStageFlags::COMPUTE).flags(heaps).name(c"main");
        info.code_type(vk::ShaderCodeTypeEXT::SPIRV).code(bytes)
    };
    let seen = |bytes: Vec<u8>| {
        let words = Vec::leak(ShaderCode::new(&bytes).words);
        // SAFETY: the words have at least as many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), bytes.len()) };
        let (result, _) = app.shaders(&[object(bytes)]);
        match app.events().as_slice() {
            [Event::Shaders { shaders, .. }] => (result.as_raw(), shaders[0].mappings.clone()),
            events => (result.as_raw(), vec![MappingSeen { set: events.len() as u32, ..MappingSeen::default() }]),
        }
    };
    assert_eq!(seen(fixture(CONSTANTS)), (0, expected.to_vec()));
    let (result, _) = seen(fixture(RAW));
    assert_eq!(result, vk::Result::ERROR_INITIALIZATION_FAILED.as_raw());
    assert!(app.message().contains("nothing maps u0 (set 0 binding 0"));
    // The flag itself is nothing that the layer refuses, and SPIR-V gets no mappings.
    assert_eq!(seen(SPIRV.map(u32::to_le_bytes).concat()), (0, Vec::new()));
    let (_, module) = app.create_module(&vk::ShaderModuleCreateInfo::default().code(&SPIRV));
    app.events();
    let (result, stages) = create_info(&app, compute_pipeline(module));
    assert_eq!((result.as_raw(), stages[0].chain.len()), (0, 0));
}

#[test]
fn a_device_without_the_extension_has_no_heaps() {
    let app = device_with(&[], []);
    assert!(create(&app, CONSTANTS, ptr::null()).0 == INVALID);
    assert!(app.message().contains("without the extension VK_EXT_descriptor_heap"));
}
