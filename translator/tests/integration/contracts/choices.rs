//! Contracts of choices that change decorations and names, and no other instruction.

use dxil_test_support::spirv::string;
use dxil_translator::{PlannedEntry, StreamOutput, Swizzle, translate_library};

use super::*;

/// The instructions of a module without those decorations, and how many there were.
fn without(words: &[u32], decoration: Decoration) -> (Vec<(u32, Vec<u32>)>, Vec<u32>) {
    let is_left =
        |(op, operands): &(u32, &[u32])| *op == Op::Decorate as u32 && operands.get(1) == Some(&(decoration as u32));
    let (left, others): (Vec<_>, Vec<_>) = instructions(words).partition(is_left);
    let targets = left.iter().map(|(_, operands)| operands[0]).collect();
    (others.into_iter().map(|(op, operands)| (op, operands.to_vec())).collect(), targets)
}

#[test]
fn positions_are_invariant_where_a_stage_writes_them() {
    for (name, written) in [
        ("graphics/discard.vs", 1),
        ("tessellation/tri_fractional_odd.ds", 1),
        ("geometry/streams.gs", 1),
        ("mesh/attributes.ms", 1),
        ("stages/centroid_position.ps", 0),
    ] {
        let path = format!("../tests/fixtures/{name}.dxil");
        let profile = DeviceProfile::named("everything").unwrap();
        let change = |options: &mut Options| options.pipeline.samples = 4;
        let plain = run(&path, &profile, change).expect(name);
        let invariant = run(&path, &profile, |options| {
            change(options);
            options.invariant_position = true;
        });
        let (others, targets) = without(&invariant.expect(name).words, Decoration::Invariant);
        assert_eq!((others, targets.len()), (without(&plain.words, Decoration::Invariant).0, written), "{name}");
    }
}

/// Each result of arithmetic with floats has the decoration once, also where the shader asks for
/// it.
#[test]
fn precise_is_said_of_all_arithmetic_with_floats() {
    let profile = DeviceProfile::named("everything").unwrap();
    for name in ["arithmetic/float_basic", "arithmetic/float_precise", "arithmetic/float_mad", "graphics/evaluate.ps"] {
        let path = format!("../tests/fixtures/{name}.dxil");
        let plain = run(&path, &profile, |_| ()).expect(name);
        let precise = run(&path, &profile, |options| options.precise = true).expect(name);
        let (others, mut targets) = without(&precise.words, Decoration::NoContraction);
        assert_eq!(others, without(&plain.words, Decoration::NoContraction).0, "{name}");
        use Op::{Dot, ExtInst, FAdd, FDiv, FMod, FMul, FNegate, FRem, FSub};
        let arithmetic = [Dot, FAdd, FDiv, FMod, FMul, FNegate, FRem, FSub].map(|op| op as u32);
        let results = |wanted: &dyn Fn(u32) -> bool| -> Vec<u32> {
            others.iter().filter(|(op, _)| wanted(*op)).map(|(_, operands)| operands[1]).collect()
        };
        let mut expected = results(&|op| arithmetic.contains(&op));
        // Fused operations have it in any case.
        let extended = results(&|op| op == ExtInst as u32);
        targets.retain(|target| !extended.contains(target));
        targets.sort_unstable();
        expected.sort_unstable();
        assert_eq!(targets, expected, "{name}");
    }
}

#[test]
fn an_entry_point_has_the_name_that_is_asked_for() {
    let path = "../tests/fixtures/graphics/discard.vs.dxil";
    let named = |name: &str| {
        let module = run(path, &VULKAN_1_3_DESKTOP, |options| options.entry_point_name = Some(name.into()));
        let words = module.expect(name).words;
        let (_, entry) = instructions(&words).find(|(op, _)| *op == Op::EntryPoint as u32).unwrap();
        (string(&entry[2..]), words)
    };
    let (short, words) = named("m");
    let (long, others) = named("a name of several words");
    assert_eq!((&*short, &*long), ("m", "a name of several words"));
    let plain = |words: &[u32]| -> Vec<_> {
        let all = instructions(words).filter(|(op, _)| *op != Op::EntryPoint as u32);
        all.map(|(op, operands)| (op, operands.to_vec())).collect()
    };
    assert_eq!(plain(&words), plain(&others));
}

