//! Faults below the layer and around it: a driver without memory, a process that is killed while it
//! writes a dump, a cache of size zero.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use ash::vk;
use dxil_layer_loaderless::{App, Config, Event, InstanceRequest, Setting, ShaderCode, fixture};
use dxil_test_support::{TempFolder, repository};
use dxil_translator::{BlobDigest, Request, Shader};

/// A compute shader that needs no pipeline layout.
const SHADER: &str = "arithmetic/float_basic.dxil";

fn app(config: Config, settings: &[Setting]) -> App {
    App::with_request(
        config,
        &InstanceRequest::new([&[(c"register_shifts", c"t=100,u=200,s=300")], settings].concat()).with_messages(),
    )
}

/// A compute pipeline of code in the chain of its stage, behind a structure that keeps it from
/// being replaced in place, so that the layer makes a module.
fn with_own_module(app: &App, bytes: &[u8]) -> (vk::Result, vk::Pipeline) {
    let code = ShaderCode::new(bytes);
    let code = code.info();
    let unknown = dxil_layer_loaderless::Unknown::before(std::ptr::from_ref(&code).cast());
    let stage = vk::PipelineShaderStageCreateInfo {
        stage: vk::ShaderStageFlags::COMPUTE,
        p_next: unknown.as_next(),
        p_name: c"main".as_ptr(),
        ..Default::default()
    };
    let (result, pipelines) = app.compute(&[vk::ComputePipelineCreateInfo { stage, ..Default::default() }]);
    (result, pipelines[0])
}

#[test]
fn a_driver_without_memory_is_believed() {
    for error in [vk::Result::ERROR_OUT_OF_HOST_MEMORY, vk::Result::ERROR_OUT_OF_DEVICE_MEMORY] {
        let app = app(Config { module_result: Some(error), ..Config::default() }, &[]);
        let blob = fixture(SHADER);
        let (result, module) = app.module_of(&blob);
        assert!(result == error && module == vk::ShaderModule::null());
        let messages = app.fake_instance().messages();
        assert_eq!(messages.len(), 1);
        let returned = format!("vkCreateShaderModule of its SPIR-V returned {}", error.as_raw());
        assert!(messages[0].1.ends_with(&returned), "{messages:?}");
        let (result, pipeline) = with_own_module(&app, &blob);
        assert!(result == error && pipeline == vk::Pipeline::null());
        assert_eq!(app.events(), [], "no pipeline went down, and no module has to be destroyed");
        let message = app.message();
        let digest = BlobDigest::from_bytes(&blob).short();
        let expected = format!("vkCreateShaderModule returned {} for code that was translated", error.as_raw());
        assert!(message.contains(&expected) && message.contains(&digest), "{message}");
    }
    // With memory it works.
    let app = app(Config::default(), &[]);
    assert_eq!(with_own_module(&app, &fixture(SHADER)).0.as_raw(), 0);
    let events = app.events();
    let [Event::Module { handle, .. }, Event::Pipelines { .. }, Event::DestroyModule(destroyed)] = events.as_slice()
    else {
        panic!("{events:?}")
    };
    assert_eq!(handle, destroyed);
}

/// The kernel kills a process whose file grows beyond the limit, in the middle of writing that file
/// (setrlimit(2), RLIMIT_FSIZE). Each limit is reached in another file.
#[test]
fn a_killed_process_leaves_whole_files() {
    const SIGXFSZ: i32 = 25;
    let shaders = repository().join("tests/fixtures/arithmetic");
    let mut found = 0;
    for kibibytes in [1, 2, 3, 4, 5] {
        let folder = TempFolder::absent("killed");
        let mut command = Command::new("bash");
        command.args(["-c", &format!("ulimit -c 0; ulimit -t 60; ulimit -f {kibibytes}; exec \"$@\""), "bash"]);
        // The layer is built here, because no file of the build keeps to the limit.
        dxil_layer_loaderless::library_path();
        command.env("CARGO", "true");
        let status = command.arg(env!("CARGO_BIN_EXE_write-dumps")).arg(&shaders).arg(&*folder).status().unwrap();
        assert_eq!(status.signal(), Some(SIGXFSZ), "{kibibytes}: {status}");
        let mut unfinished = 0;
        for file in fs::read_dir(&*folder).unwrap() {
            let path = file.unwrap().path();
            if path.file_name().unwrap().to_str().unwrap().starts_with('.') {
                assert_eq!(path.metadata().unwrap().len(), kibibytes << 10, "{}", path.display());
                unfinished += 1;
                continue;
            }
            found += 1;
            let bytes = fs::read(&path).unwrap();
            match path.extension().unwrap().to_str().unwrap() {
                "dxil" => _ = Shader::parse(&bytes).unwrap(),
                "spv" => assert_eq!((bytes[..4].to_vec(), bytes.len() % 4), (vec![3, 2, 0x23, 7], 0)),
                "request" => {
                    let blob = path.file_name().unwrap().to_str().unwrap().split('-').next().unwrap().to_owned();
                    let shader = fs::read(folder.join(format!("{blob}.dxil"))).unwrap();
                    Request::parse(&String::from_utf8(bytes).unwrap(), &Shader::parse(&shader).unwrap()).unwrap();
                }
                other => panic!("{other}"),
            }
        }
        assert_eq!(unfinished, 1, "with {kibibytes} KiB");
    }
    println!("{found} files of killed processes");
    assert!(found > 20, "{found}");
}
