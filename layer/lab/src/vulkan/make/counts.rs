//! Counts and indexes of records.
//!
//! In: the pipeline of a record. Out: whether each count and each index stays within the array that
//! it is for. What must hold: nothing that passes makes the layer or a driver read behind an array,
//! because they need not check what Vulkan's rules say; the crash would be blamed on the driver. A
//! list may be empty where all of its state is dynamic: Vulkan ignores the pointer then.

use ash::vk;
use dxil_capture::model::{
    Binding, ColorBlend, Graphics, Group, Multisample, Pipeline, Reference, RenderPass, Subpass, Target, ViewportState,
};
use vk::DynamicState as D;

use super::error::Incomplete;

/// Looks through a pipeline, without its libraries.
///
/// # Errors
/// What the record lacks.
pub fn check(pipeline: &Pipeline) -> Result<(), Incomplete> {
    let sets = pipeline.layout.iter().flat_map(|layout| layout.sets.iter().flatten());
    sets.flat_map(|set| &set.bindings).try_for_each(binding)?;
    pipeline.groups.iter().try_for_each(|it| group(it, pipeline.stages.len()))?;
    pipeline.graphics.as_ref().map_or(Ok(()), graphics)
}

/// A list that an array of `count` elements is made of.
fn list(what: &'static str, count: usize, found: usize) -> Result<(), Incomplete> {
    if found < count {
        return Err(Incomplete::Count { what, count, found });
    }
    Ok(())
}

/// An index into an array of `count` elements.
fn index(what: &'static str, index: u32, count: usize) -> Result<(), Incomplete> {
    if index as usize >= count {
        return Err(Incomplete::Index { what, index, count });
    }
    Ok(())
}

fn binding(binding: &Binding) -> Result<(), Incomplete> {
    if binding.samplers.is_empty() {
        return Ok(());
    }
    list("immutable samplers", binding.count as usize, binding.samplers.len())
}

fn group(group: &Group, stages: usize) -> Result<(), Incomplete> {
    let shaders = [group.general, group.closest_hit, group.any_hit, group.intersection];
    shaders.into_iter().flatten().try_for_each(|it| index("stage", it, stages))
}

fn graphics(state: &Graphics) -> Result<(), Incomplete> {
    let dynamic = |states: &[D]| states.iter().all(|it| state.dynamic.contains(&it.as_raw()));
    state.viewport.as_ref().map_or(Ok(()), |it| viewport(it, dynamic))?;
    state.multisample.as_ref().map_or(Ok(()), multisample)?;
    state.color_blend.as_ref().map_or(Ok(()), |it| color_blend(it, dynamic))?;
    match &state.target {
        Some(Target::RenderPass(pass, subpass)) => {
            index("subpass", *subpass, pass.subpasses.len())?;
            render_pass(pass)
        }
        Some(Target::Rendering(rendering)) => match &rendering.locations {
            Some(locations) => list("locations of color attachments", rendering.colors.len(), locations.len()),
            None => Ok(()),
        },
        None => Ok(()),
    }
}

fn viewport(state: &ViewportState, dynamic: impl Fn(&[D]) -> bool) -> Result<(), Incomplete> {
    let ignored = |alone, with_count| dynamic(&[alone]) || dynamic(&[with_count]);
    if !(state.viewports.is_empty() && ignored(D::VIEWPORT, D::VIEWPORT_WITH_COUNT)) {
        list("viewports", state.viewport_count as usize, state.viewports.len())?;
    }
    if !(state.scissors.is_empty() && ignored(D::SCISSOR, D::SCISSOR_WITH_COUNT)) {
        list("scissors", state.scissor_count as usize, state.scissors.len())?;
    }
    Ok(())
}

/// A sample mask has a bit for each sample, and none stands for all samples.
fn multisample(state: &Multisample) -> Result<(), Incomplete> {
    if state.sample_mask.is_empty() {
        return Ok(());
    }
    list("words of the sample mask", state.samples.div_ceil(32) as usize, state.sample_mask.len())
}

