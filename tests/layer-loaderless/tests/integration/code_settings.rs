//! The settings that change translated code reach the translator: each of them changes the words of
//! a shader that depends on it.

use dxil_layer_loaderless::{App, Setting, fixture, instructions};

/// The words of a shader under one setting.
fn words(shader: &str, setting: Setting) -> Vec<u32> {
    App::with_settings([(c"register_shifts", c"t=100,u=200,s=300"), setting]).words_of(&fixture(shader))
}

/// The instructions of a module with this opcode.
fn count(words: &[u32], opcode: u32) -> usize {
    instructions(words).filter(|instruction| instruction[0] & 0xffff == opcode).count()
}

/// A vertex shader that reads SV_VertexID and writes a position.
const VERTEX: &str = "stages/dual_source.vs.dxil";

#[test]
fn vertex_ids() {
    const CAPABILITY_DRAW_PARAMETERS: [u32; 2] = [2 << 16 | 17, 4427];
    let needs = |value| words(VERTEX, (c"vertex_id", value)).windows(2).any(|w| w == CAPABILITY_DRAW_PARAMETERS);
    assert!(needs(c"d3d"));
    assert!(!needs(c"vulkan"));
}

#[test]
fn inverted_y() {
    const F_NEGATE: u32 = 127;
    assert_eq!(count(&words(VERTEX, (c"invert_y", c"false")), F_NEGATE), 0);
    assert_eq!(count(&words(VERTEX, (c"invert_y", c"true")), F_NEGATE), 1);
}

/// Decorations of a kind in a module.
fn decorations(words: &[u32], decoration: u32) -> usize {
    const DECORATE: u32 = 71;
    const MEMBER_DECORATE: u32 = 72;
    let has = |instruction: &&[u32]| match instruction[0] & 0xffff {
        DECORATE => instruction[2] == decoration,
        MEMBER_DECORATE => instruction[3] == decoration,
        _ => false,
    };
    instructions(words).filter(has).count()
}

#[test]
fn invariant_positions_and_precise_arithmetic() {
    const INVARIANT: u32 = 18;
    const NO_CONTRACTION: u32 = 42;
    assert_eq!(decorations(&words(VERTEX, (c"invariant_position", c"false")), INVARIANT), 0);
    assert_eq!(decorations(&words(VERTEX, (c"invariant_position", c"true")), INVARIANT), 1);
    let shader = "arithmetic/float_basic.dxil";
    let contracted = decorations(&words(shader, (c"precise", c"false")), NO_CONTRACTION);
    assert!(decorations(&words(shader, (c"precise", c"true")), NO_CONTRACTION) > contracted);
}

#[test]
fn names() {
    const NAME: u32 = 5;
    assert_eq!(count(&words(VERTEX, (c"names", c"false")), NAME), 0);
    assert!(count(&words(VERTEX, (c"names", c"true")), NAME) > 0);
}

#[test]
fn bounds() {
    let shader = "buffer/raw_read_write.dxil";
    let (driver, emit) = (words(shader, (c"bounds", c"driver")), words(shader, (c"bounds", c"emit")));
    const ARRAY_LENGTH: u32 = 68;
    assert_eq!(count(&driver, ARRAY_LENGTH), 0);
    assert!(count(&emit, ARRAY_LENGTH) > 0);
}

#[test]
fn vertex_locations() {
    // Two of its inputs are in one row of the signature.
    let shader = "stages/min_precision_io.vs.dxil";
    assert!(words(shader, (c"vertex_locations", c"order")) != words(shader, (c"vertex_locations", c"row")));
    // Its inputs are not TEXCOORDs, so translation is postponed, and the placeholder is forwarded.
    let shader = "graphics/vertex_formats.vs.dxil";
    assert!(words(shader, (c"vertex_locations", c"order")).len() > 100);
    assert!(words(shader, (c"vertex_locations", c"texcoord")).len() < 100);
}

#[test]
fn quirks() {
    // Where loops lose values, two of this shader leave their loops through variables.
    const COPY_MEMORY: u32 = 63;
    let copies = |driver| count(&words("memory/static_global.dxil", (c"quirks_of", driver)), COPY_MEMORY);
    assert_eq!((copies(c"auto"), copies(c"none"), copies(c"lavapipe"), copies(c"swiftshader")), (0, 0, 0, 2));
}