#[test]
fn entry_points_of_one_module_do_not_share_a_name() {
    let shader = Shader::parse(&read("../tests/fixtures/stages/library.dxil")).unwrap();
    let stages: Vec<_> = shader.entries().map(|(entry, _)| PipelineStage::new(&shader, entry)).collect();
    let profile = DeviceProfile::named("everything").unwrap();
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let bindings = BindingOptions::new(Model::Register, shifts);
    let plans = plan(&stages, &PlanInputs::new(&profile).with_options(bindings)).unwrap().stages;
    let entries: Vec<_> = stages.iter().zip(&plans).map(|(stage, plan)| PlannedEntry::new(stage.entry, plan)).collect();
    assert!(entries.len() > 1);
    let mut options = Options::new(profile.clone());
    options.entry_point_name = Some("main".into());
    let error = translate_library(&shader, &entries, &options).map(|_| ()).unwrap_err();
    assert!(error.message().contains("cannot all have the name `main`"), "{error}");
}

/// Translates a fixture whose outputs go to buffers: semantic, index, stream, buffer, offset,
/// stride.
fn captured(name: &str, profile: &DeviceProfile, rows: &[(&str, [u32; 5])]) -> Result<Module, Error> {
    run(&format!("../tests/fixtures/{name}.dxil"), profile, |options| {
        let row = |&(semantic, [index, stream, buffer, offset, stride]): &(&str, [u32; 5])| {
            let mut output = StreamOutput::new(semantic, index, buffer, offset, stride);
            output.stream = stream;
            output
        };
        options.pipeline.stream_output = Some(rows.iter().map(row).collect());
    })
}

#[test]
fn stream_output_needs_transform_feedback_and_streams() {
    let with = desktop(&[Feature::TransformFeedback], &[]);
    let position = [("sv_position", [0, 0, 0, 0, 16])];
    let module = captured("stream/vertex.vs", &with, &position).expect("captured");
    module.needs(&[Capability::TransformFeedback]).forbids(&[Capability::GeometryStreams]);
    assert!(module.modes.contains(&(ExecutionMode::Xfb as u32)));
    let each = [Decoration::XfbBuffer, Decoration::XfbStride, Decoration::Offset, Decoration::Stream];
    assert_eq!(each.map(|decoration| module.decorated(decoration)), [1, 1, 1, 0]);
    missing(captured("stream/vertex.vs", &desktop(&[], &[]), &position), Feature::TransformFeedback);
    // Nothing is said of a stage without such outputs.
    let plain = captured("stream/vertex.vs", &desktop(&[], &[]), &[]).expect("plain");
    assert!(!plain.modes.contains(&(ExecutionMode::Xfb as u32)));

    let second = [("PAIR", [0, 1, 0, 0, 8])];
    missing(captured("stream/geometry.gs", &with, &second), Feature::GeometryStreams);
    let streams = desktop(&[Feature::TransformFeedback, Feature::GeometryStreams], &[]);
    let module = captured("stream/geometry.gs", &streams, &second).expect("two streams");
    module.needs(&[Capability::GeometryStreams]);
    // Two vertices of the second stream are emitted, and one of the first. Nothing sees the third.
    let emitted = [Op::EmitStreamVertex, Op::EmitVertex].map(|op| module.count(op));
    assert_eq!((emitted, module.decorated(Decoration::Stream)), ([3, 0], 1));
}

