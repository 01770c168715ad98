//! Measures what the layer costs: the same calls with and without it, under the real loader and
//! driver.
//!
//! In: the driver that `scripts/setup.sh` names, or the loader's first one. Out: a table of
//! medians. What must hold: both columns run the same code in turn in one process, so that other
//! load on the machine affects both alike. The medians are taken over batches of calls.

use std::ffi::CString;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ash::vk;
use dxil_layer_loader::{LAYER, build, root, write_manifest};

type Failure = Box<dyn std::error::Error>;

const USAGE: &str = "\
Measures the time of Vulkan calls with and without the layer, under the real loader and driver.

usage: layer-overhead

The program runs on the driver that DXIL_TEST_LAVAPIPE_ICD names (scripts/setup.sh writes that
variable to env.sh), or else on the loader's first driver.";

/// An instance and a device, with or without the layer.
struct App {
    instance: ash::Instance,
    device: ash::Device,
    layout: vk::PipelineLayout,
    set: vk::DescriptorSetLayout,
}

fn make_instance(entry: &ash::Entry, layer: bool, dump: Option<&Path>) -> Result<ash::Instance, vk::Result> {
    let name = CString::new(LAYER).unwrap_or_default();
    let dump = CString::new(dump.unwrap_or(Path::new("")).as_os_str().as_encoded_bytes()).unwrap_or_default();
    let value = dump.as_ptr();
    let settings = [vk::LayerSettingEXT {
        p_layer_name: name.as_ptr(),
        p_setting_name: c"dump_dir".as_ptr(),
        ty: vk::LayerSettingTypeEXT::STRING,
        value_count: 1,
        p_values: std::ptr::from_ref(&value).cast(),
        ..Default::default()
    }];
    let mut settings = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
    let layers = [name.as_ptr()];
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let mut info = vk::InstanceCreateInfo::default().application_info(&application);
    if layer {
        info = info.enabled_layer_names(&layers).push_next(&mut settings);
    }
    // SAFETY: everything that the create info points to outlives the call.
    unsafe { entry.create_instance(&info, None) }
}

fn make_device(instance: &ash::Instance) -> Result<ash::Device, Failure> {
    // SAFETY: the instance is alive.
    let all = unsafe { instance.enumerate_physical_devices() }?;
    let physical = *all.first().ok_or("there is no Vulkan device")?;
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
    let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
    // SAFETY: the physical device belongs to the instance, and everything that the create info
    // points to outlives the call.
    Ok(unsafe { instance.create_device(physical, &info, None) }?)
}

impl App {
    fn new(entry: &ash::Entry, layer: bool, dump: Option<&Path>) -> Result<Self, Failure> {
        let instance = make_instance(entry, layer, dump)?;
        let device = make_device(&instance)?;
        let bindings = [vk::DescriptorSetLayoutBinding::default()
            .binding(200)
            .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::ALL)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the device is alive, and the bindings outlive the call.
        let set = unsafe { device.create_descriptor_set_layout(&info, None) }?;
        let sets = [set];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        // SAFETY: the device and the set layout are alive, and `sets` outlives the call.
        let layout = unsafe { device.create_pipeline_layout(&info, None) }?;
        Ok(Self { instance, device, layout, set })
    }

