//! What an optimiser may do to emitted modules: SPIRV-Tools' performance passes, as drivers run
//! them.

use dxil_test_support::fixture;
use dxil_test_support::spirv::instructions;
use dxil_translator::{Options, PipelineStage, PlanInputs, Shader, VULKAN_1_3_DESKTOP, plan, translate};

use crate::optimised;

/// How many instructions of a module have the opcode of `OpLoad` with a result of type `u32`.
fn loads_of_words(words: &[u32]) -> usize {
    const TYPE_INT: u32 = 21;
    const LOAD: u32 = 61;
    let (mut word_type, mut loads) = (None, 0);
    for (op, operands) in instructions(words) {
        match op {
            TYPE_INT if operands[1..] == [32, 0] => word_type = Some(operands[0]),
            LOAD if Some(operands[0]) == word_type => loads += 1,
            _ => {}
        }
    }
    loads
}

/// Two resources on one binding: the second load sees the store through the other one, so it stays.
#[test]
fn a_load_after_a_store_to_the_same_binding_stays() {
    let shader = Shader::parse(&fixture("rootsig/overlapping_ranges.dxil")).unwrap();
    let stage = PipelineStage::new(&shader, shader.find_entry(None).unwrap());
    let plan = plan(&[stage], &PlanInputs::new(&VULKAN_1_3_DESKTOP)).unwrap();
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let words = translate(&shader, stage.entry, &plan.stages[0], &options).unwrap().words;
    // `before` and `after`; the thread's number is a component of a vector, extracted and not
    // loaded.
    assert_eq!(loads_of_words(&words), 2);
    assert_eq!(loads_of_words(&optimised(&words, "-O")), 2);
}
