//! Libraries as a whole: names, functions, subobjects and what they give to planning.

use std::collections::{BTreeMap, BTreeSet};

use dxil_test_support::fixture;
use dxil_translator::{
    BindingOptions, BindingPlan, EntryId, ErrorKind, Feature, Model, Options, PipelineStage, PlanInputs, PlannedEntry,
    RootSignature, Shader, VULKAN_1_3_DESKTOP, plan, translate, translate_library,
};

use dxil_test_support::spirv::{instructions, string};

fn shader(container: &str) -> Shader {
    Shader::parse(&fixture(container)).unwrap()
}

fn subobjects() -> Shader {
    shader("libraries/subobjects.all.dxil")
}

fn planned(stage: PipelineStage<'_>) -> dxil_translator::Result<String> {
    let plan = plan(&[stage], &PlanInputs::new(&VULKAN_1_3_DESKTOP))?;
    Ok(plan.stages[0].to_string())
}

#[test]
fn a_library_of_functions_is_accepted_and_not_translated() {
    let library = shader("libraries/functions.only.dxil");
    assert!(library.is_library() && library.entries().len() == 0);
    let functions = ["?brighter@@YA?AV?$vector@M$03@@V1@@Z", "?next@@YAII@Z"];
    assert_eq!(library.functions().collect::<Vec<_>>(), functions);
    let expected = "the library has functions only: `?brighter@@YA?AV?$vector@M$03@@V1@@Z`, `?next@@YAII@Z`;";
    let options = Options::new(VULKAN_1_3_DESKTOP);
    for error in [
        library.find_entry(None).unwrap_err(),
        library.find_entry(Some("main")).unwrap_err(),
        library.find_entry(Some("next")).unwrap_err(),
        planned(PipelineStage::new(&library, EntryId::FIRST)).unwrap_err(),
        translate(&library, EntryId::FIRST, &BindingPlan::default(), &options).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().starts_with(expected), "{error}");
    }
}

#[test]
fn names_are_found_with_and_without_the_mark() {
    let library = subobjects();
    let id = library.find_entry(Some("miss")).unwrap();
    for name in ["?miss@@YAXUPayload@@@Z", "\u{1}?miss@@YAXUPayload@@@Z"] {
        assert_eq!(library.find_entry(Some(name)).unwrap(), id, "{name:?}");
    }
    assert_eq!(&*library.entry(id).unwrap().name, "?miss@@YAXUPayload@@@Z");
    let functions: Vec<_> = library.functions().collect();
    assert_eq!(functions, ["?brighter@@YA?AV?$vector@M$03@@V1@@Z"]);
    // No text of the program has the mark.
    assert!(!library.program().to_string().contains("\\u{1}"), "{}", library.program());
    let error = library.find_entry(Some("\u{1}?none@@")).unwrap_err();
    assert!(error.message().starts_with("no entry point `?none@@`; the container has `?cut@@"), "{error}");
}

#[test]
fn entry_points_have_the_root_signatures_of_their_library() {
    let library = subobjects();
    let of = |name: &str| library.find_entry(Some(name)).unwrap();
    for (_, entry) in library.entries() {
        let id = of(&entry.name);
        assert_eq!(library.entry_root_signature(id).unwrap().parameters.len(), 3, "{}", entry.name);
    }
    let local = |name: &str| {
        let names: Vec<_> = library.entry_local_root_signatures(of(name)).iter().map(|(name, _)| *name).collect();
        (names, library.entry_local_root_signature(of(name)).is_some())
    };
    assert_eq!(local("miss"), (vec!["colour"], true));
    assert_eq!(local("sound"), (vec!["picture"], true));
    assert_eq!(local("generate"), (vec!["nothing"], true));
    assert_eq!(local("shade"), (vec!["colour", "picture"], false));
}

