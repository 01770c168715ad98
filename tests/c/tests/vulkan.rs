//! The C++ program of docs/c.md on a driver.

use std::process::Command;

use dxil_c_programs::{Language, compile, said};
use dxil_test_support::repository;

/// Why the program cannot run here.
fn lacks() -> Option<&'static str> {
    let mut compiler = Command::new("c++");
    compiler.args(["-fsyntax-only", "-include", "vulkan/vulkan.h", "-x", "c++", "/dev/null"]);
    match compiler.output() {
        Err(_) => Some("the C++ compiler `c++` does not run"),
        Ok(output) if !output.status.success() => Some("there is no <vulkan/vulkan.h> (libvulkan-dev of Debian)"),
        Ok(_) if std::env::var_os("DXIL_TEST_LAVAPIPE_ICD").is_none() => {
            Some("build/env.sh, which names a driver, is not sourced")
        }
        Ok(_) => None,
    }
}

/// The program makes its pipeline layout from the plan, runs the shader under the validation layer,
/// and compares each word with the CPU's.
#[test]
fn a_program_in_cxx_runs_a_shader() {
    if let Some(reason) = lacks() {
        println!("skipped: {reason}");
        return;
    }
    let program = compile("compute.cpp", Language::Cxx, &["-l:libvulkan.so.1"]);
    let variable = |name: &str| std::env::var_os(name).unwrap_or_default();
    let mut command = program.command();
    command.arg(repository().join("tests/fixtures/rootsig/mixed_order.dxil"));
    command.env("VK_DRIVER_FILES", variable("DXIL_TEST_LAVAPIPE_ICD"));
    command.env("VK_ADD_LAYER_PATH", variable("DXIL_TEST_VALIDATION_DIR"));
    command.env("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
    let done = command.output().expect("the program starts");
    assert!(done.status.success(), "{}: {}", done.status, said(&done));
    assert_eq!(said(&done), "64 words are those of the CPU\n");
}
