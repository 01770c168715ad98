//! What translations say of the source: lines, variables, the places of errors.
//!
//! The fixtures of the group `debug` run on drivers with this information. Here it is compared with
//! the metadata that the compiler wrote, read by the reader of bitcode alone.

use std::collections::{BTreeMap, BTreeSet};

use dxil_base::entity::Entity;
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;
use dxil_spirv_builder::DebugOp;
use dxil_test_support::{Random, repository, spirv};
use dxil_translator::container::{Container, FourCc, container_in_pdb};
use dxil_translator::{
    BindingOptions, Debug, DeviceProfile, EntryId, Feature, Model, Options, PipelineStage, PlanInputs, RegisterShifts,
    Shader, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, plan, translate,
};
use rspirv::spirv::Op;

/// The container of a fixture.
fn fixture(name: &str) -> Vec<u8> {
    dxil_test_support::read(repository().join(format!("tests/fixtures/{name}.dxil")))
}

/// The fixtures with debug information in the container.
const FIXTURES: [&str; 24] = [
    "debug/calls",
    "debug/conditions",
    "debug/doubles",
    "debug/early_return",
    "debug/floats",
    "debug/inlined",
    "debug/lines",
    "debug/long_numbers",
    "debug/loops",
    "debug/matrices",
    "debug/nested_structures",
    "debug/optimised",
    "debug/shared_memory",
    "debug/short_numbers",
    "debug/statics",
    "debug/statics_optimised",
    "debug/structures",
    "debug/switches",
    "debug/templates",
    "debug/unoptimised",
    "debug/unrolled",
    "debug/vector_arrays",
    "debug/vector_arrays_optimised",
    "debug/vectors",
];

fn options(debug: Debug) -> Options {
    let mut options = Options::new(VULKAN_1_3_DESKTOP);
    for feature in [Feature::Float64, Feature::Int64, Feature::Int16, Feature::Float16] {
        options.profile.features.set(feature, true);
    }
    options.debug = debug;
    options
}

fn words_of(bytes: &[u8], options: &Options) -> dxil_translator::Result<Vec<u32>> {
    words_of_shader(&Shader::parse(bytes)?, options)
}

fn words_of_shader(shader: &Shader, options: &Options) -> dxil_translator::Result<Vec<u32>> {
    let stages = [PipelineStage::new(shader, EntryId::FIRST)];
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let binding = BindingOptions::new(Model::Register, shifts);
    let plan = plan(&stages, &PlanInputs::new(&options.profile).with_options(binding))?;
    Ok(translate(shader, EntryId::FIRST, &plan.stages[0], options)?.words)
}

fn words(name: &str, debug: Debug) -> Vec<u32> {
    words_of(&fixture(name), &options(debug)).unwrap()
}

/// The instructions of a module with their opcodes.
fn instructions(words: &[u32]) -> Vec<(Op, &[u32])> {
    spirv::instructions(words).map(|(op, operands)| (Op::from_u32(op).unwrap(), operands)).collect()
}

/// The strings and the 32-bit constants of a module by their ids.
fn names(words: &[u32]) -> (BTreeMap<u32, String>, BTreeMap<u32, u32>) {
    let (mut strings, mut constants) = (BTreeMap::new(), BTreeMap::new());
    for (op, operands) in instructions(words) {
        match (op, operands) {
            (Op::String, [id, text @ ..]) => drop(strings.insert(*id, spirv::string(text))),
            (Op::Constant, &[_, id, value]) => drop(constants.insert(id, value)),
            _ => {}
        }
    }
    (strings, constants)
}

/// The number of the instruction set of debug information.
fn set_of(words: &[u32]) -> Option<u32> {
    let is_set = |operands: &[u32]| operands.get(1) == Some(&u32::from_le_bytes(*b"NonS"));
    instructions(words).into_iter().find(|(op, o)| *op == Op::ExtInstImport && is_set(o)).map(|(_, o)| o[0])
}

/// An instruction that says something of the source, and its operands.
fn debug_inst(set: Option<u32>, op: Op, operands: &[u32]) -> Option<(DebugOp, &[u32])> {
    match operands {
        [_, _, of, number, rest @ ..] if op == Op::ExtInst && Some(*of) == set => {
            Some((DebugOp::from_u32(*number).unwrap(), rest))
        }
        _ => None,
    }
}

