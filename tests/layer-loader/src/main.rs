//! A small application for the tests of this crate. It prints which layers are active and whether a
//! DXIL module can be created.
//!
//! In: the options below and the environment variables of the Vulkan loader. Out: lines `tool NAME`
//! (a tool or layer that reports itself), `module RESULT`, `message TEXT` (from
//! VK_EXT_debug_utils) and `cycles N`.

use std::ffi::{CStr, CString, NulError, c_void};
use std::process::ExitCode;

use ash::vk;
use clap::Parser;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Prints which layers are active, and whether a DXIL module can be created.
#[derive(Parser)]
struct Arguments {
    /// Enable a layer at instance creation
    #[arg(long = "layer", value_name = "NAME", value_parser = c_string)]
    layers: Vec<CString>,
    /// Pass a setting to VK_LAYER_DXIL_translate by VK_EXT_layer_settings
    #[arg(long = "setting", value_name = "KEY=VALUE", value_parser = setting)]
    settings: Vec<(CString, CString)>,
    /// Create a shader module from a DXIL container
    #[arg(long, value_name = "FILE")]
    dxil: Option<String>,
    /// First create and destroy N instances
    #[arg(long, value_name = "N", default_value_t = 0)]
    cycles: u32,
    /// Enable all instance extensions that are listed
    #[arg(long)]
    all_extensions: bool,
}

fn c_string(text: &str) -> Result<CString, NulError> {
    CString::new(text)
}

fn setting(text: &str) -> Result<(CString, CString), Failure> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((CString::new(key)?, CString::new(value)?))
}

/// Prints a message.
///
/// # Safety
/// `data` is valid for the call, as Vulkan guarantees for a messenger's callback.
unsafe extern "system" fn message(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: `data` and its null-terminated message are valid by this function's contract.
    let text = unsafe { CStr::from_ptr((*data).p_message) };
    println!("message {}", text.to_string_lossy().replace('\n', " "));
    vk::FALSE
}

fn instance(entry: &ash::Entry, arguments: &Arguments) -> Result<ash::Instance, Failure> {
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let layers: Vec<_> = arguments.layers.iter().map(|layer| layer.as_ptr()).collect();
    let mut names = vec![ash::ext::debug_utils::NAME.to_owned()];
    if arguments.all_extensions {
        // SAFETY: without a layer's name the command reads nothing of the application's.
        let listed = unsafe { entry.enumerate_instance_extension_properties(None) }?;
        names =
            listed.iter().map(|one| Ok(one.extension_name_as_c_str()?.to_owned())).collect::<Result<_, Failure>>()?;
    }
    let extensions: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    let values: Vec<_> = arguments.settings.iter().map(|(_, value)| value.as_ptr()).collect();
    let settings: Vec<_> = arguments
        .settings
        .iter()
        .zip(&values)
        .map(|((key, _), value)| vk::LayerSettingEXT {
            p_layer_name: c"VK_LAYER_DXIL_translate".as_ptr(),
            p_setting_name: key.as_ptr(),
            ty: vk::LayerSettingTypeEXT::STRING,
            value_count: 1,
            p_values: std::ptr::from_ref(value).cast(),
            ..Default::default()
        })
        .collect();
    let mut settings = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
    let info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(&layers)
        .enabled_extension_names(&extensions)
        .push_next(&mut settings);
    // SAFETY: everything that the create info points to outlives the call.
    Ok(unsafe { entry.create_instance(&info, None) }?)
}

fn device(instance: &ash::Instance) -> Result<(ash::Device, vk::PhysicalDevice), Failure> {
    // SAFETY: the instance is alive.
    let all = unsafe { instance.enumerate_physical_devices() }?;
    let physical = *all.first().ok_or("there is no Vulkan device")?;
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&priorities)];
    let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
    // SAFETY: the physical device belongs to the instance, and everything that the create info
    // points to outlives the call.
    let device = unsafe { instance.create_device(physical, &info, None) }?;
    Ok((device, physical))
}

/// Creates a shader module from a file, and prints whether that worked.
fn create_module(device: &ash::Device, path: &str) -> Result<(), Failure> {
    let bytes = std::fs::read(path)?;
    let words: Vec<u32> =
        bytes.chunks(4).map(|c| u32::from_le_bytes(std::array::from_fn(|i| c.get(i).copied().unwrap_or(0)))).collect();
    let info = vk::ShaderModuleCreateInfo { code_size: bytes.len(), p_code: words.as_ptr(), ..Default::default() };
    // SAFETY: the device is alive, and `words` holds at least `code_size` bytes and outlives the
    // call. Code that the layer refuses does not reach the driver.
    match unsafe { device.create_shader_module(&info, None) } {
        Ok(module) => {
            println!("module created");
            // SAFETY: this is the module's only use.
            unsafe { device.destroy_shader_module(module, None) };
        }
        Err(error) => println!("module {error:?}"),
    }
    Ok(())
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    // SAFETY: the Vulkan loader is a library of the system, and running its initialisers has no
    // preconditions.
    let entry = unsafe { ash::Entry::load() }?;
    for cycle in 0..arguments.cycles {
        let instance = instance(&entry, arguments)?;
        if cycle % 10 == 0 {
            let device = device(&instance)?.0;
            // SAFETY: this is the device's last use, and it has no child objects.
            unsafe { device.destroy_device(None) };
        }
        // SAFETY: this is the instance's last use, and its device is destroyed.
        unsafe { instance.destroy_instance(None) };
    }
    println!("cycles {}", arguments.cycles);
    let instance = instance(&entry, arguments)?;
    let debug = ash::ext::debug_utils::Instance::new(&entry, &instance);
    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING)
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::GENERAL | vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
        .pfn_user_callback(Some(message));
    // SAFETY: the instance is alive and has VK_EXT_debug_utils enabled.
    let messenger = unsafe { debug.create_debug_utils_messenger(&info, None) }?;
    let (device, physical) = device(&instance)?;
    // SAFETY: the physical device belongs to the instance.
    let count = unsafe { instance.get_physical_device_tool_properties_len(physical) }?;
    let mut tools = vec![vk::PhysicalDeviceToolProperties::default(); count];
    // SAFETY: as above; `tools` has the number of elements that Vulkan asked for.
    unsafe { instance.get_physical_device_tool_properties(physical, &mut tools) }?;
    for tool in tools {
        println!("tool {}", tool.layer_as_c_str()?.to_string_lossy());
    }
    if let Some(path) = &arguments.dxil {
        create_module(&device, path)?;
    }
    // SAFETY: this is the last use of the three objects. The device has no child objects left, and
    // the instance none but these.
    unsafe {
        device.destroy_device(None);
        debug.destroy_debug_utils_messenger(messenger, None);
        instance.destroy_instance(None);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("layer-probe: {error}");
            ExitCode::FAILURE
        }
    }
}