#[test]
fn a_stage_takes_the_local_root_signature_that_is_clear() {
    let library = subobjects();
    let stage = |name: &str| PipelineStage::new(&library, library.find_entry(Some(name)).unwrap());
    let miss = planned(stage("miss")).unwrap();
    assert!(miss.contains(r#""b1 space0".record = { offset = 0, size = 16 }"#), "{miss}");
    // Of several, one that matters has to be chosen.
    let error = planned(stage("shade")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding);
    let expected = "entry point `?shade@@YAXUPayload@@UAttributes@@@Z` may have one of several local root signatures, \
                    `colour`, `picture`, and b1 space0";
    assert!(error.message().starts_with(expected), "{error}");
    assert!(error.message().contains("looked for an association of `shade`, `?shade@@"), "{error}");
    let colour = library.subobjects().local_root_signature("colour").unwrap();
    let shade = planned(stage("shade").with_local_root_signature(Some(colour))).unwrap();
    assert!(shade.contains(r#""b1 space0".record = { offset = 0, size = 16 }"#), "{shade}");
    // `cut` uses no resource, so that it does not matter which one it has.
    assert!(planned(stage("cut")).is_ok());
    // A choice of none leaves the register to the global root signature, which does not have it.
    // The caller has chosen, so the message describes no search.
    let error = planned(stage("miss").with_local_root_signature(None)).unwrap_err();
    assert!(error.kind() == ErrorKind::Binding && !error.message().contains("looked for"), "{error}");
}

/// A local root signature that no association gives to the export: the error says what was looked
/// for.
#[test]
fn an_export_without_its_local_root_signature_is_reported() {
    let library = shader("libraries/subobjects.unassociated.dxil");
    let stage = PipelineStage::new(&library, library.find_entry(Some("miss")).unwrap());
    assert_eq!(library.entry_local_root_signature(stage.entry), None);
    let error = planned(stage).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding);
    let expected = "entry point `?miss@@YAXUPayload@@@Z` has no LocalRootSignature: looked for an association of `miss`, \
                    `?miss@@YAXUPayload@@@Z`, or a single default; of kind LocalRootSignature the library declares \
                    `colour`; association `missing_of_miss` names `elsewhere`, which the library does not declare";
    assert!(error.message().contains(expected), "{error}");
    // The application's own signature is taken.
    let own = RootSignature::parse_text("RootFlags(LOCAL_ROOT_SIGNATURE), CBV(b9), CBV(b1)", None).unwrap();
    let text = planned(stage.with_local_root_signature(Some(&own))).unwrap();
    assert!(text.contains(r#""b1 space0".address = { record = 8 }"#), "{text}");
}

#[test]
fn several_global_root_signatures_leave_the_choice() {
    let library = shader("libraries/subobjects.ambiguous.dxil");
    let stage = PipelineStage::new(&library, library.find_entry(Some("miss")).unwrap());
    assert_eq!(library.entry_root_signature(stage.entry), None);
    let error = planned(stage).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding);
    assert!(
        error.message().starts_with("several global root signatures, `one`, `other`, are for one stage;"),
        "{error}"
    );
    let one = library.subobjects().get("one").unwrap().root_signature();
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_root_signature(one);
    assert!(plan(&[stage], &inputs).is_ok());
}

/// A SPIR-V module, taken apart as far as the tests compare it.
struct Parts {
    capabilities: Vec<u32>,
    entries: Vec<EntryPoint>,
    instructions: usize,
}

/// What an entry point has: its model, its name, the number of its variables by storage class, its
/// execution modes, and the operations of its functions in order.
#[derive(Debug, PartialEq)]
struct EntryPoint {
    model: u32,
    name: String,
    variables: BTreeMap<u32, usize>,
    modes: Vec<Vec<u32>>,
    code: Vec<u32>,
}

/// The opcodes that the tests know (SPIR-V, section 3.52).
mod op {
    pub const ENTRY_POINT: u32 = 15;
    pub const EXECUTION_MODE: u32 = 16;
    pub const CAPABILITY: u32 = 17;
    pub const FUNCTION: u32 = 54;
    pub const FUNCTION_END: u32 = 56;
    pub const FUNCTION_CALL: u32 = 57;
    pub const VARIABLE: u32 = 59;
}

fn parts(words: &[u32]) -> Parts {
    let instructions: Vec<_> = instructions(words).collect();
    let of = |wanted: u32| instructions.iter().filter(move |(op, _)| *op == wanted).map(|(_, operands)| *operands);
    let classes: BTreeMap<u32, u32> = of(op::VARIABLE).map(|operands| (operands[1], operands[2])).collect();
    // The operations of a function, and the functions that it calls.
    let mut functions: BTreeMap<u32, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
    let mut current = None;
    for (op, operands) in &instructions {
        if *op == op::FUNCTION {
            current = Some(operands[1]);
        }
        if let Some(function) = current {
            let (code, calls) = functions.entry(function).or_default();
            code.push(*op);
            if *op == op::FUNCTION_CALL {
                calls.push(operands[2]);
            }
        }
        if *op == op::FUNCTION_END {
            current = None;
        }
    }
    let code = |main: u32| {
        let (mut code, mut pending, mut seen) = (Vec::new(), vec![main], BTreeSet::new());
        while let Some(function) = pending.pop() {
            if seen.insert(function) {
                code.extend(&functions[&function].0);
                pending.extend(&functions[&function].1);
            }
        }
        code
    };
    let entries = of(op::ENTRY_POINT).map(|operands| {
        let name = string(&operands[2..]);
        let mut variables = BTreeMap::new();
        for variable in &operands[2 + name.len() / 4 + 1..] {
            *variables.entry(classes[variable]).or_insert(0) += 1;
        }
        let modes = of(op::EXECUTION_MODE).filter(|mode| mode[0] == operands[1]).map(|mode| mode[1..].to_vec());
        EntryPoint { model: operands[0], name, variables, modes: modes.collect(), code: code(operands[1]) }
    });
    Parts {
        capabilities: of(op::CAPABILITY).map(|operands| operands[0]).collect(),
        entries: entries.collect(),
        instructions: instructions.len(),
    }
}

/// In a module of all entry points each of them is what it is alone: capabilities of those before
/// change nothing, and interfaces have the variables of the entry point. The capabilities of the
/// module are those of all together, and what they share is there once.
#[test]
fn a_module_of_all_entry_points_has_each_as_it_is_alone() {
    let library = shader("libraries/entries.all.dxil");
    let mut options = Options::new(VULKAN_1_3_DESKTOP);
    options.names = true;
    let binding = BindingOptions::new(Model::Register, "t=100,u=200,s=300".parse().unwrap());
    let inputs = PlanInputs::new(&options.profile).with_options(binding);
    let mut ids: Vec<EntryId> = library.entries().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), 8);
    for _ in 0..2 {
        let plans: Vec<BindingPlan> = ids
            .iter()
            .map(|&id| plan(&[PipelineStage::new(&library, id)], &inputs).unwrap().stages.remove(0))
            .collect();
        let chosen: Vec<_> = ids.iter().zip(&plans).map(|(&id, plan)| PlannedEntry::new(id, plan)).collect();
        let together = translate_library(&library, &chosen, &options).unwrap();
        assert_eq!(translate_library(&library, &chosen, &options).unwrap(), together, "it is deterministic");
        let module = parts(&together.words);
        let (mut capabilities, mut instructions) = (BTreeSet::new(), 0);
        for ((&PlannedEntry { entry: id, plan, .. }, part), reflection) in
            chosen.iter().zip(&module.entries).zip(&together.reflections)
        {
            let alone = translate(&library, id, plan, &options).unwrap();
            assert_eq!(reflection, &alone.reflection);
            let alone = parts(&alone.words);
            assert_eq!(part, &alone.entries[0]);
            capabilities.extend(alone.capabilities);
            instructions += alone.instructions;
        }
        assert_eq!(module.capabilities.iter().copied().collect::<BTreeSet<_>>(), capabilities);
        assert_eq!(module.capabilities.len(), capabilities.len(), "each capability is there once");
        assert!(module.instructions < instructions, "{} and {instructions}", module.instructions);
        // The order is the caller's, and no order changes an entry point.
        ids.reverse();
    }
}

#[test]
fn errors_of_a_library_name_the_entry_point() {
    let library = shader("libraries/entries.all.dxil");
    let id = |name| library.find_entry(Some(name)).unwrap();
    let binding = BindingOptions::new(Model::Register, "t=100,u=200,s=300".parse().unwrap());
    let stages = ["plain", "twice"].map(|name| PipelineStage::new(&library, id(name)));
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(binding);
    let plans = plan(&stages, &inputs).unwrap().stages;
    let planned = |name, number: usize| PlannedEntry::new(id(name), &plans[number]);
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.features.set(Feature::Float64, false);
    let options = Options::new(profile);
    let entries = [planned("plain", 0), planned("twice", 1)];
    let error = translate_library(&library, &entries, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingFeature(Feature::Float64));
    assert!(error.message().starts_with("entry point `twice`: "), "{error}");
    let entries = [planned("plain", 0), planned("plain", 0)];
    let error = translate_library(&library, &entries, &options).unwrap_err();
    assert_eq!(error.message(), "entry point `plain` is given twice for one module");
    let error = translate_library(&library, &[], &options).unwrap_err();
    assert!(error.message().starts_with("no entry point is given; the container has `copy`, `corner`,"), "{error}");
    let functions = shader("libraries/functions.only.dxil");
    let error = translate_library(&functions, &[], &options).unwrap_err();
    assert!(error.message().starts_with("the library has functions only: "), "{error}");
}
