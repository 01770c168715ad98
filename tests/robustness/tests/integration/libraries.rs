//! Random changes of what a library declares of a state object. Each must give subobjects that
//! answer every question, or a typed error with its byte.
//!
//! The environment variable `CASES` sets the number of cases, and `SEED` selects others.

use dxil_robustness::campaign::no_judge;
use dxil_robustness::families;
use dxil_robustness::memory;
use dxil_robustness::pipeline::Outcome;
use dxil_robustness::ratio::{grows, timed};
use dxil_robustness::{Campaign, runtime_data};
use dxil_test_support::{Random, read, repository};
use dxil_translator::container::Container;
use dxil_translator::{
    Error, ErrorKind, PipelineStage, Place, PlanInputs, RootSignature, Shader, SubobjectKind, VULKAN_1_3_DESKTOP, plan,
};

fn library(path: &str) -> Vec<u8> {
    read(repository().join("tests").join(path))
}

/// The kinds that exports are associated with.
const KINDS: [SubobjectKind; 5] = [
    SubobjectKind::GlobalRootSignature,
    SubobjectKind::LocalRootSignature,
    SubobjectKind::RaytracingShaderConfig,
    SubobjectKind::RaytracingPipelineConfig1,
    SubobjectKind::StateObjectConfig,
];

/// Reads a library and asks everything that can be asked of its subobjects.
fn ask(input: &[u8]) -> Result<usize, Error> {
    let container = Container::parse(input)?;
    let mut asked = container.to_string().len() + container.warnings().len();
    let shader = Shader::parse(input)?;
    let subobjects = shader.subobjects();
    for subobject in subobjects.iter() {
        asked += subobject.to_string().len();
        assert_eq!(subobjects.get(&subobject.name).map(|found| &found.content), Some(&subobject.content));
        // What was read can be written and read again.
        if let Some(signature) = subobject.root_signature() {
            let written = RootSignature::from_bytes(&signature.serialize().unwrap(), None).unwrap();
            assert!(written.is_same_as(signature), "{signature}");
        }
    }
    for (name, group) in subobjects.hit_groups() {
        asked += group.shaders().count();
        for kind in KINDS {
            asked += subobjects.associated(kind, &[name]).len();
        }
    }
    let _ = (subobjects.shader_config(), subobjects.pipeline_config(), shader.memory_size());
    for (id, entry) in shader.entries() {
        for kind in KINDS {
            let found = shader.associated(id, kind);
            assert!(found.iter().all(|subobject| same_type(subobject.kind(), kind)), "{kind}");
            asked += found.len();
            asked += subobjects.searched(kind, &[&entry.name]).map_or(0, |text| text.len());
        }
        let locals = shader.entry_local_root_signatures(id);
        assert_eq!(shader.entry_local_root_signature(id).is_some(), locals.len() == 1);
        assert!(locals.iter().all(|(_, signature)| signature.is_local()));
        assert!(shader.entry_root_signature(id).is_none_or(|signature| !signature.is_local()));
        match plan(&[PipelineStage::new(&shader, id)], &PlanInputs::new(&VULKAN_1_3_DESKTOP)) {
            Ok(plan) => asked += plan.stages[0].to_string().len(),
            // A change of a root signature leaves resources without a place.
            Err(error) => assert!(matches!(error.kind(), ErrorKind::Binding | ErrorKind::Unsupported), "{error}"),
        }
    }
    Ok(asked)
}

fn same_type(found: SubobjectKind, asked: SubobjectKind) -> bool {
    let one = |kind| {
        if kind == SubobjectKind::RaytracingPipelineConfig1 { SubobjectKind::RaytracingPipelineConfig } else { kind }
    };
    one(found) == one(asked)
}

fn outcome(input: &[u8]) -> Outcome {
    match ask(input) {
        // Nothing is translated: the number stands for what was asked.
        Ok(asked) => Outcome::Translated(vec![vec![asked as u32]]),
        Err(error) => {
            assert!(matches!(error.place(), Place::Byte(_)), "an error of the runtime data has its byte: {error}");
            Outcome::Refused(error)
        }
    }
}

