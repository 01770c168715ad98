//! What must hold between directives.

use std::fmt::Display;

use ash::vk;

use super::{BindingModel, Fixture, Kind, Mips, Pass, Pattern, Resource, Step, Work};
use crate::error::{Error, Result};

fn fault(what: impl Display) -> Result<()> {
    Err(Error::Spec(what.to_string()))
}

/// Checks a whole fixture. `unplaced` is the first line of a resource that does not say where its descriptor is.
pub(super) fn check(fixture: &Fixture, unplaced: Option<usize>) -> Result<()> {
    steps(fixture)?;
    if let (BindingModel::RootSignature, Some(line)) = (fixture.bindings, unplaced) {
        return fault(format_args!("line {line}: `bindings root-signature` needs `at=` on every resource"));
    }
    if fixture.judges.is_empty() {
        return fault("no judge");
    }
    let outputs = fixture.outputs();
    if outputs.is_empty() {
        return fault("no output");
    }
    let named = fixture.expect.iter().map(|(name, _)| name).chain(fixture.tolerance.iter().map(|(name, _)| name));
    for name in named {
        if name != "*" && !outputs.contains(name) {
            return fault(format_args!("`{name}` is no output; outputs are {}", outputs.join(", ")));
        }
    }
    fixture
        .resources
        .iter()
        .enumerate()
        .try_for_each(|(index, it)| resource(it, &fixture.resources[..index], fixture))?;
    fixture.passes.iter().try_for_each(|one| pass(one, fixture))
}

fn steps(fixture: &Fixture) -> Result<()> {
    let mut ran = vec![false; fixture.passes.len()];
    for step in &fixture.steps {
        let Step::Run(index, work) = step else { continue };
        let pass = fixture.passes.get(*index);
        let fits = pass.is_some_and(|pass| match work {
            Work::Dispatch(_) => pass.is_compute(),
            Work::Draw(_) => !pass.stages.is_empty() && !pass.stage_flags().contains(vk::ShaderStageFlags::COMPUTE),
        });
        if !fits {
            return fault("`dispatch` goes with one compute stage, `draw` with graphics stages");
        }
        if let Some(ran) = ran.get_mut(*index) {
            *ran = true;
        }
    }
    match fixture.passes.iter().zip(ran).find(|(_, ran)| !ran) {
        Some((pass, _)) if pass.name.is_empty() => fault("neither `dispatch` nor `draw`"),
        Some((pass, _)) => fault(format_args!("pass `{}` never runs", pass.name)),
        None => Ok(()),
    }
}

fn resource(resource: &Resource, before: &[Resource], fixture: &Fixture) -> Result<()> {
    let name = resource.register.output();
    if let Some(with) = resource.with {
        let sampler = fixture.resource(with);
        if !sampler.is_some_and(|(_, other)| matches!(other.kind, Kind::Sampler(_))) {
            return fault(format_args!("`with={}` names no sampler", with.output()));
        }
    }
    // Vulkan copies neither into nor out of multisampled images.
    if let Kind::Texture(shape, ..) = resource.kind
        && shape.samples > 1
        && (shape.mips > 1 || resource.out || resource.pattern != Pattern::Zero)
    {
        return fault(format_args!(
            "{name}: a texture of several samples has one mip, begins as `zero` and is no `out`"
        ));
    }
    let Some(alias) = resource.alias else { return Ok(()) };
    let base = before.iter().find(|other| other.register == alias && other.alias.is_none());
    let Some(base) = base else {
        return fault(format_args!(
            "{name}: `is={}` names no line before that has contents of its own",
            alias.output()
        ));
    };
    let same = match (&resource.kind, &base.kind) {
        (Kind::Texture(shape, format, _), Kind::Texture(of, base, _)) => shape.like(of) && format.words == base.words,
        (Kind::Texture(..) | Kind::Sampler(_), _) | (_, Kind::Texture(..) | Kind::Sampler(_)) => false,
        _ => resource.words() <= base.words(),
    };
    let elements = match (resource.mips, &base.kind) {
        (Mips::Each, Kind::Texture(shape, ..)) => base.count == 1 && resource.count <= shape.mips,
        _ => resource.count == base.count,
    };
    if !same || !elements {
        return fault(format_args!("{name} is not what {} is, or larger", alias.output()));
    }
    Ok(())
}

fn pass(pass: &Pass, fixture: &Fixture) -> Result<()> {
    if pass.indices.is_some() && pass.vertex.iter().any(|input| input.count.is_none() && !input.per_instance) {
        return fault("an indexed draw needs `count=` on every vertex buffer");
    }
    let own_depth = pass.depth.is_some_and(|depth| depth.part.is_none());
    if (own_depth || pass.stencil) && pass.targets.is_empty() {
        return fault("`depth` and `stencil` have the size of target 0, and there is none");
    }
    let layers = pass.targets.iter().map(|target| target.layers).min().unwrap_or(1);
    if pass.views > layers.min(6) {
        return fault("every view needs a layer of every target, and six are the most that Vulkan promises");
    }
    if pass.depth.is_some() && pass.stencil {
        return fault("`depth` and `stencil` are one attachment in Vulkan, which the harness does not make");
    }
    // A stencil buffer is read as words.
    if pass.stencil && pass.targets.iter().any(|target| target.size[0] % 4 != 0) {
        return fault("`stencil` needs a width that four divides");
    }
    if pass.depth.is_some_and(|depth| depth.out) && pass.samples > 1 {
        return fault("a multisampled depth buffer is not read back");
    }
    let depth_resource = pass.depth.and_then(|depth| depth.part).and_then(|(part, _)| fixture.resource(part.register));
    if let Some((_, Resource { kind: Kind::Texture(shape, ..), .. })) = depth_resource
        && shape.samples != pass.samples
    {
        return fault(format_args!("a depth buffer has {} samples, its pass {}", shape.samples, pass.samples));
    }
    let [width, height] = pass.area();
    let parts = pass.targets.iter().filter(|target| target.part.is_some());
    for target in parts {
        if target.samples != 1 && target.samples != pass.samples {
            return fault(format_args!("a target has {} samples, its pass {}", target.samples, pass.samples));
        }
        if target.samples != pass.samples && !target.clear {
            return fault("what is resolved to is cleared: say `clear`");
        }
    }
    let sizes = pass.targets.iter().map(|target| target.size);
    let depth = pass.depth.and_then(|depth| depth.part).map(|(_, size)| size);
    if !pass.name.is_empty() && sizes.chain(depth).any(|size| size[0] < width || size[1] < height) {
        return fault(format_args!("pass `{}`: target 0 is larger than another target", pass.name));
    }
    Ok(())
}
