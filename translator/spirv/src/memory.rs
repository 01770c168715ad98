//! Pooled memory of modules.
//!
//! In: the lists of a module that is finished. Out: the same lists, empty, for the next module that
//! the thread builds. What must hold: nothing but capacity passes from one module to the next, and
//! the pool of a thread has no more than a few megabytes.

use super::intern::{IdInfo, Interner};
use super::values::Values;
use super::words::{Id, Section};
use dxil_base::pool::{self, Pooled};
use foldhash::{HashMap, HashSet};
use rspirv::spirv::StorageClass;

thread_local! {
    static MEMORY: Pooled<Memory> = const { Pooled::new(None) };
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
    /// The most words, and the most ids, of a module whose memory is pooled.
    pub const MOST: usize = 1 << 16;

    /// The memory from the pool.
    pub fn take() -> Self {
        pool::take(&MEMORY)
    }

    /// Empties the memory and puts it into the pool.
    pub fn recycle(mut self) {
        let Self { ids, interner, scratch, narrow, decorated, interface, values, .. } = &mut self;
        ids.clear();
        ids.shrink_to(Self::MOST);
        interner.clear();
        scratch.clear();
        narrow.clear();
        decorated.clear();
        interface.clear();
        values.clear();
        let Self { head, ext_imports, execution_modes, names, annotations, globals, functions, locals, code, .. } =
            &mut self;
        let sections = [head, ext_imports, execution_modes, names, annotations, globals, functions, locals, code];
        for section in sections {
            section.clear();
            // It is reserved by the instructions of a function, which may all be needless.
            if section.capacity() > Self::MOST {
                *section = Section::default();
            }
        }
        pool::put(&MEMORY, self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Module;
    use dxil_base::profile::VULKAN_1_3_DESKTOP;

    #[test]
    fn memory_for_many_instructions_is_not_kept() {
        for instructions in [1_000, 1 << 19] {
            let mut module = Module::new(&VULKAN_1_3_DESKTOP, (1, 6), false);
            module.reserve(instructions);
            module.finish().unwrap();
            let Memory { ids, code, annotations, .. } = Memory::take();
            let most = [ids.capacity(), code.capacity(), annotations.capacity()].into_iter().max();
            assert!(most.is_some_and(|most| (1_000..=Memory::MOST).contains(&most)), "{instructions}: {most:?}");
        }
    }
}
