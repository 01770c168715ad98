//! Parses the directives of an HLSL file into a [`Fixture`].

use std::fs;
use std::path::Path;

use ash::vk;

use super::check::check;
use super::line::Line;
use super::parse_resource::{COMPARE, SAMPLES, resource};
use super::{
    BindingModel, Blend, Depth, Draw, Fixture, Heaps, ImagePart, Indices, Judge, Kind, Libraries, Pass, Register,
    Resource, Stage, Step, Target, VertexInput, Work, parse_want,
};
use crate::compare::{Close, Tolerance};
use crate::error::{Error, Result};
use crate::vulkan::features;

const TOPOLOGY: &[(&str, vk::PrimitiveTopology)] = &[
    ("point_list", vk::PrimitiveTopology::POINT_LIST),
    ("line_list", vk::PrimitiveTopology::LINE_LIST),
    ("line_strip", vk::PrimitiveTopology::LINE_STRIP),
    ("triangle_list", vk::PrimitiveTopology::TRIANGLE_LIST),
    ("triangle_strip", vk::PrimitiveTopology::TRIANGLE_STRIP),
    ("line_list_adj", vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY),
    ("line_strip_adj", vk::PrimitiveTopology::LINE_STRIP_WITH_ADJACENCY),
    ("triangle_list_adj", vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY),
    ("triangle_strip_adj", vk::PrimitiveTopology::TRIANGLE_STRIP_WITH_ADJACENCY),
    ("patch_list", vk::PrimitiveTopology::PATCH_LIST),
];

/// Adds a `tolerance` line to the tolerances.
fn tolerance(line: &mut Line<'_>, list: &mut Vec<(String, Tolerance)>) -> Result<()> {
    let output = line.word("OUTPUT")?;
    let kind = line.word("the kind of tolerance")?;
    let index = list.iter().position(|(name, _)| name == output).unwrap_or_else(|| {
        list.push((output.to_owned(), Tolerance::default()));
        list.len() - 1
    });
    let floats = |line: &mut Line<'_>| -> Result<(u64, f64)> {
        Ok((line.option_value("ulp")?.unwrap_or(0), line.option_value("abs")?.unwrap_or(0.0)))
    };
    let close = match kind {
        "f32" => floats(line).map(|(ulp, abs)| Close::F32 { ulp, abs })?,
        "f16" => floats(line).map(|(ulp, abs)| Close::F16 { ulp, abs })?,
        "f64" => floats(line).map(|(ulp, abs)| Close::F64 { ulp, abs })?,
        "unorm8" => Close::Unorm8(line.value("N")?),
        "mismatch" => {
            let allowed = line.value("N")?;
            if let Some((_, tolerance)) = list.get_mut(index) {
                tolerance.mismatches = allowed;
            }
            return Ok(());
        }
        _ => {
            return Err(
                line.fault(format_args!("unknown tolerance `{kind}`; expected f32, f16, f64, unorm8 or mismatch"))
            );
        }
    };
    if let Some((_, tolerance)) = list.get_mut(index) {
        tolerance.close = close;
    }
    Ok(())
}

fn vertex(line: &mut Line<'_>) -> Result<VertexInput> {
    let (location, format, pattern) = (line.value("LOCATION")?, line.format()?, line.pattern()?);
    let per_instance = line.option_choice("rate", &[("instance", true), ("vertex", false)])?.unwrap_or(false);
    Ok(VertexInput { location, format, pattern, per_instance, count: line.option_value("count")? })
}