/// What the bodies of functions do: their opcodes without those that compute a value of others, and
/// the number of these. Variables need components and pointers, which do not count.
fn code(words: &[u32]) -> (Vec<Op>, usize) {
    let (set, mut effects, mut values) = (set_of(words), Vec::new(), 0);
    for (op, operands) in instructions(words).into_iter().skip_while(|(op, _)| *op != Op::Function) {
        match op {
            Op::Line | Op::CompositeExtract | Op::AccessChain => {}
            _ if debug_inst(set, op, operands).is_some() => {}
            // Conversions, arithmetic, comparisons and bit operations.
            _ if (Op::ConvertFToU as u32..=Op::BitCount as u32).contains(&(op as u32)) => values += 1,
            _ => effects.push(op),
        }
    }
    (effects, values)
}

/// Whether two modules do the same. Which equal values they share depends on ids.
fn assert_same(with: &[u32], plain: &[u32], case: &str) {
    let ((with, with_values), (plain, values)) = (code(with), code(plain));
    assert_eq!(with, plain, "{case}");
    assert!(with_values.abs_diff(values) * 20 <= values, "{case}: {with_values} values, not {values}");
}

#[test]
fn debug_information_changes_no_code() {
    for name in FIXTURES {
        let plain = words(name, Debug::None);
        assert_eq!(set_of(&plain), None);
        assert!(!instructions(&plain).iter().any(|(op, _)| matches!(op, Op::Line | Op::String | Op::Source)), "{name}");
        for debug in [Debug::Lines, Debug::Full] {
            assert_same(&words(name, debug), &plain, &format!("{name} {debug:?}"));
        }
    }
}

/// The program with debug information.
fn debug_module(bytes: &[u8]) -> bitcode::Module {
    let container = Container::parse(bytes).unwrap();
    let part = container.debug_program().unwrap().unwrap().bitcode;
    bitcode::read_with_debug(part, &Fuel::new(Default::default(), part.len())).unwrap()
}

/// The lines and columns that the compiler gave to instructions which compute something.
fn compiled_lines(bytes: &[u8]) -> BTreeSet<(u32, u32)> {
    let module = debug_module(bytes);
    let mut lines = BTreeSet::new();
    for body in module.functions.values().filter_map(|function| function.body.as_ref()) {
        for &(inst, location) in &body.locations {
            let computes = match body.insts[inst].inst {
                bitcode::Inst::Call { callee, .. } => {
                    let bitcode::ValueDef::Function(function) = module.value(Some(body), callee).unwrap().def else {
                        panic!("a call of no function")
                    };
                    let name = module.text(module.functions[function].name);
                    !name.starts_with("llvm.") && !name.contains("createHandle")
                }
                bitcode::Inst::Binary { .. } | bitcode::Inst::Cmp { .. } | bitcode::Inst::Store { .. } => true,
                _ => false,
            };
            if computes && location.line != 0 {
                lines.insert((location.line, location.column));
            }
        }
    }
    lines
}

/// The lines and columns of a translation, and how many of its instructions have one.
fn written_lines(words: &[u32]) -> (BTreeSet<(u32, u32)>, usize, usize) {
    let (set, (_, constants)) = (set_of(words), names(words));
    let (mut lines, mut here, mut with, mut all, mut inside) = (BTreeSet::new(), None, 0, 0, false);
    for (op, operands) in instructions(words) {
        match (op, debug_inst(set, op, operands)) {
            (Op::Label | Op::FunctionEnd, _) => (inside, here) = (op == Op::Label, None),
            (Op::Line, _) => here = Some((operands[1], operands[2])),
            (_, Some((DebugOp::DebugLine, o))) => here = Some((constants[&o[1]], constants[&o[3]])),
            (_, Some(_)) | (Op::Phi | Op::Variable | Op::NoLine, _) => {}
            _ if inside => {
                (with, all) = (with + usize::from(here.is_some()), all + 1);
                lines.extend(here);
            }
            _ => {}
        }
    }
    (lines, with, all)
}

