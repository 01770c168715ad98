//! The log of a process with several instances: the first one's settings count, and what fails
//! again and again does not fill it. This file has a single test, because the log is that of the
//! whole process.

use std::fs;

use ash::vk;
use dxil_layer_loaderless::{App, Config, InstanceRequest, fixture, leaked, stage};
use dxil_test_support::TempFolder;

#[test]
fn the_first_instance_decides_and_repetitions_end() {
    let folder = TempFolder::new("log-settings");
    let log = leaked(folder.join("log"));
    let settings = [(c"log_level", c"info"), (c"log_file", log), (c"enable_features", c"shaderInt64")];
    let request = InstanceRequest::new(settings).with_messages();
    let app = App::with_request(Config::default(), &request);
    let same = App::with_request(Config::default(), &request);
    assert_eq!(same.fake_instance().messages(), []);

    // The shader needs a feature that is not in the list.
    let module = app.module(&fixture("types/double.dxil"));
    let stage = stage(vk::ShaderStageFlags::COMPUTE, module, c"main");
    let info = vk::ComputePipelineCreateInfo { stage, ..Default::default() };
    for _ in 0..30 {
        assert!(app.compute(&[info]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    }
    assert_eq!(app.fake_instance().messages().len(), 30, "the application's messengers get each of them");

    let other = InstanceRequest::new([(c"log_level", c"debug")]).with_messages();
    let other = App::with_request(Config::default(), &other);
    other.module(&fixture("buffer/raw_read_write.dxil"));
    let expected = format!(
        "settings log_level, log_file and log_mb: those of the first instance of the process are used: info, {}, 64",
        log.to_str().unwrap()
    );
    assert_eq!(other.message(), expected);

    let text = fs::read_to_string(folder.join("log")).unwrap();
    let failures: Vec<_> = text.lines().filter(|line| line.contains("pipeline 0 is not created")).collect();
    assert_eq!(failures.len(), 10, "{text}");
    assert_eq!(text.matches("(said 10 times; further repetitions are left out)").count(), 1, "{text}");
    assert!(text.contains(&expected), "{text}");
    let added = "dxil_translate: info: the device has features that the layer added: shaderInt64; extensions: none";
    assert!(text.lines().any(|line| line == added), "{text}");
}
