//! Tests of the layer's contract with the loader: negotiation, the exported symbol,
//! `vkGet*ProcAddr`, loading and unloading.

use std::ffi::CString;
use std::process::Command;

use ash::vk;
use dxil_layer_loaderless::{
    App, COMMANDS, Config, InstanceRequest, Negotiation, library_path, negotiate, negotiate_with, other,
};

#[test]
fn negotiates_version_2() {
    for (offered, agreed) in [(2, 2), (3, 2), (100, 2)] {
        let mut negotiation = Negotiation::new(offered);
        assert_eq!(negotiate_with(&mut negotiation).as_raw(), 0);
        assert_eq!(negotiation.version, agreed);
        assert!(negotiation.get_instance_proc_addr.is_some() && negotiation.get_device_proc_addr.is_some());
        assert!(negotiation.get_physical_device_proc_addr.is_null());
    }
}

#[test]
fn refuses_what_it_does_not_speak() {
    let refused = vk::Result::ERROR_INITIALIZATION_FAILED;
    assert!(negotiate_with(std::ptr::null_mut()) == refused);
    assert!(negotiate_with(&mut Negotiation::new(1)) == refused);
    let mut other_structure = Negotiation::new(2);
    other_structure.s_type = 0;
    assert!(negotiate_with(&mut other_structure) == refused);
}

#[test]
fn exports_one_symbol_and_needs_no_vulkan() {
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).arg(library_path()).output().expect(program);
        assert!(output.status.success(), "{program}");
        String::from_utf8(output.stdout).unwrap()
    };
    let defined = run("nm", &["-D", "--defined-only"]);
    let symbols: Vec<&str> = defined.lines().filter_map(|line| line.split_whitespace().last()).collect();
    assert_eq!(symbols, ["VK_LAYER_DXIL_translate_negotiate"]);
    let undefined = run("nm", &["-D", "--undefined-only"]);
    let vulkan: Vec<&str> = undefined.lines().filter(|line| line.contains(" vk")).collect();
    assert!(vulkan.is_empty(), "{vulkan:?}");
    let dynamic = run("readelf", &["-d"]);
    assert!(!dynamic.contains("libvulkan"), "{dynamic}");
    assert!(dynamic.contains("NODELETE"), "{dynamic}");
}

/// The commands that the layer has even if the next layer does not have them.
const OWN: [&str; 7] = [
    "vkCreateInstance",
    "vkGetInstanceProcAddr",
    "vkGetDeviceProcAddr",
    "vkEnumerateInstanceLayerProperties",
    "vkEnumerateInstanceExtensionProperties",
    "vkEnumerateDeviceLayerProperties",
    "vkEnumerateDeviceExtensionProperties",
];

/// The names of all commands, and some names that no version of Vulkan has.
fn commands() -> Vec<CString> {
    let made_up = ["vkTeapotEXT", "", "vk", "vkCreateShaderModuleKHR"];
    let all: Vec<_> = COMMANDS.lines().chain(made_up).map(|name| CString::new(name).unwrap()).collect();
    assert!(all.len() > 800);
    all
}

#[test]
fn what_is_null_below_is_null_here() {
    // The fake lacks the commands whose names have an even length, except those that creation
    // needs.
    fn missing(name: &std::ffi::CStr) -> bool {
        let needed = ["vkCreateDevice", "vkDestroyDevice", "vkDestroyInstance", "vkGetPhysicalDeviceProperties"];
        !needed.iter().any(|n| n.as_bytes() == name.to_bytes()) && name.to_bytes().len().is_multiple_of(2)
    }
    for missing in [missing as fn(&std::ffi::CStr) -> bool, |_| false] {
        let app = App::new(Config { missing, ..Config::default() });
        for name in commands() {
            let text = name.to_str().unwrap();
            let below = !missing(&name);
            if !OWN.contains(&text) {
                assert_eq!(app.instance_command(&name).is_some(), below, "vkGetInstanceProcAddr {text}");
            }
            if text != "vkGetDeviceProcAddr" {
                assert_eq!(app.device_command(&name).is_some(), below, "vkGetDeviceProcAddr {text}");
            }
        }
    }
}