/// A value that is shared has the place of the first one, so some places are lost.
#[test]
fn instructions_have_the_lines_of_the_compiler() {
    let mut total = [0, 0];
    for name in FIXTURES {
        let expected = compiled_lines(&fixture(name));
        assert!(expected.len() > 4, "{name}: {expected:?}");
        for debug in [Debug::Lines, Debug::Full] {
            let (lines, with, all) = written_lines(&words(name, debug));
            assert!(with * 100 >= all * 95, "{name} {debug:?}: {with} of {all} instructions have a line");
            let kept = expected.intersection(&lines).count();
            let missing: Vec<_> = expected.difference(&lines).collect();
            assert!(kept * 100 >= expected.len() * 90, "{name} {debug:?}: missing {missing:?}");
            total = [total[0] + kept, total[1] + expected.len()];
        }
    }
    assert!(total[0] * 100 >= total[1] * 95, "{} of {} places are kept", total[0], total[1]);
}

/// The name of the variable that a part has in its name. The compiler divides static structures
/// too.
fn whole(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

/// The names of the variables to which the compiler gives values. Undefined ones are none.
fn compiled_variables(bytes: &[u8]) -> BTreeSet<String> {
    let module = debug_module(bytes);
    let mut found = BTreeSet::new();
    for body in module.functions.values().filter_map(|function| function.body.as_ref()) {
        for inst in body.insts.values() {
            let bitcode::Inst::Call { callee, args, .. } = inst.inst else { continue };
            let Some(bitcode::ValueDef::Function(function)) = module.value(Some(body), callee).map(|v| v.def) else {
                continue;
            };
            let name = module.text(module.functions[function].name);
            let at = match &*name {
                "llvm.dbg.value" => 2,
                "llvm.dbg.declare" => 1,
                _ => continue,
            };
            let given = body.operands[args][0];
            let Some(bitcode::ValueDef::Metadata(given)) = module.value(Some(body), given).map(|value| value.def)
            else {
                panic!("a value is no metadata")
            };
            if let Some(bitcode::Metadata::Value(value)) = module.metadata(Some(body), given)
                && let Some(bitcode::ValueDef::Constant(constant)) = module.value(Some(body), value).map(|v| v.def)
                && matches!(module.constants.get(constant), Some(bitcode::Constant::Undef))
            {
                continue;
            }
            let variable = body.operands[args][at];
            let Some(bitcode::ValueDef::Metadata(node)) = module.value(Some(body), variable).map(|v| v.def) else {
                panic!("a variable is no metadata")
            };
            let Some(bitcode::Metadata::Debug { operands, .. }) = module.metadata(Some(body), node) else {
                panic!("a variable is no debug node")
            };
            // The number of a string's node, plus one.
            let name = bitcode::MetadataId::new(module.debug_operands[operands][3] as usize - 1);
            let Some(bitcode::Metadata::String(name)) = module.metadata(None, name) else { panic!("no name") };
            found.insert(whole(&module.text(name)).to_owned());
        }
    }
    found
}

/// The variables of a translation that have a value or a place in memory.
fn written_variables(words: &[u32]) -> BTreeSet<String> {
    let (set, (strings, _)) = (set_of(words), names(words));
    let (mut variables, mut found) = (BTreeMap::new(), BTreeSet::new());
    for (op, operands) in instructions(words) {
        match debug_inst(set, op, operands) {
            Some((DebugOp::DebugLocalVariable, o)) => drop(variables.insert(operands[1], &strings[&o[0]])),
            Some((DebugOp::DebugValue | DebugOp::DebugDeclare, o)) => {
                found.insert(whole(variables[&o[0]]).to_owned());
            }
            _ => {}
        }
    }
    found
}

#[test]
fn variables_have_values() {
    for name in FIXTURES {
        let expected = compiled_variables(&fixture(name));
        assert!(!expected.is_empty(), "{name}");
        assert_eq!(written_variables(&words(name, Debug::Full)), expected, "{name}");
    }
}

/// No indexes of a value end with those of another value of the same variable, and what is divided
/// has the names by which debuggers show parts.
#[test]
fn variables_are_divided_where_their_numbers_are_at_different_depths() {
    let words = words("debug/nested_structures", Debug::Full);
    let (set, (strings, constants)) = (set_of(&words), names(&words));
    let (mut variables, mut paths) = (BTreeMap::new(), BTreeMap::<u32, BTreeSet<Vec<u32>>>::new());
    for (op, operands) in instructions(&words) {
        match debug_inst(set, op, operands) {
            Some((DebugOp::DebugLocalVariable, o)) => drop(variables.insert(operands[1], &*strings[&o[0]])),
            Some((DebugOp::DebugValue, o)) => {
                let path = o[3..].iter().map(|index| constants[index]).collect();
                paths.entry(o[0]).or_default().insert(path);
            }
            _ => {}
        }
    }
    let names = BTreeSet::from_iter(variables.values().copied());
    for name in ["w", "flat.p", "flat.r", "deep.f.in1.k", "deep.f.in1.at", "deep.pad", "many[0].p", "many[2].r"] {
        assert!(names.contains(name), "{name} is not in {names:?}");
    }
    assert!(
        !names.iter().any(|name| ["flat", "deep", "deep.f", "many", "many[1]", "flat.p.x"].contains(name)),
        "{names:?}"
    );
    for (variable, paths) in &paths {
        for (one, other) in paths.iter().flat_map(|one| paths.iter().map(move |other| (one, other))) {
            assert!(one == other || !one.ends_with(other), "{}: {one:?} {other:?}", variables[variable]);
        }
    }
}

/// The fixtures, or the folder of the environment variable `DEBUG_CONTENT`: the content and the
/// corpus, which `scripts/debug-content.py` compiles with debug information at `-Od` and `-O3`.
#[test]
fn content_keeps_lines_and_variables() {
    let fixtures = || repository().join("tests/fixtures/debug");
    let folder = std::env::var_os("DEBUG_CONTENT").map_or_else(fixtures, Into::into);
    let mut options = options(Debug::Full);
    Feature::ALL.iter().for_each(|&feature| options.profile.features.set(feature, true));
    options.pipeline.samples = 4;
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "dxil")).collect();
    files.retain(|path| {
        let bytes = dxil_test_support::read(path);
        Container::parse(&bytes).unwrap().part(FourCc::ILDB).is_some()
    });
    files.sort();
    assert!(!files.is_empty());
    let [mut lines_of, mut places_of, mut variables_of] = [[0; 2]; 3];
    for path in &files {
        let (bytes, name) = (dxil_test_support::read(path), path.display());
        let words = words_of(&bytes, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (expected, (lines, with, all)) = (compiled_lines(&bytes), written_lines(&words));
        if with * 100 < all * 95 {
            println!("{name}: {with} of {all} instructions have a line");
        }
        let (compiled, written) = (compiled_variables(&bytes), written_variables(&words));
        let missing: Vec<_> = compiled.difference(&written).collect();
        if !missing.is_empty() {
            println!("{name}: no values of {missing:?}");
        }
        for (sum, part, whole) in [
            (&mut lines_of, with, all),
            (&mut places_of, expected.intersection(&lines).count(), expected.len()),
            (&mut variables_of, compiled.len() - missing.len(), compiled.len()),
        ] {
            *sum = [sum[0] + part, sum[1] + whole];
        }
    }
    let part = |[part, whole]: [usize; 2]| part as f64 / whole.max(1) as f64;
    for (what, sum, least) in
        [("instructions have a line", lines_of, 0.99), ("places", places_of, 0.97), ("variables", variables_of, 0.999)]
    {
        println!("{} shaders: {:.2} % of {} {what}", files.len(), part(sum) * 100.0, sum[1]);
        assert!(part(sum) >= least, "{what}: {sum:?}");
    }
}

