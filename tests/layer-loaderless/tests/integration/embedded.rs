//! Tests of DXIL embedded in SPIR-V: in every structure the layer treats it like the
//! container alone; a damaged one is refused; SPIR-V of others keeps its pointers.

use std::ffi::c_void;
use std::ptr;

use ash::vk;
use ash::vk::{Handle, ShaderStageFlags as S};
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, ShaderCode, ShaderSeen, StageSeen, aligned, fixture, handle, next, shader,
};
use dxil_translator::{EmbedOptions, embed};

const INVALID: vk::Result = vk::Result::ERROR_INVALID_SHADER_NV;

fn app() -> App {
    let request = InstanceRequest::new([(c"register_shifts", c"b=0,t=100,u=200,s=300,c=1000")]).with_messages();
    App::with_rays(Config::default(), &request)
}

/// A compute shader, a vertex shader, and a library with one ray-generation shader.
enum Shader {
    Compute,
    Vertex,
    Rays,
}

impl Shader {
    fn container(&self) -> Vec<u8> {
        match self {
            Self::Compute => fixture("buffer/raw_read_write.dxil"),
            Self::Vertex => fixture("graphics/cull.vs.dxil"),
            Self::Rays => shader("rays.alone.dxil"),
        }
    }
    fn stage(&self, module: vk::ShaderModule, next: *const c_void) -> vk::PipelineShaderStageCreateInfo<'static> {
        let (stage, name) = match self {
            Self::Compute => (S::COMPUTE, c"main"),
            Self::Vertex => (S::VERTEX, c"vs_main"),
            Self::Rays => (S::RAYGEN_KHR, c"generate_alone"),
        };
        vk::PipelineShaderStageCreateInfo { p_next: next, ..dxil_layer_loaderless::stage(stage, module, name) }
    }
}

/// What a command answered, and the address that reaches the driver if the layer changes nothing.
struct Answer {
    result: vk::Result,
    address: usize,
}

fn answer<T>(result: vk::Result, info: &T) -> Answer {
    Answer { result, address: ptr::from_ref(info) as usize }
}

/// A structure with shader code: its name, the shader for it, and the command with this code.
type Row = (&'static str, Shader, fn(&App, &Shader, &ShaderCode) -> Answer);

/// The place of u0.
fn binding() -> vk::DescriptorSetLayoutBinding<'static> {
    dxil_layer_loaderless::binding(200, vk::DescriptorType::STORAGE_BUFFER)
}

fn layout(app: &App) -> vk::PipelineLayout {
    let layout = app.layout(&[binding()]);
    app.events();
    layout
}

/// `vkGetPipelineKeyKHR` of a pipeline create info.
fn key<T>(app: &App, info: &T) -> Answer {
    type Key = unsafe extern "system" fn(vk::Device, *const c_void, *mut c_void) -> vk::Result;
    // VkPipelineCreateInfoKHR: sType, and the pipeline's create info as pNext.
    let nested: [*const c_void; 2] = [ptr::without_provenance(1_000_483_007), next(info)];
    // SAFETY: the command's own type; valid arguments.
    let result = unsafe {
        let key: Key = app.typed(c"vkGetPipelineKeyKHR");
        key(app.device, nested.as_ptr().cast(), ptr::null_mut())
    };
    answer(result, &nested)
}

