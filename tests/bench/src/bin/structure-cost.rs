//! Time and memory of the structurizer against the number of basic blocks.
//!
//! In: no input; the graphs are generated. Out: a table of graph shapes and sizes from 10 to 20,000
//! blocks, with microseconds, nanoseconds per block and peak bytes per block. The two per-block
//! columns stay level if the cost is linear in the number of blocks.

use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::Parser;
use dxil_structure::{Graph, Options, structure};
use dxil_test_support::memory::{self, Counting};

/// Measures time and memory of the structurizer on generated control-flow graphs of 10 to 20,000
/// blocks.
#[derive(Parser)]
struct Arguments {}

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
        let start = Instant::now();
        let (structured, bytes) = memory::peak(|| structure(black_box(graph), &options).map(black_box));
        structured.ok()?;
        (least, peak) = (least.min(start.elapsed()), bytes);
    }
    Some((least, peak))
}

/// The name of a graph shape, and the function that makes a graph with a given number of blocks.
type Shape = (&'static str, fn(usize) -> Graph);

fn main() {
    Arguments::parse();
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
}
