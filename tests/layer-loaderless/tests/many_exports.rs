//! A library with 200 exports: it is parsed once, and each export is translated once, however many
//! pipelines have them. This file has a single test, because the counters are those of the whole
//! process.

use std::ffi::CString;
use std::time::Instant;
use std::{fs, ptr};

use ash::vk;
use dxil_layer_loaderless::{App, Config, Event, InstanceRequest, ShaderCode, generation_bindings, shader};

/// The exports `generate_100` to `generate_299`.
const EXPORTS: usize = 200;

#[test]
fn one_parse_and_one_translation_for_each_export() {
    let log = std::env::temp_dir().join(format!("dxil-layer-many-exports-{}", std::process::id()));
    let log_file = CString::new(log.to_str().unwrap()).unwrap();
    let request = InstanceRequest::new([
        (c"stats", c"true"),
        (c"log_level", c"info"),
        (c"log_file", Box::leak(log_file.into_boxed_c_str())),
        (c"register_shifts", c"u=200"),
    ]);
    let app = App::with_rays(Config::default(), &request);
    let layout = app.layout(&generation_bindings());
    app.events();
    let library = shader("rays.many.dxil");
    let code = ShaderCode::new(&library);
    let code = code.info();
    let names: Vec<_> = (100..100 + EXPORTS).map(|n| CString::new(format!("generate_{n}")).unwrap()).collect();
    let stage = |name: &CString, module| vk::PipelineShaderStageCreateInfo {
        stage: vk::ShaderStageFlags::RAYGEN_KHR,
        p_next: if module == vk::ShaderModule::null() { ptr::from_ref(&code).cast() } else { ptr::null() },
        module,
        p_name: name.as_ptr(),
        ..Default::default()
    };
    let chained: Vec<_> = names.iter().map(|name| stage(name, vk::ShaderModule::null())).collect();
    let pipeline = |stages| vk::RayTracingPipelineCreateInfoKHR::default().stages(stages).layout(layout);

    // Each export in a pipeline of its own, then all in one pipeline, both with code in the chain.
    let own: Vec<_> = chained.chunks(1).map(pipeline).collect();
    let mut seen: Vec<Vec<Vec<u32>>> = Vec::new();
    for infos in [own.as_slice(), &[pipeline(&chained)]] {
        let start = Instant::now();
        assert_eq!(app.rays(infos).0.as_raw(), 0);
        println!("{} pipelines of {} stages: {:?}", infos.len(), EXPORTS / infos.len(), start.elapsed());
        let events = app.events();
        let [Event::RayTracing { pipelines, .. }] = events.as_slice() else { panic!("one call, and no module") };
        let stages = pipelines.iter().flat_map(|pipeline| &pipeline.stages);
        seen.push(stages.map(|stage| stage.chained_words.clone().unwrap()).collect());
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0].len(), EXPORTS);
    for (index, words) in seen[0].iter().enumerate() {
        assert!(!seen[0][..index].contains(words), "each export has code of its own");
    }

    // A shader module, whose exports are all in one pipeline, twice.
    let module = app.module(&library);
    let stages: Vec<_> = names.iter().map(|name| stage(name, module)).collect();
    assert_eq!(app.rays(&[pipeline(&stages), pipeline(&stages)]).0.as_raw(), 0);
    let events = app.events();
    let count = |of: fn(&Event) -> bool| events.iter().filter(|event| of(event)).count();
    assert_eq!(count(|event| matches!(event, Event::Module { .. })), EXPORTS, "both pipelines share the modules");
    assert_eq!(count(|event| matches!(event, Event::DestroyModule(_))), EXPORTS);

    drop(app);
    let text = fs::read_to_string(&log).unwrap();
    let stats = text.lines().last().expect("the statistics line");
    // Three calls brought the library. All but the first one found it parsed, and all but the first
    // of four stages with an export found its translation.
    assert!(stats.contains("blobs 3, parsed 1, translations 200, failures 0, cache hits 602"), "{stats}");
    println!("{stats}");
    fs::remove_file(&log).unwrap();
}
