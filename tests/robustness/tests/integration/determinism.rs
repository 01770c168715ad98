//! The words of a shader do not depend on the secret that hashes have, which is another one in
//! every process.
//!
//! The test starts itself twice, and compares what the processes say of the words of all
//! containers.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_robustness::pipeline::{Outcome, run_without_text};

const CHILD: &str = "DXIL_PRINT_DIGESTS";
const MARK: &str = "digest of ";

/// The containers of the corpus, and one library, in the order of their names.
fn containers() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = std::fs::read_dir(tests.join("corpus")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = corpus.filter(|file| file.extension() == Some(OsStr::new("dxil"))).collect();
    files.push(tests.join("bench/library/library.8.dxil"));
    files.sort();
    files
}

/// A line for each container, with a digest of its words. `DefaultHasher` has no secret.
fn digests() -> Vec<String> {
    let digest = |file: PathBuf| {
        let Outcome::Translated(words) = run_without_text(&std::fs::read(&file).unwrap()) else {
            panic!("{} is not translated", file.display());
        };
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        format!("{MARK}{}: {:x}", file.display(), hasher.finish())
    };
    containers().into_iter().map(digest).collect()
}

#[test]
fn processes_translate_to_the_same_words() {
    if std::env::var_os(CHILD).is_some() {
        digests().iter().for_each(|line| println!("{line}"));
        return;
    }
    let digests = || {
        let program = std::env::current_exe().unwrap();
        let arguments = ["--exact", "determinism::processes_translate_to_the_same_words", "--nocapture"];
        let output = Command::new(program).args(arguments).env(CHILD, "1").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        // The harness may write before the first one, in its line.
        text.lines().filter_map(|line| Some(line.get(line.find(MARK)?..)?.to_owned())).collect::<Vec<_>>()
    };
    let [first, second] = [digests(), digests()];
    assert_eq!(first.len(), containers().len());
    assert_eq!(first, second);
}
