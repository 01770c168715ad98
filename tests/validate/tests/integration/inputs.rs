//! Inputs that are repeated in every run of the tests: those in `tests/robustness/inputs`, each of
//! which once broke a promise (that an error has a place and is not of kind `Bug`, that a module is
//! valid), and those in `tests/robustness/corpus`, each of which reaches a place in the translator
//! that no container of the repository and no smaller input reaches. scripts/fuzz.sh found them.
//! The ending of a file's name says what it is: `dxil` or `shader`, or a kind of
//! `dxil_robustness::handed`.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use dxil_robustness::handed::{Handed, Kind};
use dxil_validate::promises::Checker;

/// The most bytes of the corpus.
const CORPUS_BYTES: u64 = 5_000_000;

/// What is wrong with the inputs at these paths.
fn faults(handed: &Handed, paths: &[PathBuf]) -> Vec<String> {
    let (mut checker, mut faults) = (Checker::new(), Vec::new());
    for path in paths {
        let input = std::fs::read(path).expect("an input");
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let verdict = panic::catch_unwind(AssertUnwindSafe(|| match Kind::named(ending) {
            Some(kind) => checker.handed(handed, kind, &input),
            None => checker.whole(&input),
        }));
        match verdict {
            Ok(verdict) => {
                println!("{}: {}", path.display(), verdict.kind);
                faults.extend(verdict.fault.map(|fault| format!("{}: {fault}", path.display())));
            }
            Err(_) => faults.push(format!("{}: panicked", path.display())),
        }
    }
    faults
}

/// Checks all inputs of a folder, on all cores. Returns their size in bytes.
fn keep_the_promises(folder: &str) -> u64 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../robustness").join(folder);
    let listing = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = listing.map(|entry| entry.expect("an input").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no inputs in {}", folder.display());
    let handed = Handed::new();
    let share = paths.len().div_ceil(std::thread::available_parallelism().map_or(1, usize::from));
    let faults: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = paths.chunks(share).map(|paths| scope.spawn(|| faults(&handed, paths))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    paths.iter().map(|path| path.metadata().map_or(0, |data| data.len())).sum()
}

#[test]
fn inputs_keep_the_promises() {
    keep_the_promises("inputs");
}

#[test]
fn the_corpus_keeps_the_promises() {
    let bytes = keep_the_promises("corpus");
    assert!(bytes < CORPUS_BYTES, "the corpus has {bytes} bytes");
}
