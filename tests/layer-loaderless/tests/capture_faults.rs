//! Captures that cannot continue: a full folder or one without permission, processes that are
//! killed; many threads, and several processes in one folder.
//!
//! The log is the process's, so that all tests of this file look for their own folder in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::time::Duration;

use ash::vk;
use ash::vk::ShaderStageFlags as S;
use dxil_capture::model::{Code, Record};
use dxil_capture::{Capture, Digest};
use dxil_layer_loaderless::{
    App, Config, InstanceRequest, Setting, ShaderCode, TempFolder, chained_stage, compute_pipeline, fixture,
    generation_bindings, generation_stage, leaked, next, shader,
};
use dxil_translator::{BlobDigest, Request, Shader};

/// A compute shader that needs no pipeline layout.
const SHADER: &str = "arithmetic/float_basic.dxil";

fn log() -> &'static Path {
    static LOG: OnceLock<PathBuf> = OnceLock::new();
    LOG.get_or_init(|| {
        let log = std::env::temp_dir().join(format!("dxil-layer-capture-log-{}", std::process::id()));
        let _ = fs::remove_file(&log);
        log
    })
}

/// The settings of an application that captures at most `mb` MiB into a folder.
fn settings(folder: &Path, mb: &str) -> Vec<Setting> {
    vec![
        (c"capture_dir", leaked(folder)),
        (c"capture_mb", leaked(mb)),
        (c"log_file", leaked(log())),
        (c"log_level", c"warn"),
        (c"register_shifts", c"t=100,u=200,s=300"),
    ]
}

fn app(folder: &Path, mb: &str) -> App {
    App::with_settings(settings(folder, mb))
}

/// Creates a compute pipeline of code in the chain of its stage, with a constant of this value.
fn create(app: &App, code: &[u8], value: u32) {
    let code = ShaderCode::new(code);
    let info = code.info();
    let data = value.to_le_bytes();
    let entries = [vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }];
    let constants = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
    let stage = vk::PipelineShaderStageCreateInfo {
        p_next: std::ptr::from_ref(&info).cast(),
        stage: S::COMPUTE,
        p_name: c"main".as_ptr(),
        p_specialization_info: &constants,
        ..Default::default()
    };
    let (result, _) = app.compute(&[vk::ComputePipelineCreateInfo { stage, ..Default::default() }]);
    assert_eq!(result.as_raw(), 0);
}

/// The lines of the log about a folder.
fn warnings(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(log()).unwrap_or_default();
    text.lines().filter(|line| line.contains(folder.to_str().unwrap())).map(str::to_owned).collect()
}

/// Reads everything in a folder: each record has its code, its requests, which can be parsed, and
/// its device. Gives the records.
fn whole(folder: &Path) -> Vec<Record> {
    let capture = Capture::open(folder).unwrap();
    let records: Vec<Record> = capture.records().map(|(_, record)| record.unwrap()).collect();
    for record in &records {
        capture.device(record.device.unwrap()).unwrap();
        for (stage, request) in record.pipeline.stages.iter().zip(&record.requests) {
            let Code::Dxil(code) = stage.code else { panic!("{:?}", stage.code) };
            let blob = capture.dxil(code).unwrap();
            if let Some(request) = request {
                Request::parse(&capture.request(*request).unwrap(), &Shader::parse(&blob).unwrap()).unwrap();
            }
        }
    }
    // Files that no record refers to may exist, and are complete too.
    for (name, ending) in [("blobs", "dxil"), ("requests", "request"), ("devices", "json")] {
        let Ok(files) = fs::read_dir(folder.join(name)) else { continue };
        for file in files {
            let file = file.unwrap().file_name().into_string().unwrap();
            // What a killed process had not finished begins with a point.
            if let Some(digest) = file.strip_suffix(&format!(".{ending}")).filter(|name| !name.starts_with('.')) {
                let bytes = fs::read(folder.join(name).join(&file)).unwrap();
                assert_eq!(Digest::new(&bytes), digest.parse().unwrap(), "{file}");
            }
        }
    }
    records
}

#[test]
fn the_bound_ends_the_capture_with_one_warning() {
    let folder = TempFolder::new("capture-bound");
    let app = app(&folder.path, "1");
    // Bytes after the container count for its digest, and each pipeline has other ones. 300 KiB
    // each.
    let blob = fixture(SHADER);
    for value in 0..8u8 {
        let mut code = blob.clone();
        code.resize(300 << 10, value);
        create(&app, &code, 1);
    }
    let records = whole(&folder.path);
    assert!((2..=3).contains(&records.len()), "{}", records.len());
    let bytes: u64 =
        fs::read_dir(folder.path.join("blobs")).unwrap().map(|f| f.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes <= 1 << 20);
    let warnings = warnings(&folder.path);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let end = "the files would exceed 1 MiB (setting capture_mb); this instance captures nothing more";
    assert!(warnings[0].ends_with(end), "{warnings:?}");
}

