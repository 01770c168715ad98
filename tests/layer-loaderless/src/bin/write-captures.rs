//! Captures a pipeline of each shader of a folder through the layer, again and again.
//!
//! usage: `write-captures SHADERS CAPTURE FIRST [ROUNDS]`
//!
//! Round `n` makes pipelines with a specialization constant of `FIRST + n`, which no other round
//! has. Without ROUNDS it ends when it is killed.

use std::fs;
use std::process::ExitCode;

use ash::vk;
use dxil_layer_loaderless::{App, Config, InstanceRequest, compute_pipeline, leaked};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(shaders), Some(capture), Some(first)) = (arguments.next(), arguments.next(), arguments.next()) else {
        eprintln!("usage: write-captures SHADERS CAPTURE FIRST [ROUNDS]");
        return ExitCode::from(2);
    };
    let first: u32 = first.parse().expect("a number");
    let rounds = arguments.next().map_or(u32::MAX - first, |rounds| rounds.parse().expect("a number"));
    let request = InstanceRequest::new([
        (c"capture_dir", leaked(capture)),
        (c"log_level", c"warn"),
        (c"register_shifts", c"t=100,u=200,s=300"),
    ]);
    let paths = fs::read_dir(&shaders).expect("the folder of shaders").map(|file| file.expect("an entry of it").path());
    let paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "dxil")).collect();
    for round in first..first + rounds {
        // Each instance writes all of its files again, unless they exist.
        let app = App::with_request(Config::default(), &request);
        let data = round.to_le_bytes();
        let entries = [vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }];
        let constants = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        for path in &paths {
            let (_, module) = app.module_of(&fs::read(path).expect("a shader"));
            let mut info = compute_pipeline(module);
            info.stage.p_specialization_info = &constants;
            if module != vk::ShaderModule::null() {
                let _ = app.compute(&[info]);
            }
        }
    }
    ExitCode::SUCCESS
}
