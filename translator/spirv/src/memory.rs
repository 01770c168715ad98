//! Memory that a thread keeps from one module to the next.
//!
//! In: the lists of a module that is finished. Out: the same lists, empty, for the next module that
//! the thread builds. What must hold: nothing but capacity passes from one module to the next, and
//! a thread keeps no more than a few megabytes.

use super::intern::{IdInfo, Interner};
use super::values::Values;
use super::words::{Id, Section};
use dxil_base::kept::{self, Kept};
use foldhash::{HashMap, HashSet};
use rspirv::spirv::StorageClass;

thread_local! {
    static MEMORY: Kept<Memory> = const { Kept::new(None) };
}

/// Lists without items.
#[derive(Default)]
pub(super) struct Memory {
    pub ids: Vec<IdInfo>,
    pub interner: Interner,
    pub scratch: Vec<u32>,
    pub narrow: HashMap<Id, (bool, bool)>,
    pub decorated: HashSet<[u32; 4]>,
    pub interface: Vec<(Id, StorageClass)>,
    pub head: Section,
    pub ext_imports: Section,
    pub execution_modes: Section,
    pub names: Section,
    pub annotations: Section,
    pub globals: Section,
    pub functions: Section,
    pub locals: Section,
    pub code: Section,
    pub values: Values,
}

impl Memory {
    /// The most words, and the most ids, of a module whose memory is kept.
    pub const MOST: usize = 1 << 16;

    /// The memory that the thread keeps. The thread has none until it keeps some again.
    pub fn take() -> Self {
        kept::take(&MEMORY)
    }

    /// Keeps memory, without what is in it.
    pub fn keep(mut self) {
        let Self { ids, interner, scratch, narrow, decorated, interface, values, .. } = &mut self;
        ids.clear();
        interner.clear();
        scratch.clear();
        narrow.clear();
        decorated.clear();
        interface.clear();
        values.clear();
        let Self { head, ext_imports, execution_modes, names, annotations, globals, functions, locals, code, .. } =
            &mut self;
        let sections = [head, ext_imports, execution_modes, names, annotations, globals, functions, locals, code];
        sections.into_iter().for_each(Section::clear);
        kept::keep(&MEMORY, self);
    }
}
