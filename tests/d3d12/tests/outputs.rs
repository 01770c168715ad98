//! What stages output, executed on lavapipe and compared with a model: outputs that are written to
//! buffers, targets with another order of components, and other locations of patch constants. The
//! words come through the C interface, and by the translator's options as well. What goes to
//! buffers is also written by the layer, which gets containers and a setting.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::process::ExitCode;

use clap::Parser;
use dxil_d3d12::caller::Caller;
use dxil_d3d12::script::{Member, Script};
use dxil_test_support::set_environment;
use dxil_test_support::spirv::instructions;
use dxil_tests::arguments::LibtestArguments;
use dxil_tests::emitted::{PlannedStage, plan_pass, tests_folder};
use dxil_tests::error::{Error, Result};
use dxil_tests::judge::load;
use dxil_tests::layer::{self, Driver};
use dxil_tests::run::capture::{Capture, UNTOUCHED};
use dxil_tests::run::{Code, Outputs, Program};
use dxil_tests::spec::Fixture;
use dxil_tests::vulkan::{Context, ContextOptions};
use dxil_translator::{Options, ShaderStage, StreamOutput, ViewInstancing, lavapipe, translate};

/// No arguments.
#[derive(Parser)]
struct Arguments {
    /// What has no effect.
    #[command(flatten)]
    _libtest: LibtestArguments,
}

/// What a run has beside its fixture.
#[derive(Clone, Default)]
struct Choices {
    /// The outputs that are written to buffers, each with its semantic as the shader spells it.
    streams: Vec<(&'static str, StreamOutput)>,
    /// The order of components for target 0, as the number of the interface.
    swizzle: Option<u8>,
    /// Where patch constants begin, if the interface is not asked.
    patch_location: Option<u32>,
    /// The specialisation constant that has the number of samples, which the words do not know
    /// then.
    samples_constant: Option<u32>,
    /// The viewports of the draw, if not those of the fixture.
    viewports: Option<u32>,
    /// The views of the draw.
    views: Option<Views>,
}

/// The views of a draw, each in its layer.
#[derive(Clone, Copy)]
struct Views {
    count: u32,
    /// The view instance of each view, and the viewport of each instance, as the specialisation
    /// constants
    /// [`VIEWS`] have them.
    values: [u32; 2],
}

impl Views {
    /// The view instance of a view, and its viewport.
    fn of(&self, view: u32) -> [u32; 2] {
        let instance = self.values[0] >> (4 * view) & 15;
        [instance, self.values[1] >> (4 * instance) & 15]
    }
}

/// The specialisation constants of [`Views`].
const VIEWS: [u32; 2] = [8, 9];

impl Choices {
    /// Writes an output of a stream to a buffer.
    fn stream(mut self, name: &'static str, [index, stream, buffer, offset, stride]: [u32; 5]) -> Self {
        let mut output = StreamOutput::new(name, index, buffer, offset, stride);
        output.stream = stream;
        self.streams.push((name, output));
        self
    }

    /// Whether a stage is the one that writes to buffers.
    fn captures(&self, fixture: &Fixture, stage: &PlannedStage) -> bool {
        !self.streams.is_empty() && is_last(fixture, stage)
    }

