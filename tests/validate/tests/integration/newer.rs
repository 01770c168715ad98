//! Modules of extensions that this crate's validator does not know yet, by the newer `spirv-val`
//! that the environment variable `DXIL_TEST_SPIRV_VAL` names. `scripts/get-mesa-sid.sh` fetches one
//! and sets it.

use std::fs;
use std::path::PathBuf;

use dxil_robustness::campaign::random_long_vectors;
use dxil_robustness::mutate::mutate_records;
use dxil_tests::emitted::{files, tests_folder, translate_container};
use dxil_translator::DeviceProfile;
use rspirv::spirv::Capability;

use crate::emitted::declares;
use crate::spirv_program;

/// What the validator says of a module for Vulkan 1.4.
fn validate(program: &str, words: &[u32]) -> Result<(), String> {
    spirv_program(program, &["--target-env", "vulkan1.4", "--scalar-block-layout", "-"], words).map(|_| ())
}

/// The newer validator; without one, a test says so and is skipped.
fn newer_validator() -> Option<String> {
    let program = std::env::var("DXIL_TEST_SPIRV_VAL").ok();
    if program.is_none() {
        println!("skipped: DXIL_TEST_SPIRV_VAL names no newer spirv-val (scripts/get-mesa-sid.sh)");
    }
    program
}

/// Validates the containers of folders whose names begin so, for a device with everything. Of them,
/// more than ten modules declare the capability.
fn are_valid(containers: &[(&str, &str)], capability: Capability) {
    let Some(program) = newer_validator() else { return };
    let profile = DeviceProfile::named("everything").unwrap();
    let paths = containers.iter().flat_map(|&(folder, prefix)| {
        let named = move |path: &PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix));
        files(&tests_folder().join(folder), "dxil").into_iter().filter(named)
    });
    let mut count = 0;
    for path in paths {
        // One fixture is refused, because two hit objects are needed at one time.
        for words in translate_container(&fs::read(&path).unwrap(), &profile).unwrap_or_default() {
            validate(&program, &words).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            count += usize::from(declares(&words, capability));
        }
    }
    println!("{count} modules with {capability:?} are valid");
    assert!(count > 10, "{count}");
}

/// Hit objects by SPV_EXT_shader_invocation_reorder.
#[test]
fn hit_objects_of_the_ext_form() {
    let containers = [("fixtures/libraries", "hit_objects"), ("fixtures/tracing", "hit_objects")];
    are_valid(&containers, Capability::ShaderInvocationReorderEXT);
}

/// Long vectors by SPV_EXT_long_vector.
#[test]
fn long_vectors() {
    let containers = [("fixtures/vectors", ""), ("fixtures/newer-dxc", ""), ("fixtures/libraries", "long_vectors")];
    are_valid(&containers, Capability::LongVectorEXT);
}

/// Long vectors of changed containers. The validator is a process for each module, so the cases are
/// few; `CASES` sets another number.
#[test]
fn mutated_long_vectors() {
    let Some(program) = newer_validator() else { return };
    let judge = |words: &[u32]| {
        if declares(words, Capability::LongVectorEXT) { validate(&program, words) } else { Ok(()) }
    };
    random_long_vectors("record mutations of long vectors", 1_000, mutate_records, &judge);
}
