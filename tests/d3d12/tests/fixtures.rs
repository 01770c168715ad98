//! Runs fixtures whose code comes through the C interface: the program answers the callbacks with
//! the places that the fixture's resources have, lavapipe runs the words, and the outputs are
//! judged as those of the layer are (docs/testing.md).
//!
//! `cargo test -p dxil-d3d12 --test fixtures -- FILTER…` runs fixtures by parts of their names;
//! without a filter, those of [`GROUPS`].

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use ash::vk;
use clap::Parser;
use dxil_d3d12::caller::Caller;
use dxil_d3d12::script::{Member, Samplers, Script};
use dxil_test_support::{is_fixture, set_environment};
use dxil_tests::arguments::LibtestArguments;
use dxil_tests::emitted::{PlannedStage, files, plan_pass, tests_folder};
use dxil_tests::error::Error;
use dxil_tests::judge::{CodeKind, Options, judge_code, load, name_of};
use dxil_tests::layer::{self, Driver};
use dxil_tests::run::Code;
use dxil_tests::spec::rays::Data;
use dxil_tests::spec::{Blend, Fixture, Judge, Kind, Pass, Pattern, Register, Resource, SamplerState, SetBinding};
use dxil_translator::binding::root_signature::RootParameterKind;
use dxil_translator::ir::declarations::SignatureElement;
use dxil_translator::ops::consts::SemanticKind;
use dxil_translator::{PipelineState, ShaderStage, lavapipe};

/// The groups that run without a filter: those in which places, stages and links differ.
const GROUPS: [&str; 8] =
    ["descriptors/", "geometry/", "heaps/", "map/", "mesh/", "rays/record", "rootsig/", "tessellation/"];

/// Runs fixtures through the C interface.
#[derive(Parser)]
struct Arguments {
    /// Run only fixtures whose name contains one of the filters
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Run all fixtures
    #[arg(long)]
    all: bool,
    /// Turn over the options for which the translator has another form
    #[arg(long)]
    turned: bool,
    /// What has no effect.
    #[command(flatten)]
    libtest: LibtestArguments,
}

/// Why a fixture does not run.
enum Left {
    /// The interface, the library or the driver does not have what it needs.
    Skipped(String),
    /// It fails.
    Failed(String),
}

/// How fixtures are translated.
struct Translation {
    caller: Caller,
    /// Options are turned over.
    turned: bool,
}

/// The script for a stage of a pass. Descriptors have this size, as a power of two.
fn script(
    fixture: &Fixture,
    pass: &Pass,
    stage: &PlannedStage,
    size: u32,
    how: &Translation,
) -> Result<Script, String> {
    let entry = stage.shader.entry(stage.entry).ok_or("the stage has no entry point")?;
    if entry.stage == ShaderStage::Vertex {
        // Fixtures have vertex inputs in order, and the interface has them at their rows.
        let mut next = 0;
        for element in &entry.inputs.elements {
            if !matches!(element.semantic, SemanticKind::VertexId | SemanticKind::InstanceId) {
                if element.start_row != Some(next) {
                    return Err("vertex inputs in order are not at their rows".to_owned());
                }
                next += element.rows;
            }
        }
    }
    // The interface does not say whether a stage feeds another one, where such an output is no
    // builtin.
    let handed_on = |stage: &str| pass.stages.iter().any(|other| other.short() == stage);
    let layers = |element: &SignatureElement| {
        matches!(element.semantic, SemanticKind::RenderTargetArrayIndex | SemanticKind::ViewPortArrayIndex)
    };
    let feeds = match entry.stage {
        ShaderStage::Vertex => handed_on("gs") || handed_on("hs"),
        ShaderStage::Domain => handed_on("gs"),
        _ => false,
    };
    if feeds && entry.outputs.elements.iter().any(layers) {
        return Err("a layer or viewport that goes to another stage".to_owned());
    }
    let mut script = Script::default();
    script.options(pass.samples, size);
    if how.turned {
        script.turn_options();
    }
    let place_of =
        |register| fixture.resource(register).map(|(_, resource)| [resource.place.set, resource.place.binding]);
    script.ranges(place_of(RANGES));
    script.structures(place_of(STRUCTURES));
    let is_static = |one: &&Resource| matches!(one.kind, Kind::Sampler(state) if state.fixed);
    let most = fixture.resources.iter().filter(is_static).map(|sampler| sampler.count).max();
    match most {
        None => {}
        Some(1) if fixture.resource(EACH).is_some() => script.samplers(Samplers::Each),
        Some(1) => script.samplers(Samplers::First),
        Some(_) => script.samplers(Samplers::OneBinding),
    }
    if fixture.resource(BY_OPTION).is_some() {
        script.constants_as_storage();
    }
    if let Some([set, binding]) = place_of(ROOT_BLOCK) {
        script.option(5, &[Member::Number(set), Member::Number(binding), Member::Bool(true)]);
    }
    if pass.blend == Blend::DualSource {
        script.option(2, &[Member::Bool(true)]);
    }
    if stage.shader.is_library() {
        script.entry(&entry.name);
    }
    if let Some(local) = stage.local.as_ref().filter(|_| entry.stage.is_rays()) {
        script.local(local);
    }
    if entry.stage == ShaderStage::Domain {
        let location = stage.options.pipeline.patch_location;
        script.line("patch", &[location.unwrap_or(PipelineState::PATCH_LOCATION)]);
    }
    stage
        .options
        .pipeline
        .mesh_outputs
        .iter()
        .flat_map(|outputs| outputs.iter())
        .for_each(|output| script.link(output));
    script.plan(stage.shader.program().resources.values(), &stage.plan)?;
    Ok(script)
}