    fn driver(&self) -> String {
        // SAFETY: the instance is alive.
        let physical = unsafe { self.instance.enumerate_physical_devices() }.unwrap_or_default();
        let properties = physical.first().map(|&first| {
            // SAFETY: the physical device belongs to the instance.
            unsafe { self.instance.get_physical_device_properties(first) }
        });
        let name = properties.as_ref().and_then(|p| p.device_name_as_c_str().ok());
        name.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn module(&self, bytes: &[u8], words: &[u32]) -> Result<vk::ShaderModule, vk::Result> {
        let info = vk::ShaderModuleCreateInfo { code_size: bytes.len(), p_code: words.as_ptr(), ..Default::default() };
        // SAFETY: the device is alive, and `words` holds `bytes`, which are the code of a committed
        // fixture, and outlives the call.
        unsafe { self.device.create_shader_module(&info, None) }
    }

    fn module_and_back(&self, bytes: &[u8], words: &[u32]) {
        let module = self.module(bytes, words).expect("vkCreateShaderModule");
        // SAFETY: the module has just been created and is not used anywhere else.
        unsafe { self.device.destroy_shader_module(module, None) };
    }

    fn pipeline_and_back(&self, module: vk::ShaderModule) {
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let infos = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout)];
        // SAFETY: the module and the layout are alive, and `infos` points to static data only.
        let made = unsafe { self.device.create_compute_pipelines(vk::PipelineCache::null(), &infos, None) };
        let pipelines = made.map_err(|(_, e)| e).expect("vkCreateComputePipelines");
        // SAFETY: the pipeline has just been created and is not used anywhere else.
        unsafe { self.device.destroy_pipeline(pipelines[0], None) };
    }

    /// The topmost layer's `vkGetDeviceProcAddr`. The loader's own function would answer from its
    /// table of names.
    fn proc_addr(&self) -> vk::PFN_vkGetDeviceProcAddr {
        let name = c"vkGetDeviceProcAddr";
        // SAFETY: the device is alive, and the name is null-terminated.
        let command = unsafe { self.instance.get_device_proc_addr(self.device.handle(), name.as_ptr()) };
        let command = command.expect("vkGetDeviceProcAddr");
        // SAFETY: Vulkan returns the command of that name, which has this type.
        unsafe { std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkGetDeviceProcAddr>(command) }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // SAFETY: this is the last use of these objects. All pipelines and modules of the device
        // are destroyed.
        unsafe {
            self.device.destroy_pipeline_layout(self.layout, None);
            self.device.destroy_descriptor_set_layout(self.set, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

/// The median times of one call of `a` and of `b`. Batches of both run in turn.
fn compare(batches: usize, calls: u32, mut a: impl FnMut(), mut b: impl FnMut()) -> [Duration; 2] {
    let mut times = [Vec::new(), Vec::new()];
    let time = |body: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| body());
        start.elapsed() / calls
    };
    time(&mut a);
    time(&mut b);
    for _ in 0..batches {
        times[0].push(time(&mut a));
        times[1].push(time(&mut b));
    }
    times.map(|mut t| {
        t.sort();
        t[t.len() / 2]
    })
}

fn row(what: &str, [without, with]: [Duration; 2]) {
    let micros = |d: Duration| d.as_secs_f64() * 1e6;
    println!("{what:<44} {:>10.3} {:>10.3} {:>+10.3}", micros(without), micros(with), micros(with) - micros(without));
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    let word = |c: &[u8]| u32::from_le_bytes(std::array::from_fn(|i| c.get(i).copied().unwrap_or(0)));
    bytes.chunks(4).map(word).collect()
}

/// The SPIR-V that the layer dumped into a folder.
fn translated(folder: &Path) -> Result<Vec<u8>, Failure> {
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|e| e == "spv") {
            return Ok(std::fs::read(path)?);
        }
    }
    Err("the layer dumped no translation".into())
}

