//! Pooled memory of the reader of modules.
//!
//! A module is read into some thirty lists, and to allocate and free them costs a tenth of reading
//! a small module. In: what [`Bodies`](super::Bodies) no longer needs. Out: the same lists, empty,
//! for the next module that the thread reads. What must hold: a module is read as if it were the
//! first, because nothing passes to it but capacity, and blocks that are compared byte by byte
//! ([`abbreviations`](crate::abbreviations)). The pool of a thread has no more than a few
//! megabytes.

use crate::body::Body;
use crate::module::Module;
use crate::stream::{Numbers, StreamMemory};
use dxil_base::limits::Fuel;
use dxil_base::pool::{self, Pooled};

use super::checked::{CheckState, ForwardReference};
use super::derived::Derived;
use super::lists::Lists;

/// The most bytes of bitcode. Memory is reserved by it.
const MOST_INPUT: usize = 1 << 16;

thread_local! {
    static MEMORY: Pooled<Memory> = const { Pooled::new(None) };
}

/// Lists whose items nobody needs.
#[derive(Default)]
pub(super) struct Memory {
    pub module: Box<Module>,
    pub derived: Derived,
    pub body: Option<Box<Body>>,
    pub checked: CheckState,
    pub expected: Vec<ForwardReference>,
    pub lists: Lists,
    pub stream: StreamMemory,
    pub record: Numbers,
}

impl Memory {
    /// The memory from the pool.
    pub fn take() -> Self {
        pool::take(&MEMORY)
    }

    /// Empties the memory and puts it into the pool, unless it is too much. `input` is the number
    /// of bytes of the bitcode that was read into it.
    pub fn recycle(mut self, fuel: &Fuel, input: usize) {
        if fuel.spent().bytes > pool::MOST_BYTES || input > MOST_INPUT {
            return;
        }
        // The next body clears the one before.
        let Self { module, derived, body: _, checked, expected, lists, stream, record } = &mut self;
        module.clear();
        derived.0.clear();
        checked.clear();
        expected.clear();
        lists.clear();
        stream.clear();
        record.clear();
        pool::put(&MEMORY, self);
    }
}