#[test]
fn only_named_commands_are_intercepted() {
    // The list must not have commands on command buffers or queues, which are called often.
    let expected = [
        "vkCreateComputePipelines",
        "vkCreateDescriptorSetLayout",
        "vkCreateExecutionGraphPipelinesAMDX",
        "vkCreateGraphicsPipelines",
        "vkCreatePipelineBinariesKHR",
        "vkCreatePipelineLayout",
        "vkCreateRayTracingPipelinesKHR",
        "vkCreateRayTracingPipelinesNV",
        "vkCreateRenderPass",
        "vkCreateRenderPass2",
        "vkCreateRenderPass2KHR",
        "vkCreateShaderModule",
        "vkCreateShadersEXT",
        "vkDeferredOperationJoinKHR",
        "vkDestroyDeferredOperationKHR",
        "vkDestroyDescriptorSetLayout",
        "vkDestroyDevice",
        "vkDestroyPipelineLayout",
        "vkDestroyRenderPass",
        "vkDestroyShaderModule",
        "vkGetDeferredOperationMaxConcurrencyKHR",
        "vkGetDeferredOperationResultKHR",
        "vkGetDeviceProcAddr",
        "vkGetPipelineIndirectMemoryRequirementsNV",
        "vkGetPipelineKeyKHR",
        "vkGetShaderModuleCreateInfoIdentifierEXT",
        "vkGetShaderModuleIdentifierEXT",
        "vkSetDebugUtilsObjectNameEXT",
    ];
    let app = App::new(Config::default());
    let mut intercepted = Vec::new();
    for name in commands() {
        // SAFETY: the fake has created the device.
        let below = unsafe { dxil_layer_loaderless::below(app.device, &name) };
        let here = app.device_command(&name);
        if here.map(|f| f as usize) != below.map(|f| f as usize) {
            intercepted.push(name.into_string().unwrap());
        }
    }
    intercepted.sort();
    assert_eq!(intercepted, expected);
    assert_eq!(app.device_command(c"vkCmdDraw").map(|f| f as usize), Some(other as *const () as usize));
}

/// They are Vulkan's four, and vkCreateDevice, which layers above ask for without an instance:
/// older versions of the loader's documentation had them do so (LoaderAndLayerInterface.md,
/// "Example Code for CreateDevice"), and RenderDoc does.
#[test]
fn without_an_instance_there_are_five_commands() {
    let entry = negotiate();
    for name in commands() {
        // SAFETY: Vulkan allows a null instance here, and the name is null-terminated.
        let command = unsafe { (entry.get_instance_proc_addr)(vk::Instance::null(), name.as_ptr()) };
        let global = [
            "vkCreateInstance",
            "vkCreateDevice",
            "vkGetInstanceProcAddr",
            "vkEnumerateInstanceLayerProperties",
            "vkEnumerateInstanceExtensionProperties",
        ];
        assert_eq!(command.is_some(), global.contains(&name.to_str().unwrap()), "{name:?}");
    }
}

#[test]
fn aliases_are_told_apart() {
    // The fake has only the extension's command, so that of the core version must be null.
    fn missing(name: &std::ffi::CStr) -> bool {
        name == c"vkGetPhysicalDeviceToolProperties"
    }
    let app = App::new(Config { missing, ..Config::default() });
    assert!(app.instance_command(c"vkGetPhysicalDeviceToolProperties").is_none());
    assert!(app.instance_command(c"vkGetPhysicalDeviceToolPropertiesEXT").is_some());
}

/// The layer adds features, and changes no limit or property that the driver reports.
#[test]
fn the_tool_adds_features() {
    let app = App::new(Config::default());
    let mut tools = [vk::PhysicalDeviceToolProperties::default(); 2];
    let mut count = 2;
    let name = c"vkGetPhysicalDeviceToolProperties";
    // SAFETY: the command's own type; valid arguments.
    let result = unsafe {
        let get: vk::PFN_vkGetPhysicalDeviceToolProperties = std::mem::transmute(app.instance_command(name));
        get(app.fake_instance().physical_device(), &mut count, tools.as_mut_ptr())
    };
    assert_eq!((result.as_raw(), count), (0, 1));
    assert_eq!(tools[0].purposes.as_raw(), vk::ToolPurposeFlags::ADDITIONAL_FEATURES.as_raw());
}

