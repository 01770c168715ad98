//! Writes dumps of all shaders of a folder through the layer, again and again, until it is killed.
//!
//! usage: write-dumps SHADERS DUMP

use std::fs;
use std::process::ExitCode;

use dxil_layer_loaderless::{App, Config, InstanceRequest, leaked};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(shaders), Some(dump)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: write-dumps SHADERS DUMP");
        return ExitCode::from(2);
    };
    let request = InstanceRequest::new([(c"dump_dir", leaked(dump)), (c"register_shifts", c"t=100,u=200,s=300")]);
    loop {
        // Each instance writes all of its files anew.
        let app = App::with_request(Config::default(), &request);
        for file in fs::read_dir(&shaders).expect("the folder of shaders") {
            let path = file.expect("an entry of it").path();
            if path.extension().is_some_and(|extension| extension == "dxil") {
                let _ = app.module_of(&fs::read(path).expect("a shader"));
            }
        }
    }
}