#[test]
fn a_folder_that_cannot_be_written_is_one_warning() {
    // A file stands where the folder would be; a system without a file stands for one without
    // permission, which does not hold for the superuser.
    let file = TempFolder::new("capture-file");
    fs::write(&file.path, "a file").unwrap();
    for (folder, reason) in
        [(file.path.join("capture"), "Not a directory (os error 20)"), ("/proc/capture".into(), "(os error 2)")]
    {
        let app = app(&folder, "1");
        for value in 0..3 {
            create(&app, &fixture(SHADER), value);
        }
        let warnings = warnings(&folder);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let path = folder.join("blobs");
        assert!(warnings[0].contains(&format!("cannot write {}", path.display())), "{warnings:?}");
        let end = format!("{reason}; this instance captures nothing more");
        assert!(warnings[0].ends_with(&end), "{warnings:?}");
    }
    fs::remove_file(&file.path).unwrap();
}

/// Mounts a file system of 256 KiB over the folder `$1`, captures into it, and copies what is there
/// to `$2`.
const FULL: &str = r#"mount -t tmpfs -o size=256k tmpfs "$1" || exit 9
                      "$3" "$4" "$1/capture" 0 1 && cp -R "$1/capture" "$2""#;

/// The words before a program that runs it in its own space of mounts: as the superuser, or as one
/// of a space of its own.
const OWN_MOUNTS: [&[&str]; 2] = [&["unshare", "--mount"], &["unshare", "--map-root-user", "--mount"]];

#[test]
fn a_full_file_system_is_one_warning() {
    let (small, copy) = (TempFolder::new("capture-full"), TempFolder::new("capture-full-copy"));
    fs::create_dir_all(&small.path).unwrap();
    let run = |way: &[&str]| {
        let mut command = Command::new(way[0]);
        command.args(&way[1..]).args(["sh", "-c", FULL, "sh"]).arg(&small.path).arg(&copy.path);
        command.arg(env!("CARGO_BIN_EXE_write-captures")).arg(shaders()).output()
    };
    let outputs = OWN_MOUNTS.map(run);
    let Some(output) = outputs.iter().flatten().find(|output| output.status.success()) else {
        println!("skipped: no file system can be mounted here: {outputs:?}");
        return;
    };
    let records = whole(&copy.path);
    assert!((1..40).contains(&records.len()), "{}", records.len());
    let text = String::from_utf8_lossy(&output.stderr);
    let warnings: Vec<_> = text.lines().filter(|line| line.contains("capture_dir")).collect();
    assert_eq!(warnings.len(), 1, "{text}");
    let end = "No space left on device (os error 28); this instance captures nothing more";
    assert!(warnings[0].ends_with(end), "{warnings:?}");
}

fn shaders() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/arithmetic")
}

fn child(folder: &Path, first: u32, rounds: Option<u32>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_write-captures"));
    command.arg(shaders()).arg(folder).arg(first.to_string()).args(rounds.map(|rounds| rounds.to_string()));
    command.spawn().unwrap()
}

#[test]
fn a_killed_process_leaves_a_readable_capture() {
    let folder = TempFolder::new("capture-killed");
    let mut before = 0;
    for round in 0..12 {
        let mut child = child(&folder.path, round * 100_000, None);
        // On a busy machine it takes a while until the first pipeline is there; then any moment
        // will do.
        let limit = std::time::Instant::now() + Duration::from_secs(60);
        while Capture::open(&folder.path).map_or(0, |capture| capture.len()) <= before {
            assert!(std::time::Instant::now() < limit, "round {round} captured nothing");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(u64::from(7 * round)));
        child.kill().unwrap();
        child.wait().unwrap();
        before = whole(&folder.path).len();
    }
    println!("{before} records of killed processes");
}

#[test]
fn two_processes_into_one_folder() {
    let folder = TempFolder::new("capture-two");
    // The rounds of both overlap, so that they write some of the same files.
    let mut children = [child(&folder.path, 0, Some(3)), child(&folder.path, 1, Some(3))];
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let records = whole(&folder.path);
    let mut constants: Vec<u8> =
        records.iter().map(|record| record.pipeline.stages[0].constants[0].value.0[0]).collect();
    let blobs = fs::read_dir(folder.path.join("blobs")).unwrap().count();
    assert!(blobs > 20, "{blobs}");
    constants.sort_unstable();
    assert_eq!(constants, (0..4u8).flat_map(|round| vec![round; blobs]).collect::<Vec<_>>());
}

