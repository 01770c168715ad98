//! Captures a pipeline of each shader of a folder through the layer, again and again.
//!
//! usage: `write-captures SHADERS CAPTURE FIRST [ROUNDS]`
//!
//! Round `n` makes pipelines with a specialization constant of `FIRST + n`, which no other round has.
//! Without ROUNDS it ends when it is killed.

use std::ffi::CString;
use std::fs;
use std::process::ExitCode;

use ash::vk;
use dxil_layer_loaderless::{App, Config, InstanceRequest};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(shaders), Some(capture), Some(first)) = (arguments.next(), arguments.next(), arguments.next()) else {
        eprintln!("usage: write-captures SHADERS CAPTURE FIRST [ROUNDS]");
        return ExitCode::from(2);
    };
    let first: u32 = first.parse().expect("a number");
    let rounds = arguments.next().map_or(u32::MAX - first, |rounds| rounds.parse().expect("a number"));
    let capture = Box::leak(CString::new(capture).expect("an argument has no NUL").into_boxed_c_str());
    let request = InstanceRequest {
        api_version: vk::API_VERSION_1_3,
        settings: vec![(c"capture_dir", capture), (c"log_level", c"warn"), (c"register_shifts", c"t=100,u=200,s=300")],
        ..Default::default()
    };
    let paths = fs::read_dir(&shaders).expect("the folder of shaders").map(|file| file.expect("an entry of it").path());
    let paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "dxil")).collect();
    for round in first..first + rounds {
        // Each instance writes all of its files again, unless they exist.
        let app = App::with(Config::default(), &request, &Default::default()).expect("vkCreateDevice");
        let data = round.to_le_bytes();
        let entries = [vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }];
        let constants = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        for path in &paths {
            let (_, module) = app.module_of(&fs::read(path).expect("a shader"));
            let stage = vk::PipelineShaderStageCreateInfo {
                stage: vk::ShaderStageFlags::COMPUTE,
                module,
                p_name: c"main".as_ptr(),
                p_specialization_info: &constants,
                ..Default::default()
            };
            if module != vk::ShaderModule::null() {
                let _ = app.compute(&[vk::ComputePipelineCreateInfo { stage, ..Default::default() }]);
            }
        }
    }
    ExitCode::SUCCESS
}
