//! Measures what the layer costs: the same calls with and without it, under the real loader and
//! driver.
//!
//! In: the driver that `scripts/setup.sh` names, or the loader's first one. Out: a table of times
//! for each number of processors that the layer is made to see. What must hold: both columns run
//! the same code in turn in one process, so that other load on the machine affects both alike. A
//! time is that of the fastest of many batches of calls, because a busy machine interrupts the
//! others.

mod processors;

use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use ash::vk;
use clap::Parser;
use dxil_layer_loader::{LAYER, build, root, write_manifest};
use dxil_test_support::set_environment;

type Failure = Box<dyn std::error::Error>;

/// Measures the time of Vulkan calls with and without the layer, under the real loader and driver.
///
/// The layer's tables have four shards for each processor of the machine, so there is a table of
/// times for 2, 16 and 64 emulated processors: for 8, 64 and 256 shards.
///
/// The program runs on the driver that DXIL_TEST_LAVAPIPE_ICD names (scripts/setup.sh writes that
/// variable to env.sh), or else on the loader's first driver.
#[derive(Parser)]
struct Arguments {
    /// Measure with N processors alone; 0 is the machine's own number
    #[arg(long, value_name = "N")]
    processors: Option<usize>,
}

/// An instance and a device, with or without the layer.
struct App {
    instance: ash::Instance,
    device: ash::Device,
    layout: vk::PipelineLayout,
    set: vk::DescriptorSetLayout,
}

/// A setting of the layer, and the folder that it names.
type Folder<'a> = (&'static CStr, &'a Path);

fn make_instance(entry: &ash::Entry, layer: bool, folder: Option<Folder<'_>>) -> Result<ash::Instance, vk::Result> {
    let name = CString::new(LAYER).unwrap_or_default();
    let (key, folder) = folder.unwrap_or((c"dump_dir", Path::new("")));
    let folder = CString::new(folder.as_os_str().as_encoded_bytes()).unwrap_or_default();
    let value = folder.as_ptr();
    let settings = [vk::LayerSettingEXT {
        p_layer_name: name.as_ptr(),
        p_setting_name: key.as_ptr(),
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
    fn new(entry: &ash::Entry, layer: bool, folder: Option<Folder<'_>>) -> Result<Self, Failure> {
        let instance = make_instance(entry, layer, folder)?;
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
        self.pipeline_with(module, 0);
    }

    /// A pipeline with a constant of this value, which the shader does not have.
    fn pipeline_with(&self, module: vk::ShaderModule, value: u32) {
        let data = value.to_le_bytes();
        let entries = [vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }];
        let constants = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main")
            .specialization_info(&constants);
        let infos = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout)];
        // SAFETY: the module and the layout are alive, and what `infos` points to outlives the
        // call.
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

/// A command buffer into which commands are recorded.
struct Recording<'a> {
    device: &'a ash::Device,
    pool: vk::CommandPool,
    buffer: vk::CommandBuffer,
}

impl<'a> Recording<'a> {
    fn new(device: &'a ash::Device) -> Result<Self, vk::Result> {
        let flags = vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER;
        let info = vk::CommandPoolCreateInfo::default().flags(flags);
        // SAFETY: the device is alive and has a queue of family 0.
        let pool = unsafe { device.create_command_pool(&info, None) }?;
        let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        // SAFETY: the pool is alive.
        let buffer = unsafe { device.allocate_command_buffers(&info) }?[0];
        Ok(Self { device, pool, buffer })
    }

    /// Records a thousand commands of two kinds.
    fn record(&self) {
        let (device, buffer) = (self.device, self.buffer);
        // SAFETY: the buffer is not pending, its pool lets it be reset by vkBeginCommandBuffer, and
        // the state that is set is dynamic.
        unsafe {
            device.begin_command_buffer(buffer, &Default::default()).expect("vkBeginCommandBuffer");
            for _ in 0..500 {
                device.cmd_set_line_width(buffer, 1.0);
                device.cmd_set_depth_bounds(buffer, 0.0, 1.0);
            }
            device.end_command_buffer(buffer).expect("vkEndCommandBuffer");
        }
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        // SAFETY: the buffer was never submitted.
        unsafe { self.device.destroy_command_pool(self.pool, None) };
    }
}

