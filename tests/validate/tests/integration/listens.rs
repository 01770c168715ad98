//! Checks the validator itself: it accepts DXC's SPIR-V of the demo and reports a deliberate fault.

use std::fs;
use std::path::Path;

use dxil_translator::VULKAN_1_1_FLOOR;
use dxil_validate::{validate, words};

fn sample() -> Vec<u32> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../demo/shaders/cube.ps.spv");
    words(&fs::read(path).unwrap())
}

#[test]
fn accepts_a_module() {
    validate(&sample(), &VULKAN_1_1_FLOOR).unwrap();
}

#[test]
fn hears_a_fault() {
    let mut module = sample();
    // Drop the last instruction, OpFunctionEnd (one word).
    module.pop();
    let message = validate(&module, &VULKAN_1_1_FLOOR).unwrap_err();
    assert!(message.contains("OpFunctionEnd"), "{message}");
}
