//! `Shader::memory_size`, by which caches count shaders, is what the allocator handed out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use dxil_test_support::{containers, repository};
use dxil_translator::Shader;

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the bytes that a thread holds.
struct Counting;

fn count(more: usize, less: usize) {
    // A thread may free memory after its thread-locals are destroyed; `try_with` then fails.
    let _ = HELD.try_with(|held| held.set(held.get().wrapping_add(more).wrapping_sub(less)));
}

// SAFETY: every call is forwarded to the system's allocator with unchanged arguments, and counting
// does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc`, which is the same here.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: `System` returned the pointer, because `alloc` forwards to it.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Bytes of every shader that are not counted: the layout of the module's types, and maps with few items.
const FIXED: usize = 1_024;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
        let before = HELD.get();
        let Ok(shader) = Shader::parse(&container) else { continue };
        let held = HELD.get().wrapping_sub(before);
        let size = shader.memory_size();
        let missing = held.checked_sub(size);
        let fits = missing.is_some_and(|missing| missing <= FIXED + held / 12);
        assert!(fits, "{}: {size} bytes, and the allocator handed out {held}", path.display());
    }
}
