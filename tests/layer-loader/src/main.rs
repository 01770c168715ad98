//! A small application for the tests of this crate: it says which layers are active and what becomes of a DXIL module.
//!
//! In: `[--layer NAME]… [--dxil FILE] [--cycles N] [--setting KEY=VALUE]…` and the loader's environment. Out: lines of `tool NAME`,
//! `module RESULT`, `message TEXT`, `cycles N`.

use std::ffi::{CStr, CString, c_void};
use std::process::ExitCode;

use ash::vk;

type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct Arguments {
    layers: Vec<CString>,
    settings: Vec<(CString, CString)>,
    dxil: Option<String>,
    cycles: u32,
}

fn arguments() -> Result<Arguments, Failure> {
    let mut out = Arguments::default();
    let mut list = std::env::args().skip(1);
    while let Some(name) = list.next() {
        let value = list.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--layer" => out.layers.push(CString::new(value)?),
            "--dxil" => out.dxil = Some(value),
            "--cycles" => out.cycles = value.parse()?,
            "--setting" => {
                let (key, value) = value.split_once('=').ok_or("KEY=VALUE expected")?;
                out.settings.push((CString::new(key)?, CString::new(value)?));
            }
            _ => return Err(format!("unknown argument {name}").into()),
        }
    }
    Ok(out)
}

unsafe extern "system" fn message(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: valid by the callback's contract.
    let text = unsafe { CStr::from_ptr((*data).p_message) };
    println!("message {}", text.to_string_lossy().replace('\n', " "));
    vk::FALSE
}

fn instance(entry: &ash::Entry, arguments: &Arguments) -> Result<ash::Instance, Failure> {
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let layers: Vec<_> = arguments.layers.iter().map(|layer| layer.as_ptr()).collect();
    let extensions = [ash::ext::debug_utils::NAME.as_ptr()];
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
    // SAFETY: everything in the create info outlives the call.
    Ok(unsafe { entry.create_instance(&info, None) }?)
}

fn device(instance: &ash::Instance) -> Result<(ash::Device, vk::PhysicalDevice), Failure> {
    // SAFETY: a live instance; everything in the create info outlives the call.
    unsafe {
        let physical = *instance.enumerate_physical_devices()?.first().ok_or("no device")?;
        let priorities = [1.0];
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&priorities)];
        let device =
            instance.create_device(physical, &vk::DeviceCreateInfo::default().queue_create_infos(&queues), None)?;
        Ok((device, physical))
    }
}

fn run() -> Result<(), Failure> {
    let arguments = arguments()?;
    // SAFETY: loading the Vulkan loader is what this program is for.
    let entry = unsafe { ash::Entry::load() }?;
    for cycle in 0..arguments.cycles {
        let instance = instance(&entry, &arguments)?;
        // SAFETY: the last use of both.
        unsafe {
            if cycle % 10 == 0 {
                device(&instance)?.0.destroy_device(None);
            }
            instance.destroy_instance(None);
        }
    }
    println!("cycles {}", arguments.cycles);
    let instance = instance(&entry, &arguments)?;
    let debug = ash::ext::debug_utils::Instance::new(&entry, &instance);
    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING)
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::GENERAL | vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
        .pfn_user_callback(Some(message));
    // SAFETY: live objects throughout, each destroyed after its last use.
    unsafe {
        let messenger = debug.create_debug_utils_messenger(&info, None)?;
        let (device, physical) = device(&instance)?;
        let count = instance.get_physical_device_tool_properties_len(physical)?;
        let mut tools = vec![vk::PhysicalDeviceToolProperties::default(); count];
        instance.get_physical_device_tool_properties(physical, &mut tools)?;
        for tool in tools {
            println!("tool {}", tool.layer_as_c_str()?.to_string_lossy());
        }
        if let Some(path) = &arguments.dxil {
            let bytes = std::fs::read(path)?;
            let words: Vec<u32> = bytes
                .chunks(4)
                .map(|c| u32::from_le_bytes(std::array::from_fn(|i| c.get(i).copied().unwrap_or(0))))
                .collect();
            let info =
                vk::ShaderModuleCreateInfo { code_size: bytes.len(), p_code: words.as_ptr(), ..Default::default() };
            match device.create_shader_module(&info, None) {
                Ok(module) => {
                    println!("module created");
                    device.destroy_shader_module(module, None);
                }
                Err(error) => println!("module {error:?}"),
            }
        }
        device.destroy_device(None);
        debug.destroy_debug_utils_messenger(messenger, None);
        instance.destroy_instance(None);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("layer-probe: {error}");
            ExitCode::FAILURE
        }
    }
}