const ROWS: &[Row] = &[
    ("vkCreateShaderModule", Shader::Compute, |app, _, code| {
        let info = code.info();
        answer(app.create_module(&info).0, &info)
    }),
    ("vkCreateComputePipelines, module", Shader::Compute, |app, shader, code| {
        let (result, module) = app.create_module(&code.info());
        let info =
            vk::ComputePipelineCreateInfo::default().stage(shader.stage(module, ptr::null())).layout(layout(app));
        if result != vk::Result::SUCCESS {
            return answer(result, &info);
        }
        answer(app.compute(std::slice::from_ref(&info)).0, &info)
    }),
    ("vkCreateComputePipelines, chain", Shader::Compute, |app, shader, code| {
        let code = code.info();
        let info =
            vk::ComputePipelineCreateInfo::default().stage(shader.stage(handle(0), next(&code))).layout(layout(app));
        answer(app.compute(std::slice::from_ref(&info)).0, &info)
    }),
    ("vkCreateGraphicsPipelines, chain", Shader::Vertex, |app, shader, code| {
        let code = code.info();
        let stages = [shader.stage(handle(0), next(&code))];
        let info = vk::GraphicsPipelineCreateInfo::default().stages(&stages).layout(layout(app));
        answer(app.graphics(std::slice::from_ref(&info)).0, &info)
    }),
    ("VkGraphicsPipelineShaderGroupsCreateInfoNV", Shader::Vertex, |app, shader, code| {
        let code = code.info();
        let stages = [shader.stage(handle(0), next(&code))];
        let group = [vk::GraphicsShaderGroupCreateInfoNV::default().stages(&stages)];
        let mut groups = vk::GraphicsPipelineShaderGroupsCreateInfoNV::default().groups(&group);
        let info = vk::GraphicsPipelineCreateInfo::default().push_next(&mut groups);
        answer(app.graphics(std::slice::from_ref(&info)).0, &info)
    }),
    ("vkCreateRayTracingPipelinesKHR, chain", Shader::Rays, |app, shader, code| {
        let code = code.info();
        let stages = [shader.stage(handle(0), next(&code))];
        let info = vk::RayTracingPipelineCreateInfoKHR::default().stages(&stages).layout(layout(app));
        answer(app.rays(std::slice::from_ref(&info)).0, &info)
    }),
    ("vkCreateRayTracingPipelinesNV, chain", Shader::Rays, |app, shader, code| {
        let code = code.info();
        let stages = [shader.stage(handle(0), next(&code))];
        let info = vk::RayTracingPipelineCreateInfoNV::default().stages(&stages).layout(layout(app));
        answer(app.rays_nv(std::slice::from_ref(&info)).0, &info)
    }),
    ("vkCreateShadersEXT", Shader::Compute, |app, _, code| {
        let sets = [app.set_layout(&[binding()])];
        app.events();
        let info = [vk::ShaderCreateInfoEXT {
            stage: S::COMPUTE,
            code_type: vk::ShaderCodeTypeEXT::SPIRV,
            code_size: code.bytes,
            p_code: code.words.as_ptr().cast(),
            p_name: c"main".as_ptr(),
            ..vk::ShaderCreateInfoEXT::default().set_layouts(&sets)
        }];
        let (result, _) = app.shaders(&info);
        answer(result, &info)
    }),
    ("vkCreateExecutionGraphPipelinesAMDX", Shader::Compute, |app, shader, code| {
        let code = code.info();
        let stages = [shader.stage(handle(0), next(&code))];
        let info = [vk::ExecutionGraphPipelineCreateInfoAMDX::default().stages(&stages)];
        let mut out: [vk::Pipeline; 1] = [handle(0xbad)];
        // SAFETY: the command's own type; valid arguments for one pipeline.
        unsafe {
            let create: vk::PFN_vkCreateExecutionGraphPipelinesAMDX = app.typed(c"vkCreateExecutionGraphPipelinesAMDX");
            let _ = create(app.device, handle(0), 1, info.as_ptr(), ptr::null(), out.as_mut_ptr());
        }
        // The layer clears the output of what it refuses.
        answer(if out[0].is_null() { vk::Result::ERROR_UNKNOWN } else { vk::Result::SUCCESS }, &info)
    }),
    ("vkGetPipelineKeyKHR", Shader::Compute, |app, shader, code| {
        let code = code.info();
        key(app, &vk::ComputePipelineCreateInfo::default().stage(shader.stage(handle(0), next(&code))))
    }),
    ("vkCreatePipelineBinariesKHR", Shader::Compute, |app, shader, code| {
        type Create = unsafe extern "system" fn(vk::Device, *const c_void, *const c_void, *mut c_void) -> vk::Result;
        let code = code.info();
        let info = vk::ComputePipelineCreateInfo::default().stage(shader.stage(handle(0), next(&code)));
        let nested: [*const c_void; 2] = [ptr::without_provenance(1_000_483_007), next(&info)];
        // VkPipelineBinaryCreateInfoKHR and VkPipelineBinaryHandlesInfoKHR.
        let info: [usize; 5] = [1_000_483_001, 0, 0, 0, nested.as_ptr() as usize];
        let mut binaries = [0xbadu64];
        let mut out: [usize; 4] = [0, 0, 1, binaries.as_mut_ptr() as usize];
        // SAFETY: the command's own type; valid arguments.
        let result = unsafe {
            let create: Create = app.typed(c"vkCreatePipelineBinariesKHR");
            create(app.device, info.as_ptr().cast(), ptr::null(), out.as_mut_ptr().cast())
        };
        answer(result, &info)
    }),
    ("vkGetShaderModuleCreateInfoIdentifierEXT", Shader::Compute, |app, _, code| {
        let info = code.info();
        let mut identifier = vk::ShaderModuleIdentifierEXT::default();
        // SAFETY: the command's own type; valid arguments.
        unsafe {
            let identify: vk::PFN_vkGetShaderModuleCreateInfoIdentifierEXT =
                app.typed(c"vkGetShaderModuleCreateInfoIdentifierEXT");
            identify(app.device, &info, &mut identifier);
        }
        answer(vk::Result::from_raw(if identifier.identifier_size == 0 { -1 } else { 0 }), &info)
    }),
    ("vkGetPipelineIndirectMemoryRequirementsNV", Shader::Compute, |app, shader, code| {
        let code = code.info();
        let info = vk::ComputePipelineCreateInfo::default().stage(shader.stage(handle(0), next(&code)));
        let mut requirements = vk::MemoryRequirements2::default();
        requirements.memory_requirements.size = 7;
        // SAFETY: the command's own type; valid arguments.
        unsafe {
            let get: vk::PFN_vkGetPipelineIndirectMemoryRequirementsNV =
                app.typed(c"vkGetPipelineIndirectMemoryRequirementsNV");
            get(app.device, &info, &mut requirements);
        }
        // The layer says that no memory is required for what it refuses.
        answer(vk::Result::from_raw(if requirements.memory_requirements.size == 0 { -1 } else { 0 }), &info)
    }),
];