/// Reads the options of a part of a resource's image, whose register has been read. Returns the
/// part, and a target with the part's size and the image's sample count.
fn part(line: &mut Line<'_>, register: Register, resources: &[Resource]) -> Result<(ImagePart, Target)> {
    let resource = resources.iter().find(|resource| resource.register == register);
    let Some(Kind::Texture(shape, format, _)) = resource.map(|resource| &resource.kind) else {
        return Err(line.fault(format_args!("{} is not a texture of an earlier line", register.output())));
    };
    let mip = line.option_value("mip")?.unwrap_or(0);
    let layer = line.option_value("layer")?.unwrap_or(0);
    let layers = line.option_value("layers")?.unwrap_or(1);
    let [width, height, _] = shape.mip_extent(mip);
    if mip >= shape.mips || layers == 0 || u32::checked_add(layer, layers).is_none_or(|end| end > shape.layers) {
        return Err(line.fault(format_args!("{} does not have this mip or these layers", register.output())));
    }
    let part = ImagePart { register, mip, layer };
    let (format, size, samples) = (*format, [width, height], shape.samples);
    Ok((part, Target { format, size, layers, part: Some(part), clear: false, samples }))
}

/// Reads `target FORMAT W H` or `target REGISTER [clear]`.
fn target(line: &mut Line<'_>, resources: &[Resource]) -> Result<Target> {
    let first = line.words.as_slice().first().copied().unwrap_or_default();
    if let Ok(register) = line.register(first) {
        line.word("REGISTER")?;
        let clear = line.accept("clear");
        let (_, target) = part(line, register, resources)?;
        return Ok(Target { clear, ..target });
    }
    let (format, size) = (line.format()?, [line.size("W")?, line.size("H")?]);
    let layers = line.option_value("layers")?.unwrap_or(1);
    Ok(Target { format, size, layers, part: None, clear: true, samples: 1 })
}

fn depth(line: &mut Line<'_>, resources: &[Resource]) -> Result<Depth> {
    let compare = line.choice("COMPARE", COMPARE)?;
    let clear = if line.accept("keep") { None } else { Some(line.value("CLEAR")?) };
    let out = line.accept("out");
    let Some(into) = line.option("into") else {
        if clear.is_none() {
            return Err(line.fault("`keep` needs `into=`: a depth buffer of the pass's own is always cleared"));
        }
        return Ok(Depth { compare, clear, out, part: None });
    };
    if out {
        return Err(line.fault("`out` must be on the line of the resource that `into=` names"));
    }
    let register = line.register(into)?;
    let (part, Target { size, .. }) = part(line, register, resources)?;
    Ok(Depth { compare, clear, out, part: Some((part, size)) })
}

fn draw(line: &mut Line<'_>) -> Result<Work> {
    Ok(Work::Draw(Draw {
        vertices: line.size("VERTICES")?,
        instances: line.value_or("INSTANCES", 1)?,
        first_vertex: line.value_or("FIRST_VERTEX", 0)?,
        first_instance: line.value_or("FIRST_INSTANCE", 0)?,
    }))
}

fn dispatch(line: &mut Line<'_>) -> Result<Work> {
    Ok(Work::Dispatch(groups(line)?))
}

fn groups(line: &mut Line<'_>) -> Result<[u32; 3]> {
    Ok([line.value("X")?, line.value("Y")?, line.value("Z")?])
}

fn rays(line: &mut Line<'_>) -> Result<Work> {
    let size = [line.value("W")?, line.value("H")?, line.value("D")?];
    Ok(Work::Rays { size, raygen: line.option_value("raygen")?.unwrap_or(0) })
}