/// The code of a pass of a fixture that was `written` in another way. An entry point of a library
/// is a module of its own.
fn code<'f>(
    written: &Fixture,
    fixture: &'f Fixture,
    pass: &'f Pass,
    size: u32,
    how: &Translation,
) -> Result<Vec<Code<'f>>, Left> {
    let planned = plan_pass(written, pass, &lavapipe()).map_err(|error| Left::Failed(error.to_string()))?;
    let mut all = Vec::new();
    for (number, stage) in pass.stages.iter().enumerate() {
        if stage.spirv {
            let bytes = std::fs::read(fixture.code_path(pass, stage, "spv"));
            all.push(Code::new(stage, &bytes.map_err(|error| Left::Failed(error.to_string()))?));
        }
        for (planned, name) in planned.iter().filter(|planned| planned.number == number).zip(&stage.entries) {
            let mut script = script(fixture, pass, planned, size, how).map_err(Left::Skipped)?;
            if let Some([stride, offset]) = fixture.address_place {
                script.option(24, &[Member::Number(stride), Member::Number(offset)]);
            }
            let translated = how.caller.translate(&fixture.code_path(pass, stage, "dxil"), script.text());
            // A driver without the feature skips the fixture when the layer runs it, too.
            let known = |said: &str| said.contains("is not translated yet") || said.contains("missing feature");
            let words = translated.words.map_err(|said| match known(&said) {
                true => Left::Skipped(said),
                false => Left::Failed(said),
            })?;
            let mut code = Code::new(stage, &words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
            code.rename(name, "main");
            all.push(code);
        }
    }
    Ok(all)
}

/// Makes the indexes of tables in shader records handles: numbers of bytes, of descriptors of this
/// size as a power of two. Whether there are any.
fn make_handles(fixture: &mut Fixture, size: u32) -> Result<bool, Left> {
    let mut found = false;
    for number in 0..fixture.passes.len() {
        let planned = plan_pass(fixture, &fixture.passes[number], &lavapipe());
        let planned = planned.map_err(|error| Left::Failed(error.to_string()))?;
        // The records of a pass are changed alike, so all shaders must have one local root
        // signature.
        let mut signatures = planned.iter().filter_map(|stage| stage.local.as_ref());
        let Some(signature) = signatures.next().filter(|first| signatures.all(|other| other == *first)) else {
            continue;
        };
        let (mut at, mut tables) = (0u64, Vec::new());
        for parameter in &signature.parameters {
            match parameter.kind {
                RootParameterKind::Constants { count, .. } => at += u64::from(count) * 4,
                RootParameterKind::Descriptor { .. } => at = at.next_multiple_of(8) + 8,
                RootParameterKind::Table(_) => {
                    at = at.next_multiple_of(8) + 8;
                    tables.push(at - 8);
                }
            }
        }
        for record in &mut fixture.passes[number].rays.records {
            let mut at = 0;
            for data in &mut record.data {
                match data {
                    Data::Word(word) if tables.contains(&at) => {
                        *word <<= size;
                        found = true;
                        at += 4;
                    }
                    Data::Word(_) => at += 4,
                    Data::Address(..) => at += 8,
                }
            }
        }
    }
    Ok(found)
}

