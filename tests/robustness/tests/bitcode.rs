//! Records and constants that describe far more than they contain, or that lead far: each input is
//! refused for a limit or translated, and ends no process.

use dxil_robustness::compose::Operand;
use dxil_robustness::families::Kernel;
use dxil_translator::{ErrorKind, Shader};

/// Checks that parsing is refused with an error of kind `Limit` that has this text.
fn limited(input: &[u8], text: &str) {
    let Err(error) = Shader::parse(input) else { panic!("expected {text:?}") };
    assert!(error.kind() == ErrorKind::Limit && error.message().contains(text), "expected {text:?}, got {error}");
}

/// A switch in the form with ranges: a single label, then the range of all 64-bit numbers. Together
/// they are more labels than fit in 64 bits.
#[test]
fn a_range_of_all_labels() {
    let mut kernel = Kernel::new("cs");
    let wide = kernel.module.ty(7, &[64]);
    let label = kernel.module.constant(wide, 4, vec![2.into()]);
    // The signs of the labels are in their lowest bits.
    let (single, range) = ([1, 2], [0, 0, 3]);
    let mut operands = vec![(0x4b5 << 16).into(), wide.into(), label.into(), 1.into(), 1.into(), 2.into()];
    operands.extend(single.into_iter().chain(range).map(Operand::Number));
    operands.push(1.into());
    kernel.body.end(12, operands);
    kernel.body.ret(None);
    limited(&kernel.finish(), "labels, which is the limit");
}