#[test]
fn sixteen_threads() {
    let folder = TempFolder::new("capture-threads");
    let app = app(&folder.path, "64");
    let blobs = ["float_basic", "integer_basic", "minmax"].map(|name| format!("arithmetic/{name}.dxil"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let blobs: Vec<Vec<u8>> = blobs.iter().filter(|name| root.join(name).exists()).map(|name| fixture(name)).collect();
    std::thread::scope(|scope| {
        for thread in 0..16u32 {
            let (app, blobs) = (&app, &blobs);
            scope.spawn(move || {
                for n in 0..20 {
                    create(app, &blobs[n % blobs.len()], (thread + n as u32) % 24);
                }
            });
        }
    });
    let mut expected: Vec<(usize, u32)> = (0..16u32)
        .flat_map(|t| (0..20).map(move |n| (n, (t + n as u32) % 24)))
        .map(|(n, v)| (n % blobs.len(), v))
        .collect();
    expected.sort_unstable();
    expected.dedup();
    assert_eq!(whole(&folder.path).len(), expected.len());
    assert_eq!(fs::read_dir(folder.path.join("blobs")).unwrap().count(), blobs.len());
    assert_eq!(warnings(&folder.path), [] as [&str; 0]);
}

/// A container with an identifier of its own. Nothing compares the digest in its header.
fn container_of(test: u8) -> Vec<u8> {
    let mut container = fixture(SHADER);
    container[4..8].fill(test);
    container
}

/// Creates a compute pipeline with the module identifier of a container, and nothing else.
fn create_identified(app: &App, container: &[u8]) -> vk::Result {
    let hash = BlobDigest::from_bytes(container);
    let identifier = [b"DXIL.id1", &hash.0[..24]].concat();
    let info = vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::default().identifier(&identifier);
    let stage = chained_stage(S::COMPUTE, next(&info), c"main");
    let flags = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
    app.compute(&[vk::ComputePipelineCreateInfo { stage, flags, ..Default::default() }]).0
}

#[test]
fn what_an_identifier_names_is_captured() {
    let folder = TempFolder::new("capture-identified");
    let (app, container) = (app(&folder.path, "1"), container_of(201));
    assert!(create_identified(&app, &container) == vk::Result::PIPELINE_COMPILE_REQUIRED);
    let warnings = warnings(&folder.path);
    let reason = "is not captured: the layer's cache does not have the container that a shader module identifier names";
    assert!(warnings.len() == 1 && warnings[0].ends_with(reason), "{warnings:?}");
    let module = app.module(&container);
    assert_eq!(create_identified(&app, &container).as_raw(), 0);
    // The pipeline with the module has the same record.
    let mut info = compute_pipeline(module);
    info.flags = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
    let records = whole(&folder.path);
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!(records[0].pipeline.stages[0].code, Code::Dxil(Digest::new(&container)));
    assert!(records[0].requests[0].is_some());
}

#[test]
fn what_the_format_does_not_have_is_reported() {
    let folder = TempFolder::new("capture-left-out");
    let extensions = [c"VK_EXT_descriptor_heap".as_ptr()];
    let config = Config { all_features: true, extensions: &[c"VK_EXT_descriptor_heap"], ..Config::default() };
    let request = InstanceRequest::new(settings(&folder.path, "1"));
    let info = vk::DeviceCreateInfo::default().enabled_extension_names(&extensions);
    let app = App::with(config, &request, &info).unwrap();
    let (container, library) = (fixture("heaps/constants.dxil"), shader("rays.generate.dxil"));
    let in_heaps = "it uses descriptor heaps (VK_EXT_descriptor_heap), whose mappings the format does not have";
    let all_of = |[what, is]: [&str; 2], bytes: &[u8], reason: &str| {
        let blob = BlobDigest::from_bytes(bytes).short();
        format!("capture_dir {}: {what} of DXIL {blob} {is} not captured: {reason}", folder.path.display())
    };
    let of = |bytes: &[u8], reason: &str| all_of(["a pipeline", "is"], bytes, reason);
    let mut expected = Vec::new();

    let mut flags =
        vk::PipelineCreateFlags2CreateInfoKHR::default().flags(vk::PipelineCreateFlags2KHR::from_raw(1 << 36));
    let info = compute_pipeline(app.module(&container)).push_next(&mut flags);
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
    expected.push(of(&container, in_heaps));

    let code = ShaderCode::new(&container);
    let info = vk::ShaderCreateInfoEXT {
        flags: vk::ShaderCreateFlagsEXT::from_raw(1 << 10),
        stage: S::COMPUTE,
        code_type: vk::ShaderCodeTypeEXT::SPIRV,
        code_size: container.len(),
        p_code: code.words.as_ptr().cast(),
        p_name: c"main".as_ptr(),
        ..Default::default()
    };
    assert_eq!(app.shaders(&[info]).0.as_raw(), 0);
    expected.push(all_of(["shader objects", "are"], &container, in_heaps));

    let app = App::with_rays(Config::default(), &request);
    let stages = [generation_stage(app.module(&library), c"generate_first")];
    let info = vk::RayTracingPipelineCreateInfoNV::default().stages(&stages).layout(app.layout(&generation_bindings()));
    assert_eq!(app.rays_nv(&[info]).0.as_raw(), 0);
    expected.push(of(&library, "the format has no ray-tracing pipelines of NV and no execution graphs"));

    let found = warnings(&folder.path);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!(found.ends_with(expected), "{found}\n{expected}");
    }
    assert!(!folder.path.exists(), "nothing was written");
}
