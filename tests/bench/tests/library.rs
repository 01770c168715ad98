//! A parsed shader costs its module once, however many entry points it has, and says what it
//! occupies.
//!
//! One test, so that nothing else allocates while it measures.

use std::path::{Path, PathBuf};
use std::thread;

use dxil_test_support::memory::{Counting, allocated, peak};
use dxil_translator::Shader;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Measured {
    entries: usize,
    peak: usize,
    live: usize,
    reported: usize,
}

fn measure(file: &Path) -> Measured {
    let bytes = std::fs::read(file).unwrap();
    let parse = || Shader::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    // A new thread has no memory of a shader before, and this one has that of the same shader.
    let peak = thread::scope(|scope| scope.spawn(|| peak(parse).1).join()).unwrap();
    drop(parse());
    let before = allocated();
    let shader = parse();
    let live = allocated() - before;
    Measured { entries: shader.entries().len(), peak, live, reported: shader.memory_size() }
}

/// Most bytes of a library that do not depend on its number of entry points.
const FIXED: usize = 48 << 10;

#[test]
fn memory_of_parsed_shaders() {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::fs::read_dir(here.join("../corpus")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = corpus.filter(|file| file.extension().is_some_and(|e| e == "dxil")).collect();
    let libraries = [8, 64].map(|count| here.join(format!("library/library.{count}.dxil")));
    files.extend(libraries.iter().cloned());
    assert!(files.len() > 50, "{} containers", files.len());
    for file in &files {
        let Measured { live, reported, .. } = measure(file);
        let fits = reported <= 2 * live && live <= 2 * reported;
        assert!(fits, "{}: reports {reported} bytes, and {live} are allocated", file.display());
    }
    let [few, many] = libraries.map(|file| measure(&file));
    assert_eq!((few.entries, many.entries), (8, 64));
    // Each further entry point costs the same, and a module has a fixed part besides.
    for (what, few, many) in [("peak", few.peak, many.peak), ("live", few.live, many.live)] {
        let each = (many - few) / (64 - 8);
        let fixed = few.checked_sub(8 * each);
        assert!(fixed.is_some_and(|fixed| fixed <= FIXED), "{what}: {few} bytes for 8 entries, {many} for 64");
    }
}
