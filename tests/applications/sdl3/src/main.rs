//! DXIL through the Vulkan backend of SDL's GPU API, without a change of SDL: shaders from DXC's
//! SPIR-V and from DXIL embedded in SPIR-V give the same numbers and the same pictures.
//!
//! In: the folder with the shaders that `scripts/test-applications.sh` compiled, and the layer
//! below SDL. Out: one line per test, in libtest's format. What must hold: a result from DXIL
//! equals that from SPIR-V byte for byte, and what this program computes for itself. SDL creates
//! its instance for Vulkan 1.0, as it does for every program that asks for nothing else.

use std::error::Error;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sdl3_sys::everything::*;

mod compute;
mod gpu;
mod quads;
mod triangle;

use gpu::Gpu;

type Failure = Box<dyn Error>;

/// The forms in which a shader is handed to SDL, each with the ending of its file.
const FORMS: [(&str, &str); 2] = [("spirv", "spv"), ("embedded", "embedded.spv")];

/// What SDL says about its last failure.
fn sdl_error(what: &str) -> Failure {
    // SAFETY: SDL returns a null-terminated text that is valid until its next failure.
    let text = unsafe { CStr::from_ptr(SDL_GetError()) };
    format!("{what}: {}", text.to_string_lossy()).into()
}

/// Says where two results differ.
fn difference(spirv: &[u8], found: &[u8]) -> String {
    let differ = || spirv.iter().zip(found).enumerate().filter(|(_, (a, b))| a != b);
    let first = differ().next().map(|(at, (a, b))| format!(", first at byte {at}: {b}, and {a} from SPIR-V"));
    format!("{} bytes differ from those of SPIR-V{}", differ().count(), first.unwrap_or_default())
}

/// SDL compares the magic number before it calls Vulkan, so a container as it is does not reach the
/// layer.
fn refuses_containers(gpu: &Gpu) -> Result<Vec<u8>, Failure> {
    match gpu.shader("triangle.pixel", SDL_GPU_SHADERSTAGE_FRAGMENT, gpu::Counts::default()) {
        Err(error) if error.to_string().contains("not valid SPIR-V") => Ok(Vec::new()),
        Err(error) => Err(error),
        Ok(_) => Err("SDL takes a container; the documents say that it refuses one".into()),
    }
}

/// A test gives its result for one form, or says what is wrong with it.
type Test = fn(&Gpu) -> Result<Vec<u8>, Failure>;
const TESTS: [(&str, Test); 3] = [("compute", compute::run), ("triangle", triangle::run), ("quads", quads::run)];

fn main() -> ExitCode {
    let Some(shaders) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: dxil-application-sdl3 SHADERS");
        return ExitCode::from(2);
    };
    let (mut passed, mut failed) = (0, 0);
    let mut report = |name: &str, form: &str, result: &Result<Vec<u8>, Failure>| match result {
        Ok(_) => {
            println!("test sdl3/{name} {form} ... ok");
            passed += 1;
        }
        Err(error) => {
            println!("test sdl3/{name} {form} ... FAILED: {error}");
            failed += 1;
        }
    };
    let open = |ending| Gpu::open(Path::new(&shaders), ending);
    for (name, test) in TESTS {
        let mut expected: Option<Vec<u8>> = None;
        for (form, ending) in FORMS {
            let result = open(ending).and_then(|gpu| test(&gpu));
            let result = result.and_then(|bytes| match &expected {
                Some(spirv) if *spirv != bytes => Err(difference(spirv, &bytes).into()),
                _ => Ok(bytes),
            });
            report(name, form, &result);
            if let Ok(bytes) = result {
                expected.get_or_insert(bytes);
            }
        }
    }
    report("refusal", "dxil", &open("dxil").and_then(|gpu| refuses_containers(&gpu)));
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {word}. {passed} passed; {failed} failed; 0 ignored");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
