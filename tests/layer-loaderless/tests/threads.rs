//! Many threads create pipelines of the same shaders: each request is translated once. The only
//! test of this file, because the counters are those of the whole process.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use ash::vk;
use dxil_layer_loaderless::{App, aligned, leaked};

const THREADS: usize = 16;
const PIPELINES: usize = 1_000;
const BLOBS: usize = 50;

/// Compute shaders that need no pipeline layout, in order of their names.
fn blobs() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/arithmetic");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "dxil"));
    // Not every device has the clock that this one reads.
    paths.retain(|path| !path.ends_with("cycle_counter.dxil"));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn each_request_is_translated_once() {
    let log = std::env::temp_dir().join(format!("dxil-layer-threads-{}", std::process::id()));
    let app = App::with_settings([
        (c"stats", c"true"),
        (c"log_file", leaked(&log)),
        (c"register_shifts", c"t=100,u=200,s=300"),
    ]);
    // Code in the chain of a stage, so that every pipeline requests its translation.
    let create = |words: &[u32], size: usize| {
        let code = vk::ShaderModuleCreateInfo { code_size: size, p_code: words.as_ptr(), ..Default::default() };
        let stage = vk::PipelineShaderStageCreateInfo {
            stage: vk::ShaderStageFlags::COMPUTE,
            p_next: std::ptr::from_ref(&code).cast(),
            p_name: c"main".as_ptr(),
            ..Default::default()
        };
        app.compute(&[vk::ComputePipelineCreateInfo { stage, ..Default::default() }]).0 == vk::Result::SUCCESS
    };
    let mut all: Vec<(Vec<u32>, usize)> = blobs().into_iter().map(|blob| (aligned(&blob), blob.len())).collect();
    assert!(all.len() >= BLOBS, "{} blobs", all.len());
    all.truncate(BLOBS);
    let created = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (all, create, created) = (&all, &create, &created);
            scope.spawn(move || {
                for n in 0..PIPELINES {
                    let (words, size) = &all[(n * 7 + thread * 13) % BLOBS];
                    created.fetch_add(usize::from(create(words, *size)), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(created.into_inner(), THREADS * PIPELINES);
    drop(app);
    let text = fs::read_to_string(&log).unwrap();
    let stats = text.lines().last().expect("the statistics line");
    println!("{stats}");
    assert!(stats.contains(&format!("parsed {BLOBS}, translations {BLOBS}, failures 0")), "{stats}");
    fs::remove_file(&log).unwrap();
}
