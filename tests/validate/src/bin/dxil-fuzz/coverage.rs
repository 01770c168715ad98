//! Which places of the translator's code an input reaches.
//!
//! LLVM's SanitizerCoverage gives each edge of the instrumented code a counter of 8 bits, in one
//! array (Clang's documentation, "SanitizerCoverage", "Inline 8bit-counters"). scripts/fuzz.sh
//! builds this program so with `--keep`. In another build the array is empty.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The array of counters: its address and its end.
static START: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);

/// The instrumented code calls this once, before `main`.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, end: *mut u8) {
    START.store(start.expose_provenance(), Ordering::Relaxed);
    END.store(end.expose_provenance(), Ordering::Relaxed);
}

fn counters() -> &'static mut [u8] {
    let (start, end) = (START.load(Ordering::Relaxed), END.load(Ordering::Relaxed));
    if start == 0 {
        return &mut [];
    }
    // SAFETY: the range is an array that the linker made, which lives as long as the program. The
    // caller is the only thread, and instrumented code does not run while the result is used.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(start), end - start) }
}

/// A number of runs as one of eight bits: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more.
fn range(count: u8) -> u8 {
    match count {
        0 => 0,
        1..=3 => 1 << (count - 1),
        4..=31 => 1 << (count.ilog2() + 1),
        32..=127 => 1 << 6,
        _ => 1 << 7,
    }
}

/// What an input reached that none did before.
pub struct New {
    /// The places that none reached.
    pub places: Vec<usize>,
    /// Whether a place was reached a number of times that is new for it.
    pub counts: bool,
}

/// The places that inputs reached so far.
pub struct Coverage {
    /// By counter: the ranges of its values.
    seen: Vec<u8>,
}

impl Coverage {
    /// Nothing has been reached. `None` where the code is not instrumented.
    pub fn new() -> Option<Self> {
        let count = counters().len();
        (count > 0).then(|| Self { seen: vec![0; count] })
    }

    /// Begins a run: no place is reached.
    pub fn begin() {
        counters().fill(0);
    }

    /// What the run reached that was not reached before.
    pub fn new_in_run(&self) -> New {
        let mut new = New { places: Vec::new(), counts: false };
        for (place, (&count, &seen)) in counters().iter().zip(&self.seen).enumerate() {
            if range(count) & !seen != 0 {
                new.counts = true;
                if seen == 0 {
                    new.places.push(place);
                }
            }
        }
        new
    }

    /// Whether the run reached all of these places.
    pub fn reached(places: &[usize]) -> bool {
        let counters = counters();
        places.iter().all(|&place| counters.get(place).is_some_and(|&count| count != 0))
    }

    /// Takes what the run reached as reached.
    pub fn take(&mut self) {
        counters().iter().zip(&mut self.seen).for_each(|(&count, seen)| *seen |= range(count));
    }

    /// The number of places that were reached, and of all places.
    pub fn size(&self) -> (usize, usize) {
        (self.seen.iter().filter(|&&seen| seen != 0).count(), self.seen.len())
    }
}