fn stage_text(stage: &StageSeen) -> String {
    format!("{} {:?} {:?}", stage.stage, stage.name, stage.chained_words)
}

/// What reached the driver, without addresses and handles.
fn texts(events: &[Event]) -> Vec<String> {
    let text = |event: &Event| match event {
        Event::Module { words, .. } => format!("module {words:?}"),
        Event::DestroyModule(_) => "destroy module".to_owned(),
        Event::Pipelines { pipelines, .. } => {
            let all = pipelines.iter().flat_map(|pipeline| &pipeline.stages);
            format!("pipelines {:?}", all.map(stage_text).collect::<Vec<_>>())
        }
        Event::RayTracing { pipelines, .. } => {
            let all = pipelines.iter().flat_map(|pipeline| &pipeline.stages);
            format!("rays {:?}", all.map(stage_text).collect::<Vec<_>>())
        }
        Event::Shaders { shaders, .. } => {
            let text = |seen: &ShaderSeen| format!("{} {:?} {:?}", seen.stage, seen.name, aligned(&seen.code));
            format!("shaders {:?}", shaders.iter().map(text).collect::<Vec<_>>())
        }
        Event::PipelineKey { stages, .. } => format!("key {:?}", stages.iter().map(stage_text).collect::<Vec<_>>()),
        Event::PipelineBinaries { stages, .. } => {
            format!("binaries {:?}", stages.iter().map(stage_text).collect::<Vec<_>>())
        }
        Event::IndirectRequirements { stages, .. } => {
            format!("requirements {:?}", stages.iter().map(stage_text).collect::<Vec<_>>())
        }
        Event::CreateInfoIdentifier { words, .. } => format!("identifier {words:?}"),
        other => panic!("{other:?}"),
    };
    events.iter().map(text).collect()
}

/// The address of the create info that an event has.
fn address(event: &Event) -> Option<usize> {
    match event {
        Event::Module { info, .. }
        | Event::Pipelines { infos: info, .. }
        | Event::RayTracing { infos: info, .. }
        | Event::Shaders { infos: info, .. }
        | Event::PipelineKey { info, .. }
        | Event::PipelineBinaries { info, .. }
        | Event::IndirectRequirements { info, .. }
        | Event::CreateInfoIdentifier { info, .. } => Some(*info),
        _ => None,
    }
}

