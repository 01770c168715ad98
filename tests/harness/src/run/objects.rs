//! Shader objects in place of pipelines (VK_EXT_shader_object).
//!
//! In: a pass, the code of its stages and the set layouts. Out: a shader object for each stage, and
//! the commands that bind them and set the pass's state. What must hold: the stages of a draw are
//! created by one call and are linked, or each by its own call if the run is to be unlinked; every
//! graphics stage of the device is bound, with a null handle if the pass does not have it, and a
//! fixture that shader objects cannot run is skipped with its reason.

use std::ffi::CString;

use ash::ext::shader_object;
use ash::vk;

use super::bind::Bound;
use super::code::Code;
use super::made::{self, Name};
use super::state;
use crate::error::{Error, Result};
use crate::spec::{Blend, Fixture, Pass};
use crate::vulkan::{Context, heap};
use dxil_vulkan::Named as _;

/// The graphics stages in the order of the pipeline. Those of mesh shaders come last, because only
/// a device with the feature has them.
const STAGES: [vk::ShaderStageFlags; 7] = [
    vk::ShaderStageFlags::VERTEX,
    vk::ShaderStageFlags::TESSELLATION_CONTROL,
    vk::ShaderStageFlags::TESSELLATION_EVALUATION,
    vk::ShaderStageFlags::GEOMETRY,
    vk::ShaderStageFlags::FRAGMENT,
    vk::ShaderStageFlags::TASK_EXT,
    vk::ShaderStageFlags::MESH_EXT,
];

/// The fixture whose stages declare one range of a descriptor table in two ways.
const ARRAY_AND_ELEMENTS: &str = "rootsig/array_and_elements";

/// Checks that shader objects can run a fixture.
///
/// # Errors
/// A skip with the reason why they cannot.
pub fn check(fixture: &Fixture, unlinked: bool) -> Result<()> {
    let any = |test: fn(&Pass) -> bool| fixture.passes.iter().any(test);
    let dual_source = any(|pass| pass.blend == Blend::DualSource);
    let reason = if any(Pass::is_rays) {
        "there are no shader objects of ray-tracing stages"
    } else if any(|pass| pass.libraries.is_some()) {
        "the pipeline is linked of pipeline libraries, which have no shader objects"
    } else if unlinked && any(|pass| pass.stage_flags().contains(vk::ShaderStageFlags::TESSELLATION_CONTROL)) {
        "a domain shader is linked with its hull shader, which says how patches are divided"
    } else if unlinked && fixture.name == ARRAY_AND_ELEMENTS {
        "a range of a table is an array in one stage and single resources in the other, which is known where both are \
         planned together"
    } else if unlinked && !any(|pass| pass.stage_flags().as_raw().count_ones() > 1) {
        "each pass has one stage, which is never linked"
    } else if fixture.robust_stages {
        "robustness by stage belongs to pipelines"
    } else if fixture.input_attachments().next().is_some() {
        "input attachments need a render pass, in which shader objects cannot draw"
    } else if dual_source && any(|pass| pass.targets.len() > 1) {
        "one pass blends with two sources and another has two targets, and the setting dual_source is one for both"
    } else {
        return Ok(());
    };
    Err(Error::Skip(format!("shader objects: {reason}")))
}

/// The shader objects of a pass, which are destroyed when this is dropped.
pub(super) struct Objects<'c> {
    context: &'c Context,
    commands: &'c shader_object::Device,
    pass: &'c Pass,
    shaders: Vec<(vk::ShaderStageFlags, vk::ShaderEXT)>,
}

