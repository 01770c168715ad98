//! Messages of debug-utils: each one's whole text, its id, and the objects that it concerns.

use std::ffi::CStr;

use ash::vk;
use ash::vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, Handle, ObjectType};
use dxil_layer_loaderless::{
    App, Config, DeviceSeen, InstanceRequest, Message, SPIRV, Setting, ShaderCode, chained_stage, fixture, next, stage,
};
use dxil_translator::Feature;

/// The id of a message, with its number.
type Id = (&'static str, i32);
const SETTING: Id = ("DXIL-setting", 0x4458_0001);
const SETTING_FILE: Id = ("DXIL-setting-file", 0x4458_0002);
const FEATURES: Id = ("DXIL-features", 0x4458_0003);
const OLD_VALIDATION: Id = ("DXIL-old-validation", 0x4458_0004);
const MODULE: Id = ("DXIL-module", 0x4458_0005);
const PIPELINE: Id = ("DXIL-pipeline", 0x4458_0006);
const SHADER_OBJECT: Id = ("DXIL-shader-object", 0x4458_0007);
const IDENTIFIER: Id = ("DXIL-identifier", 0x4458_0009);

fn request(settings: &[Setting]) -> InstanceRequest {
    InstanceRequest::new(settings).with_messages()
}

fn app(config: Config, settings: &[Setting]) -> App {
    App::with_request(config, &request(settings))
}

/// What was submitted, with the messages of creation, which wait for a call.
fn submitted(app: &App) -> Vec<Message> {
    app.layout(&[]);
    app.fake_instance().submitted()
}

fn message(severity: Severity, id: Id, objects: &[(ObjectType, u64)], text: &str) -> Message {
    Message { severity, id: id.0.into(), number: id.1, objects: objects.to_vec(), text: text.into() }
}

fn instance(app: &App) -> [(ObjectType, u64); 1] {
    [(ObjectType::INSTANCE, app.instance.as_raw())]
}

fn device(app: &App) -> (ObjectType, u64) {
    (ObjectType::DEVICE, app.device.as_raw())
}

/// The name of a blob in messages.
fn blob(bytes: &[u8]) -> String {
    dxil_translator::BlobDigest::from_bytes(bytes).short()
}

#[test]
fn settings_and_their_files() {
    let app = app(Config::default(), &[(c"cache_md", c"7"), (c"spaces", c"95=1,96"), (c"map", c"/nowhere/map.toml")]);
    let expected = [
        message(
            Severity::WARNING,
            SETTING,
            &instance(&app),
            "VkLayerSettingsCreateInfoEXT, setting `cache_md`: the layer has no setting `cache_md`; did you mean `cache_mb`?",
        ),
        message(
            Severity::WARNING,
            SETTING,
            &instance(&app),
            "setting spaces: `95=1,96` is not accepted (expected SPACE=SET such as `95=1`, found `96`), the setting stays \
             empty; accepted: a list such as `95=1,96=2`",
        ),
        message(
            Severity::ERROR,
            SETTING_FILE,
            &instance(&app),
            "binding at input: setting map, file /nowhere/map.toml: No such file or directory (os error 2)",
        ),
    ];
    assert_eq!(submitted(&app), expected);
}

#[test]
fn refused_features() {
    let extensions: &[&CStr] = &[c"VK_EXT_mutable_descriptor_type"];
    let refuse_device = |device: &DeviceSeen| !device.extensions.is_empty();
    let app = app(Config { extensions, refuse_device, ..Config::default() }, &[]);
    let messages = submitted(&app);
    let [warning] = &messages[..] else { panic!("{messages:?}") };
    assert_eq!((warning.severity, warning.id.as_str(), warning.number), (Severity::WARNING, FEATURES.0, FEATURES.1));
    assert_eq!(warning.objects, instance(&app));
    // The features are those that the fake has and the layer adds.
    let (_, names) = warning.text.rsplit_once(", without ").unwrap();
    let known = |name: &str| Feature::ALL.iter().any(|feature| feature.name() == name);
    assert!(names.split(", ").all(known) && names.contains("shaderInt64"), "{names}");
    let text = format!(
        "the driver refused the device with added features (-8); it was created as the application asked, without {names}"
    );
    assert_eq!(warning.text, text);
}

/// A validation layer below that is older than the features of translated code is reported once,
/// unless `profile_cap` leaves them out.
#[test]
fn old_validation_below() {
    const NEW: &[&CStr] = &[c"VK_KHR_shader_maximal_reconvergence", c"VK_KHR_shader_float_controls2"];
    const OLD: &[(&CStr, &CStr)] = &[(c"VK_LAYER_other", c"1.0"), (c"VK_LAYER_KHRONOS_validation", c"239")];
    const CURRENT: &[(&CStr, &CStr)] = &[(c"VK_LAYER_KHRONOS_validation", c"341")];
    let config = |tools| Config { tools, extensions: NEW, ..Config::default() };
    let advised = app(config(OLD), &[]);
    let other = advised.create_device(&vk::DeviceCreateInfo::default()).unwrap();
    assert_ne!(other, advised.device);
    let expected = message(
        Severity::WARNING,
        OLD_VALIDATION,
        &instance(&advised),
        "the validation layer below has version 1.3.239, which does not know shaderMaximalReconvergence, shaderFloatControls2; \
         it may report errors in valid translated code; the setting profile_cap (environment variable VK_DXIL_TRANSLATE_PROFILE_CAP=1.3.239) leaves \
         out what it does not know",
    );
    assert_eq!(submitted(&advised), [expected]);
    assert_eq!(submitted(&app(config(OLD), &[(c"profile_cap", c"1.3.239")])), []);
    assert_eq!(submitted(&app(config(CURRENT), &[])), []);
    assert_eq!(submitted(&app(config(&[]), &[])), []);
    // The command that lists the tools is part of Vulkan 1.3.
    let old = InstanceRequest { api_version: vk::API_VERSION_1_2, ..request(&[]) };
    let old = App::with_request(config(OLD), &old);
    assert_eq!(submitted(&old), []);
}

#[test]
fn a_module_that_is_malformed() {
    let app = app(Config::default(), &[]);
    let bytes = &fixture("types/double.dxil")[..1000];
    assert!(app.module_of(bytes).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    let text = format!(
        "DXIL blob {}: malformed at byte 24: the container has 3724 bytes, but the input only 1000: it is cut short",
        blob(bytes)
    );
    assert_eq!(submitted(&app), [message(Severity::ERROR, MODULE, &[device(&app)], &text)]);
}

/// A pipeline whose layout does not match its root signature: the message names all stages that are
/// planned together, leads with what is wrong, and ends with advice.
#[test]
fn a_layout_that_does_not_match() {
    let app = app(Config::default(), &[]);
    let [vs, ps] = ["rootsig/graphics.vs.dxil", "rootsig/graphics.ps.dxil"].map(fixture);
    let modules = [&vs, &ps].map(|bytes| app.module(bytes));
    let layout = app.layout(&[]);
    let stages = [vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::FRAGMENT];
    let stages = [stage(stages[0], modules[0], c"main"), stage(stages[1], modules[1], c"main")];
    let info = vk::GraphicsPipelineCreateInfo::default().stages(&stages).layout(layout);
    assert!(app.graphics(&[info]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    let objects = [
        device(&app),
        (ObjectType::PIPELINE_LAYOUT, layout.as_raw()),
        (ObjectType::SHADER_MODULE, modules[0].as_raw()),
        (ObjectType::SHADER_MODULE, modules[1].as_raw()),
    ];
    let buffers = "uniform_buffer or uniform_buffer_dynamic or inline_uniform_block or storage_buffer or \
                   storage_buffer_dynamic";
    let text = format!(
        "pipeline 0 is not created: DXIL blobs {} (vertex `vs_main`), {} (pixel `ps_main`): binding at resource b1 \
         space0 ConstantBuffer size 16 \"Transform\" (vertex) has no suitable place; root-signature: set 1 binding 1 (root descriptor): the \
         layout has only 1 set, so it does not say whether root descriptors are addresses\n\
         t0 space0 Texture2D<f32> \"image\" (pixel) has no suitable place; root-signature: set 0 binding 0 (root parameter 2, range 0 of \
         its table) of type sampled_image or combined_image_sampler or storage_image or input_attachment: the layout's set 0 \
         is empty\n\
         b0 space0 ConstantBuffer size 16 \"tint\" (pixel) has no suitable place; root-signature: push constants at bytes 0 to 16: the \
         layout has no push-constant range for pixel\n\
         b2 space0 ConstantBuffer size 16 \"Material\" (pixel) has no suitable place; root-signature: set 0 binding 1 (root parameter 2, \
         range 1 of its table) of type {buffers}: the layout's set 0 is empty\n\
         s0 space0 SamplerState \"trilinear\" (pixel) has no suitable place; root-signature: set 1 binding 3 (static sampler 0) of type \
         sampler or combined_image_sampler: the layout has only 1 set; declare the static sampler as an immutable sampler \
         (pImmutableSamplers) at that binding\n\
         `--root-descriptors` of dxil2spv or the layer's setting `root_descriptors` says whether root descriptors are \
         addresses: descriptor or address\n\
         `dxil2spv layout` prints the pipeline layout to declare for shaders; the layer's setting `bindings`, in dxil2spv \
         `--model`, chooses another binding model",
        blob(&vs),
        blob(&ps)
    );
    assert_eq!(submitted(&app), [message(Severity::ERROR, PIPELINE, &objects, &text)]);
}

/// A failure of one stage concerns its module alone.
#[test]
fn a_stage_of_another_kind() {
    let app = app(Config::default(), &[]);
    let [vs, ps] = ["graphics/sample.vs.dxil", "graphics/sample.ps.dxil"].map(fixture);
    let modules = [&vs, &ps].map(|bytes| app.module(bytes));
    let both = vk::ShaderStageFlags::VERTEX;
    let stages = [stage(both, modules[0], c"main"), stage(both, modules[1], c"main")];
    let info = vk::GraphicsPipelineCreateInfo::default().stages(&stages);
    assert!(app.graphics(&[info]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    let objects = [device(&app), (ObjectType::SHADER_MODULE, modules[1].as_raw())];
    let text = format!(
        "pipeline 0 is not created: DXIL blob {}, entry `ps_main`: unsupported at input: the stage VK_SHADER_STAGE_VERTEX_BIT \
         was given an entry point of VK_SHADER_STAGE_FRAGMENT_BIT",
        blob(&ps)
    );
    assert_eq!(submitted(&app), [message(Severity::ERROR, PIPELINE, &objects, &text)]);
}

/// The end of a message about a driver that does not take translated code.
const HOW_TO_CAPTURE: &str = "the setting capture_dir (environment variable VK_DXIL_TRANSLATE_CAPTURE_DIR=FOLDER) writes \
                              all that is needed to repeat it, and dump_dir the translations alone";

/// A driver that refuses a pipeline with translated code: the message names the blobs of each
/// pipeline with DXIL, and the driver's result. The driver's refusal of other code is its own
/// matter.
#[test]
fn a_pipeline_that_the_driver_refuses() {
    let result = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
    let app = app(Config { compute_result: Some(result), ..Config::default() }, &[]);
    let bytes = fixture("buffer/raw_read_write.dxil");
    let module = app.module(&bytes);
    let chained = ShaderCode::new(&bytes);
    let code = chained.info();
    let spirv = app.module(&SPIRV.map(u32::to_le_bytes).concat());
    let compute = vk::ShaderStageFlags::COMPUTE;
    let stages =
        [stage(compute, spirv, c"main"), stage(compute, module, c"main"), chained_stage(compute, next(&code), c"main")];
    let infos = stages.map(|stage| vk::ComputePipelineCreateInfo { stage, ..Default::default() });
    assert!(app.compute(&infos).0 == result);
    let text = |index: u32| {
        format!(
            "pipeline {index} is not created: the driver returned -1 for code that was translated from DXIL (blobs {}); \
             {HOW_TO_CAPTURE}",
            blob(&bytes)
        )
    };
    let with_module = [device(&app), (ObjectType::SHADER_MODULE, module.as_raw())];
    let expected = [
        message(Severity::ERROR, PIPELINE, &with_module, &text(1)),
        message(Severity::ERROR, PIPELINE, &[device(&app)], &text(2)),
    ];
    assert_eq!(submitted(&app), expected);
    assert!(app.compute(&infos[..1]).0 == result);
    assert_eq!(submitted(&app), []);
    // Beside a pipeline that the layer refuses, too: each has one message.
    let mut refused = infos[1];
    refused.stage.p_name = c"wrong".as_ptr();
    assert!(app.compute(&[refused, infos[1]]).0 == result);
    let messages = submitted(&app);
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages.contains(&message(Severity::ERROR, PIPELINE, &with_module, &text(1))), "{messages:?}");
}

#[test]
fn shader_objects_that_the_driver_refuses() {
    let result = vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
    let app = app(Config { shaders_result: result, ..Config::default() }, &[]);
    let bytes = fixture("buffer/raw_read_write.dxil");
    let words = dxil_layer_loaderless::aligned(&bytes);
    let info = vk::ShaderCreateInfoEXT {
        stage: vk::ShaderStageFlags::COMPUTE,
        code_type: vk::ShaderCodeTypeEXT::SPIRV,
        code_size: bytes.len(),
        p_code: words.as_ptr().cast(),
        p_name: c"main".as_ptr(),
        ..Default::default()
    };
    let sets = [app.set_layout(&[dxil_layer_loaderless::binding(0, vk::DescriptorType::STORAGE_BUFFER)])];
    assert!(app.shaders(&[info.set_layouts(&sets)]).0 == result);
    let text = format!(
        "shader objects are not created: the driver returned -2 for code that was translated from DXIL (blobs {}); \
         {HOW_TO_CAPTURE}",
        blob(&bytes)
    );
    assert_eq!(submitted(&app), [message(Severity::ERROR, SHADER_OBJECT, &[device(&app)], &text)]);
}

#[test]
fn shader_objects_and_identifiers() {
    let app = app(Config { extensions: &[c"VK_EXT_shader_object"], ..Config::default() }, &[]);
    let compute = fixture("descriptors/pushed.dxil");
    let words = dxil_layer_loaderless::aligned(&compute);
    let info = vk::ShaderCreateInfoEXT {
        stage: vk::ShaderStageFlags::COMPUTE,
        code_type: vk::ShaderCodeTypeEXT::SPIRV,
        code_size: compute.len(),
        p_code: words.as_ptr().cast(),
        p_name: c"wrong".as_ptr(),
        ..Default::default()
    };
    assert!(app.shaders(&[info]).0 == vk::Result::ERROR_INITIALIZATION_FAILED);
    let text = format!(
        "shader object 0 is not created: DXIL blob {}, entry `wrong`: unsupported at input: no entry point `wrong`; the \
         container has `main`",
        blob(&compute)
    );
    assert_eq!(submitted(&app), [message(Severity::ERROR, SHADER_OBJECT, &[device(&app)], &text)]);
    // A container that is damaged has no identifier.
    let words = dxil_translator::embed(&compute, &Default::default()).unwrap();
    let damaged: Vec<u8> = words.iter().take(20).flat_map(|word| word.to_le_bytes()).collect();
    let code = ShaderCode::new(&damaged);
    let mut identifier = vk::ShaderModuleIdentifierEXT { identifier_size: 3, ..Default::default() };
    // SAFETY: the command's own type; valid arguments.
    unsafe {
        let identify: vk::PFN_vkGetShaderModuleCreateInfoIdentifierEXT =
            app.typed(c"vkGetShaderModuleCreateInfoIdentifierEXT");
        identify(app.device, &code.info(), &mut identifier);
    }
    assert_eq!(identifier.identifier_size, 0);
    let submitted = submitted(&app);
    let text = "vkGetShaderModuleCreateInfoIdentifierEXT: the module has no identifier: DXIL: malformed at";
    assert!(submitted[0].text.starts_with(text), "{submitted:?}");
    assert_eq!(submitted, [message(Severity::WARNING, IDENTIFIER, &[device(&app)], &submitted[0].text.clone())]);
}
