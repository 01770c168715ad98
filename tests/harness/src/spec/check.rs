//! Checks the conditions that involve several directives of a fixture.

use std::fmt::Display;

use ash::vk;

use super::rays::{Data, Rays, Table};
use super::{BindingModel, Fixture, Kind, Mips, Pass, Pattern, Resource, Stage, Step, Work};
use crate::error::{Error, Result};

fn fault(what: impl Display) -> Result<()> {
    Err(Error::Spec(what.to_string()))
}

/// Checks a whole fixture. `unplaced` is the number of the first `resource` line without `at=`.
pub(super) fn check(fixture: &Fixture, unplaced: Option<usize>) -> Result<()> {
    steps(fixture)?;
    let pushed = fixture.push.as_ref().map_or(0, |(bytes, _)| *bytes);
    if let Some(resource) = fixture.resources.iter().find(|resource| resource.address.is_some_and(|at| at + 8 > pushed))
    {
        return fault(format_args!("{}: `push` does not cover the address", resource.register.output()));
    }
    if let (BindingModel::RootSignature | BindingModel::Map, Some(line)) = (fixture.bindings, unplaced) {
        return fault(format_args!("line {line}: only `bindings register` gives a resource a place without `at=`"));
    }
    if fixture.judges.is_empty() {
        return fault("the fixture has no judge; add `judge spirv` or `judge expect`");
    }
    let outputs = fixture.outputs();
    if outputs.is_empty() {
        return fault("the fixture has no output; mark a resource with `out` or add a `target`");
    }
    let named = fixture.expect.iter().map(|(name, _)| name).chain(fixture.tolerance.iter().map(|(name, _)| name));
    for name in named {
        if name != "*" && !outputs.contains(name) {
            return fault(format_args!("unknown output `{name}`; the outputs are {}", outputs.join(", ")));
        }
    }
    fixture
        .resources
        .iter()
        .enumerate()
        .try_for_each(|(index, it)| resource(it, &fixture.resources[..index], fixture))?;
    if fixture.descriptor_buffer {
        descriptor_buffer(fixture)?;
    }
    fixture.passes.iter().try_for_each(|one| pass(one, fixture))
}

fn steps(fixture: &Fixture) -> Result<()> {
    let mut ran = vec![false; fixture.passes.len()];
    for step in &fixture.steps {
        let Step::Run(index, work) = step else { continue };
        let pass = fixture.passes.get(*index);
        let fits = pass.is_some_and(|pass| match work {
            Work::Dispatch(_) => pass.is_compute(),
            Work::Draw(_) => {
                let other = vk::ShaderStageFlags::COMPUTE | vk::ShaderStageFlags::MESH_EXT;
                !pass.stages.is_empty() && pass.is_drawing() && !pass.stage_flags().intersects(other)
            }
            Work::Mesh(_) => pass.is_mesh() && pass.vertex.is_empty() && pass.indices.is_none(),
            Work::Rays { raygen, .. } => pass.is_rays() && (*raygen as usize) < pass.rays.table(Table::Raygen).count(),
        });
        if !fits {
            return fault(
                "`dispatch` needs exactly one compute stage, `draw` needs graphics stages, `mesh` needs a mesh shader and \
                 no vertex or index buffers, and `rays` needs libraries and its `record raygen`",
            );
        }
        if let Some(ran) = ran.get_mut(*index) {
            *ran = true;
        }
    }
    match fixture.passes.iter().zip(ran).find(|(_, ran)| !ran) {
        Some((pass, _)) if pass.name.is_empty() => {
            fault("the fixture has neither `dispatch`, `draw`, `mesh` nor `rays`")
        }
        Some((pass, _)) => fault(format_args!("pass `{}` never runs; add a `run` line", pass.name)),
        None => Ok(()),
    }
}