/// Reads a directive of a pass. Returns false if the directive is not one.
fn pass_directive(pass: &mut Pass, resources: &[Resource], word: &str, line: &mut Line<'_>) -> Result<bool> {
    match word {
        "stage" => {
            let mut stage = Stage {
                profile: line.word("PROFILE")?.to_owned(),
                entries: vec![line.word("ENTRY")?.to_owned()],
                library: pass.stages.len(),
                spirv: line.option_choice("code", &[("spirv", true), ("dxil", false)])?.unwrap_or(false),
            };
            if stage.is_library() {
                stage.entries.extend(line.words.by_ref().map(str::to_owned));
            } else if stage.flag().is_none() {
                return Err(line.fault(format_args!("the harness does not run stages of profile {}", stage.profile)));
            }
            pass.stages.push(stage);
        }
        "topology" => {
            pass.topology = line.choice("topology", TOPOLOGY)?;
            if pass.topology == vk::PrimitiveTopology::PATCH_LIST {
                pass.control_points = line.size("CONTROL_POINTS")?;
            }
        }
        "viewports" => pass.viewports = line.size("N")?,
        "views" => pass.views = line.size("N")?,
        "samples" => pass.samples = line.choice("N", SAMPLES)?,
        "stencil" => pass.stencil = true,
        "blend" => {
            let modes = [("dual_source", Blend::DualSource), ("add", Blend::Add), ("alpha", Blend::Alpha)];
            pass.blend = line.choice("blend", &modes)?;
        }
        "front" => {
            let faces = [("ccw", vk::FrontFace::COUNTER_CLOCKWISE), ("cw", vk::FrontFace::CLOCKWISE)];
            pass.front = line.choice("front", &faces)?;
        }
        "cull" => {
            let modes = [
                ("none", vk::CullModeFlags::NONE),
                ("front", vk::CullModeFlags::FRONT),
                ("back", vk::CullModeFlags::BACK),
            ];
            pass.cull = line.choice("cull", &modes)?;
        }
        "libraries" => {
            let mut sets = |key| {
                let list = line.option(key).unwrap_or_default().split(',').filter(|set| !set.is_empty());
                let list: std::result::Result<Vec<u32>, _> = list.map(str::parse).collect();
                list.map_err(|_| line.fault(format_args!("invalid option `{key}`; expected set numbers")))
            };
            pass.libraries = Some(Libraries { vertex: sets("vertex")?, fragment: sets("fragment")? });
        }
        "target" => pass.targets.push(target(line, resources)?),
        "depth" => pass.depth = Some(depth(line, resources)?),
        "vertex" => pass.vertex.push(vertex(line)?),
        "index" => {
            let kind = line.choice("TYPE", &[("u16", vk::IndexType::UINT16), ("u32", vk::IndexType::UINT32)])?;
            pass.indices = Some(Indices { kind, pattern: line.pattern()? });
        }
        _ => return pass.rays.directive(word, line),
    }
    Ok(true)
}

fn resource_directive(fixture: &mut Fixture, line: &mut Line<'_>, unplaced: &mut Option<usize>) -> Result<()> {
    let (mut resource, placed) = resource(line)?;
    if resource.heap.is_some() {
        let place = fixture.heaps.and_then(|heaps| heaps.place(&resource));
        resource.place = place.ok_or_else(|| line.fault("`heap=` needs an earlier `heaps` line with its set"))?;
    }
    if !placed {
        unplaced.get_or_insert(line.number);
    }
    // The address of a null structure is 0. Only its descriptor needs a feature.
    if resource.has_null() && resource.address.is_none() {
        fixture.require.push("null_descriptor".to_owned());
    }
    fixture.resources.push(resource);
    Ok(())
}

