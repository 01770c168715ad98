//! Tests of who keeps the bounds of accesses in a stage that is DXIL: the device, the stage by
//! VK_EXT_pipeline_robustness, or checks in the code.

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_layer_loaderless::{App, Config, Event, InstanceRequest, StageSeen, binding, fixture, handle, instructions};

/// A shader with one raw buffer, `u0`.
const RAW: &str = "buffer/raw_read_write.dxil";
/// The opcode of OpArrayLength, which only emitted checks need in [`RAW`].
const ARRAY_LENGTH: u32 = 68;
/// ROBUST_BUFFER_ACCESS_2 for both kinds of buffers, DEVICE_DEFAULT for vertex inputs,
/// ROBUST_IMAGE_ACCESS_2.
const ROBUST: Option<[i32; 4]> = Some([3, 3, 0, 3]);

type Robustness = vk::PipelineRobustnessCreateInfoEXT<'static>;

fn config() -> Config {
    Config { extensions: &[c"VK_EXT_robustness2", c"VK_EXT_pipeline_robustness"], ..Config::default() }
}

/// An application with a setting `bounds`, on a device with these features.
fn app(config: Config, bounds: &'static CStr, features: *const c_void) -> App {
    let request = InstanceRequest::new([(c"register_shifts", c"u=200"), (c"bounds", bounds)]);
    let names = [c"VK_EXT_robustness2".as_ptr()];
    let mut info = vk::DeviceCreateInfo::default();
    if !features.is_null() {
        info = info.enabled_extension_names(&names);
        info.p_next = features;
    }
    App::with(config, &request, &info).unwrap()
}

fn own(behaviour: vk::PipelineRobustnessBufferBehaviorEXT) -> Robustness {
    Robustness { storage_buffers: behaviour, uniform_buffers: behaviour, ..Default::default() }
}

fn checks(words: &[u32]) -> bool {
    instructions(words).any(|instruction| instruction[0] & 0xffff == ARRAY_LENGTH)
}

/// Creates a pipeline of SPIR-V and one of DXIL, with a structure on the stage or on the pipeline.
/// Returns the two stages as they reached the driver, and whether the code of the second has
/// checks.
fn stages(app: &App, on_stage: Option<&Robustness>, on_pipeline: Option<&Robustness>) -> ([StageSeen; 2], bool) {
    let (result, module) = app.module_of(&fixture(RAW));
    assert_eq!(result.as_raw(), 0);
    let layout = app.layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)]);
    let next = |info: Option<&Robustness>| info.map_or(ptr::null(), |info| ptr::from_ref(info).cast::<c_void>());
    let pipeline = |module, on_stage, on_pipeline| {
        let stage = vk::PipelineShaderStageCreateInfo {
            p_next: next(on_stage),
            stage: vk::ShaderStageFlags::COMPUTE,
            module,
            p_name: c"main".as_ptr(),
            ..Default::default()
        };
        let mut info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        info.p_next = next(on_pipeline);
        info
    };
    let infos = [pipeline(handle(0x77), None, None), pipeline(module, on_stage, on_pipeline)];
    assert_eq!(app.compute(&infos).0.as_raw(), 0);
    let mut modules = std::collections::HashMap::new();
    let mut seen = None;
    for event in app.events() {
        match event {
            Event::Module { handle, words, .. } => drop(modules.insert(handle, words)),
            Event::Pipelines { pipelines, .. } => seen = Some(pipelines),
            _ => {}
        }
    }
    let seen = seen.expect("a pipeline call");
    let both = [seen[0].stages[0].clone(), seen[1].stages[0].clone()];
    let checked = checks(&modules[&both[1].module]);
    (both, checked)
}

#[test]
fn stages_that_are_dxil_ask_for_robustness() {
    let app = app(config(), c"auto", ptr::null());
    let device = app.fake_instance().devices().pop().expect("a device");
    let enabled = vk::PhysicalDevicePipelineRobustnessFeaturesEXT::STRUCTURE_TYPE.as_raw();
    assert_eq!(device.features[&enabled], [1]);
    assert!(device.extensions.iter().any(|name| name.as_c_str() == c"VK_EXT_pipeline_robustness"));
    let ([spirv, dxil], checked) = stages(&app, None, None);
    assert_eq!((spirv.module, spirv.robustness), (0x77, None), "the other stage is unchanged");
    assert_eq!((dxil.robustness, checked), (ROBUST, false));
}

#[test]
fn a_device_that_is_robust_needs_nothing() {
    let mut features = vk::PhysicalDeviceRobustness2FeaturesEXT::default();
    (features.robust_buffer_access2, features.robust_image_access2) = (vk::TRUE, vk::TRUE);
    let mut image = vk::PhysicalDeviceImageRobustnessFeatures { robust_image_access: vk::TRUE, ..Default::default() };
    features.p_next = (&raw mut image).cast();
    let app = app(config(), c"auto", ptr::from_ref(&features).cast());
    let ([_, dxil], checked) = stages(&app, None, None);
    assert_eq!((dxil.robustness, checked), (None, false));
}

#[test]
fn a_device_without_the_extension_gets_checks() {
    for extensions in [&[] as &'static [&'static CStr], &[c"VK_EXT_robustness2"]] {
        let app = app(Config { extensions, ..Config::default() }, c"auto", ptr::null());
        let ([_, dxil], checked) = stages(&app, None, None);
        assert_eq!((dxil.robustness, checked), (None, true), "{extensions:?}");
    }
    // Without robustBufferAccess2 a stage can ask for the bounds of images alone.
    let app = app(Config { extensions: &[c"VK_EXT_pipeline_robustness"], ..Config::default() }, c"auto", ptr::null());
    let ([_, dxil], checked) = stages(&app, None, None);
    assert_eq!((dxil.robustness, checked), (Some([0, 0, 0, 2]), true));
}

#[test]
fn the_application_has_the_last_word() {
    type B = vk::PipelineRobustnessBufferBehaviorEXT;
    let app = app(config(), c"auto", ptr::null());
    for (behaviour, checked) in [
        (B::ROBUST_BUFFER_ACCESS_2, false),
        (B::ROBUST_BUFFER_ACCESS, true),
        (B::DISABLED, true),
        (B::DEVICE_DEFAULT, true),
    ] {
        let info = own(behaviour);
        let raw = behaviour.as_raw();
        let ([_, dxil], found) = stages(&app, Some(&info), None);
        assert_eq!((dxil.robustness, found), (Some([raw, raw, 0, 0]), checked), "on the stage: {raw}");
        assert_eq!(dxil.chain.len(), 1);
        let ([_, dxil], found) = stages(&app, None, Some(&info));
        assert_eq!((dxil.robustness, found), (None, checked), "on the pipeline: {raw}");
    }
    // That of a stage takes precedence over that of the pipeline.
    let (robust, off) = (own(B::ROBUST_BUFFER_ACCESS_2), own(B::DISABLED));
    assert!(!stages(&app, Some(&robust), Some(&off)).1);
    assert!(stages(&app, Some(&off), Some(&robust)).1);
}

#[test]
fn settings_force_one_or_the_other() {
    let emit = app(config(), c"emit", ptr::null());
    let ([_, dxil], checked) = stages(&emit, None, None);
    assert_eq!((dxil.robustness, checked), (None, true));
    let driver = app(config(), c"driver", ptr::null());
    let ([_, dxil], checked) = stages(&driver, None, None);
    assert_eq!((dxil.robustness, checked), (None, false));
}
