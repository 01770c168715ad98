//! The state of a pipeline that may be left out.
//!
//! In: a pipeline. Out: what may go, and the pipeline without it. What must hold: a change keeps a
//! pipeline within Vulkan's rules, as far as they do not concern the code of its stages.

use dxil_capture::model::{Pipeline, Target};

use super::interface::{CONTROL, EVALUATION, FRAGMENT, GEOMETRY};

/// `VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST`.
const TRIANGLES: i32 = 3;

/// Something that may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// The stages of these bits.
    Stages(u32),
    /// A color target, the last one.
    Color,
    /// All samples but one.
    Samples,
    /// Tests of depth and stencil, and their targets.
    Depth,
    /// Blending, and logical operations.
    Blend,
    /// A vertex attribute, by its place, and its binding.
    Attribute(usize),
    /// A range of push constants, by its place.
    Push(usize),
    /// A binding, by its set and its place there.
    Binding(usize, usize),
    /// The last set, which is empty.
    Set,
}

impl Edit {
    /// The name of the removed state, for the report.
    pub fn name(self, pipeline: &Pipeline) -> String {
        let layout = pipeline.layout.as_ref();
        let input = pipeline.graphics.as_ref().and_then(|graphics| graphics.vertex_input.as_ref());
        match self {
            Self::Stages(bits) => {
                let names = [
                    (CONTROL, "tessellation control"),
                    (EVALUATION, "tessellation evaluation"),
                    (GEOMETRY, "geometry"),
                    (FRAGMENT, "fragment"),
                ];
                let named: Vec<&str> = names.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name).collect();
                format!("stages: {}", named.join(", "))
            }
            Self::Color => "a color target".to_owned(),
            Self::Samples => "multisampling".to_owned(),
            Self::Depth => "depth and stencil".to_owned(),
            Self::Blend => "blending".to_owned(),
            Self::Attribute(at) => {
                let location = input.and_then(|input| Some(input.attributes.get(at)?.location));
                format!("vertex attribute {}", location.unwrap_or_default())
            }
            Self::Push(_) => "a range of push constants".to_owned(),
            Self::Binding(set, at) => {
                let bindings = layout.and_then(|layout| layout.sets.get(set)?.as_ref());
                let binding = bindings.and_then(|set| Some(set.bindings.get(at)?.binding));
                format!("set {set} binding {}", binding.unwrap_or_default())
            }
            Self::Set => "an empty set".to_owned(),
        }
    }
}

/// The edits of a pipeline: stages first.
pub fn edits(pipeline: &Pipeline) -> Vec<Edit> {
    let mut edits = Vec::new();
    if let Some(graphics) = &pipeline.graphics {
        let has = |bits: u32| pipeline.stages.iter().any(|stage| stage.stage & bits != 0);
        edits
            .extend([FRAGMENT, GEOMETRY, CONTROL | EVALUATION].into_iter().filter(|bits| has(*bits)).map(Edit::Stages));
        if let Some(Target::Rendering(rendering)) = &graphics.target {
            edits.extend(rendering.colors.iter().map(|_| Edit::Color));
            edits.extend([Edit::Samples, Edit::Depth]);
        }
        edits.push(Edit::Blend);
        let attributes = graphics.vertex_input.as_ref().map_or(0, |input| input.attributes.len());
        edits.extend((0..attributes).rev().map(Edit::Attribute));
    }
    if let Some(layout) = &pipeline.layout {
        edits.extend((0..layout.push_ranges.len()).rev().map(Edit::Push));
        for (at, set) in layout.sets.iter().enumerate() {
            let bindings = set.as_ref().map_or(0, |set| set.bindings.len());
            edits.extend((0..bindings).rev().map(|binding| Edit::Binding(at, binding)));
        }
        edits.extend(layout.sets.iter().map(|_| Edit::Set));
    }
    edits
}

/// The pipeline after an edit; `None` if it does not apply.
pub fn without(pipeline: &Pipeline, edit: Edit) -> Option<Pipeline> {
    let mut changed = pipeline.clone();
    apply(&mut changed, edit)?;
    (changed != *pipeline).then_some(changed)
}

fn apply(pipeline: &mut Pipeline, edit: Edit) -> Option<()> {
    match edit {
        Edit::Stages(bits) => {
            pipeline.stages.retain(|stage| stage.stage & bits == 0);
            if bits & EVALUATION != 0 {
                let graphics = pipeline.graphics.as_mut()?;
                graphics.tessellation = None;
                graphics.input_assembly.as_mut()?.topology = TRIANGLES;
            }
        }
        Edit::Color => {
            let graphics = pipeline.graphics.as_mut()?;
            let Some(Target::Rendering(rendering)) = &mut graphics.target else { return None };
            rendering.colors.pop()?;
            if let Some(locations) = &mut rendering.locations {
                locations.pop();
            }
            if let Some(blend) = &mut graphics.color_blend {
                blend.attachments.pop();
                blend.attachment_count = rendering.colors.len() as u32;
            }
        }
        Edit::Samples => {
            let multisample = pipeline.graphics.as_mut()?.multisample.as_mut()?;
            multisample.samples = 1;
            multisample.sample_shading = false;
            multisample.sample_mask.clear();
            multisample.alpha_to_coverage = false;
            multisample.alpha_to_one = false;
        }
        Edit::Depth => {
            let graphics = pipeline.graphics.as_mut()?;
            if let Some(Target::Rendering(rendering)) = &mut graphics.target {
                (rendering.depth, rendering.stencil) = (0, 0);
            }
            let depth = graphics.depth_stencil.as_mut()?;
            (depth.depth_test, depth.depth_write) = (false, false);
            (depth.depth_bounds_test, depth.stencil_test) = (false, false);
        }
        Edit::Blend => {
            let blend = pipeline.graphics.as_mut()?.color_blend.as_mut()?;
            blend.logic_op_enable = false;
            blend.attachments.iter_mut().for_each(|attachment| attachment.enable = false);
        }
        Edit::Attribute(at) => {
            let input = pipeline.graphics.as_mut()?.vertex_input.as_mut()?;
            if at < input.attributes.len() {
                input.attributes.remove(at);
            }
            let attributes = &input.attributes;
            input.bindings.retain(|binding| attributes.iter().any(|it| it.binding == binding.binding));
        }
        Edit::Push(at) => {
            let ranges = &mut pipeline.layout.as_mut()?.push_ranges;
            if at < ranges.len() {
                ranges.remove(at);
            }
        }
        Edit::Binding(set, at) => {
            let bindings = &mut pipeline.layout.as_mut()?.sets.get_mut(set)?.as_mut()?.bindings;
            if at < bindings.len() {
                bindings.remove(at);
            }
        }
        Edit::Set => {
            let sets = &mut pipeline.layout.as_mut()?.sets;
            if sets.last()?.as_ref().is_none_or(|set| set.bindings.is_empty()) {
                sets.pop();
            }
        }
    }
    Some(())
}