#[test]
fn wrong_places_of_stream_output_are_named() {
    let profile = DeviceProfile::named("everything").unwrap();
    let refused = |name: &str, rows: &[(&str, [u32; 5])]| {
        let error = captured(name, &profile, rows).map(|_| ()).unwrap_err();
        (error.kind(), error.message().to_owned())
    };
    use ErrorKind::{Binding, Limit, Unsupported};
    for (rows, kind, said) in [
        (
            &[("NONE", [0, 0, 0, 0, 16])][..],
            Binding,
            "`NONE0` of stream 0 is written to a buffer, and the shader does not",
        ),
        (&[("PAIR", [1, 0, 0, 0, 16])], Binding, "`PAIR1`"),
        (&[("PAIR", [0, 1, 0, 0, 16])], Binding, "`PAIR0` of stream 1"),
        (&[("PAIR", [0, 0, 0, 0, 16]), ("PAIR", [0, 0, 1, 0, 16])], Binding, "is written twice"),
        (&[("PAIR", [0, 0, 4, 0, 16])], Binding, "a buffer whose number is above 3"),
        (&[("PAIR", [0, 0, 0, 0, 2052])], Binding, "more than 2048 bytes"),
        (&[("PAIR", [0, 0, 0, 2, 16])], Binding, "not at a multiple of four"),
        (&[("PAIR", [0, 0, 0, 0, 18])], Binding, "not at a multiple of four"),
        (&[("PAIR", [0, 0, 0, 12, 16])], Binding, "ends behind its vertex"),
        (&[("PAIR", [0, 0, 0, u32::MAX - 3, 16])], Binding, "ends behind its vertex"),
        (
            &[("PAIR", [0, 0, 0, 0, 32]), ("WORDS", [4, 0, 0, 4, 32])],
            Binding,
            "several outputs are at byte 4 of buffer 0",
        ),
        (&[("PAIR", [0, 0, 0, 0, 32]), ("WORDS", [4, 0, 0, 8, 28])], Binding, "a buffer has one stream and one stride"),
        (&[("ROWS", [1, 0, 0, 0, 16])], Unsupported, "the 2 rows of `ROWS` are one variable"),
        (&[("ROWS", [0, 0, 0, 4, 16]), ("ROWS", [1, 0, 0, 0, 16])], Unsupported, "the 2 rows of `ROWS`"),
        (&[("PAIR", [0, 0, 0, 0, 16]); 513], Limit, "rows of stream output"),
    ] {
        let (found, message) = refused("stream/vertex.vs", rows);
        assert!(found == kind && message.contains(said), "{said}: {found:?} {message}");
    }
    let (kind, message) = refused("stream/vertex.ps", &[("SV_Target", [0, 0, 0, 0, 16])]);
    assert!(kind == Unsupported && message.contains("stream output of a pixel shader"), "{message}");
    let streams = [("VALUES", [0, 0, 0, 0, 24]), ("PAIR", [0, 1, 0, 16, 24])];
    assert!(refused("stream/geometry.gs", &streams).1.contains("a buffer has one stream"));
    // Outputs of 16 bits have 32 in D3D's buffers.
    let (kind, message) = refused("graphics/evaluate_half.vs", &[("PLACE", [0, 0, 0, 0, 16])]);
    assert!(kind == Binding && message.contains("which has 16 bits"), "{message}");
}

#[test]
fn a_swizzle_needs_all_components_of_a_target() {
    let profile = VULKAN_1_3_DESKTOP;
    let path = "../tests/fixtures/stream/vertex.ps.dxil";
    let stores = |swizzle: &str| {
        let module = run(path, &profile, |options| options.pipeline.output_swizzles[0] = swizzle.parse().unwrap());
        module.expect(swizzle).count(Op::Store)
    };
    // In its own order the target is stored as a vector. Otherwise each component that the shader
    // writes goes to each place that names it.
    assert_eq!([stores("xyzw"), stores("wzyx"), stores("xxyw"), stores("yyyy")], [1, 4, 4, 4]);
    for text in ["", "xyz", "xyzwx", "rgba"] {
        let wrong = text.parse::<Swizzle>().unwrap_err();
        assert!(wrong.contains("four of the letters x, y, z and w"), "{wrong}");
    }
}