/// Counts the commands that are recorded into command buffers and that the device has, and checks
/// that with the layer they are the same functions as without.
fn recorded_commands(without: &App, with: &App) -> Result<usize, String> {
    let names =
        include_str!("../../layer-loaderless/src/commands.txt").lines().filter(|name| name.starts_with("vkCmd"));
    let mut count = 0;
    for name in names {
        let name = CString::new(name).unwrap_or_default();
        let [a, b] = [without, with].map(|app| {
            // SAFETY: the device is alive, and the name is null-terminated.
            unsafe { app.proc_addr()(app.device.handle(), name.as_ptr()) }.map(|command| command as usize)
        });
        if a != b {
            return Err(format!("{name:?} is another function with the layer"));
        }
        count += usize::from(a.is_some());
    }
    if count == 0 { Err("the device has no command that is recorded".into()) } else { Ok(count) }
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

/// The times of one call of `a` and of `b`, in the fastest batch of each. Batches of both run in
/// turn.
fn compare(batches: usize, calls: u32, mut a: impl FnMut(), mut b: impl FnMut()) -> [Duration; 2] {
    let time = |body: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| body());
        start.elapsed() / calls
    };
    time(&mut a);
    time(&mut b);
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..batches {
        fastest = [fastest[0].min(time(&mut a)), fastest[1].min(time(&mut b))];
    }
    fastest
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

/// Sets the variables of the loader and the layer.
fn prepare_environment(folder: &Path) {
    let variables = [
        ("VK_ADD_LAYER_PATH", folder.to_string_lossy().into_owned()),
        ("VK_LOADER_LAYERS_DISABLE", "~implicit~".into()),
        ("VK_DXIL_TRANSLATE_REGISTER_SHIFTS", "t=100,u=200,s=300".into()),
    ];
    let lavapipe = std::env::var("DXIL_TEST_LAVAPIPE_ICD").ok().map(|driver| ("VK_DRIVER_FILES", driver));
    set_environment(variables.into_iter().chain(lavapipe));
}