impl<'c> Objects<'c> {
    pub(super) fn new(
        context: &'c Context,
        commands: &'c shader_object::Device,
        bound: &Bound<'_>,
        pass: &'c Pass,
        code: &[Code<'_>],
    ) -> Result<Self> {
        let (sets, range) = bound.interface();
        let ranges: Vec<_> = range.into_iter().collect();
        let mut names = Vec::new();
        for code in code {
            let flag = code.stage.flag();
            let flag = flag.ok_or_else(|| Error::Spec(format!("unknown stage `{}`", code.stage.profile)))?;
            let name = CString::new(code.name_of(code.stage.entry())).map_err(|e| Error::Spec(e.to_string()))?;
            names.push((flag, name));
        }
        let stages = pass.stage_flags();
        let mut infos = Vec::new();
        for (code, (stage, name)) in code.iter().zip(&names) {
            let mut info = vk::ShaderCreateInfoEXT::default()
                .flags(flags(stages, *stage, context.unlinked))
                .stage(*stage)
                .next_stage(next(stages, *stage))
                .code_type(vk::ShaderCodeTypeEXT::SPIRV)
                .name(name)
                .set_layouts(sets)
                .push_constant_ranges(&ranges);
            if let Some(heaps) = &bound.heaps {
                (info.p_next, info.flags) = (heaps.mapping_info(), info.flags | heap::SHADER);
                (info.p_set_layouts, info.p_push_constant_ranges) = (std::ptr::null(), std::ptr::null());
            }
            (info.p_code, info.code_size) = (code.words.as_ptr().cast(), code.length);
            infos.push(info);
        }
        let made: Vec<_> = code
            .iter()
            .zip(&names)
            .map(|(code, (stage, name))| Name::new(code, *stage, &name.to_string_lossy()))
            .collect();
        made::say("shader-objects", false, &made.iter().collect::<Vec<_>>());
        // SAFETY: the code, names, layouts and ranges outlive the call. The code is DXIL only if
        // the layer is enabled, which accepts it.
        let create = |infos: &[vk::ShaderCreateInfoEXT<'_>]| unsafe { commands.create_shaders(infos, None) };
        let calls = infos.chunks(if context.unlinked { 1 } else { infos.len().max(1) });
        let (mut made, mut result) = (Vec::new(), Ok(()));
        for infos in calls {
            let (shaders, error) = create(infos).map_or_else(|(made, error)| (made, Err(error)), |made| (made, Ok(())));
            made.extend(shaders);
            result = result.and(error);
        }
        let shaders = names.iter().map(|(stage, _)| *stage).zip(made).collect();
        // Dropping these destroys what was made before a failure.
        let objects = Self { context, commands, pass, shaders };
        result.named("vkCreateShadersEXT")?;
        match objects.shaders.iter().any(|(_, shader)| *shader == vk::ShaderEXT::null()) {
            true => Err(Error::Wrong("vkCreateShadersEXT succeeded without a shader object".into())),
            false => Ok(objects),
        }
    }

    /// Records binding the shader objects and, for a draw, the state.
    pub(super) fn bind(&self, commands: vk::CommandBuffer) {
        let shader = |stage| self.shaders.iter().find(|(other, _)| *other == stage).map(|(_, shader)| *shader);
        let stages: Vec<_> = match self.pass.is_compute() {
            true => vec![vk::ShaderStageFlags::COMPUTE],
            false => {
                let has_meshes = self.context.features.has("mesh_shader");
                let mesh = vk::ShaderStageFlags::TASK_EXT | vk::ShaderStageFlags::MESH_EXT;
                STAGES.into_iter().filter(|stage| has_meshes || !mesh.contains(*stage)).collect()
            }
        };
        let shaders: Vec<_> = stages.iter().map(|stage| shader(*stage).unwrap_or_default()).collect();
        // SAFETY: the command buffer is recording, each shader object is of its stage or null, and
        // they live until `Gpu::submit` has waited for the queue.
        unsafe { self.commands.cmd_bind_shaders(commands, &stages, &shaders) };
        if !self.pass.is_compute() {
            state::set(self.context, commands, self.commands, self.pass);
        }
    }
}

impl Drop for Objects<'_> {
    fn drop(&mut self) {
        for (_, shader) in &self.shaders {
            // SAFETY: no pending command uses the shader object, because `Gpu::submit` waits for
            // the queue. Vulkan ignores null handles here.
            unsafe { self.commands.destroy_shader(*shader, None) };
        }
    }
}

/// The flags of a stage's shader object.
fn flags(stages: vk::ShaderStageFlags, stage: vk::ShaderStageFlags, unlinked: bool) -> vk::ShaderCreateFlagsEXT {
    let mut flags = vk::ShaderCreateFlagsEXT::empty();
    // A single shader object is linked to nothing (VUID-vkCreateShadersEXT-pCreateInfos-08401).
    if stages != stage && !unlinked {
        flags |= vk::ShaderCreateFlagsEXT::LINK_STAGE;
    }
    if stage == vk::ShaderStageFlags::MESH_EXT && !stages.contains(vk::ShaderStageFlags::TASK_EXT) {
        flags |= vk::ShaderCreateFlagsEXT::NO_TASK_SHADER;
    }
    flags
}

/// The stage of a pass that follows another one.
fn next(stages: vk::ShaderStageFlags, stage: vk::ShaderStageFlags) -> vk::ShaderStageFlags {
    const MESH: [vk::ShaderStageFlags; 3] =
        [vk::ShaderStageFlags::TASK_EXT, vk::ShaderStageFlags::MESH_EXT, vk::ShaderStageFlags::FRAGMENT];
    let order = if stages.contains(vk::ShaderStageFlags::MESH_EXT) { &MESH[..] } else { &STAGES[..5] };
    let later = order.iter().skip_while(|other| **other != stage).skip(1);
    later.copied().find(|other| stages.contains(*other)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_follow_one_another() {
        use vk::ShaderStageFlags as S;
        let all = S::VERTEX | S::TESSELLATION_CONTROL | S::TESSELLATION_EVALUATION | S::FRAGMENT;
        assert_eq!(next(all, S::VERTEX), S::TESSELLATION_CONTROL);
        assert_eq!(next(all, S::TESSELLATION_EVALUATION), S::FRAGMENT);
        assert_eq!(next(all, S::FRAGMENT), S::empty());
        assert_eq!(next(S::VERTEX, S::VERTEX), S::empty());
        assert_eq!(next(S::COMPUTE, S::COMPUTE), S::empty());
        let mesh = S::TASK_EXT | S::MESH_EXT | S::FRAGMENT;
        assert_eq!((next(mesh, S::TASK_EXT), next(mesh, S::MESH_EXT)), (S::MESH_EXT, S::FRAGMENT));
    }

    #[test]
    fn flags_of_linked_and_single_stages() {
        use vk::{ShaderCreateFlagsEXT as F, ShaderStageFlags as S};
        assert_eq!(flags(S::COMPUTE, S::COMPUTE, false), F::empty());
        assert_eq!(flags(S::VERTEX | S::FRAGMENT, S::VERTEX, false), F::LINK_STAGE);
        assert_eq!(flags(S::VERTEX | S::FRAGMENT, S::VERTEX, true), F::empty());
        assert_eq!(flags(S::MESH_EXT, S::MESH_EXT, false), F::NO_TASK_SHADER);
        assert_eq!(flags(S::MESH_EXT | S::FRAGMENT, S::MESH_EXT, true), F::NO_TASK_SHADER);
        assert_eq!(flags(S::MESH_EXT | S::TASK_EXT, S::MESH_EXT, false), F::LINK_STAGE);
    }
}
