//! The largest inputs of every family, up to the limit of the input, end with a result or a typed
//! error within 2 seconds and 512 MiB, each in a process under a memory limit: no allocation fails.

use std::path::Path;

use dxil_robustness::families;
use dxil_robustness::worst::{self, End};

/// The longest time of one input in milliseconds, in an optimised build.
const MILLISECONDS: f64 = 2_000.0;

#[test]
#[ignore = "makes inputs of 64 MiB for half an hour; the time holds for an optimised build"]
fn every_family_keeps_to_time_and_memory() {
    let program = Path::new(env!("CARGO_BIN_EXE_dxil-worst-case"));
    let mut faults = Vec::new();
    for family in families::all() {
        for case in worst::measure(program, family).expect("a process for an input") {
            println!("{case}");
            let ended = matches!(case.end, End::Words(_) | End::Limit(_));
            if !ended || case.peak as u64 > worst::MEMORY || case.milliseconds > MILLISECONDS {
                faults.push(case.to_string());
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A process under the memory limit that allocates more ends, and shows as one that died. Otherwise
/// the test above could not fail.
#[test]
fn the_memory_limit_holds() {
    let program = Path::new(env!("CARGO_BIN_EXE_dxil-worst-case"));
    let end = worst::beyond(program).expect("a process");
    assert!(matches!(&end, End::Died(text) if text.contains("SIGABRT")), "{end:?}");
}