#[test]
fn resources_and_groupshared_variables_are_described() {
    let words = words("debug/shared_memory", Debug::Full);
    let (set, (strings, _)) = (set_of(&words), names(&words));
    let all = instructions(&words).into_iter().filter_map(|(op, operands)| debug_inst(set, op, operands));
    let globals = all.filter(|(op, _)| *op == DebugOp::DebugGlobalVariable);
    let globals: BTreeSet<&str> = globals.map(|(_, o)| &*strings[&o[0]]).collect();
    assert_eq!(globals, BTreeSet::from(["input", "results", "cells", "counter"]));
}

#[test]
fn sources_are_embedded() {
    for (name, debug) in [("debug/optimised", Debug::Lines), ("debug/optimised", Debug::Full)] {
        let source =
            String::from_utf8(dxil_test_support::read(repository().join(format!("tests/fixtures/{name}.hlsl"))))
                .unwrap();
        let words = words(name, debug);
        let (strings, _) = names(&words);
        match debug {
            Debug::Full => assert!(strings.values().any(|text| *text == source)),
            _ => {
                let all = instructions(&words);
                let source_of = all.iter().find(|(op, _)| *op == Op::Source).expect("OpSource").1;
                assert_eq!(spirv::string(&source_of[3..]), source);
            }
        }
        assert!(strings.values().any(|text| text.ends_with("optimised.hlsl")));
    }
}