/// Makes the addresses in buffers of addresses the last of three. Whether there are any.
fn spread_addresses(fixture: &mut Fixture) -> bool {
    let lists: Vec<_> = fixture.resources.iter().filter_map(|resource| Some(resource.listed?.0)).collect();
    for resource in fixture.resources.iter_mut().filter(|resource| lists.contains(&resource.register)) {
        if let Kind::Buffer(bytes) = &mut resource.kind {
            *bytes *= 3;
        }
    }
    fixture.address_place = Some([3, 2]);
    !lists.is_empty()
}

/// The name of the buffer with the starts and sizes of views.
const RANGES: Register = Register { class: 't', number: 0, space: u32::MAX };

/// Makes the buffers of heaps parts of what their descriptors have. Whether there are any.
fn displace(fixture: &mut Fixture) -> bool {
    use vk::DescriptorType as D;
    let Some(heaps) = fixture.heaps else { return false };
    let texel_words = |resource: &Resource| match resource.kind {
        Kind::TypedBuffer(format, _) => format.words,
        _ => 0,
    };
    let is_view = |resource: &Resource| {
        let is_buffer = match resource.kind {
            Kind::Buffer(_) => resource.descriptor == D::STORAGE_BUFFER,
            Kind::TypedBuffer(..) => {
                matches!(resource.descriptor, D::UNIFORM_TEXEL_BUFFER | D::STORAGE_TEXEL_BUFFER)
            }
            _ => false,
        };
        is_buffer && resource.heap.is_some() && resource.register.class != 'c'
    };
    let mut entries = vec![u32::MAX; heaps.size as usize * 6];
    let mut margins = Vec::new();
    for resource in &fixture.resources {
        let memory = fixture.memory_of(resource);
        let of_memory = || fixture.resources.iter().filter(|other| fixture.memory_of(other) == memory);
        if !of_memory().all(is_view) {
            margins.push(0);
            continue;
        }
        // No more aligned than texels, and atomic operations of 64 bits, need.
        let wide = fixture.require.iter().any(|feature| feature == "shader_buffer_int64_atomics");
        let margin: u32 = match of_memory().any(|other| texel_words(other) != 0) {
            true => 48,
            false => {
                if wide {
                    40
                } else {
                    12
                }
            }
        };
        margins.push(if resource.alias.is_some() { 0 } else { margin });
        let bytes = resource.words() as u32 * 4;
        let (pair, unit) = match texel_words(resource) {
            0 => (2, 1),
            words => (1, words * 4),
        };
        for element in (resource.heap.unwrap_or_default()..).take(resource.count as usize) {
            let at = (element as usize * 3 + pair) * 2;
            entries[at..at + 2].copy_from_slice(&[margin / unit, bytes / unit]);
        }
    }
    let found = margins.iter().any(|&margin| margin != 0);
    for (resource, margin) in fixture.resources.iter_mut().zip(margins) {
        resource.margin = margin;
    }
    found && add(fixture, RANGES, Kind::Buffer(entries.len() as u32 * 4), Pattern::Words(entries))
}

/// Adds a buffer in a set of its own. Whether there is another resource that it can be like.
fn add(fixture: &mut Fixture, register: Register, kind: Kind, pattern: Pattern) -> bool {
    let set = fixture.resources.iter().map(|resource| resource.place.set + 1).max().unwrap_or_default();
    let Some(like) = fixture.resources.first().cloned() else { return false };
    let descriptor = match kind {
        Kind::ConstantBuffer(_) => vk::DescriptorType::UNIFORM_BUFFER,
        _ => vk::DescriptorType::STORAGE_BUFFER,
    };
    for libraries in fixture.passes.iter_mut().filter_map(|pass| pass.libraries.as_mut()) {
        libraries.vertex.push(set);
        libraries.fragment.push(set);
    }
    fixture.resources.push(Resource {
        register,
        kind,
        out: false,
        pattern,
        count: 1,
        place: SetBinding { set, binding: 0 },
        heap: None,
        address: None,
        listed: None,
        described: true,
        descriptor,
        with: None,
        alias: None,
        offset: 0,
        margin: 0,
        ..like
    });
    true
}

