//! Libraries as a whole: names, functions, subobjects and what they give to planning.

use std::path::PathBuf;

use dxil_translator::{
    BindingPlan, EntryId, ErrorKind, Options, PipelineStage, PlanInputs, RootSignature, Shader, VULKAN_1_3_DESKTOP,
    plan, translate,
};

fn shader(container: &str) -> Shader {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    Shader::parse(&std::fs::read(tests.join(container)).unwrap()).unwrap()
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
    assert!(miss.contains("b1 space0 = record 0 size 16"), "{miss}");
    // Of several, one that matters has to be chosen.
    let error = planned(stage("shade")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding);
    let expected = "entry point `?shade@@YAXUPayload@@UAttributes@@@Z` may have one of several local root signatures, \
                    `colour`, `picture`, and b1 space0";
    assert!(error.message().starts_with(expected), "{error}");
    assert!(error.message().contains("looked for an association of `shade`, `?shade@@"), "{error}");
    let colour = library.subobjects().local_root_signature("colour").unwrap();
    let shade = planned(stage("shade").with_local_root_signature(Some(colour))).unwrap();
    assert!(shade.contains("b1 space0 = record 0 size 16"), "{shade}");
    // `cut` uses no resource, so that it does not matter which one it has.
    assert!(planned(stage("cut")).is_ok());
    // A choice of none leaves the register to the global root signature, which does not have it. The
    // caller has chosen, so the message tells no search.
    let error = planned(stage("miss").with_local_root_signature(None)).unwrap_err();
    assert!(error.kind() == ErrorKind::Binding && !error.message().contains("looked for"), "{error}");
}

/// A local root signature that no association gives to the export: the error tells what was looked
/// for.
#[test]
fn an_export_without_its_local_root_signature_is_told() {
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
    assert!(text.contains("b1 space0 = address record 8"), "{text}");
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
