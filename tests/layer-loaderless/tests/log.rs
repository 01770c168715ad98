//! The log at `debug`: one line for each pipeline, and the statistics with failed plans. This file
//! has a single test, because log and counters are those of the whole process.

use std::fs;

use ash::vk;
use dxil_layer_loaderless::{App, Config, InstanceRequest, fixture, leaked};
use dxil_translator::BlobDigest;

#[test]
fn a_line_for_each_pipeline() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipelines.log");
    let _ = fs::remove_file(&path);
    let log_file = leaked(&path);
    let settings = vec![(c"log_level", c"debug"), (c"stats", c"true"), (c"log_file", log_file)];
    let request = InstanceRequest::new(settings);
    let container = fixture("rootsig/constants_descriptors.dxil");
    let blob = BlobDigest::from_bytes(&container).short();
    let binding = |number: u32, ty| {
        let binding = vk::DescriptorSetLayoutBinding::default().binding(number).descriptor_type(ty);
        binding.descriptor_count(1).stage_flags(vk::ShaderStageFlags::ALL)
    };
    {
        let app = App::with_request(Config::default(), &request);
        let (result, module) = app.module_of(&container);
        assert_eq!(result.as_raw(), 0);
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE).module(module);
        let good = vk::ComputePipelineCreateInfo::default().stage(stage.name(c"main"));
        let bad = good.layout(app.layout(&[binding(9, vk::DescriptorType::SAMPLER)]));
        assert!(app.compute(&[good, bad]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    }
    let log = fs::read_to_string(&path).unwrap();
    let lines: Vec<_> = log.lines().filter(|line| line.contains(": pipeline of ")).collect();
    let line = format!(
        "dxil_translate: debug: pipeline of compute `main` (blob {blob}): bindings root-signature, 0 stages replaced"
    );
    assert_eq!(lines, [line], "{log}");
    let stats = log.lines().last().unwrap();
    let counts = "dxil_translate: info: blobs 1, parsed 1, translations 1, failures 1, cache hits 0, substitutions 0, ";
    assert!(stats.starts_with(counts), "{stats}");
}