fn print_calls(entry: &ash::Entry, without: &App, with: &App) {
    for (what, name) in [("intercepted command", c"vkCreateShaderModule"), ("other command", c"vkCmdDraw")] {
        let ask = |app: &App| {
            let (ask, device) = (app.proc_addr(), app.device.handle());
            // SAFETY: the device outlives the returned closure's calls, and the name is static and
            // null-terminated.
            move || _ = std::hint::black_box(unsafe { ask(device, name.as_ptr()) })
        };
        let times = compare(51, 20_000, ask(without), ask(with));
        row(&format!("vkGetDeviceProcAddr, {what}"), times);
    }
    let instances = |layer: bool| {
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
    row("vkCreateDevice, vkDestroyDevice", compare(15, 4, devices(without), devices(with)));
}

fn print_recording(without: &App, with: &App) -> Result<(), Failure> {
    let (bare, layered) = (Recording::new(&without.device)?, Recording::new(&with.device)?);
    let count = recorded_commands(without, with)?;
    row("recording 1,000 commands", compare(51, 50, || bare.record(), || layered.record()));
    println!("  (all {count} commands of recording are the driver's own functions with the layer too)");
    drop((bare, layered));

    Ok(())
}

/// Prints how long the layer takes for a module that it has not seen before.
fn print_first_modules(with: &App) -> Result<(), Failure> {
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
    Ok(())
}

/// Prints what a capture costs. `known` is a layer that does not capture, with its module of the
/// DXIL.
fn print_captures(
    entry: &ash::Entry,
    folder: &Path,
    known: (&App, vk::ShaderModule),
    dxil: &[u8],
    spirv: &[u8],
) -> Result<(), Failure> {
    let (with, c) = known;
    let (dxil_words, spirv_words) = (words_of(dxil), words_of(spirv));
    println!("\nwith: a layer that captures (capture_dir); without: a layer that does not");
    let capturing = App::new(entry, true, Some((c"capture_dir", &folder.join("capture"))))?;
    let e = capturing.module(dxil, &dxil_words)?;
    let pipelines = compare(25, 20, || with.pipeline_and_back(c), || capturing.pipeline_and_back(e));
    row("vkCreateComputePipelines, a known pipeline", pipelines);
    let count = Cell::new(0);
    let next = || {
        count.set(count.get() + 1);
        count.get()
    };
    let pipelines = compare(25, 20, || with.pipeline_with(c, next()), || capturing.pipeline_with(e, next()));
    row("vkCreateComputePipelines, a new pipeline", pipelines);
    let modules = compare(
        51,
        2_000,
        || with.module_and_back(spirv, &spirv_words),
        || capturing.module_and_back(spirv, &spirv_words),
    );
    row("vkCreateShaderModule and destroy, SPIR-V", modules);
    // SAFETY: this is the last use of the module, which belongs to this device.
    unsafe { capturing.device.destroy_shader_module(e, None) };
    Ok(())
}

fn run(processors: usize) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("dxil-layer-overhead-{}", std::process::id()));
    write_manifest("VkLayer_dxil.json", &build(), &folder.join("VkLayer_dxil.json"));
    prepare_environment(&folder);
    let fixture = |name: &str| std::fs::read(root().join("tests/fixtures/buffer").join(name));
    let (spirv, dxil) = (fixture("raw_read_write.spv")?, fixture("raw_read_write.dxil")?);
    let (spirv_words, dxil_words) = (words_of(&spirv), words_of(&dxil));
    // SAFETY: the Vulkan loader is a library of the system, and running its initialisers has no
    // preconditions.
    let entry = unsafe { ash::Entry::load() }?;
    // The driver has counted the processors before the layer does.
    let without = App::new(&entry, false, None)?;
    let with = processors::emulate(processors, || App::new(&entry, true, None))??;

    if processors == 0 {
        println!("driver {}", without.driver());
    } else {
        let shards = (processors * 4).next_power_of_two();
        println!(
            "driver {}; the layer sees {processors} processors: its tables have {shards} shards",
            without.driver()
        );
    }
    println!("{:<44} {:>10} {:>10} {:>10}", "time per call, in microseconds", "without", "with", "more");
    print_calls(&entry, &without, &with);
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

    print_recording(&without, &with)?;
    println!("\nwith: DXIL through the layer; without: the SPIR-V that the layer made of it, without the layer");
    print_first_modules(&with)?;
    {
        let dumping = App::new(&entry, true, Some((c"dump_dir", &folder.join("dump"))))?;
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
    let pipelines = compare(25, 20, || without.pipeline_and_back(a), || with.pipeline_and_back(b));
    row("vkCreateComputePipelines, SPIR-V beside DXIL", pipelines);

    print_captures(&entry, &folder, (&with, c), &dxil, &spirv)?;
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

/// Runs this program for each number of processors, because a process reads it once.
fn run_each() -> Result<(), Failure> {
    for (index, processors) in [2, 16, 64].into_iter().enumerate() {
        if index > 0 {
            println!();
        }
        let status = Command::new(std::env::current_exe()?).args(["--processors", &processors.to_string()]).status()?;
        if !status.success() {
            return Err(format!("with {processors} processors: {status}").into());
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let result = Arguments::parse().processors.map_or_else(run_each, run);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("layer-overhead: {error}");
            ExitCode::FAILURE
        }
    }
}
