//! Time and memory of the structurizer against the number of basic blocks.
//!
//! In: no input; the graphs are generated. Out: a table of graph shapes and sizes from 10 to 20,000
//! blocks, with microseconds, nanoseconds per block and peak bytes per block. The two per-block
//! columns stay level if the cost is linear in the number of blocks.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dxil_structure::{Graph, Options, structure};

const USAGE: &str = "\
Measures time and memory of the structurizer on generated control-flow graphs of 10 to 20,000 blocks.

usage: structure-cost";

/// The system's allocator, which counts the bytes in use and their peak.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is forwarded to the system's allocator with unchanged arguments, and counting
// does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc`, which is the same here.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `alloc` above returned the pointer for this layout, from the same allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A graph of `count` blocks. Block `i` ends with the text that `terminator` gives for it; the last
/// block returns.
fn graph(count: usize, terminator: impl Fn(usize) -> String) -> Graph {
    let last = count - 1;
    let line = |i: usize| match i {
        _ if i == last => format!("b{i}: ret\n"),
        _ => format!("b{i}: {}\n", terminator(i)),
    };
    (0..count).map(line).collect::<String>().parse().expect("the generated text is a valid graph")
}

/// A sequence of `if` statements, one after another.
fn diamonds(count: usize) -> Graph {
    let to = |i: usize| i.min(count - 1);
    graph(count, |i| match i % 3 {
        0 => format!("if b{} b{}", to(i + 1), to(i + 2)),
        phase => format!("jump b{}", to(i + 3 - phase)),
    })
}

/// A loop with a break in every other block.
fn breaks(count: usize) -> Graph {
    graph(count, |i| match i {
        _ if i + 2 == count => "jump b1".to_owned(),
        _ if i % 2 == 1 => format!("if b{} b{}", count - 1, i + 1),
        _ => format!("jump b{}", i + 1),
    })
}

/// An unrolled loop with a `continue` in each iteration: its merges do not nest.
fn unrolled(count: usize) -> Graph {
    let to = |i: usize| i.min(count - 1);
    graph(count, |i| format!("if b{} b{}", to(i + 2), to(i + 1)))
}

/// A sequence of loop nests, each eight loops deep.
fn nests(count: usize) -> Graph {
    graph(count, |i| match i % 16 {
        phase @ 8..16 if i > phase => format!("if b{} b{}", i - (2 * phase - 15), i + 1),
        _ => format!("jump b{}", i + 1),
    })
}

/// The shortest time of several runs and the peak memory of the last, or `None` if the structurizer
/// refuses the graph.
fn measure(graph: &Graph) -> Option<(Duration, usize)> {
    let options = Options::default();
    let runs = if graph.blocks.len() < 2_000 { 50 } else { 8 };
    let mut least = Duration::MAX;
    let mut peak = 0;
    for _ in 0..runs {
        let before = IN_USE.load(Ordering::Relaxed);
        PEAK.store(before, Ordering::Relaxed);
        let start = Instant::now();
        black_box(structure(black_box(graph), &options)).ok()?;
        least = least.min(start.elapsed());
        peak = PEAK.load(Ordering::Relaxed) - before;
    }
    Some((least, peak))
}

/// The name of a graph shape, and the function that makes a graph with a given number of blocks.
type Shape = (&'static str, fn(usize) -> Graph);

fn main() -> ExitCode {
    if let Some(argument) = std::env::args().nth(1) {
        if matches!(argument.as_str(), "--help" | "-h") {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        eprintln!("structure-cost: unexpected argument `{argument}`\n\n{USAGE}");
        return ExitCode::from(2);
    }
    println!("{:<10} {:>7} {:>11} {:>10} {:>12}", "graph", "blocks", "time us", "ns/block", "bytes/block");
    let shapes: [Shape; 4] = [("diamonds", diamonds), ("breaks", breaks), ("unrolled", unrolled), ("nests", nests)];
    for (name, shape) in shapes {
        for count in [10, 30, 100, 300, 1_000, 3_000, 10_000, 20_000] {
            let Some((time, peak)) = measure(&shape(count)) else {
                println!("{name:<10} {count:>7} refused");
                continue;
            };
            let micros = time.as_secs_f64() * 1e6;
            let each = micros * 1e3 / count as f64;
            println!("{name:<10} {count:>7} {micros:>11.1} {each:>10.0} {:>12}", peak / count);
        }
    }
    ExitCode::SUCCESS
}
