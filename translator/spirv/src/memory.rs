//! Memory that a thread keeps from one module to the next.
//!
//! In: the lists of a module that is finished. Out: the same lists, empty, for the next module that
//! the thread builds. What must hold: nothing but capacity passes from one module to the next, and
//! a thread keeps no more than a few megabytes.

use std::cell::Cell;

use super::intern::{IdInfo, Interner};
use super::values::Values;
use super::words::Section;

thread_local! {
    static MEMORY: Cell<Option<Memory>> = const { Cell::new(None) };
}

/// Lists without items.
#[derive(Default)]
pub(super) struct Memory {
    pub ids: Vec<IdInfo>,
    pub interner: Interner,
    pub scratch: Vec<u32>,
    pub names: Section,
    pub annotations: Section,
    pub globals: Section,
    pub locals: Section,
    pub values: Values,
}

impl Memory {
    /// The most words, and the most ids, of a module whose memory is kept.
    pub const MOST: usize = 1 << 16;

    /// The memory that the thread keeps. The thread has none until it keeps some again.
    pub fn take() -> Self {
        MEMORY.try_with(Cell::take).ok().flatten().unwrap_or_default()
    }

    /// Keeps memory, without what is in it.
    pub fn keep(mut self) {
        let Self { ids, interner, scratch, names, annotations, globals, locals, values } = &mut self;
        ids.clear();
        interner.clear();
        scratch.clear();
        values.clear();
        [names, annotations, globals, locals].into_iter().for_each(Section::clear);
        // A thread that ends keeps nothing.
        _ = MEMORY.try_with(|kept| kept.set(Some(self)));
    }
}
