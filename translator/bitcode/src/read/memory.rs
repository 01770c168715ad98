//! Memory that a thread keeps from one module to the next.
//!
//! A module is read into some thirty lists, and to allocate and free them costs a tenth of reading
//! a small module. In: what [`Bodies`](super::Bodies) no longer needs. Out: the same lists, empty,
//! for the next module that the thread reads. What must hold: a module is read as if it were the
//! first, because nothing passes to it but capacity, and blocks that are compared byte by byte
//! ([`abbreviations`](crate::abbreviations)). A thread keeps no more than a few megabytes.

use crate::body::Body;
use crate::module::Module;
use crate::stream::{Numbers, StreamMemory};
use dxil_base::kept::{self, Kept};
use dxil_base::limits::Fuel;

use super::checked::{CheckState, ForwardReference};
use super::derived::Derived;
use super::lists::Lists;

/// The most bytes of bitcode. Memory is reserved by it.
const KEPT_INPUT: usize = 1 << 16;

thread_local! {
    static KEPT: Kept<Memory> = const { Kept::new(None) };
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
    /// The memory that the thread keeps. The thread has none until it is kept again.
    pub fn take() -> Self {
        kept::take(&KEPT)
    }

    /// Keeps memory, unless it is too much. `input` is the number of bytes of the bitcode that was
    /// read into it.
    pub fn keep(mut self, fuel: &Fuel, input: usize) {
        if fuel.spent().bytes > kept::MOST_BYTES || input > KEPT_INPUT {
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
        kept::keep(&KEPT, self);
    }
}
