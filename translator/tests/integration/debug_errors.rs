//! Places of the source in errors: of code that is not read, of code that is refused, of resources.

use std::collections::BTreeSet;

use dxil_test_support::{Random, repository};
use dxil_translator::container::Container;
use dxil_translator::{
    BindingOptions, DeviceProfile, EntryId, Error, Feature, Options, PipelineStage, Place, PlanInputs, Shader, plan,
    translate,
};

fn bytes_of(path: &str) -> Vec<u8> {
    dxil_test_support::read(repository().join(path))
}

/// The errors of parsing an input of which some bits of its bitcode are changed, at places that
/// have an instruction. `place` adds what it knows of the source.
fn refusals(input: &[u8], place: impl Fn(Error, &[u8]) -> Error) -> Vec<Error> {
    let program = Container::parse(input).unwrap().program().unwrap();
    let (start, bits) = (program.offset, program.bitcode.len() * 8);
    let mut found = Vec::new();
    for case in 0..3000 {
        let (mut random, mut bytes) = (Random::from_case(36, case), input.to_vec());
        // The functions are in the second half.
        let bit = bits / 2 + random.below(bits / 2);
        bytes[start + bit / 8] ^= 1 << (bit % 8);
        let Err(error) = Shader::parse(&bytes) else { continue };
        if matches!(error.place(), Place::Bit(_) | Place::Inst { .. }) {
            found.push(place(error, &bytes));
        }
    }
    found
}

/// The places in the source that errors name. Each names its place once.
fn sources(errors: &[Error], file: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for error in errors {
        let Some(place) = error.source_place() else { continue };
        let (text, line) = (error.to_string(), place.rsplit_once(file));
        assert!(line.is_some_and(|(_, line)| line.starts_with(':')), "{text}");
        assert_eq!(text.matches(place).count(), 1, "{text}");
        found.insert(place.to_owned());
    }
    found
}

#[test]
fn errors_of_decoding_name_the_source() {
    // In the container, in a file, and in the program itself.
    let embedded = bytes_of("tests/fixtures/debug/optimised.dxil");
    let as_it_is = |error: Error, _: &[u8]| error;
    let errors = refusals(&embedded, as_it_is);
    let places = sources(&errors, "optimised.hlsl");
    assert!(places.len() > 8, "{places:?} of {} errors", errors.len());

    let own = Container::parse(&embedded).unwrap().debug_program().unwrap().unwrap().bitcode;
    let errors = refusals(own, as_it_is);
    let places = sources(&errors, "optimised.hlsl");
    assert!(places.len() > 8, "{places:?} of {} errors", errors.len());

    let (named, pdb) = (bytes_of("tests/fixtures/debug/in_pdb.dxil"), bytes_of("tests/fixtures/debug/in_pdb.pdb"));
    assert_eq!(Shader::pdb_name_in(&named).as_deref(), Some("in_pdb.pdb"));
    assert_eq!(Shader::pdb_name_in(&embedded), None);
    let errors = refusals(&named, as_it_is);
    assert!(sources(&errors, "lines.hlsl").is_empty());
    let errors = refusals(&named, |error, bytes| Shader::place_error(error, bytes, &pdb));
    let places = sources(&errors, "lines.hlsl");
    assert!(places.len() >= 4, "{places:?} of {} errors", errors.len());
    // A file of another kind says nothing.
    let errors = refusals(&named, |error, bytes| Shader::place_error(error, bytes, b"no PDB"));
    assert!(sources(&errors, "lines.hlsl").is_empty());
}

/// The tool looks for the file as it does for a container that is read.
#[cfg(feature = "cli")]
#[test]
fn the_tool_finds_the_file_of_a_container_that_is_refused() {
    use super::tool::{run, temporary};
    let named = bytes_of("tests/fixtures/debug/in_pdb.dxil");
    let pdb = bytes_of("tests/fixtures/debug/in_pdb.pdb");
    let program = Container::parse(&named).unwrap().program().unwrap();
    let (start, bits) = (program.offset, program.bitcode.len() * 8);
    let refused = (bits / 2..bits).find_map(|bit| {
        let mut bytes = named.clone();
        bytes[start + bit / 8] ^= 1 << (bit % 8);
        let error = Shader::place_error(Shader::parse(&bytes).err()?, &bytes, &pdb);
        error.source_place().is_some().then_some((bytes, error))
    });
    let (bytes, error) = refused.unwrap();
    let path = temporary("refused_with_pdb.dxil");
    std::fs::write(&path, bytes).unwrap();
    let folder = repository().join("tests/fixtures/debug");
    let (file, folder) = (path.to_str().unwrap(), folder.to_str().unwrap());
    for command in [&["--emit", "dxil"][..], &["layout"], &["resources"], &["explain", "-o", "/dev/null"]] {
        let run = run(&[command, &["--any-digest", file, "--pdb-path", folder]].concat());
        let all = format!("{}{}", run.err, String::from_utf8_lossy(&run.out));
        assert!(all.contains(&error.to_string()), "{command:?}: {all}");
    }
}

/// The error of translating the fixture of heap accesses for a device without a feature.
fn refused(without: Feature) -> String {
    let shader = Shader::parse(&bytes_of("translator/tests/shaders/heap_names.dxil")).unwrap();
    let mut binding = BindingOptions::default();
    binding.heap_sets.resources = Some(2);
    binding.heap_sets.samplers = Some(1);
    let mut profile = DeviceProfile::named("everything").unwrap();
    let stages = [PipelineStage::new(&shader, EntryId::FIRST)];
    let plan = plan(&stages, &PlanInputs::new(&profile).with_options(binding)).unwrap();
    profile.features.set(without, false);
    translate(&shader, EntryId::FIRST, &plan.stages[0], &Options::new(profile)).unwrap_err().to_string()
}

/// An element of a descriptor heap is called by the variable that it is stored to.
#[test]
fn errors_name_elements_of_heaps_by_their_variables() {
    let source = include_str!("../shaders/heap_names.hlsl");
    for (feature, variable, access) in [
        (Feature::SampledImageArrayNonUniformIndexing, "maps.normals", "maps.normals.Load"),
        (Feature::RuntimeDescriptorArray, "albedo", "from.SampleLevel"),
    ] {
        let line = source.lines().position(|line| line.contains(access)).unwrap() + 1;
        let (error, place) = (refused(feature), format!("heap_names.hlsl:{line}:"));
        assert!(error.contains(&place) && error.contains(&format!(", resource `{variable}` (function ")), "{error}");
    }
}

/// The view of a heap has the names of all variables that it is stored to.
#[cfg(feature = "cli")]
#[test]
fn listings_name_views_of_heaps() {
    use super::tool::run;
    let file = repository().join("translator/tests/shaders/heap_names.dxil");
    let run = run(&["layout", file.to_str().unwrap(), "--resource-heap-set", "2", "--sampler-heap-set", "1"]);
    assert!(run.text().contains("# ") && run.text().contains("\"albedo, maps.normals\""), "{}{}", run.text(), run.err);
}