#[test]
fn a_thousand_instances_come_and_go() {
    for cycle in 0..1000 {
        let request = InstanceRequest::new([]);
        let mut app = App::instance(Config::default(), &request).unwrap();
        if cycle % 10 == 0 {
            app.device = app.create_device(&vk::DeviceCreateInfo::default()).unwrap();
        }
    }
}

#[test]
fn instances_and_devices_live_side_by_side() {
    let apps: Vec<App> = (0..8).map(|_| App::new(Config::default())).collect();
    for app in &apps {
        let (result, _) = app.module_of(b"\x03\x02\x23\x07 spirv, as far as the layer looks");
        assert_eq!(result.as_raw(), 0);
        assert_eq!(app.events().len(), 1, "the call reached the next layer of this device");
    }
}

#[test]
fn opening_and_closing_does_nothing() {
    for _ in 0..50 {
        // SAFETY: the library has no initialisers or finalisers.
        let library = unsafe { libloading::Library::new(library_path()) }.unwrap();
        drop(library);
    }
    // A thread that has used the layer may end after the library was closed.
    std::thread::spawn(|| drop(App::new(Config::default()))).join().unwrap();
}

#[test]
fn without_a_link_creation_fails() {
    let entry = negotiate();
    let mut instance = vk::Instance::null();
    // SAFETY: the name determines the command's type, and the arguments are valid but for the
    // missing link, which the layer must refuse.
    let result = unsafe {
        let create = (entry.get_instance_proc_addr)(vk::Instance::null(), c"vkCreateInstance".as_ptr());
        let create: vk::PFN_vkCreateInstance = std::mem::transmute(create);
        create(&vk::InstanceCreateInfo::default(), std::ptr::null(), &mut instance)
    };
    assert!(result == vk::Result::ERROR_INITIALIZATION_FAILED);
}

#[test]
fn the_layer_lists_itself() {
    let entry = negotiate();
    let get = |name: &std::ffi::CStr| {
        // SAFETY: Vulkan allows a null instance for these commands, and the name is
        // null-terminated.
        unsafe { (entry.get_instance_proc_addr)(vk::Instance::null(), name.as_ptr()) }
    };
    // SAFETY: the name determines the command's type.
    let layers: vk::PFN_vkEnumerateInstanceLayerProperties =
        unsafe { std::mem::transmute(get(c"vkEnumerateInstanceLayerProperties")) };
    let mut count = 0;
    // SAFETY: `count` is valid, and a null array asks for the number of layers.
    assert_eq!(unsafe { layers(&mut count, std::ptr::null_mut()) }.as_raw(), 0);
    assert_eq!(count, 1);
    let mut layer = vk::LayerProperties::default();
    // SAFETY: `count` is 1, and there is space for one layer.
    assert_eq!(unsafe { layers(&mut count, &mut layer) }.as_raw(), 0);
    assert_eq!(layer.layer_name_as_c_str().unwrap(), c"VK_LAYER_DXIL_translate");
    // SAFETY: the name determines the command's type.
    let extensions: vk::PFN_vkEnumerateInstanceExtensionProperties =
        unsafe { std::mem::transmute(get(c"vkEnumerateInstanceExtensionProperties")) };
    let mut count = 9;
    let own = c"VK_LAYER_DXIL_translate".as_ptr();
    // SAFETY: the name is null-terminated, and a null array asks for the number of extensions.
    assert_eq!(unsafe { extensions(own, &mut count, std::ptr::null_mut()) }.as_raw(), 0);
    assert_eq!(count, 1);
    // SAFETY: Vulkan allows a null layer name and a null array.
    let foreign = unsafe { extensions(std::ptr::null(), &mut count, std::ptr::null_mut()) };
    assert!(foreign == vk::Result::ERROR_LAYER_NOT_PRESENT);
}
