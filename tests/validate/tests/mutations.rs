//! 100,000 random mutations of the fixtures' containers: what is translated of them passes the validator, and what is not
//! is refused by a typed error with its place. `CASES`, `SEED`, `CASE` and `DUMP` as in the crate `dxil-robustness`.

use dxil_robustness::campaign::random_cases;
use dxil_robustness::memory::Counting;
use dxil_robustness::mutate::{mutate, mutate_records};
use dxil_translator::lavapipe;
use dxil_validate::validate;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn judge(words: &[u32]) -> Result<(), String> {
    validate(words, &lavapipe()).map_err(|error| format!("not valid: {error}"))
}

/// Bits and bytes, anywhere in a container.
#[test]
fn mutations() {
    random_cases("mutations", 50_000, mutate, &judge);
}

/// Records of the bitcode: what passes the bitcode reader and is wrong after it.
#[test]
fn record_mutations() {
    random_cases("record mutations", 50_000, mutate_records, &judge);
}