fn color_blend(state: &ColorBlend, dynamic: impl Fn(&[D]) -> bool) -> Result<(), Incomplete> {
    let all = [D::COLOR_BLEND_ENABLE_EXT, D::COLOR_BLEND_EQUATION_EXT, D::COLOR_WRITE_MASK_EXT];
    if state.attachments.is_empty() && dynamic(&all) {
        return Ok(());
    }
    list("color attachments to blend", state.attachment_count as usize, state.attachments.len())
}

fn render_pass(pass: &RenderPass) -> Result<(), Incomplete> {
    pass.subpasses.iter().try_for_each(|it| subpass(it, pass.attachments.len()))?;
    let subpasses = pass.dependencies.iter().flat_map(|dependency| dependency.subpasses);
    let mut inside = subpasses.filter(|it| *it != vk::SUBPASS_EXTERNAL);
    inside.try_for_each(|it| index("subpass", it, pass.subpasses.len()))
}

fn subpass(subpass: &Subpass, attachments: usize) -> Result<(), Incomplete> {
    if !subpass.resolves.is_empty() {
        list("attachments to resolve into", subpass.colors.len(), subpass.resolves.len())?;
    }
    let resolve = subpass.depth_stencil_resolve.as_ref().and_then(|(_, reference)| reference.as_ref());
    let rate = subpass.shading_rate.as_ref().and_then(|(reference, _)| reference.as_ref());
    let lists = subpass.inputs.iter().chain(&subpass.colors).chain(&subpass.resolves);
    let all = lists.chain(&subpass.depth_stencil).chain(resolve).chain(rate);
    let used = all.filter_map(|reference: &Reference| reference.attachment);
    used.chain(subpass.preserves.iter().copied()).try_for_each(|it| index("attachment", it, attachments))
}

#[cfg(test)]
mod tests {
    use dxil_capture::model::{
        Attachment, Blend, Command, Dependency, PipelineLayout, Rect, Rendering, Sampler, SetLayout, Viewport,
    };

    use super::*;

    /// A pipeline with this state.
    fn with(graphics: Graphics) -> Pipeline {
        Pipeline { graphics: Some(graphics), ..Pipeline::new(Command::Graphics, Vec::new()) }
    }

    fn dynamic(states: &[D]) -> Vec<i32> {
        states.iter().map(|state| state.as_raw()).collect()
    }

