//! Modules that carry a container: each is valid for every device that has its stages, and gives
//! the container back; and what SPIRV-Tools' own passes leave of it.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use dxil_robustness::mutate::{mutate, mutate_records};
use dxil_robustness::pipeline::Outcome;
use dxil_robustness::{Campaign, Corpus};
use dxil_test_support::spirv::bytes;
use dxil_test_support::{Random, containers, fixture, repository};
use dxil_translator::embedded::GENERATOR;
use dxil_translator::{
    BlobDigest, EmbedOptions, ErrorKind, Options, PipelineStage, PlanInputs, Shader, VULKAN_1_3_DESKTOP, embed,
    extract, plan, translate,
};
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler as _};
use spirv_tools::val::{self, Validator as _};

use crate::optimised;

/// The least environment of Vulkan that takes this version of SPIR-V.
fn environment(words: &[u32]) -> TargetEnv {
    match words[1] {
        0x0001_0000 => TargetEnv::Vulkan_1_0,
        0x0001_0400 => TargetEnv::Vulkan_1_1_Spirv_1_4,
        other => panic!("SPIR-V version {other:#x}"),
    }
}

/// The container of an embedded module; an error's text otherwise.
fn taken(words: &[u32]) -> Result<Vec<u8>, String> {
    match extract(&bytes(words)) {
        Ok(Some(embedded)) => Ok(embedded.container),
        Ok(None) => Err("no mark".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn every_container_gives_a_valid_module_for_the_least_device() {
    let (mut valid, mut refused, mut faults) = ([0, 0], 0, Vec::new());
    // Those of tests/robustness were changed at random, and some are refused as malformed.
    let is_compiled = |path: &PathBuf| !path.components().any(|part| part.as_os_str() == "robustness");
    for path in containers(repository().join("tests")).into_iter().filter(is_compiled) {
        let container = fs::read(&path).unwrap();
        let name = path.display();
        let words = match embed(&container, &EmbedOptions::default()) {
            Ok(words) => words,
            // What no layer can run: functions without an entry point, other code than DXIL's, root
            // signatures alone.
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                println!("    {name}: {error}");
                refused += 1;
                continue;
            }
            Err(error) => {
                faults.push(format!("{name}: {error}"));
                continue;
            }
        };
        if taken(&words).as_ref() != Ok(&container) {
            faults.push(format!("{name}: {:?}", taken(&words).map(|found| found.len())));
        }
        let environment = environment(&words);
        valid[usize::from(environment != TargetEnv::Vulkan_1_0)] += 1;
        if let Err(error) = val::create(Some(environment)).validate(&words, None) {
            faults.push(format!("{name}: {error}"));
        }
    }
    println!("{} modules valid at SPIR-V 1.0, {} at 1.4, {refused} containers refused", valid[0], valid[1]);
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(valid[0] > 500 && valid[1] > 100 && refused < 20, "{valid:?}, {refused} refused");
}

/// The validator listens: a stub with another stage is refused by it.
#[test]
fn a_stub_of_another_stage_is_invalid() {
    const FRAGMENT: u32 = 4;
    let mut words = embed(&fixture("control/binary_search.dxil"), &EmbedOptions::default()).unwrap();
    let entry = words.iter().position(|&word| word & 0xffff == 15).unwrap();
    words[entry + 1] = FRAGMENT;
    assert!(val::create(Some(TargetEnv::Vulkan_1_0)).validate(&words, None).is_err());
}

/// A translation with its container inside is as valid as without it, and the optimiser works on it
/// as on other modules.
#[test]
fn a_body_of_its_own() {
    let container = fixture("rootsig/overlapping_ranges.dxil");
    let shader = Shader::parse(&container).unwrap();
    let stage = PipelineStage::new(&shader, shader.find_entry(None).unwrap());
    let plan = plan(&[stage], &PlanInputs::new(&VULKAN_1_3_DESKTOP)).unwrap();
    let mut options = Options::new(VULKAN_1_3_DESKTOP);
    options.names = true;
    let body = translate(&shader, stage.entry, &plan.stages[0], &options).unwrap().words;
    let words = embed(&container, &EmbedOptions::default().with_body(&body)).unwrap();
    let validator = val::create(Some(TargetEnv::Vulkan_1_3));
    validator.validate(&words, None).unwrap();
    assert_eq!(taken(&words), Ok(container));
    assert_eq!(words[2], GENERATOR);
    assert_eq!(optimised(&words, "--strip-debug")[5..], optimised(&body, "--strip-debug")[5..]);
}

/// What docs/layer.md says about tools.
#[test]
fn what_tools_leave() {
    // Four pieces: what follows a container belongs to the file.
    let mut container = fixture("control/binary_search.dxil");
    container.extend((0..180_000u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 24) as u8));
    let words = embed(&container, &EmbedOptions::default()).unwrap();
    val::create(Some(TargetEnv::Vulkan_1_0)).validate(&words, None).unwrap();
    let preserving =
        ["-O", "-Os", "--compact-ids", "--eliminate-dead-const", "--remove-duplicates", "--strip-nonsemantic"];
    for option in preserving {
        assert!(taken(&optimised(&words, option)).as_ref() == Ok(&container), "{option}");
    }
    let error = taken(&optimised(&words, "--strip-debug")).unwrap_err();
    assert!(error.contains("a tool has stripped it"), "{error}");
    // The assembler writes a generator word of its own.
    let assembler = assembler::create(Some(TargetEnv::Vulkan_1_0));
    let text = assembler.disassemble(&words, Default::default()).unwrap().unwrap();
    let binary = assembler.assemble(&text, Default::default()).unwrap();
    let mut again = binary.as_words().to_vec();
    assert_eq!(taken(&again), Err("no mark".to_owned()));
    again[2] = GENERATOR;
    assert!(taken(&again).as_ref() == Ok(&container));
}

/// Containers with random faults: the module of each that can be embedded is valid and gives the
/// container back, and each other one is refused with a typed error.
#[test]
fn mutated_containers() {
    let corpus = Corpus::fixtures(16 << 10);
    let subject = |input: &[u8]| match embed(input, &EmbedOptions::default()) {
        Ok(words) => {
            assert!(taken(&words).as_deref() == Ok(input), "another container comes back");
            Outcome::Translated(vec![words])
        }
        Err(error) => Outcome::Refused(error),
    };
    let judge = |words: &[u32]| {
        let verdict = val::create(Some(environment(words))).validate(words, None);
        verdict.map_err(|error| format!("the validator rejects the module: {error}"))
    };
    let bytes = |case| mutate(&corpus, &mut Random::from_case(1, case as u64));
    let records = |case| mutate_records(&corpus, &mut Random::from_case(2, case as u64));
    let bytes = Campaign { name: "embedded mutations", cases: 3000, make: &bytes, judge: &judge }.run_with(&subject);
    let records = Campaign { name: "embedded record mutations", cases: 3000, make: &records, judge: &judge };
    let records = records.run_with(&subject);
    assert!(bytes.passed > 300 && records.passed > 300, "{} and {} modules", bytes.passed, records.passed);
}

/// Modules with random faults: what comes out is the container that went in, or nothing.
#[test]
fn mutated_modules() {
    let corpus = Corpus::fixtures(16 << 10);
    let make = |case| {
        let mut random = Random::from_case(3, case as u64);
        let Some(entry) = random.choose(&corpus.entries) else { return Default::default() };
        let Ok(words) = embed(&entry.bytes, &EmbedOptions::default()) else { return Default::default() };
        let mut module = bytes(&words);
        for _ in 0..[1, 1, 2, 4][random.below(4)] {
            // The header and the instructions are short beside the strings.
            let end = if random.below(2) == 0 { 512 } else { module.len() };
            let at = random.below(end.min(module.len()));
            match random.below(4) {
                0 => module[at] ^= 1 << random.below(8),
                1 => module[at] = random.bits() as u8,
                2 => module.truncate(at.max(12)),
                _ => drop(module.splice(at..at, (0..4).map(|_| 0x20))),
            }
        }
        (entry.name.clone(), module)
    };
    let digests: HashSet<_> = corpus.entries.iter().map(|entry| BlobDigest::from_bytes(&entry.bytes)).collect();
    let subject = |input: &[u8]| match extract(input) {
        Ok(found) => {
            assert!(found.is_none_or(|embedded| digests.contains(&embedded.digest)), "another container comes out");
            Outcome::Translated(Vec::new())
        }
        Err(error) => Outcome::Refused(error),
    };
    let tally = Campaign { name: "mutated modules", cases: 5000, make: &make, judge: &|_| Ok(()) }.run_with(&subject);
    assert!(tally.passed > 100 && tally.refused["Malformed"] > 2500, "{tally:?}");
}