fn resource(resource: &Resource, before: &[Resource], fixture: &Fixture) -> Result<()> {
    let name = resource.register.output();
    if let Some(with) = resource.with {
        let sampler = fixture.resource(with);
        if !sampler.is_some_and(|(_, other)| matches!(other.kind, Kind::Sampler(_))) {
            return fault(format_args!("`with={}` does not name a sampler", with.output()));
        }
    }
    // Vulkan has no copies between buffers and multisampled images.
    if let Kind::Texture(shape, ..) = resource.kind
        && shape.samples > 1
        && (shape.mips > 1 || resource.out || resource.pattern != Pattern::Zero)
    {
        return fault(format_args!(
            "{name}: a multisampled texture must have one mip and the pattern `zero`, and cannot be `out`"
        ));
    }
    if let (Some(heaps), Some(index)) = (fixture.heaps, resource.heap)
        && index.checked_add(resource.count).is_none_or(|end| end > heaps.size)
    {
        return fault(format_args!("{name}: the heap has only {} descriptors", heaps.size));
    }
    let in_record = || fixture.passes.iter().any(|pass| pass.rays.addresses(resource.register));
    if let Some((register, element)) = resource.listed {
        let end = (u64::from(element) + u64::from(resource.count)) * 2;
        let fits = before.iter().any(|other| {
            let is_buffer = matches!(other.kind, Kind::Buffer(_) | Kind::ConstantBuffer(_));
            let is_it = other.register == register && other.alias.is_none() && is_buffer;
            is_it && other.count == 1 && other.offset == 0 && end <= other.words()
        });
        if !fits {
            return fault(format_args!(
                "{name}: `at=` must name elements of an earlier raw, structured or constant buffer"
            ));
        }
    } else if !resource.described && resource.address.is_none() && !in_record() {
        return fault(format_args!("{name}: `at=record` needs a record with `address({name})`"));
    }
    descriptor(resource, fixture)?;
    let Some(alias) = resource.alias else { return Ok(()) };
    let base = before.iter().find(|other| other.register == alias && other.alias.is_none());
    let Some(base) = base else {
        return fault(format_args!("{name}: `is={}` must name an earlier resource that has a pattern", alias.output()));
    };
    let same = match (&resource.kind, &base.kind) {
        (Kind::Texture(shape, format, _), Kind::Texture(of, base, _)) => shape.like(of) && format.words == base.words,
        (Kind::Texture(..) | Kind::Sampler(_) | Kind::Structures(_), _)
        | (_, Kind::Texture(..) | Kind::Sampler(_) | Kind::Structures(_)) => false,
        _ => resource.words() <= base.words(),
    };
    let elements = match (resource.mips, &base.kind) {
        (Mips::Each, Kind::Texture(shape, ..)) => base.count == 1 && resource.count <= shape.mips,
        _ => resource.count == base.count,
    };
    if !same || !elements {
        return fault(format_args!(
            "{name} does not fit {}: textures need the same size, mips and layers, buffers must not be larger, \
             and the number of elements must be the same",
            alias.output()
        ));
    }
    Ok(())
}