/// What is said of the source costs, and is never why a shader is refused.
#[test]
fn a_budget_that_is_enough_for_the_code_is_enough() {
    let bytes = fixture("debug/optimised");
    let mut options = options(Debug::None);
    let plain = words_of(&bytes, &options).unwrap();
    let enough = |bytes_left: u64| {
        let mut options = options.clone();
        options.budget.bytes = bytes_left;
        words_of(&bytes, &options).is_ok()
    };
    let least =
        (0..24).rev().map(|bit| 1 << bit).fold(0, |low, step| if enough(low + step) { low } else { low + step });
    options.budget.bytes = least + 1;
    options.debug = Debug::Full;
    assert_eq!(words_of(&bytes, &options).unwrap(), plain);
    options.budget = Default::default();
    assert!(words_of(&bytes, &options).unwrap().len() > 2 * plain.len());
}

/// Without non-semantic instructions on the device, lines are what is left.
#[test]
fn devices_without_non_semantic_instructions_get_lines() {
    let mut options = Options::new(VULKAN_1_1_FLOOR);
    options.debug = Debug::Full;
    let words = words_of(&fixture("debug/lines"), &options).unwrap();
    assert_eq!(set_of(&words), None);
    assert!(instructions(&words).iter().any(|(op, _)| *op == Op::Line));
}

#[test]
fn shaders_without_debug_information_say_so() {
    let bytes = fixture("control/short_circuit");
    let shader = Shader::parse(&bytes).unwrap();
    let warning = shader.debug_warning().unwrap();
    assert_eq!(warning, "the container has no debug information; compile with `-Zi -Qembed_debug`");
    assert_eq!(words_of(&bytes, &options(Debug::Full)).unwrap(), words_of(&bytes, &options(Debug::None)).unwrap());
    assert_eq!(Shader::parse(&fixture("debug/lines")).unwrap().debug_warning(), None);
}

#[test]
fn errors_name_the_line_of_the_source() {
    let mut options = Options::new(VULKAN_1_1_FLOOR);
    for debug in Debug::ALL {
        options.debug = debug;
        let error = words_of(&fixture("debug/doubles"), &options).unwrap_err().to_string();
        let line = include_str!("../../../tests/fixtures/debug/doubles.hlsl")
            .lines()
            .position(|line| line.contains("(double)asfloat"))
            .unwrap();
        let place = format!("doubles.hlsl:{}:", line + 1);
        assert!(error.contains(&place), "{error}");
        assert!(error.contains(" (function "), "{error}");
    }
}

#[test]
fn errors_name_resources_as_the_source_does() {
    let bytes = fixture("debug/optimised");
    let shader = Shader::parse(&bytes).unwrap();
    let stages = [PipelineStage::new(&shader, EntryId::FIRST)];
    let binding = BindingOptions::new(Model::Register, RegisterShifts::default());
    let error = plan(&stages, &PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(binding)).unwrap_err().to_string();
    for name in ["\"frame\"", "\"input\"", "\"results\""] {
        assert!(error.contains(name), "{error}");
    }
}

