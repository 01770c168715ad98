//! Contracts of choices that change decorations and names, and no other instruction.

use dxil_translator::{PlannedEntry, translate_library};

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

/// Each result of arithmetic with floats has the decoration once, also where the shader asks for it.
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
        let bytes: Vec<u8> = entry[2..].iter().flat_map(|word| word.to_le_bytes()).take_while(|&b| b != 0).collect();
        (String::from_utf8(bytes).unwrap(), words)
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