/// Checks that the sets can be in descriptor buffers.
fn descriptor_buffer(fixture: &Fixture) -> Result<()> {
    use vk::DescriptorType as D;
    if fixture.push_set.is_some() || fixture.passes.iter().any(|pass| pass.libraries.is_some()) {
        return fault("the harness has no `push_set` and no `libraries` with `descriptor_buffer`");
    }
    for resource in &fixture.resources {
        let name = resource.register.output();
        match (&resource.kind, resource.descriptor) {
            (Kind::Sampler(state), _) if state.fixed => {
                return fault(format_args!("{name}: the harness has no `static` samplers with `descriptor_buffer`"));
            }
            // VUID-VkDescriptorSetLayoutCreateInfo-flags-08000 forbids dynamic buffers.
            (_, ty @ (D::UNIFORM_BUFFER_DYNAMIC | D::STORAGE_BUFFER_DYNAMIC | D::INLINE_UNIFORM_BLOCK))
            | (_, ty @ D::INPUT_ATTACHMENT) => {
                return fault(format_args!("{name}: the harness writes no {ty:?} to a descriptor buffer"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks what the descriptor type of a resource needs.
fn descriptor(resource: &Resource, fixture: &Fixture) -> Result<()> {
    use vk::DescriptorType as D;
    let (name, ty) = (resource.register.output(), resource.descriptor);
    let pushed = fixture.push_set == Some(resource.place.set);
    // VUID-VkDescriptorSetLayoutCreateInfo-flags-00280 and -02208.
    if pushed && matches!(ty, D::UNIFORM_BUFFER_DYNAMIC | D::STORAGE_BUFFER_DYNAMIC | D::INLINE_UNIFORM_BLOCK) {
        return fault(format_args!("{name}: a push-descriptor set has neither dynamic buffers nor inline blocks"));
    }
    match (ty, &resource.kind) {
        (D::INLINE_UNIFORM_BLOCK, Kind::ConstantBuffer(bytes)) if resource.count == 1 && bytes % 4 == 0 => Ok(()),
        (D::INLINE_UNIFORM_BLOCK, _) => {
            fault(format_args!("{name}: an inline uniform block is one constant buffer of whole words"))
        }
        (D::INPUT_ATTACHMENT, Kind::Texture(..)) if resource.alias.is_none() => Ok(()),
        (D::INPUT_ATTACHMENT, Kind::Texture(..)) => {
            fault(format_args!("{name}: an input attachment cannot have `is=`"))
        }
        (D::INPUT_ATTACHMENT, _) => fault(format_args!("{name}: an input attachment is a texture")),
        (D::ACCELERATION_STRUCTURE_KHR, Kind::Structures(names)) => {
            match names.iter().flatten().find(|top| fixture.scene.top(top).is_none()) {
                Some(top) => fault(format_args!("{name}: there is no `top {top}`")),
                None => Ok(()),
            }
        }
        (_, Kind::Structures(_)) => {
            fault(format_args!("{name}: an acceleration structure has its own descriptor type"))
        }
        _ => Ok(()),
    }
}

/// Checks a ray-tracing pipeline.
fn rays(pass: &Pass, fixture: &Fixture) -> Result<()> {
    let rays = &pass.rays;
    if !pass.is_rays() {
        return match pass.stages.iter().any(Stage::is_library) || *rays != Rays::default() {
            true => fault("groups and records need a pass all of whose stages are libraries"),
            false => Ok(()),
        };
    }
    if pass.libraries.is_some() {
        return fault("`libraries` is for graphics pipelines; `pipeline_library` is for ray-tracing pipelines");
    }
    let known = |entry: &str| pass.stages.iter().flat_map(|stage| &stage.entries).any(|other| other == entry);
    for (entry, flag) in rays.all_entries() {
        if !known(entry) {
            return fault(format_args!("no `stage` line has the entry point `{entry}`"));
        }
        if flag.is_empty() {
            return fault(format_args!("no record has the general group of `{entry}`, which decides its stage"));
        }
    }
    let unused = |entry: &&String| rays.all_entries().iter().all(|(other, _)| other != entry);
    if let Some(entry) = pass.stages.iter().flat_map(|stage| &stage.entries).find(unused) {
        return fault(format_args!("no group has the entry point `{entry}`"));
    }
    for data in rays.records.iter().flat_map(|record| &record.data) {
        let Data::Address(register, _) = data else { continue };
        let kind = fixture.resource(*register).map(|(_, resource)| &resource.kind);
        if !kind.is_some_and(|kind| !matches!(kind, Kind::Texture(..) | Kind::Sampler(_))) {
            return fault(format_args!("{} is neither a buffer nor an acceleration structure", register.output()));
        }
    }
    Ok(())
}

fn pass(pass: &Pass, fixture: &Fixture) -> Result<()> {
    rays(pass, fixture)?;
    let plain = pass.depth.is_none() && !pass.stencil && pass.samples == 1 && pass.views == 0;
    let own = pass.targets.iter().all(|target| target.part.is_none() && target.layers == 1);
    if fixture.input_attachments().next().is_some() && pass.is_drawing() && !(plain && own) {
        return fault("a pass with input attachments has only colour targets of its own, with one layer and sample");
    }
    if pass.indices.is_some() && pass.vertex.iter().any(|input| input.count.is_none() && !input.per_instance) {
        return fault("an indexed draw needs `count=` on every vertex buffer");
    }
    let own_depth = pass.depth.is_some_and(|depth| depth.part.is_none());
    if (own_depth || pass.stencil) && pass.targets.is_empty() {
        return fault("`depth` and `stencil` have the size of target 0, but there is no target");
    }
    let layers = pass.targets.iter().map(|target| target.layers).min().unwrap_or(1);
    if pass.views > layers.min(6) {
        return fault("every target needs a layer for each view, and Vulkan guarantees at most six views");
    }
    if pass.depth.is_some() && pass.stencil {
        return fault("a pass cannot have both `depth` and `stencil`: the harness has no combined format for them");
    }
    // A stencil buffer is compared as 32-bit words, of four texels each.
    if pass.stencil && pass.targets.iter().any(|target| target.size[0] % 4 != 0) {
        return fault("`stencil` needs targets whose width is a multiple of four");
    }
    if pass.depth.is_some_and(|depth| depth.out) && pass.samples > 1 {
        return fault("a multisampled depth buffer cannot be `out`");
    }
    let depth_resource = pass.depth.and_then(|depth| depth.part).and_then(|(part, _)| fixture.resource(part.register));
    if let Some((_, Resource { kind: Kind::Texture(shape, ..), .. })) = depth_resource
        && shape.samples != pass.samples
    {
        return fault(format_args!("the depth buffer has {} samples, but its pass {}", shape.samples, pass.samples));
    }
    let [width, height] = pass.area();
    let parts = pass.targets.iter().filter(|target| target.part.is_some());
    for target in parts {
        if target.samples != 1 && target.samples != pass.samples {
            return fault(format_args!("a target has {} samples, but its pass {}", target.samples, pass.samples));
        }
        if target.samples != pass.samples && !target.clear {
            return fault("a target that a multisampled pass resolves to needs `clear`");
        }
    }
    let sizes = pass.targets.iter().map(|target| target.size);
    let depth = pass.depth.and_then(|depth| depth.part).map(|(_, size)| size);
    if !pass.name.is_empty() && sizes.chain(depth).any(|size| size[0] < width || size[1] < height) {
        return fault(format_args!("pass `{}`: target 0 is larger than another target", pass.name));
    }
    Ok(())
}