/// Debug information from anywhere never makes a translation fail, and never changes its code.
#[test]
fn faulty_debug_information_is_harmless() {
    let original = fixture("debug/unoptimised");
    let container = Container::parse(&original).unwrap();
    let part = container.part(FourCc::ILDB).unwrap();
    let at = original.windows(part.data.len()).position(|window| window == part.data).unwrap();
    let range = at..at + part.data.len();
    let plain = words("debug/unoptimised", Debug::None);
    let (mut with, mut without) = (0, 0);
    for case in 0..400 {
        let (mut random, mut bytes) = (Random::from_case(33, case), original.clone());
        for _ in 0..1 + random.below(4u32) {
            let bit = random.below(range.len() * 8);
            bytes[range.start + bit / 8] ^= 1 << (bit % 8);
        }
        let words = words_of(&bytes, &options(Debug::Full)).unwrap();
        assert_same(&words, &plain, &format!("case {case}"));
        match set_of(&words) {
            Some(_) => with += 1,
            None => without += 1,
        }
    }
    assert!(with > 20 && without > 20, "{with} with, {without} without");
}

/// A file beside a fixture's container.
fn pdb(name: &str) -> Vec<u8> {
    dxil_test_support::read(repository().join(format!("tests/fixtures/debug/{name}.pdb")))
}

/// A fixture's shader with the debug information of its PDB.
fn with_pdb(name: &str, pdb: &[u8]) -> Shader {
    let mut shader = Shader::parse(&fixture(&format!("debug/{name}"))).unwrap();
    shader.add_pdb(pdb).unwrap();
    shader
}

fn source_of(name: &str) -> String {
    let path = repository().join(format!("tests/fixtures/debug/{name}.hlsl"));
    String::from_utf8(dxil_test_support::read(path)).unwrap()
}

#[test]
fn a_pdb_has_what_the_container_has_not() {
    let alone = Shader::parse(&fixture("debug/in_pdb")).unwrap();
    assert_eq!(alone.pdb_name(), Some("in_pdb.pdb"));
    let warning = alone.debug_warning().unwrap();
    assert!(warning.contains("to the file `in_pdb.pdb`; name its folder with `--pdb-path`"), "{warning}");

    let shader = with_pdb("in_pdb", &pdb("in_pdb"));
    assert_eq!((shader.debug_warning(), shader.pdb_name()), (None, None));
    let words = words_of_shader(&shader, &options(Debug::Full)).unwrap();
    let container = container_in_pdb(&pdb("in_pdb")).unwrap();
    let (expected, (lines, with, all)) = (compiled_lines(&container), written_lines(&words));
    assert!(expected.len() > 4 && expected.is_subset(&lines), "{expected:?} {lines:?}");
    assert!(with * 100 >= all * 95, "{with} of {all} instructions have a line");
    assert_eq!(written_variables(&words), compiled_variables(&container));
    // The compiler keeps the texts of files beside the module.
    let (strings, _) = names(&words);
    for name in ["in_pdb", "lines"] {
        assert!(strings.values().any(|text| *text == source_of(name)), "{strings:?}");
        assert!(strings.values().any(|text| text.ends_with(&format!("{name}.hlsl"))), "{strings:?}");
    }
    let plain = words_of_shader(&alone, &options(Debug::Full)).unwrap();
    assert_eq!(code(&words), code(&plain));
    assert_eq!(words_of_shader(&shader, &options(Debug::None)).unwrap(), plain);
}

#[test]
fn a_pdb_with_sources_alone_says_so() {
    let shader = with_pdb("sources_in_pdb", &pdb("sources_in_pdb"));
    let warning = shader.debug_warning().unwrap();
    assert!(warning.contains("as the compiler writes it with `-Zs`; compile with `-Zi`"), "{warning}");
    let files = shader.source_files();
    let files: Vec<_> = files.iter().map(|file| (&*file.name, &*file.text)).collect();
    let sources = ["sources_in_pdb", "lines"].map(source_of);
    assert_eq!(files, [("sources_in_pdb.hlsl", &*sources[0]), ("./lines.hlsl", &*sources[1])]);
}

