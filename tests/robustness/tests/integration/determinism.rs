//! The words of a shader do not depend on the secret that hashes have, which is another one in
//! every process, nor on what the thread has translated before.
//!
//! The first test starts itself twice, and compares what the processes say of the words of all
//! containers. The second compares a thread that translates all of them with threads that translate
//! one each.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_robustness::pipeline::{Outcome, run_without_text};

const CHILD: &str = "DXIL_PRINT_DIGESTS";
const MARK: &str = "digest of ";

/// The containers of the corpus and of a folder of fixtures, and one library, in the order of their
/// names.
fn containers() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["corpus", "fixtures/control"].map(|folder| std::fs::read_dir(tests.join(folder)).unwrap());
    let all = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = all.filter(|file| file.extension() == Some(OsStr::new("dxil"))).collect();
    files.push(tests.join("bench/library/library.8.dxil"));
    files.sort();
    files
}

/// A line for the container, with a digest of its words. `DefaultHasher` has no secret.
fn digest(file: &Path) -> String {
    let Outcome::Translated(words) = run_without_text(&std::fs::read(file).unwrap()) else {
        panic!("{} is not translated", file.display());
    };
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    format!("{MARK}{}: {:x}", file.display(), hasher.finish())
}

#[test]
fn processes_translate_to_the_same_words() {
    if std::env::var_os(CHILD).is_some() {
        containers().iter().for_each(|file| println!("{}", digest(file)));
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

#[test]
fn a_thread_keeps_nothing_of_a_shader_for_the_next() {
    let files = containers();
    let alone = |file: &PathBuf| std::thread::scope(|scope| scope.spawn(|| digest(file)).join().unwrap());
    let alone: Vec<String> = files.iter().map(alone).collect();
    let after_others: Vec<String> = files.iter().map(|file| digest(file)).collect();
    assert_eq!(alone, after_others);
    let mut in_reverse: Vec<String> = files.iter().rev().map(|file| digest(file)).collect();
    in_reverse.reverse();
    assert_eq!(alone, in_reverse);
}