/// Reads a directive of the whole fixture. Returns false if the directive is not one.
fn shared_directive(
    fixture: &mut Fixture,
    word: &str,
    line: &mut Line<'_>,
    unplaced: &mut Option<usize>,
) -> Result<bool> {
    match word {
        "require" => {
            for feature in line.words.by_ref().collect::<Vec<_>>() {
                if !features::is_known(feature) {
                    return Err(
                        line.fault(format_args!("unknown feature `{feature}`; docs/testing.md lists the features"))
                    );
                }
                fixture.require.push(feature.to_owned());
            }
        }
        "robustness" => fixture.robust_stages = line.choice("WHERE", &[("stages", true)])?,
        "unoptimised" => fixture.unoptimised = true,
        "without" => fixture.without.extend(line.words.by_ref().map(str::to_owned)),
        "fault" => {
            let driver =
                line.choice("WHO", &[("swiftshader", "swiftshader"), ("validation", "validation")])?.to_owned();
            let what = line.words.by_ref().collect::<Vec<_>>().join(" ");
            if what.is_empty() {
                return Err(line.fault("`fault` needs a description of the fault"));
            }
            fixture.faults.push((driver, what));
        }
        "resource" => resource_directive(fixture, line, unplaced)?,
        "push" => {
            let bytes = line.size("BYTES")?;
            fixture.push = Some((bytes, line.pattern()?));
        }
        "push_set" => fixture.push_set = Some(line.value("SET")?),
        "descriptor_buffer" => {
            fixture.descriptor_buffer = true;
            // Descriptors of buffers are addresses.
            fixture.require.extend(["descriptor_buffer", "buffer_device_address"].map(str::to_owned));
        }
        "bindings" => {
            let models = [
                ("register", BindingModel::Register),
                ("shifted", BindingModel::Shifted),
                ("root-signature", BindingModel::RootSignature),
                ("map", BindingModel::Map),
            ];
            fixture.bindings = line.choice("binding model", &models)?;
            fixture.sets = line.option_value("sets")?.unwrap_or(0);
        }
        "setting" => {
            let setting = (line.word("NAME")?.to_owned(), line.word("VALUE")?.to_owned());
            fixture.settings.push(setting);
        }
        "heaps" => fixture.heaps = Some(Heaps::parse(line)?),
        "judge" => {
            fixture.judges.push(line.choice("judge", &[("spirv", Judge::Spirv), ("expect", Judge::Expect)])?);
        }
        "expect" => {
            let output = line.word("OUTPUT")?.to_owned();
            let words: Vec<_> = line.words.by_ref().collect();
            let want = |word| parse_want(word).ok_or_else(|| line.malformed(word));
            let words = words.into_iter().map(want).collect::<Result<_>>()?;
            fixture.expect.push((output, words));
        }
        "tolerance" => tolerance(line, &mut fixture.tolerance)?,
        _ if fixture.scene.directive(word, line)? => {
            // Geometries are read from addresses.
            fixture.require.extend(["acceleration_structure", "buffer_device_address"].map(str::to_owned));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Reads a step of a program. Returns false if the directive is not one.
fn step_directive(fixture: &mut Fixture, word: &str, line: &mut Line<'_>) -> Result<bool> {
    match word {
        "run" => {
            let name = line.word("NAME")?;
            let found = fixture.passes.iter().enumerate().find(|(_, pass)| pass.name == name);
            let (index, pass) = found.ok_or_else(|| line.fault(format_args!("unknown pass `{name}`")))?;
            let work = match pass {
                pass if pass.is_compute() => dispatch(line)?,
                pass if pass.is_mesh() => Work::Mesh(groups(line)?),
                pass if pass.is_rays() => rays(line)?,
                _ => draw(line)?,
            };
            fixture.steps.push(Step::Run(index, work));
        }
        "update" => {
            let register = line.word("REGISTER")?;
            let register = line.register(register)?;
            let found =
                fixture.resource(register).and_then(|(_, resource)| Some((resource, fixture.memory_of(resource)?)));
            let words = line.data_words()?;
            match found {
                Some((resource, memory)) if resource.updatable(words.len()) => {
                    fixture.steps.push(Step::Update(memory, words));
                }
                _ => {
                    return Err(line.fault(format_args!(
                        "{} is not a buffer with space for {} words",
                        register.output(),
                        words.len()
                    )));
                }
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Begins a named pass.
fn begin_pass(fixture: &mut Fixture, line: &mut Line<'_>) -> Result<()> {
    let name = line.word("NAME")?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.chars().all(fits) || fixture.passes.iter().any(|pass| pass.name == name) {
        return Err(line.fault(format_args!(
            "invalid pass name `{name}`; expected a new name of letters, digits and underscores"
        )));
    }
    // Lines before the first `pass` are shared by all passes, so none may be a line of a pass.
    match &mut fixture.passes[..] {
        [unnamed] if unnamed.name.is_empty() => {
            if *unnamed != Pass::new("") {
                return Err(line.fault("a directive of a pass is before the first `pass`"));
            }
            *unnamed = Pass::new(name);
        }
        _ => fixture.passes.push(Pass::new(name)),
    }
    Ok(())
}

/// The directives of a source, without their mark, each with the number of its line. The lines of a
/// file that `include` names have the number of that line.
fn directives(source: &Path, text: &str) -> Result<Vec<(usize, String)>> {
    let mut all = Vec::new();
    let mut code_begun = false;
    for (number, text) in (1..).zip(text.lines()) {
        let Some(directive) = text.strip_prefix("//! ") else {
            let text = text.trim();
            code_begun |= !(text.is_empty() || text.starts_with("//"));
            continue;
        };
        if code_begun {
            return Err(Error::Spec(format!("line {number}: directives must come before the first line of code")));
        }
        let Some(file) = directive.strip_prefix("include ") else {
            all.push((number, directive.to_owned()));
            continue;
        };
        let path = source.with_file_name(file.trim());
        let included =
            fs::read_to_string(&path).map_err(|e| Error::Spec(format!("line {number}: {}: {e}", path.display())))?;
        for line in included.lines() {
            let directive = line.strip_prefix("//! ").filter(|line| !line.starts_with("include "));
            let directive = directive.ok_or_else(|| {
                Error::Spec(format!(
                    "line {number}: {}: `{line}` is not a directive of an included file",
                    path.display()
                ))
            })?;
            all.push((number, directive.to_owned()));
        }
    }
    Ok(all)
}

/// Parses the directives of an HLSL source, and of the files that it includes.
///
/// # Errors
/// If a directive is wrong or missing, or an included file cannot be read. The message has the
/// number of the line.
pub fn parse(name: &str, source: &Path, text: &str) -> Result<Fixture> {
    let mut fixture = Fixture::new(name, source);
    let mut work = None;
    let mut unplaced = None;
    for (number, directive) in directives(source, text)? {
        let (word, rest) = directive.trim().split_once(char::is_whitespace).unwrap_or((directive.trim(), ""));
        // These directives concern compilation only (tests/fixtures/regenerate.py).
        if matches!(
            word,
            "args" | "dxil-args" | "spirv-args" | "assembly" | "patch" | "unvalidated" | "generated" | "producer"
        ) {
            continue;
        }
        let mut line = Line::new(number, rest)?;
        let in_passes = fixture.passes.iter().any(|pass| !pass.name.is_empty());
        match word {
            "dispatch" if !in_passes => work = Some(dispatch(&mut line)?),
            "draw" if !in_passes => work = Some(draw(&mut line)?),
            "rays" if !in_passes => work = Some(rays(&mut line)?),
            "mesh" if !in_passes => work = Some(Work::Mesh(groups(&mut line)?)),
            "pass" if fixture.steps.is_empty() => begin_pass(&mut fixture, &mut line)?,
            "pass" => return Err(line.fault("`pass` must come before the first step")),
            "run" | "update" if !in_passes => return Err(line.fault(format_args!("`{word}` needs a `pass` before it"))),
            "run" | "update" => {
                step_directive(&mut fixture, word, &mut line)?;
            }
            _ => {
                let Fixture { passes, resources, steps, .. } = &mut fixture;
                let in_pass = match passes.last_mut() {
                    Some(pass) if steps.is_empty() => pass_directive(pass, resources, word, &mut line)?,
                    _ => false,
                };
                if !in_pass {
                    if in_passes {
                        return Err(line.fault(format_args!("`{word}` is not allowed in a pass or after the passes")));
                    }
                    if !shared_directive(&mut fixture, word, &mut line, &mut unplaced)? {
                        return Err(line.fault(format_args!("unknown directive `{word}`")));
                    }
                }
            }
        }
        line.end()?;
    }
    if let Some(work) = work {
        fixture.steps.push(Step::Run(0, work));
    }
    if fixture.passes.iter().any(Pass::is_rays) {
        fixture.require.extend(["ray_tracing_pipeline", "buffer_device_address"].map(str::to_owned));
    }
    if fixture.passes.iter().any(|pass| !pass.rays.skip.is_empty()) {
        fixture.require.push("ray_traversal_primitive_culling".to_owned());
    }
    for (stage, feature) in
        [(vk::ShaderStageFlags::TASK_EXT, "task_shader"), (vk::ShaderStageFlags::MESH_EXT, "mesh_shader")]
    {
        if fixture.stage_flags().contains(stage) {
            fixture.require.push(feature.to_owned());
        }
    }
    check(&fixture, unplaced)?;
    Ok(fixture)
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
