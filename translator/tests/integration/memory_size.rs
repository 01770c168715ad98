//! `Shader::memory_size`, by which caches count shaders, is what the allocator handed out.

use dxil_test_support::memory::allocated;
use dxil_test_support::{containers, repository};
use dxil_translator::Shader;

/// Bytes of every shader that are not counted: the layout of the module's types, and maps with few
/// items.
const FIXED: usize = 1_024;

#[test]
fn memory_size_is_what_a_shader_holds() {
    let tests = repository().join("tests");
    let mut paths = Vec::new();
    for folder in ["fixtures/rootsig", "fixtures/tracing", "fixtures/graphics", "fixtures/memory", "content"] {
        paths.extend(containers(tests.join(folder)));
    }
    assert!(paths.len() > 200, "{} containers", paths.len());
    for path in paths {
        let container = std::fs::read(&path).unwrap();
        // The thread keeps the reader's memory, which the same container then fits into.
        if Shader::parse(&container).is_err() {
            continue;
        }
        let before = allocated();
        let shader = Shader::parse(&container).unwrap();
        let held = allocated() - before;
        let size = shader.memory_size();
        let missing = held.checked_sub(size);
        let fits = missing.is_some_and(|missing| missing <= FIXED + held / 12);
        assert!(fits, "{}: {size} bytes, and the allocator handed out {held}", path.display());
    }
}
