//! What a translation depends on that the other stages of the pipeline say.
//!
//! In: all stages of a pipeline. Out: the pipeline state of one of them. What must hold: what the
//! stages do not say, such as the number of samples, is left to the caller.

use crate::analysis::program::Entry;
use crate::ops::consts::ShaderStage;
use crate::options::PipelineState;
use crate::shader::PipelineStage;

/// The pipeline state of a stage, as far as the stages of its pipeline say it: whether another
/// stage reads its outputs, the outputs of the mesh shader before it, the first location of patch
/// constants, and the width of the interface. The rest has the defaults.
pub fn stage_state(stages: &[PipelineStage<'_>], stage: &PipelineStage<'_>) -> PipelineState {
    use ShaderStage::{Domain, Geometry, Hull, Pixel, Vertex};
    let entry_of = |stage: &PipelineStage<'_>| stage.shader.entry(stage.entry).map(|entry| entry.stage);
    let has = |wanted: ShaderStage| stages.iter().any(|other| entry_of(other) == Some(wanted));
    let mut state = PipelineState::default();
    match entry_of(stage) {
        Some(Vertex) => state.feeds_stage = has(Hull) || has(Geometry),
        Some(Domain) => state.feeds_stage = has(Geometry),
        Some(Pixel) => state.mesh_outputs = stages.iter().find_map(|other| other.shader.mesh_outputs(other.entry)),
        _ => {}
    }
    if matches!(entry_of(stage), Some(Hull | Domain)) {
        state.patch_location = stages.iter().find_map(|other| other.shader.patch_location(other.entry));
    }
    let entries = stages.iter().filter_map(|other| other.shader.entry(other.entry));
    state.wide_interface = entries.into_iter().any(Entry::evaluates_16_bit_inputs);
    state
}
