//! Translates 100,000 random mutations of the fixtures' containers. Every emitted module must pass
//! the validator, and every refusal must be a typed error with its place. The environment variables
//! `CASES`, `SEED`, `CASE` and `DUMP` have the same meaning as in the crate `dxil-robustness`.

use dxil_robustness::campaign::random_cases;
use dxil_robustness::mutate::{mutate, mutate_records};
use dxil_translator::lavapipe;
use dxil_validate::validate;

fn judge(words: &[u32]) -> Result<(), String> {
    validate(words, &lavapipe()).map(drop).map_err(|error| format!("the validator rejects the module: {error}"))
}

/// Random changes of bits and bytes anywhere in a container.
#[test]
fn mutations() {
    random_cases("mutations", 50_000, mutate, &judge);
}

/// Random changes of bitcode records, which the bitcode reader accepts and later stages must
/// refuse.
#[test]
fn record_mutations() {
    random_cases("record mutations", 50_000, mutate_records, &judge);
}
