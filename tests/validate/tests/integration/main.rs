//! Tests of emitted modules. They are one program, so that the validator is linked once.

mod embedded;
mod emitted;
mod inputs;
mod listens;
mod mutations;
mod newer;
mod optimised;

use std::io::Write as _;
use std::process::{Command, Stdio};

use dxil_robustness::memory::Counting;
use dxil_test_support::spirv::bytes;

/// It counts the bytes of each thread, to which campaigns set a limit.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The output of a program of SPIRV-Tools that reads a module from standard input; what it says if
/// it fails.
fn spirv_program(program: &str, arguments: &[&str], words: &[u32]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("{program}: {error}; scripts/setup.sh and scripts/get-mesa-sid.sh fetch SPIRV-Tools")
        });
    // The program may end before it has read a module that it refuses.
    let _ = child.stdin.take().unwrap().write_all(&bytes(words));
    let output = child.wait_with_output().unwrap();
    let said = || String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned();
    if output.status.success() { Ok(output.stdout) } else { Err(said()) }
}

/// The module that `spirv-opt` makes with an option. The program is that of Debian's package
/// spirv-tools, which people use; the optimiser of the crate takes most of the time in which the
/// C++ of SPIRV-Tools compiles.
fn optimised(words: &[u32], option: &str) -> Vec<u32> {
    let binary = spirv_program("spirv-opt", &["--target-env=vulkan1.3", option, "-", "-o", "-"], words);
    dxil_test_support::spirv::words(&binary.unwrap())
}
