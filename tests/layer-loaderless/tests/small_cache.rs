//! A cache of size zero and a small one, of at most one mebibyte in all tests of this file, because
//! the bound is that of the whole process: the largest of all instances.

use ash::vk;
use dxil_layer_loaderless::{App, ShaderCode, chained_stage, fixture, next};
use dxil_test_support::repository;

#[test]
fn without_room_everything_is_translated_anew() {
    let shaders = ["arithmetic/float_basic.dxil", "buffer/raw_read_write.dxil", "cbuffer/dynamic.dxil"];
    let mut first: Vec<Vec<u32>> = Vec::new();
    for size in [c"0", c"1"] {
        let app = App::with_settings([(c"cache_mb", size), (c"register_shifts", c"t=100,u=200,s=300")]);
        for _ in 0..20 {
            let words: Vec<Vec<u32>> = shaders
                .iter()
                .map(|shader| {
                    let (result, module) = app.module_of(&fixture(shader));
                    assert_eq!(result.as_raw(), 0);
                    app.destroy_module(module);
                    app.words().remove(0)
                })
                .collect();
            if first.is_empty() {
                first.clone_from(&words);
            }
            assert!(words == first);
        }
    }
}

/// A parsed blob is in the cache by its code and by its digest. While its pipeline is created again
/// and again, only the first of the two entries is used, and other blobs evict the second one.
#[test]
fn a_blob_that_is_used_stays_parsed() {
    let app = App::with_settings([(c"cache_mb", c"1"), (c"register_shifts", c"t=100,u=200,s=300")]);
    let code = ShaderCode::new(&fixture("arithmetic/float_basic.dxil"));
    let code = code.info();
    let stage = chained_stage(vk::ShaderStageFlags::COMPUTE, next(&code), c"main");
    let create = |flags| {
        let info = vk::ComputePipelineCreateInfo { stage, flags, ..Default::default() };
        app.compute(&[info]).0
    };
    let folders = ["arithmetic", "texture", "wave"].map(|name| repository().join("tests/fixtures").join(name));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|file| file.unwrap().path());
    let mut others = 0;
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "dxil")) {
        assert_eq!(create(vk::PipelineCreateFlags::empty()).as_raw(), 0);
        let other = std::fs::read(&path).unwrap();
        // A blob that this device cannot run is in the cache, too.
        _ = app.module_of(&other);
        others += other.len();
    }
    // Parsed, they have several times the size of the cache.
    assert!(others > 400_000, "{others} bytes");
    assert_eq!(create(vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED).as_raw(), 0);
}