    /// The values of specialisation constants.
    fn constants(&self, fixture: &Fixture) -> Vec<(u32, u32)> {
        let samples = self.samples_constant.map(|id| (id, fixture.passes[0].samples));
        let views = self.views.into_iter().flat_map(|views| VIEWS.into_iter().zip(views.values));
        samples.into_iter().chain(views).collect()
    }
}

/// Whether a stage is the last one before the rasterizer.
fn is_last(fixture: &Fixture, stage: &PlannedStage) -> bool {
    stage.number + 2 == fixture.passes[0].stages.len()
}

fn stage_of(stage: &PlannedStage) -> ShaderStage {
    stage.shader.entry(stage.entry).expect("an entry point").stage
}

/// The words of a stage, by the translator's options.
fn by_options(fixture: &Fixture, stage: &PlannedStage, choices: &Choices) -> Vec<u32> {
    let mut options: Options = stage.options.clone();
    if choices.captures(fixture, stage) {
        options.pipeline.stream_output = Some(choices.streams.iter().map(|(_, output)| output.clone()).collect());
    }
    if let Some(swizzle) = choices.swizzle {
        options.pipeline.output_swizzles[0] = dxil_translator::Swizzle::from_bits(swizzle);
    }
    options.pipeline.patch_location = choices.patch_location.or(options.pipeline.patch_location);
    if choices.samples_constant.is_some() {
        options.pipeline.samples = 0;
        options.pipeline.samples_constant = choices.samples_constant;
    }
    options.pipeline.view_instancing = choices.views.map(|_| ViewInstancing::new(VIEWS[0], VIEWS[1]));
    translate(&stage.shader, stage.entry, &stage.plan, &options).expect("a translation").words
}

/// The words of a stage, through the C interface. `patch_location` is the answer for the hull
/// shader.
fn by_interface(
    fixture: &Fixture,
    stage: &PlannedStage,
    choices: &Choices,
    caller: &Caller,
    patch_location: &mut u32,
) -> Vec<u32> {
    let pass = &fixture.passes[0];
    let mut script = Script::default();
    script.options(pass.samples, 0);
    if let Some(id) = choices.samples_constant {
        script.option(4, &[Member::Number(id), Member::Bool(true)]);
    }
    if choices.views.is_some() {
        let last = Member::Bool(is_last(fixture, stage));
        script.option(49, &[Member::Bool(true), last, Member::Number(VIEWS[0]), Member::Number(VIEWS[1])]);
    }
    if choices.captures(fixture, stage) {
        choices.streams.iter().for_each(|(name, output)| script.stream(output, name));
    }
    if let Some(swizzle) = choices.swizzle {
        script.line("swizzles", &[swizzle.into()]);
    }
    if stage_of(stage) == ShaderStage::Domain {
        script.line("patch", &[*patch_location]);
    }
    script.plan(stage.shader.program().resources.values(), &stage.plan).expect("a script");
    let translated = caller.translate(&fixture.code_path(pass, &pass.stages[stage.number], "dxil"), script.text());
    let words = translated.words.unwrap_or_else(|said| panic!("{}: {said}", fixture.name));
    if stage_of(stage) == ShaderStage::Hull {
        let answer = translated.said.split_once(" patch ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        *patch_location = answer.expect("the location of patch constants");
    }
    words
}

/// The words with another default value of a specialisation constant, which a pipeline's value
/// replaces too.
fn specialised(mut words: Vec<u32>, id: u32, value: u32) -> Vec<u32> {
    const DECORATE: u32 = 71;
    const SPEC_ID: u32 = 1;
    const SPEC_CONSTANT: u32 = 4 << 16 | 50;
    let target = instructions(&words).find_map(|(opcode, operands)| match *operands {
        [target, SPEC_ID, given] if opcode == DECORATE && given == id => Some(target),
        _ => None,
    });
    if let Some(target) = target {
        let at = words.windows(3).position(|one| one[0] == SPEC_CONSTANT && one[2] == target);
        words[at.expect("the constant") + 3] = value;
    }
    words
}

/// The setting of the layer for these streams, after a list that is for no shader of the tests.
fn setting(choices: &Choices) -> CString {
    let row = |(name, output): &(&str, StreamOutput)| {
        let StreamOutput { index, stream, buffer, offset, stride, .. } = output;
        format!("{name}{index}={stream}:{buffer}:{offset}:{stride}")
    };
    let rows: Vec<_> = choices.streams.iter().map(row).collect();
    CString::new(format!("NOWHERE=0:0:0:4; {}", rows.join(", "))).expect("a text")
}

/// Runs the containers of a fixture's only pass through the layer.
fn by_layer(fixture: &Fixture, choices: &Choices, sizes: &[usize]) -> Result<(Outputs, Vec<Vec<u32>>)> {
    let pass = &fixture.passes[0];
    let container = |stage| std::fs::read(fixture.code_path(pass, stage, "dxil")).expect("a container");
    let code: Vec<_> = pass.stages.iter().map(|stage| Code::new(stage, &container(stage))).collect();
    let settings = vec![(c"stream_output", setting(choices))];
    execute(fixture, &code, sizes, &ContextOptions { dxil_layer: true, settings, ..ContextOptions::default() })
}

/// Runs the code of a fixture's only pass, with buffers of this many words.
fn execute(
    fixture: &Fixture,
    code: &[Code<'_>],
    sizes: &[usize],
    options: &ContextOptions,
) -> Result<(Outputs, Vec<Vec<u32>>)> {
    let context = Context::new(options)?;
    let mut program = Program::new(fixture, &context, code)?;
    if !sizes.is_empty() {
        program.capture = Some(Capture::new(&context, sizes)?);
    }
    program.submit()?;
    let captured = program.capture.as_ref().map(Capture::words).unwrap_or_default();
    Ok((program.outputs()?, captured))
}

/// Runs a fixture in all ways, whose results must be equal.
fn run(name: &str, choices: &Choices, caller: &Caller, sizes: &[usize]) -> Result<(Outputs, Vec<Vec<u32>>)> {
    let mut fixture = load(&tests_folder().join("fixtures").join(format!("{name}.hlsl")))?;
    let pass = &mut fixture.passes[0];
    pass.viewports = choices.viewports.unwrap_or(pass.viewports);
    if let Some(Views { count, .. }) = choices.views {
        (pass.views, pass.targets[0].layers) = (count, count);
    }
    let pass = &fixture.passes[0];
    let profile = lavapipe();
    let planned = plan_pass(&fixture, pass, &profile).map_err(|error| Error::Wrong(error.to_string()))?;
    let (mut own, mut through, mut patch_location) = (Vec::new(), Vec::new(), 0);
    for stage in &planned {
        let bytes = |words: Vec<u32>| -> Vec<u8> {
            dxil_validate::validate(&words, &profile).unwrap_or_else(|error| panic!("{name}: {error}"));
            let constants = choices.constants(&fixture).into_iter();
            let words = constants.fold(words, |words, (id, value)| specialised(words, id, value));
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        };
        let of = &pass.stages[stage.number];
        own.push(Code::new(of, &bytes(by_options(&fixture, stage, choices))));
        let words = by_interface(&fixture, stage, choices, caller, &mut patch_location);
        let mut code = Code::new(of, &bytes(words));
        code.rename(of.entry(), "main");
        through.push(code);
    }
    let alone = ContextOptions::default();
    let results = execute(&fixture, &own, sizes, &alone)?;
    let others = execute(&fixture, &through, sizes, &alone)?;
    assert_eq!(others, results, "{name}: the interface and the options differ");
    if !choices.streams.is_empty() {
        assert_eq!(by_layer(&fixture, choices, sizes)?, results, "{name}: the layer and the options differ");
    }
    Ok(results)
}

fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Vertices of six runs, each as its words.
fn vertex_shader(caller: &Caller) -> Result<()> {
    let choices = Choices::default()
        .stream("SV_Position", [0, 0, 0, 4, 32])
        .stream("PAIR", [0, 0, 0, 20, 32])
        .stream("WORDS", [4, 0, 2, 0, 32])
        .stream("ROWS", [0, 0, 2, 12, 32])
        .stream("ROWS", [1, 0, 2, 16, 32])
        .stream("SV_ClipDistance", [0, 0, 2, 20, 32]);
    let (_, captured) = run("stream/vertex", &choices, caller, &[64, 1, 64])?;
    let (mut first, mut third) = (Vec::new(), Vec::new());
    for instance in 0..2u32 {
        for id in 0..3u32 {
            let (x, y) = ((id as f32 * 4.0 + 1.0) / 8.0 - 1.0, instance as f32 - 0.5);
            let floats = [x, y, 0.5, 1.0, id as f32 * 0.5, instance as f32 - 2.0];
            first.extend([UNTOUCHED].into_iter().chain(floats.map(f32::to_bits)).chain([UNTOUCHED]));
            third.extend([id, instance * 16 + id, 7, u32::MAX - id, instance * 100]);
            third.extend([1.0, 2.0 + id as f32, 3.0 + instance as f32].map(f32::to_bits));
        }
    }
    for words in [&mut first, &mut third] {
        words.resize(64, UNTOUCHED);
    }
    assert_eq!(captured, [first, vec![UNTOUCHED], third]);
    Ok(())
}

/// Eight triangles that cover the domain, in an order that Vulkan leaves open.
fn domain_shader(caller: &Caller) -> Result<()> {
    let choices = Choices::default()
        .stream("PLACE", [0, 0, 1, 0, 36])
        .stream("SEED", [0, 0, 1, 8, 36])
        .stream("WEIGHT", [0, 0, 1, 16, 36])
        .stream("SV_Position", [0, 0, 1, 20, 36]);
    let (_, captured) = run("stream/domain", &choices, caller, &[1, 9 * 25])?;
    let vertices: Vec<&[u32]> = captured[1].chunks_exact(9).collect();
    assert_eq!(vertices[24], [UNTOUCHED; 9], "there are 24 vertices");
    let mut places = BTreeSet::new();
    for vertex in &vertices[..24] {
        let [u, v, weight] = [vertex[0], vertex[1], vertex[4]].map(float);
        assert_eq!(vertex[2..4], [7, 9]);
        assert_eq!(weight, (1.0 + u) + ((5.0 + 5.0 * u) - (1.0 + u)) * v);
        assert_eq!(vertex[5..], [u * 2.0 - 1.0, v * 2.0 - 1.0, 0.5, 1.0].map(f32::to_bits));
        places.insert([u, v].map(f32::to_bits));
    }
    let half = [0.0f32, 0.5, 1.0].map(f32::to_bits);
    assert_eq!(places, half.into_iter().flat_map(|u| half.map(|v| [u, v])).collect());
    let area = |corners: &[&[u32]]| {
        let at = |corner: usize, n: usize| float(corners[corner][n]);
        let side = |corner: usize, n: usize| at(corner, n) - at(0, n);
        (side(1, 0) * side(2, 1) - side(1, 1) * side(2, 0)) / 2.0
    };
    let areas: Vec<f32> = vertices[..24].chunks_exact(3).map(area).collect();
    assert!(areas.iter().all(|area| area.abs() == 0.125 && area.signum() == areas[0].signum()), "{areas:?}");
    Ok(())
}

/// Three streams, each in a buffer of its own.
fn geometry_shader(caller: &Caller) -> Result<()> {
    let choices = Choices::default()
        .stream("VALUES", [0, 0, 0, 8, 24])
        .stream("PAIR", [0, 1, 1, 0, 28])
        .stream("PLACE", [0, 1, 1, 8, 28])
        .stream("SV_ClipDistance", [0, 1, 1, 24, 28])
        .stream("ROWS", [0, 2, 3, 0, 24])
        .stream("ROWS", [1, 2, 3, 12, 24]);
    let (targets, captured) = run("stream/geometry", &choices, caller, &[18, 32, 1, 16])?;
    let (mut first, mut second, mut fourth) = (Vec::new(), Vec::new(), Vec::new());
    for id in 0..2u32 {
        first.extend([UNTOUCHED, UNTOUCHED, 7, 8, 100 + id, 1]);
        for i in 0..2u32 {
            second.extend([id, 10 + i]);
            second.extend([-0.75 + (id + i) as f32, 0.5, 0.5, 1.0, -1.0].map(f32::to_bits));
        }
        fourth.extend([id as f32, 1.0, 2.0, 3.0, 4.0, id as f32 + 0.5].map(f32::to_bits));
    }
    for (words, size) in [(&mut first, 18), (&mut second, 32), (&mut fourth, 16)] {
        words.resize(size, UNTOUCHED);
    }
    assert_eq!(captured, [first, second, vec![UNTOUCHED], fourth]);
    // The rasterizer sees the first stream as before.
    assert_eq!(targets[0].1, [7, 8, 100, 1, 0, 0, 0, 0, 7, 8, 101, 1, 0, 0, 0, 0]);
    Ok(())
}

/// A target gets the components in the order of the swizzle.
fn swizzles(caller: &Caller) -> Result<()> {
    let (plain, _) = run("stream/vertex", &Choices::default(), caller, &[])?;
    for swizzle in [0b00_11_10_01, 0b10_01_00_11, 0b00_01_10_11, 0b11_00_01_10] {
        let choices = Choices { swizzle: Some(swizzle), ..Choices::default() };
        let (swizzled, _) = run("stream/vertex", &choices, caller, &[])?;
        for (pixel, before) in swizzled[0].1.chunks_exact(4).zip(plain[0].1.chunks_exact(4)) {
            assert_eq!(pixel, [0, 2, 4, 6].map(|bit| before[usize::from(swizzle >> bit & 3)]), "{swizzle:#b}");
        }
    }
    Ok(())
}

/// Patch constants may begin anywhere above the control points.
fn patch_locations(caller: &Caller) -> Result<()> {
    let (plain, _) = run("tessellation/control_points", &Choices::default(), caller, &[])?;
    for location in [4, 21] {
        let choices = Choices { patch_location: Some(location), ..Choices::default() };
        let (moved, _) = run("tessellation/control_points", &choices, caller, &[])?;
        assert_eq!(moved, plain, "{location}");
    }
    let (beyond, _) = run("tessellation/many_rows", &Choices::default(), caller, &[])?;
    assert_eq!(beyond[0].1, [1517, 1718, 303, 3001].repeat(16));
    Ok(())
}

/// The number of samples may be a specialisation constant.
fn sample_counts(caller: &Caller) -> Result<()> {
    let (plain, _) = run("stages/target_samples_4", &Choices::default(), caller, &[])?;
    let choices = Choices { samples_constant: Some(7), ..Choices::default() };
    let (by_constant, _) = run("stages/target_samples_4", &choices, caller, &[])?;
    assert_eq!(by_constant, plain);
    assert_eq!(f32::from_bits(plain[0].1[0]), 4.0);
    Ok(())
}

/// A view is a view instance with a viewport, by two specialisation constants.
fn views(caller: &Caller) -> Result<()> {
    let views = Views { count: 3, values: [0x102, 0x132] };
    let choices = Choices { views: Some(views), ..Choices::default() };
    let (targets, _) = run("stages/view_instance", &choices, caller, &[])?;
    let pixels = (0..3).flat_map(|layer| (0..2 * 8).map(move |pixel| (layer, pixel % 8)));
    let seen = pixels.flat_map(|(layer, x)| {
        let [instance, viewport] = views.of(layer);
        if x / 2 == viewport { [instance * 3 + 1, instance, layer, 5] } else { [0; 4] }
    });
    assert_eq!(targets[0].1, seen.collect::<Vec<_>>());
    Ok(())
}

/// The viewport of an instance is added to the one that the last stage before the rasterizer
/// chooses, or is the one that it does not choose.
fn viewports_of_views(caller: &Caller) -> Result<()> {
    // Name, width of the target, viewports, the viewport of instance 0, and the component that has
    // the viewport.
    for (name, width, viewports, first, shown) in [
        ("stages/vertex_viewport", 16, 8, 4, Some(1)),
        ("geometry/viewports", 16, 8, 4, Some(1)),
        ("geometry/points_out", 8, 2, 1, None),
        ("stream/domain", 4, 4, 2, None),
    ] {
        let viewports_alone = Choices { viewports: Some(viewports), ..Choices::default() };
        let (plain, _) = run(name, &viewports_alone, caller, &[])?;
        let views = Some(Views { count: 2, values: [0x01, first] });
        let (seen, _) = run(name, &Choices { views, ..viewports_alone }, caller, &[])?;
        let plain: Vec<_> = plain[0].1.chunks_exact(4).collect();
        let (other, moved) = seen[0].1.split_at(plain.len() * 4);
        assert_eq!(other, plain.concat(), "{name}");
        let by = (width * first / viewports) as usize;
        for (at, pixel) in moved.chunks_exact(4).enumerate() {
            let mut expected = if at % width as usize >= by { plain[at - by].to_vec() } else { vec![0; 4] };
            if let Some(component) = shown.filter(|_| expected != [0; 4]) {
                expected[component] += first;
            }
            assert_eq!(pixel, expected, "{name}: pixel {at}");
        }
        assert!(moved.iter().any(|&word| word != 0), "{name}");
    }
    Ok(())
}

/// A check, with its name.
type Check = (&'static str, fn(&Caller) -> Result<()>);

const CHECKS: [Check; 8] = [
    ("stream output of a vertex shader", vertex_shader),
    ("stream output of a domain shader", domain_shader),
    ("stream output of a geometry shader", geometry_shader),
    ("swizzles of targets", swizzles),
    ("locations of patch constants", patch_locations),
    ("sample counts by specialisation", sample_counts),
    ("views that are view instances", views),
    ("viewports of view instances", viewports_of_views),
];

fn main() -> ExitCode {
    let _ = Arguments::parse();
    let environment = layer::build().and_then(|folder| layer::loader_environment(&Driver::Lavapipe, Some(&folder)));
    let environment = match environment {
        Ok(environment) => environment,
        Err(error) => {
            println!("nothing runs: {error}");
            return ExitCode::SUCCESS;
        }
    };
    set_environment(environment);
    let caller = Caller::new("outputs");
    let mut failed = false;
    for (name, check) in CHECKS {
        match check(&caller) {
            Ok(()) => println!("{name}: passed"),
            Err(Error::Skip(reason)) => println!("{name}: skipped: {reason}"),
            Err(error) => {
                failed = true;
                println!("{name}: FAILED: {error}");
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
