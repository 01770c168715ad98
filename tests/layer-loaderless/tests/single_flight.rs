//! Tests of the counters of the layer's cache, and of the files in `dump_dir`, which must reproduce
//! a translation. This file has a single test, because the counters are those of the whole process.

use std::fs;

use ash::vk;
use dxil_layer_loaderless::{App, Config, InstanceRequest, fixture};
use dxil_test_support::TempFolder;
use dxil_translator::Request;

#[test]
fn sixteen_threads_cause_one_translation_per_blob() {
    let folder = TempFolder::new("single-flight");
    let text = |name: &str| {
        let path = std::ffi::CString::new(folder.join(name).to_str().unwrap()).unwrap();
        &*Box::leak(path.into_boxed_c_str())
    };
    let request = InstanceRequest::new([
        (c"stats", c"true"),
        (c"log_level", c"info"),
        (c"log_file", text("log")),
        (c"dump_dir", text("dump")),
        (c"register_shifts", c"t=100,u=200,s=300"),
    ]);
    let names = [
        "buffer/raw_read_write.dxil",
        "buffer/structured_scalar.dxil",
        "cbuffer/dynamic.dxil",
        "arithmetic/float_basic.dxil",
    ];
    let blobs: Vec<Vec<u8>> = names.iter().map(|name| fixture(name)).collect();
    {
        let app = App::with_request(Config::default(), &request);
        let device = app.device.to_owned();
        std::thread::scope(|scope| {
            for thread in 0..16 {
                let (app, blobs) = (&app, &blobs);
                scope.spawn(move || {
                    for i in 0..blobs.len() {
                        let (result, module) = app.module_of(&blobs[(i + thread) % blobs.len()]);
                        assert_eq!(result.as_raw(), 0);
                        app.destroy_module(module);
                    }
                });
            }
        });
        assert!(device != vk::Device::null());
        let events = app.events();
        assert_eq!(events.len(), 16 * 4 * 2, "every call went down");
    }
    let log = fs::read_to_string(folder.join("log")).unwrap();
    let first = log.lines().next().expect("the line about the device");
    assert_eq!(first, "dxil_translate: info: active on the fake (Vulkan 1.3): bindings auto, cache 64 MiB");
    let stats = log.lines().last().expect("the statistics line");
    assert!(stats.contains("blobs 64, parsed 4, translations 4, failures 0"), "{stats}");
    // 64 parses and 64 translations were requested, and all but four of each came from the cache.
    assert!(stats.contains("cache hits 120"), "{stats}");

    let mut files: Vec<String> =
        fs::read_dir(folder.join("dump")).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    for suffix in [".dxil", ".request", ".spv"] {
        assert_eq!(files.iter().filter(|f| f.ends_with(suffix)).count(), 4, "{suffix} in {files:?}");
    }
    for file in files.iter().filter(|f| f.ends_with(".dxil")) {
        assert!(blobs.contains(&fs::read(folder.join("dump").join(file)).unwrap()), "{file}");
    }
    // Each request, read back, gives the words that were dumped.
    for file in files.iter().filter(|f| f.ends_with(".request")) {
        let path = folder.join("dump").join(file);
        let blob = file.split('-').next().unwrap();
        let shader = dxil_translator::Shader::parse(&fs::read(path.with_file_name(format!("{blob}.dxil"))).unwrap());
        let shader = shader.unwrap();
        let request = Request::parse(&fs::read_to_string(&path).unwrap(), &shader).unwrap();
        let words = request.translate(&shader).unwrap().words;
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert!(bytes == fs::read(path.with_extension("spv")).unwrap(), "{file}");
    }
}
