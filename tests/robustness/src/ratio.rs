//! Compares the time for an input with the time for one that is eight times as large.
//!
//! In: what is measured, at a size. Out: nothing, or a panic with the times of all doublings. A
//! ratio of two times of one run depends on the computer less than either time does.

use std::time::Duration;

use crate::memory;

/// Times below this are not compared.
const SHORT: Duration = Duration::from_millis(20);

/// Checks that eight times the size take no more than about eight times as long. `run` gives the
/// time for a size; a fault has to occur three times, because the time depends on what else runs.
///
/// # Panics
/// Where the time grows faster.
#[track_caller]
pub fn grows(what: &str, smallest: usize, run: impl Fn(usize) -> Duration) {
    let mut said = String::new();
    for _ in 0..3 {
        let times: Vec<Duration> = (0..=3).map(|doubling| run(smallest << doubling)).collect();
        said = format!("{what}: {times:?}");
        println!("{said}");
        if times[3] < SHORT || times[3] < times[0].max(Duration::from_millis(1)) * 20 {
            return;
        }
    }
    panic!("{said}");
}

/// The result of a call, and the time that it took.
pub fn timed<T>(call: impl FnOnce() -> T) -> (T, Duration) {
    let before = memory::thread_time();
    let result = call();
    (result, memory::thread_time() - before)
}
