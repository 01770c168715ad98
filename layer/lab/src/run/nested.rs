//! Rays that shaders trace deeper than their pipeline allows.
//!
//! In: the row of a pipeline that ended its process or lost the device. Out: the row, as one of a
//! pipeline that the lab cannot run if its shaders may nest rays as the lab's numbers say. What
//! must hold: a fault in another command than those that run the pipeline stays one.

use std::path::Path;

use ash::vk;
use dxil_capture::{Capture, Digest};
use rspirv::spirv::Op;

use super::worker::Job;
use crate::results::{Outcome, Row};
use crate::synth::{self, Formats};
use crate::words::has_instruction;

/// A shader that rays meet may trace further ones until a number of the inputs says otherwise. More
/// levels than the pipeline has are undefined
/// (VUID-vkCmdTraceRaysKHR-maxPipelineRayRecursionDepth-03679).
pub fn excused(row: Row, capture: &Path, job: &Job) -> Row {
    let is_of_run = match row.outcome {
        Outcome::Crashed => matches!(row.call.as_deref(), Some("vkQueueSubmit" | "vkWaitForFences")),
        Outcome::Lost => true,
        _ => false,
    };
    if job.run.is_none() || !is_of_run || !may_nest(capture, row.pipeline).unwrap_or(false) {
        return row;
    }
    let detail = format!(
        "a shader that rays meet traces rays, with the lab's inputs maybe deeper than the pipeline allows; the driver \
         did this: {} {}",
        row.outcome.name(),
        row.detail
    );
    Row { outcome: Outcome::NotExecuted, detail, ..row }
}

/// Whether another shader than one that generates rays traces some; `None` if that is not known.
fn may_nest(capture: &Path, pipeline: Digest) -> Option<bool> {
    let capture = Capture::open(capture).ok()?;
    let pipeline = capture.record(pipeline).ok()?.pipeline;
    let words = synth::translated(&capture, &pipeline, Formats::Named).ok()?;
    let generates = vk::ShaderStageFlags::RAYGEN_KHR.as_raw();
    let mut stages = pipeline.stages.iter().zip(&words);
    Some(stages.any(|(stage, words)| stage.stage != generates && has_instruction(words, Op::TraceRayKHR)))
}