/// A module that carries the container. Its words are what `embed` gives.
fn embedded(container: &[u8]) -> Vec<u8> {
    let words = embed(container, &EmbedOptions::default()).unwrap();
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The module with one letter of its container changed.
fn damaged(container: &[u8]) -> Vec<u8> {
    let mut module = embedded(container);
    let piece = module.windows(12).position(|window| window == b"DXIL.Piece 1").unwrap();
    let letter = &mut module[piece + 200];
    *letter = if *letter == b'A' { b'B' } else { b'A' };
    module
}

/// The module with another generator word: SPIR-V of others.
fn unmarked(container: &[u8]) -> Vec<u8> {
    let mut module = embedded(container);
    module[8] ^= 1;
    module
}

#[test]
fn the_container_is_extracted_in_every_structure() {
    let mut translated = 0;
    for (name, shader, call) in ROWS {
        let container = shader.container();
        let app = app();
        let expected = call(&app, shader, &ShaderCode::new(&container)).result;
        let events = texts(&app.events());
        let result = call(&app, shader, &ShaderCode::new(&embedded(&container))).result;
        assert!(result == expected, "{name}: {} and not {}", result.as_raw(), expected.as_raw());
        let found = texts(&app.events());
        assert_eq!(found, events, "{name}");
        assert!(!found.iter().any(|text| text.contains(&u32::from_le_bytes(*b"DXBC").to_string())), "{name}");
        assert!(expected == vk::Result::SUCCESS, "{name}: {:?}", app.fake_instance().messages());
        translated += usize::from(expected == vk::Result::SUCCESS);
        // What is refused never reaches the driver.
        // Nor does the driver see for what the layer has identifiers of its own.
        let is_own = *name == "vkGetShaderModuleCreateInfoIdentifierEXT";
        assert_eq!(expected == vk::Result::SUCCESS && !is_own, !events.is_empty(), "{name}");
    }
    assert!(translated == ROWS.len(), "{translated} structures are translated");
}

#[test]
fn no_structure_with_a_damaged_container_is_forwarded() {
    for (name, shader, call) in ROWS {
        let app = app();
        let result = call(&app, shader, &ShaderCode::new(&damaged(&shader.container()))).result;
        assert!(result.as_raw() < 0, "{name}: {}", result.as_raw());
        assert_eq!(texts(&app.events()), Vec::<String>::new(), "{name}");
        let stripped: Vec<u8> = embedded(&shader.container()).into_iter().take(20).collect();
        let result = call(&app, shader, &ShaderCode::new(&stripped)).result;
        assert!(result.as_raw() < 0, "{name}: {}", result.as_raw());
        assert_eq!(texts(&app.events()), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn other_spirv_keeps_its_pointers_in_every_structure() {
    for (name, shader, call) in ROWS {
        let app = app();
        let Answer { result, address: expected } = call(&app, shader, &ShaderCode::new(&unmarked(&shader.container())));
        assert!(result == vk::Result::SUCCESS, "{name}: {}", result.as_raw());
        // The fake does not record every command.
        if let Some(event) = app.events().last() {
            assert_eq!(address(event), Some(expected), "{name}");
        }
    }
}

/// The container counts, and not the code around it.
#[test]
fn a_fallback_is_not_used_under_the_layer() {
    for (name, shader, call) in ROWS {
        let fallback = match shader {
            Shader::Compute => fixture("buffer/raw_read_write.spv"),
            Shader::Vertex => fixture("graphics/cull.vs.spv"),
            Shader::Rays => continue,
        };
        let (container, body) = (shader.container(), aligned(&fallback));
        let body = &body[..fallback.len() / 4];
        let words = embed(&container, &EmbedOptions::default().with_body(body)).unwrap();
        let both: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let app = app();
        let expected = call(&app, shader, &ShaderCode::new(&container)).result;
        let events = texts(&app.events());
        assert!(call(&app, shader, &ShaderCode::new(&both)).result == expected, "{name}");
        assert_eq!(texts(&app.events()), events, "{name}");
    }
}

/// The message of a failure names the digest that was found, and the one that was expected.
#[test]
fn a_damaged_one_is_told_to_the_messengers() {
    let app = app();
    app.fake_instance().messages();
    let container = Shader::Compute.container();
    let (result, module) = app.module_of(&damaged(&container));
    assert!(result == INVALID && module.is_null());
    let text = app.message();
    let digest = dxil_translator::BlobDigest::from_bytes(&container);
    assert!(text.contains("BLAKE3 hash") && text.contains(&format!("its head says {digest}")), "{text}");
    // A good one afterwards.
    assert!(app.module_of(&embedded(&container)).0 == vk::Result::SUCCESS);
    assert!(app.fake_instance().messages().is_empty());
}

/// A cached translation is found by the container's digest, whichever form it came in.
#[test]
fn who_forbids_compilation_gets_what_the_other_form_left() {
    let app = app();
    let container = Shader::Compute.container();
    let layout = layout(&app);
    let create = |code: &[u8], flags| {
        let code = ShaderCode::new(code);
        let code = code.info();
        let stage = Shader::Compute.stage(handle(0), next(&code));
        let info = vk::ComputePipelineCreateInfo { flags, ..Default::default() }.stage(stage).layout(layout);
        app.compute(&[info]).0
    };
    assert!(create(&container, vk::PipelineCreateFlags::empty()) == vk::Result::SUCCESS);
    let cached = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
    assert!(create(&embedded(&container), cached) == vk::Result::SUCCESS);
    assert!(create(&damaged(&container), cached) == INVALID);
}