#[test]
fn a_pdb_of_another_shader_is_ignored() {
    let shader = with_pdb("in_pdb", &fixture("debug/optimised"));
    let warning = shader.debug_warning().unwrap();
    assert!(warning.contains("it belongs to other code"), "{warning}");
    let alone = words_of(&fixture("debug/in_pdb"), &options(Debug::Full)).unwrap();
    assert_eq!(words_of_shader(&shader, &options(Debug::Full)).unwrap(), alone);

    let mut shader = Shader::parse(&fixture("debug/in_pdb")).unwrap();
    let shared = shader.clone();
    let error = shader.add_pdb(&pdb("in_pdb")).unwrap_err().to_string();
    assert!(error.contains("a shader that has been cloned"), "{error}");
    drop(shared);
    shader.add_pdb(&pdb("in_pdb")).unwrap();
}

/// A PDB from anywhere never makes a translation fail, and never changes its code.
#[test]
fn faulty_pdbs_are_harmless() {
    for name in ["in_pdb", "sources_in_pdb"] {
        let (whole, original) = (pdb(name), fixture(&format!("debug/{name}")));
        let plain = code(&words_of(&original, &options(Debug::None)).unwrap());
        let check = |bytes: &[u8], case: usize| {
            let mut shader = Shader::parse(&original).unwrap();
            let added = shader.add_pdb(bytes).is_ok();
            let words = words_of_shader(&shader, &options(Debug::Full)).unwrap();
            assert_eq!(code(&words), plain, "{name}: case {case}");
            shader.source_files();
            [added, set_of(&words).is_some(), !shader.source_files().is_empty()]
        };
        let mut counts = [[0; 2]; 3];
        let mut count =
            |found: [bool; 3]| found.iter().zip(&mut counts).for_each(|(&it, count)| count[it as usize] += 1);
        for length in (0..whole.len()).step_by(13) {
            count(check(&whole[..length], length));
        }
        for case in 0..400 {
            let (mut random, mut bytes) = (Random::from_case(34, case), whole.clone());
            for _ in 0..1 + random.below(3u32) {
                // Most of the file is content; the rest says where it is.
                let bits = if case % 2 == 0 { 64 * 8 } else { bytes.len() * 8 };
                let bit = random.below(bits);
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            count(check(&bytes, case as usize));
        }
        let [added, debug, sources] = counts;
        assert!(added[0] > 20 && added[1] > 20 && sources[0] > 20 && sources[1] > 20, "{name}: {counts:?}");
        assert!(debug[0] > 20 && (debug[1] > 20) == (name == "in_pdb"), "{name}: {counts:?}");
    }
}

/// The compiler describes no variable of a resource type, so accesses to heaps are named by the
/// lines that they are on.
#[test]
fn accesses_to_heaps_are_named_by_their_variables() {
    let path = repository().join("translator/tests/shaders/heap_names.dxil");
    let shader = Shader::parse(&dxil_test_support::read(path)).unwrap();
    let stages = [PipelineStage::new(&shader, EntryId::FIRST)];
    let mut binding = BindingOptions::default();
    binding.heap_sets.resources = Some(2);
    binding.heap_sets.samplers = Some(1);
    let profile = DeviceProfile::named("everything").unwrap();
    let plan = plan(&stages, &PlanInputs::new(&profile).with_options(binding)).unwrap();
    let named = |debug: Debug| {
        let mut options = Options::new(profile.clone());
        (options.names, options.debug) = (true, debug);
        let words = translate(&shader, EntryId::FIRST, &plan.stages[0], &options).unwrap().words;
        let (mut names, mut chains) = (BTreeMap::new(), BTreeSet::new());
        for (op, operands) in instructions(&words) {
            match (op, operands) {
                (Op::Name, [id, text @ ..]) => {
                    assert!(names.insert(*id, spirv::string(text)).is_none(), "two names");
                }
                (Op::AccessChain, [_, id, ..]) => drop(chains.insert(*id)),
                _ => {}
            }
        }
        let names: Vec<String> =
            names.into_iter().filter(|(id, _)| chains.contains(id)).map(|(_, name)| name).collect();
        (names, code(&words))
    };
    let (names, with) = named(Debug::Lines);
    assert_eq!(names, ["albedo", "by", "maps.normals"]);
    let (none, without) = named(Debug::None);
    assert_eq!((none, without), (vec![], with));
}
