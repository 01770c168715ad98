//! What the stages of a pipeline have to agree on: how many bits 16-bit values have between them,
//! and that something gives what a stage reads.

use ash::vk;
use ash::vk::ShaderStageFlags as S;
use dxil_layer_loaderless::{App, binding, fixture, handle, next, stage};

/// Whether a module has the capability StorageInputOutput16.
fn has_16_bit_interface(words: &[u32]) -> bool {
    const CAPABILITY: u32 = 2 << 16 | 17;
    const STORAGE_INPUT_OUTPUT_16: u32 = 4436;
    words.windows(2).any(|w| w == [CAPABILITY, STORAGE_INPUT_OUTPUT_16])
}

/// A stage: DXIL of a fixture, or SPIR-V of the application, which the layer does not read.
enum Code {
    Dxil(&'static str),
    Spirv,
}

/// Creates a pipeline of a vertex and a pixel shader on a device with 16-bit interfaces. Returns
/// whether the modules of the pipeline have such an interface, or the message of the refusal.
fn create(name: &str, vertex: Code) -> Result<Vec<bool>, String> {
    let app = App::with_messages([]);
    let pixel = Code::Dxil("ps");
    let mut default = Vec::new();
    let stages = [(S::VERTEX, vertex), (S::FRAGMENT, pixel)].map(|(flag, code)| {
        let (module, p_name) = match code {
            Code::Spirv => (handle(0x77), c"main"),
            Code::Dxil(stage) => {
                let (result, module) = app.module_of(&fixture(&format!("{name}.{stage}.dxil")));
                assert_eq!(result.as_raw(), 0);
                (module, if stage == "vs" { c"vs_main" } else { c"ps_main" })
            }
        };
        default.extend(app.words().iter().map(|words| has_16_bit_interface(words)));
        stage(flag, module, p_name)
    });
    let info = vk::GraphicsPipelineCreateInfo { render_pass: handle(7), ..Default::default() }.stages(&stages);
    let (result, _) = app.graphics(&[info]);
    if result.as_raw() != 0 {
        return Err(app.fake_instance().messages().into_iter().map(|(_, message)| message).collect());
    }
    let made: Vec<_> = app.words().iter().map(|words| has_16_bit_interface(words)).collect();
    // Without modules of its own the pipeline has those that were made before.
    Ok(if made.is_empty() { default } else { made })
}

/// SPIR-V interpolates floats of 32 bits only, so both stages get interfaces of 32 bits.
#[test]
fn a_pixel_shader_that_evaluates_widens_the_interfaces_of_its_pipeline() {
    assert_eq!(create("graphics/evaluate_half", Code::Dxil("vs")), Ok(vec![false, false]));
    // Other pipelines keep their interfaces.
    assert_eq!(create("graphics/half_interpolants", Code::Dxil("vs")), Ok(vec![true, true]));
}

/// What the application's SPIR-V outputs cannot be changed.
#[test]
fn a_stage_that_is_spirv_does_not_widen() {
    let refused = create("graphics/evaluate_half", Code::Spirv).unwrap_err();
    let expected = "of an input of 16 bits; SPIR-V interpolates floats of 32 bits only, so all stages of the pipeline need \
                    interfaces of 32 bits: dxil2spv takes --wide-interface for each stage, and the layer does it where all \
                    stages are DXIL and are created together";
    assert!(refused.contains(expected), "{refused}");
}

/// The warnings about a pipeline of these stages with these attributes.
fn warnings(stages: &[(S, &str)], locations: Option<&[u32]>, dynamic: &[vk::DynamicState]) -> Vec<String> {
    let app = App::with_messages([]);
    let stages: Vec<_> = stages.iter().map(|(flag, name)| stage(*flag, app.module(&fixture(name)), c"main")).collect();
    let attribute = |&location| vk::VertexInputAttributeDescription { location, ..Default::default() };
    let attributes: Vec<_> = locations.unwrap_or_default().iter().map(attribute).collect();
    let vertices = vk::PipelineVertexInputStateCreateInfo::default().vertex_attribute_descriptions(&attributes);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(dynamic);
    let mut info = vk::GraphicsPipelineCreateInfo { render_pass: handle(7), ..Default::default() };
    info = info.stages(&stages).dynamic_state(&dynamic);
    // Without attributes another pipeline library has them.
    let library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(
        vk::GraphicsPipelineLibraryFlagsEXT::PRE_RASTERIZATION_SHADERS
            | vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_SHADER,
    );
    match locations {
        Some(_) => info = info.vertex_input_state(&vertices),
        None => info.p_next = next(&library),
    }
    // The same pipeline again has the same warning, although its translations are cached.
    let [first, second] = [0, 1].map(|_| {
        assert_eq!(app.graphics(&[info]).0.as_raw(), 0);
        let messages = app.fake_instance().submitted();
        assert!(messages.iter().all(|message| message.id == "DXIL-interface"), "{messages:?}");
        messages.into_iter().map(|message| message.text).collect::<Vec<_>>()
    });
    assert_eq!(first, second);
    first
}

const UNDEFINED: &str = "; D3D12 refuses this, and Vulkan leaves the values undefined";

#[test]
fn a_vertex_input_without_an_attribute_is_a_warning() {
    let stages =
        [(S::VERTEX, "graphics/cbuffer_transform.vs.dxil"), (S::FRAGMENT, "graphics/cbuffer_transform.ps.dxil")];
    assert_eq!(warnings(&stages, Some(&[0, 1]), &[]), [""; 0]);
    let texts = warnings(&stages, Some(&[1, 7]), &[]);
    let text =
        "pipeline 0: the vertex shader reads POSITION0 at location 0, which no VkVertexInputAttributeDescription gives";
    assert_eq!(texts, [format!("{text}{UNDEFINED}")]);
    // Attributes that a command sets, or another library has, are unknown.
    assert_eq!(warnings(&stages, Some(&[]), &[vk::DynamicState::VERTEX_INPUT_EXT]), [""; 0]);
    assert_eq!(warnings(&stages, None, &[]), [""; 0]);
}

#[test]
fn an_input_that_the_stage_before_does_not_write_is_a_warning() {
    let hull =
        [(S::VERTEX, "descriptors/graphics.vs.dxil"), (S::TESSELLATION_CONTROL, "tessellation/control_points.hs.dxil")];
    let texts = warnings(&hull, None, &[]);
    let [text] = &texts[..] else { panic!("{texts:?}") };
    assert!(text.contains("the hull shader reads TAG0, which the vertex shader does not write"), "{text}");
    assert!(text.starts_with("pipeline 0: ") && text.ends_with(UNDEFINED), "{text}");
}

/// Linked shader objects are compared like the stages of a pipeline, and others are not.
#[test]
fn linked_shader_objects_are_compared() {
    let stages =
        [(S::VERTEX, "descriptors/graphics.vs.dxil"), (S::TESSELLATION_CONTROL, "tessellation/control_points.hs.dxil")];
    let codes = stages.map(|(flag, name)| (flag, dxil_layer_loaderless::ShaderCode::new(&fixture(name))));
    for linked in [vk::ShaderCreateFlagsEXT::LINK_STAGE, vk::ShaderCreateFlagsEXT::empty()] {
        let app = App::with_messages([]);
        let buffer = |number| binding(number, vk::DescriptorType::STORAGE_BUFFER);
        let sets = [app.set_layout(&[binding(0, vk::DescriptorType::UNIFORM_BUFFER), buffer(6), buffer(7)])];
        let infos = codes.each_ref().map(|(stage, code)| vk::ShaderCreateInfoEXT {
            flags: linked,
            stage: *stage,
            next_stage: S::TESSELLATION_CONTROL | S::TESSELLATION_EVALUATION,
            code_type: vk::ShaderCodeTypeEXT::SPIRV,
            code_size: code.bytes,
            p_code: code.words.as_ptr().cast(),
            p_name: c"main".as_ptr(),
            set_layout_count: 1,
            p_set_layouts: sets.as_ptr(),
            ..Default::default()
        });
        assert_eq!(app.shaders(&infos).0.as_raw(), 0);
        let messages = app.fake_instance().submitted();
        let found = messages.iter().filter(|message| message.id == "DXIL-interface").count();
        assert_eq!(found, usize::from(!linked.is_empty()), "{messages:?}");
    }
}
