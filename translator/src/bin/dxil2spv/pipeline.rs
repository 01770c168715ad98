//! Whether the shaders of `dxil2spv layout` can be the stages of one pipeline.

use std::path::PathBuf;

use dxil_translator::{PipelineStage, Shader, ShaderStage};

use crate::failure::Failure;

/// The pipelines that a stage can be in, by number. A stage of mesh shading is in no pipeline with the
/// stages of vertex processing.
fn kinds(stage: ShaderStage) -> &'static [&'static str] {
    use ShaderStage as S;
    match stage {
        S::Vertex | S::Hull | S::Domain | S::Geometry => &["graphics"],
        S::Amplification | S::Mesh => &["mesh shading"],
        S::Pixel => &["graphics", "mesh shading"],
        S::Compute => &["compute"],
        S::RayGeneration | S::AnyHit | S::ClosestHit | S::Miss | S::Intersection | S::Callable => &["ray tracing"],
        // A library is not a stage, and no pipeline of Vulkan has nodes.
        _ => &[],
    }
}

/// Refuses shaders that are not the stages of one pipeline. A part of a pipeline is accepted.
pub fn check(shaders: &[(&PathBuf, Shader)], stages: &[PipelineStage<'_>]) -> Result<(), Failure> {
    let named: Vec<_> = shaders
        .iter()
        .zip(stages)
        .filter_map(|((file, shader), stage)| Some((*file, shader.entry(stage.entry)?)))
        .collect();
    for (index, (file, entry)) in named.iter().enumerate() {
        let name = entry.name.escape_debug();
        for (other_file, other) in named.iter().take(index) {
            let other_name = other.name.escape_debug();
            let other_file = other_file.display();
            let (stage, other_stage) = (entry.stage, other.stage);
            if stage == other_stage && !stage.is_rays() {
                let message = format!(
                    "a pipeline has one {stage} shader, but these files have two: `{name}`, and `{other_name}` of \
                     {other_file}; give the shaders of one pipeline"
                );
                return Err(Failure::usage(file, message));
            }
            if !kinds(stage).iter().any(|kind| kinds(other_stage).contains(kind)) {
                let message = format!(
                    "a {stage} shader (`{name}`) and a {other_stage} shader (`{other_name}` of {other_file}) are never in one \
                     pipeline; give the shaders of one pipeline"
                );
                return Err(Failure::usage(file, message));
            }
        }
    }
    Ok(())
}
