//! The texts of messages that the application gets by its debug-utils messengers.

use std::ffi::CStr;

use ash::vk;
use dxil_layer_loaderless::{App, Config, InstanceRequest, SPIRV, Setting, fixture, stage};
use dxil_translator::BlobDigest;

/// A compute shader that needs shaderFloat64.
const DOUBLES: &str = "types/double.dxil";

/// An application with VK_EXT_debug_utils and these settings.
fn app(config: Config, version: u32, settings: &[Setting]) -> App {
    let request = InstanceRequest {
        api_version: version,
        extensions: vec![c"VK_EXT_debug_utils".to_owned()],
        // Without a pipeline layout, registers of different classes need different bindings.
        settings: [&[(c"register_shifts", c"t=100,u=200,s=300")], settings].concat(),
        ..Default::default()
    };
    App::with_request(config, &request)
}

/// The only message about a compute pipeline of this shader, without the name of its blob.
fn advice(app: &App, shader: &str) -> String {
    let (result, module) = app.module_of(&fixture(shader));
    assert_eq!(result.as_raw(), 0, "missing state is reported when a pipeline is created");
    let stage = stage(vk::ShaderStageFlags::COMPUTE, module, c"main");
    let info = vk::ComputePipelineCreateInfo { stage, ..Default::default() };
    assert!(app.compute(&[info]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    let messages = app.fake_instance().messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    let (_, text) = messages.into_iter().next().unwrap();
    let blob = format!(
        "pipeline 0 is not created: DXIL blob {}, entry `main`: ",
        BlobDigest::from_bytes(&fixture(shader)).short()
    );
    text.strip_prefix(&blob).unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn a_missing_feature_says_whose_it_is_to_enable() {
    let lacks = |version, settings: &[Setting], all_features| {
        advice(&app(Config { all_features, ..Config::default() }, version, settings), DOUBLES)
    };
    let v1_3 = vk::API_VERSION_1_3;
    for (text, end) in [
        (lacks(v1_3, &[], false), "(the device does not support it)"),
        (lacks(v1_3, &[(c"profile_cap", c"shaderFloat64")], true), "(the setting profile_cap excludes it)"),
        (
            lacks(v1_3, &[(c"enable_features", c"false")], true),
            "(the device supports it: enable VkPhysicalDeviceFeatures::shaderFloat64 at vkCreateDevice, or set \
             enable_features to true)",
        ),
    ] {
        let needs = "missing feature shaderFloat64 at function 0 instruction 11: the shader needs \
                     VkPhysicalDeviceFeatures::shaderFloat64, which is not enabled";
        assert_eq!(text, format!("{needs} {end}"));
    }
}

#[test]
fn a_feature_that_the_layer_leaves_alone_is_the_applications() {
    const RAYS: &[&CStr] = &[c"VK_KHR_ray_query", c"VK_KHR_acceleration_structure"];
    let config = Config { extensions: RAYS, ..Config::default() };
    let text = advice(&app(config, vk::API_VERSION_1_3, &[]), "query/committed.dxil");
    let end = "missing feature rayQuery at resource `world` (function 0 instruction 23): the shader needs \
               VkPhysicalDeviceRayQueryFeaturesKHR::rayQuery, which is not enabled (the device supports it, and the layer leaves \
               it to the application: enable VkPhysicalDeviceRayQueryFeaturesKHR::rayQuery at vkCreateDevice)";
    assert_eq!(text, end);
}

#[test]
fn a_feature_of_a_newer_version_says_which_version_is_used() {
    const STORAGE: &[&CStr] = &[c"VK_KHR_storage_buffer_storage_class"];
    let config = Config { extensions: STORAGE, ..Config::default() };
    let text = advice(&app(config, vk::API_VERSION_1_0, &[]), "types/half.dxil");
    let end = "missing feature shaderFloat16 at resource `input` (function 0 instruction 3): the shader needs \
               VkPhysicalDeviceShaderFloat16Int8Features::shaderFloat16, which is not enabled (the device does not support it in \
               Vulkan 1.0, which VkApplicationInfo::apiVersion asks for; a newer \
               version may have it)";
    assert_eq!(text, end);
    // The extension that gives the feature is named by itself.
    let text = advice(&app(Config::default(), vk::API_VERSION_1_0, &[]), "types/double.dxil");
    let extension = "VK_KHR_storage_buffer_storage_class";
    let end = format!(
        "missing feature {extension} at resource `input` (function 0 instruction 6): the shader needs the extension \
         {extension}, which is not enabled (the device does not support it in Vulkan 1.0, which VkApplicationInfo::apiVersion asks for; a newer version \
         may have it)"
    );
    assert_eq!(text, end);
}

#[test]
fn messages_of_creation_come_with_the_next_call() {
    let settings: &[Setting] = &[(c"cache_mb", c"lots")];
    let expected = "setting cache_mb: `lots` is not accepted, `64` is used; accepted: a number from 0 to 65536";
    let one = |app: &App| {
        let messages = app.fake_instance().messages();
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].0 == vk::DebugUtilsMessageSeverityFlagsEXT::WARNING);
        messages[0].1.clone()
    };
    // The loader may hold its lock while an instance or a device is created.
    let first = app(Config::default(), vk::API_VERSION_1_3, settings);
    assert_eq!(first.fake_instance().messages(), []);
    // An application that only chains code, or only makes a layout.
    let spirv = vk::ShaderModuleCreateInfo::default().code(&SPIRV);
    let stage = vk::PipelineShaderStageCreateInfo {
        stage: vk::ShaderStageFlags::COMPUTE,
        p_next: std::ptr::from_ref(&spirv).cast(),
        p_name: c"main".as_ptr(),
        ..Default::default()
    };
    let info = vk::ComputePipelineCreateInfo { stage, ..Default::default() };
    assert_eq!(first.compute(&[info]).0.as_raw(), 0);
    assert_eq!(one(&first), expected);
    let second = app(Config::default(), vk::API_VERSION_1_3, settings);
    second.layout(&[]);
    assert_eq!(one(&second), expected);
}