/// The name of the buffer with the addresses of acceleration structures.
const STRUCTURES: Register = Register { number: 1, ..RANGES };

/// Makes the acceleration structures of heaps addresses in a buffer, where each is the last of
/// three. Whether there are any.
fn list_structures(fixture: &mut Fixture) -> bool {
    let Some(heaps) = fixture.heaps else { return false };
    spread_addresses(fixture);
    let mut found = false;
    for resource in fixture.resources.iter_mut().filter(|resource| matches!(resource.kind, Kind::Structures(_))) {
        resource.listed = resource.heap.map(|index| (STRUCTURES, index));
        found |= resource.listed.is_some();
    }
    found && add(fixture, STRUCTURES, Kind::Buffer(heaps.size * 24), Pattern::Zero)
}

/// The name of the uniform buffer with the root arguments.
const ROOT_BLOCK: Register = Register { class: 'b', ..RANGES };

/// Makes the push constants a uniform buffer. Whether there are any.
fn move_root_block(fixture: &mut Fixture) -> bool {
    let Some((bytes, pattern)) = fixture.push.take() else { return false };
    // The compiler's SPIR-V has push constants.
    fixture.judges.retain(|judge| *judge == Judge::Expect);
    if fixture.judges.is_empty() {
        return false;
    }
    for resource in &mut fixture.resources {
        if let Some(at) = resource.address.take() {
            resource.listed = Some((ROOT_BLOCK, at / 8));
        }
    }
    add(fixture, ROOT_BLOCK, Kind::ConstantBuffer(bytes.next_multiple_of(16)), pattern)
}

/// The name of a buffer that stands for the option of constant buffers as storage buffers.
const BY_OPTION: Register = Register { number: 2, ..RANGES };

/// Makes constant buffers of heaps storage buffers by an option. Whether there are some that are.
fn choose_by_option(fixture: &mut Fixture) -> bool {
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    let is_one = |other: &Resource| other.register.class == 'b' && other.heap.is_some() && other.descriptor == storage;
    fixture.resources.iter().any(is_one) && add(fixture, BY_OPTION, Kind::Buffer(4), Pattern::Zero)
}

/// Makes arrays of immutable samplers one sampler, which a static sampler is. Whether there are any
/// of which the shader uses the first one alone, so that all are alike.
fn shorten_samplers(fixture: &mut Fixture) -> bool {
    let is_one = |other: &&mut Resource| matches!(other.kind, Kind::Sampler(state) if state.fixed && state.odd.is_none() && other.count > 1);
    fixture.resources.iter_mut().filter(is_one).map(|sampler| sampler.count = 1).count() > 0
}

/// The name of a buffer that stands for static samplers with a binding each.
const EACH: Register = Register { number: 3, ..RANGES };

/// Gives the elements of an array of immutable samplers a binding each. Whether there are any of
/// which the shader computes no index.
fn separate_samplers(fixture: &mut Fixture) -> bool {
    if fixture.name != "descriptors/static_array_each" {
        return false;
    }
    let mut apart = Vec::new();
    for resource in std::mem::take(&mut fixture.resources) {
        let Kind::Sampler(state) = resource.kind else {
            apart.push(resource);
            continue;
        };
        apart.extend((0..resource.count).map(|element| {
            let filters = state.odd.filter(|_| element % 2 == 1).map_or(state.filters, |odd| [odd; 2]);
            let register = Register { number: resource.register.number + element, ..resource.register };
            let place = SetBinding { binding: resource.place.binding + element, ..resource.place };
            let kind = Kind::Sampler(SamplerState { filters, odd: None, ..state });
            Resource { count: 1, register, place, kind, ..resource.clone() }
        }));
    }
    fixture.resources = apart;
    add(fixture, EACH, Kind::Buffer(4), Pattern::Zero)
}