    #[track_caller]
    fn refuses(pipeline: &Pipeline, expected: &str) {
        let error = check(pipeline).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn viewports_and_scissors_are_as_many_as_counted_or_dynamic() {
        let state = |viewports, scissors, states: &[D]| {
            let viewport = ViewportState {
                viewport_count: 2,
                viewports: vec![Viewport::default(); viewports],
                scissor_count: 2,
                scissors: vec![Rect::default(); scissors],
                ..Default::default()
            };
            with(Graphics { viewport: Some(viewport), dynamic: dynamic(states), ..Default::default() })
        };
        assert!(check(&state(2, 2, &[])).is_ok());
        assert!(check(&state(0, 0, &[D::VIEWPORT, D::SCISSOR_WITH_COUNT])).is_ok());
        refuses(&state(1, 2, &[]), "1 viewports, and its create info counts 2");
        refuses(&state(0, 2, &[D::SCISSOR]), "0 viewports");
        refuses(&state(2, 1, &[]), "1 scissors");
        // Drivers may copy the array all the same, if there is one.
        refuses(&state(1, 2, &[D::VIEWPORT]), "1 viewports");
    }

    #[test]
    fn blending_and_sample_masks_are_as_long_as_counted() {
        let all = [D::COLOR_BLEND_ENABLE_EXT, D::COLOR_BLEND_EQUATION_EXT, D::COLOR_WRITE_MASK_EXT];
        let blend = |attachments, states: &[D]| {
            let attachments = vec![Blend::default(); attachments];
            let blend = ColorBlend { attachment_count: 8, attachments, ..Default::default() };
            with(Graphics { color_blend: Some(blend), dynamic: dynamic(states), ..Default::default() })
        };
        assert!(check(&blend(8, &[])).is_ok());
        assert!(check(&blend(0, &all)).is_ok());
        refuses(&blend(0, &all[..2]), "0 color attachments");
        refuses(&blend(7, &all), "7 color attachments");

        let mask = |samples, words| {
            let state = Multisample { samples, sample_mask: vec![0; words], ..Default::default() };
            with(Graphics { multisample: Some(state), ..Default::default() })
        };
        for (samples, words) in [(1, 0), (64, 0), (1, 1), (32, 1), (64, 2)] {
            assert!(check(&mask(samples, words)).is_ok());
        }
        refuses(&mask(64, 1), "1 words of the sample mask");
        refuses(&mask(u32::MAX, 2), "2 words of the sample mask");

        let rendering = |locations| {
            let rendering =
                Rendering { colors: vec![37; 2], locations: Some(vec![0; locations]), ..Default::default() };
            with(Graphics { target: Some(Target::Rendering(rendering)), ..Default::default() })
        };
        assert!(check(&rendering(2)).is_ok());
        refuses(&rendering(1), "1 locations of color attachments");
    }

    #[test]
    fn immutable_samplers_are_none_or_as_many_as_descriptors() {
        let layout = |samplers| {
            let binding = Binding { count: 4, samplers: vec![Sampler::default(); samplers], ..Default::default() };
            let set = SetLayout { bindings: vec![binding], ..Default::default() };
            let layout = PipelineLayout { sets: vec![None, Some(set)], ..Default::default() };
            Pipeline { layout: Some(layout), ..Pipeline::new(Command::Compute, Vec::new()) }
        };
        assert!(check(&layout(0)).is_ok());
        assert!(check(&layout(4)).is_ok());
        refuses(&layout(3), "3 immutable samplers");
    }

    #[test]
    fn groups_and_render_passes_refer_to_what_is_there() {
        let group = Group { ty: 0, general: Some(0), closest_hit: None, any_hit: None, intersection: None };
        let rays = Pipeline { groups: vec![group], ..Pipeline::new(Command::RayTracing, Vec::new()) };
        refuses(&rays, "stage 0, and has 0");

        let reference = |attachment| Reference { attachment, ..Default::default() };
        let whole = Subpass {
            colors: vec![reference(Some(1)), reference(None)],
            resolves: vec![reference(Some(0)), reference(None)],
            ..Default::default()
        };
        let pass = |subpass: Subpass| {
            let dependency = Dependency { subpasses: [vk::SUBPASS_EXTERNAL, 0], ..Default::default() };
            RenderPass {
                attachments: vec![Attachment::default(); 2],
                subpasses: vec![subpass],
                dependencies: vec![dependency],
                ..Default::default()
            }
        };
        let drawn =
            |pass, subpass| with(Graphics { target: Some(Target::RenderPass(pass, subpass)), ..Default::default() });
        assert!(check(&drawn(pass(whole.clone()), 0)).is_ok());
        refuses(&drawn(pass(whole.clone()), 1), "subpass 1, and has 1");
        let mut cut = whole.clone();
        cut.resolves.pop();
        refuses(&drawn(pass(cut), 0), "1 attachments to resolve into");
        let beyond = Some(reference(Some(2)));
        for subpass in [
            Subpass { inputs: vec![reference(Some(2))], ..Default::default() },
            Subpass { preserves: vec![2], ..Default::default() },
            Subpass { depth_stencil_resolve: Some(([0; 2], beyond.clone())), ..Default::default() },
            Subpass { shading_rate: Some((beyond, [1; 2])), ..Default::default() },
        ] {
            refuses(&drawn(pass(subpass), 0), "attachment 2, and has 2");
        }
        let mut elsewhere = pass(whole);
        elsewhere.dependencies[0].subpasses[1] = 1;
        refuses(&drawn(elsewhere, 0), "subpass 1, and has 1");
    }
}