#[test]
fn runtime_data() {
    let libraries = [
        "fixtures/libraries/subobjects.all.dxil",
        "fixtures/libraries/subobjects.unassociated.dxil",
        "fixtures/libraries/subobjects.ambiguous.dxil",
        "fixtures/libraries/functions.only.dxil",
        "fixtures/newer-dxc/rays.lib_6_6.dxil",
    ]
    .map(|path| (path, library(path)));
    for (path, bytes) in &libraries {
        ask(bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let seed = number("SEED").unwrap_or(3) as u64;
    let make = |case: usize| {
        let mut random = Random::from_case(seed, case as u64);
        // The first one has most subobjects.
        let (path, bytes) = &libraries[[0, 0, 0, 0, 1, 2, 3, 4][random.below(8)]];
        ((*path).to_owned(), runtime_data::mutate(bytes, &mut random))
    };
    let cases = number("CASES").unwrap_or(6_000);
    let tally = Campaign { name: "runtime data", cases, make: &make, judge: &no_judge }.run_with(&outcome);
    let enough = tally.passed > cases / 5 && tally.refused["Malformed"] > cases / 5;
    assert!(number("CASES").is_some() || enough, "{tally:?}");
}

/// Records that share one list, one string or the bytes of one root signature: limits hold for all
/// of them together.
#[test]
fn shared_lists_are_bounded() {
    let cases = [runtime_data::many_associations(), runtime_data::many_signatures()];
    for (name, data, expected) in cases {
        let bytes = runtime_data::with_runtime_data(&library("fixtures/libraries/functions.only.dxil"), &data);
        let start = std::time::Instant::now();
        let error = Shader::parse(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
        assert!(error.message().contains(expected), "{name}: {error}");
        assert!(start.elapsed().as_secs() < 5, "{name}: {:?}", start.elapsed());
    }
}

/// A shader of thousands of hit groups, each of which has thousands of default root signatures:
/// they are found once for all of them.
#[test]
fn shared_shaders_and_defaults_are_found_once() {
    let library = library("fixtures/libraries/subobjects.all.dxil");
    let data = runtime_data::many_groups("shade");
    let bytes = runtime_data::with_runtime_data(&library, &data);
    let before = memory::thread_time();
    let shader = Shader::parse(&bytes).unwrap_or_else(|error| panic!("{error}"));
    let entry = shader.find_entry(Some("shade")).unwrap_or_else(|error| panic!("{error}"));
    let found = shader.entry_local_root_signatures(entry).len();
    assert!(PipelineStage::new(&shader, entry).local_root_signature.is_none() && found == 2_000, "{found}");
    let time = memory::thread_time() - before;
    assert!(time.as_secs() < 2, "{time:?}");
    // Each stage of a pipeline asks whether there is only one: 10,000 take less time than the
    // library.
    let stage = |_| PipelineStage::new(&shader, entry);
    let (stages, of_stages) = timed(|| (0..10_000).map(stage).collect::<Vec<_>>());
    assert!(stages.iter().all(|stage| stage.local_root_signature.is_none()));
    println!("{time:?}, {of_stages:?}");
    assert!(of_stages < time, "{of_stages:?}, {time:?}");
}

/// A pipeline may name every entry point of a library, and each is found in a few comparisons.
#[test]
fn entry_points_are_found_by_name() {
    grows("names of entry points", 1_000, |count| {
        let shader = Shader::parse(&families::entries(count)).unwrap_or_else(|error| panic!("{error}"));
        let names: Vec<&str> = shader.entries().map(|(_, entry)| &*entry.name).collect();
        let (found, time) = timed(|| names.iter().map(|name| shader.find_entry(Some(name))).collect::<Vec<_>>());
        let ids = shader.entries().map(|(id, _)| id);
        assert!(names.len() == count && found.into_iter().map(Result::unwrap).eq(ids));
        time
    });
}

/// The text of a library says what its functions call. They may share long lists of long names, of
/// which a limited number of bytes is read.
#[test]
fn dependencies_are_bounded() {
    let library = library("fixtures/libraries/functions.only.dxil");
    let bytes = runtime_data::with_runtime_data(&library, &runtime_data::many_dependencies(16_000));
    let container = Container::parse(&bytes).unwrap_or_else(|error| panic!("{error}"));
    let ((text, time), peak) = memory::peak(|| timed(|| container.to_string()));
    println!("{} bytes, {time:?}, {peak} bytes at most", text.len());
    assert!(text.contains("bytes in the strings of runtime data, the limit is 67108864"));
    assert_eq!(text.matches("    refused: ").count() + text.matches("    calls ").count(), 1 << 14);
    assert!(time.as_secs() < 2 && peak < 512 << 20, "{time:?}, {peak} bytes");
}