/// A change of a fixture, which says whether there is something to change.
type Change = fn(&mut Fixture) -> bool;

/// The ways in which a fixture runs: as it is written, and with places that only programs of the
/// interface have, each with the size of a descriptor.
fn variants(written: &Fixture) -> Result<Vec<(&'static str, Fixture, u32)>, Left> {
    let mut variants = vec![("", written.clone(), 0)];
    let mut handles = written.clone();
    if make_handles(&mut handles, DESCRIPTOR_SIZE)? {
        variants.push((", with handles of tables", handles, DESCRIPTOR_SIZE));
    }
    let changes: [(_, Change); 7] = [
        (", with addresses between other data", spread_addresses),
        (", with views that are parts of their descriptors", displace),
        (", with acceleration structures at addresses", list_structures),
        (", with root arguments in a uniform buffer", move_root_block),
        (", with constant buffers as storage buffers by an option", choose_by_option),
        (", with one static sampler for an array", shorten_samplers),
        (", with a static sampler for each element", separate_samplers),
    ];
    for (name, change) in changes {
        let mut changed = written.clone();
        if change(&mut changed) {
            variants.push((name, changed, 0));
        }
    }
    Ok(variants)
}

/// The size of a descriptor, as a power of two.
const DESCRIPTOR_SIZE: u32 = 5;

fn run(written: &Fixture, fixture: &Fixture, size: u32, how: &Translation) -> Result<(), Left> {
    let passes = fixture.passes.iter().map(|pass| code(written, fixture, pass, size, how));
    let code: Vec<_> = passes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let options =
        Options { code: CodeKind::Spirv, validation: false, no_robustness: false, lenient: false, fault: false };
    judge_code(fixture, &options, &code).map_err(|error| match error {
        Error::Skip(reason) => Left::Skipped(reason),
        error => Left::Failed(error.to_string()),
    })
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let environment = match layer::loader_environment(&Driver::Lavapipe, None) {
        Ok(environment) => environment,
        Err(error) => {
            println!("no fixture runs: {error}");
            return ExitCode::SUCCESS;
        }
    };
    set_environment(environment);
    let translation = Translation { caller: Caller::new("fixtures"), turned: arguments.turned };
    let has_directives = |path: &Path| std::fs::read_to_string(path).is_ok_and(|text| is_fixture(&text));
    let wanted = |name: &str| match (arguments.all, arguments.filters.is_empty()) {
        (true, _) => true,
        (false, true) => GROUPS.iter().any(|group| name.starts_with(group)),
        (false, false) => arguments.filters.iter().any(|filter| name.contains(filter.as_str())),
    };
    let (mut passed, mut failed, mut skipped) = (0, Vec::new(), BTreeMap::<String, Vec<String>>::new());
    for source in files(&tests_folder().join("fixtures"), "hlsl") {
        let name = name_of(&source);
        if !wanted(&name) || !has_directives(&source) {
            continue;
        }
        let mut count = |name, result| match result {
            Ok(()) => passed += 1,
            Err(Left::Skipped(reason)) => skipped.entry(reason).or_default().push(name),
            Err(Left::Failed(reason)) => failed.push(format!("{name}: {reason}")),
        };
        let written = load(&source).map_err(|error| Left::Failed(error.to_string()));
        match written.and_then(|written| Ok((variants(&written)?, written))) {
            Err(left) => count(name, Err(left)),
            Ok((variants, written)) => {
                for (how, fixture, size) in variants {
                    // A driver that crashes names the fixture by the last line.
                    println!("fixture {name}{how}");
                    count(format!("{name}{how}"), run(&written, &fixture, size, &translation));
                }
            }
        }
    }
    let left: usize = skipped.values().map(Vec::len).sum();
    for (reason, names) in &skipped {
        println!("{:>4} skipped: {reason}  ({})", names.len(), names[0]);
    }
    failed.iter().for_each(|failure| println!("FAILED {failure}"));
    println!("fixtures (C interface on lavapipe): {passed} passed, {} failed, {left} skipped", failed.len());
    if failed.is_empty() && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