fn run() -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("dxil-layer-overhead-{}", std::process::id()));
    write_manifest("VkLayer_dxil.json", &build(), &folder.join("VkLayer_dxil.json"));
    let variables = [
        ("VK_ADD_LAYER_PATH", folder.to_string_lossy().into_owned()),
        ("VK_LOADER_LAYERS_DISABLE", "~implicit~".into()),
        ("VK_DXIL_TRANSLATE_REGISTER_SHIFTS", "t=100,u=200,s=300".into()),
    ];
    let lavapipe = std::env::var("DXIL_TEST_LAVAPIPE_ICD").ok().map(|driver| ("VK_DRIVER_FILES", driver));
    for (name, value) in variables.into_iter().chain(lavapipe) {
        // SAFETY: the process has one thread, because no driver is loaded yet.
        unsafe { std::env::set_var(name, value) };
    }
    let fixture = |name: &str| std::fs::read(root().join("tests/fixtures/buffer").join(name));
    let (spirv, dxil) = (fixture("raw_read_write.spv")?, fixture("raw_read_write.dxil")?);
    let (spirv_words, dxil_words) = (words_of(&spirv), words_of(&dxil));
    // SAFETY: the Vulkan loader is a library of the system, and running its initialisers has no
    // preconditions.
    let entry = unsafe { ash::Entry::load() }?;
    let (without, with) = (App::new(&entry, false, None)?, App::new(&entry, true, None)?);

    println!("driver {}", without.driver());
    println!("{:<44} {:>10} {:>10} {:>10}", "median time per call, in microseconds", "without", "with", "more");
    for (what, name) in [("intercepted command", c"vkCreateShaderModule"), ("other command", c"vkCmdDraw")] {
        let ask = |app: &App| {
            let (ask, device) = (app.proc_addr(), app.device.handle());
            // SAFETY: the device outlives the returned closure's calls, and the name is static and
            // null-terminated.
            move || _ = std::hint::black_box(unsafe { ask(device, name.as_ptr()) })
        };
        let times = compare(51, 20_000, ask(&without), ask(&with));
        row(&format!("vkGetDeviceProcAddr, {what}"), times);
    }
    let instances = |layer: bool| {
        let entry = &entry;
        move || {
            let instance = make_instance(entry, layer, None).expect("vkCreateInstance");
            // SAFETY: the instance has just been created and has no child objects.
            unsafe { instance.destroy_instance(None) };
        }
    };
    row("vkCreateInstance, vkDestroyInstance", compare(15, 4, instances(false), instances(true)));
    let devices = |app: &App| {
        let instance = app.instance.clone();
        move || {
            let device = make_device(&instance).expect("vkCreateDevice");
            // SAFETY: the device has just been created and has no child objects.
            unsafe { device.destroy_device(None) };
        }
    };
    row("vkCreateDevice, vkDestroyDevice", compare(15, 4, devices(&without), devices(&with)));
    let modules = compare(
        51,
        2_000,
        || without.module_and_back(&spirv, &spirv_words),
        || with.module_and_back(&spirv, &spirv_words),
    );
    row("vkCreateShaderModule and destroy, SPIR-V", modules);
    let (a, b) = (without.module(&spirv, &spirv_words)?, with.module(&spirv, &spirv_words)?);
    let pipelines = compare(25, 20, || without.pipeline_and_back(a), || with.pipeline_and_back(b));
    row("vkCreateComputePipelines, SPIR-V", pipelines);

    println!("\nwith: DXIL through the layer; without: the SPIR-V that the layer made of it, without the layer");
    let mut first = Vec::new();
    for file in std::fs::read_dir(root().join("tests/fixtures/arithmetic"))? {
        let path = file?.path();
        if path.extension().is_some_and(|e| e == "dxil") {
            let bytes = std::fs::read(&path)?;
            let words = words_of(&bytes);
            let start = Instant::now();
            with.module_and_back(&bytes, &words);
            first.push(start.elapsed());
        }
    }
    first.sort();
    let median = first.get(first.len() / 2).ok_or("no fixtures")?.as_secs_f64() * 1e6;
    println!("{:<44} {median:>21.3}", format!("first creation of a module, of {} modules", first.len()));
    {
        let dumping = App::new(&entry, true, Some(&folder.join("dump")))?;
        dumping.module_and_back(&dxil, &dxil_words);
    }
    let c = with.module(&dxil, &dxil_words)?;
    let same = translated(&folder.join("dump"))?;
    let same_words = words_of(&same);
    let d = without.module(&same, &same_words)?;
    let modules =
        compare(51, 2_000, || without.module_and_back(&same, &same_words), || with.module_and_back(&dxil, &dxil_words));
    row("vkCreateShaderModule, translation cached", modules);
    let pipelines = compare(25, 20, || without.pipeline_and_back(d), || with.pipeline_and_back(c));
    row("vkCreateComputePipelines, module fits layout", pipelines);
    // SAFETY: this is the last use of the modules, and each belongs to the device that destroys it.
    unsafe {
        without.device.destroy_shader_module(a, None);
        without.device.destroy_shader_module(d, None);
        with.device.destroy_shader_module(b, None);
        with.device.destroy_shader_module(c, None);
    }
    drop((without, with));
    Ok(std::fs::remove_dir_all(&folder)?)
}

fn main() -> ExitCode {
    if let Some(argument) = std::env::args().nth(1) {
        if matches!(argument.as_str(), "--help" | "-h") {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        eprintln!("layer-overhead: unexpected argument `{argument}`\n\n{USAGE}");
        return ExitCode::from(2);
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("layer-overhead: {error}");
            ExitCode::FAILURE
        }
    }
}
