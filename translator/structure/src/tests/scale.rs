//! Large inputs: each ends in a result or a limit error within a time limit.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::graph::{Block, BlockData, Graph, Terminator};
use crate::{Options, structure};
use dxil_base::entity::Entity;
use dxil_base::error::ErrorKind;

fn graph(count: usize, terminator: impl Fn(usize) -> Terminator) -> Graph {
    let mut graph = Graph::new();
    (0..count).for_each(|i| {
        graph.blocks.push(BlockData::from(terminator(i)));
    });
    graph
}

fn branch(then: usize, els: usize) -> Terminator {
    Terminator::Branch { then: Block::new(then), els: Block::new(els), never: None }
}

fn jump(to: usize) -> Terminator {
    Terminator::Jump(Block::new(to))
}

/// Shapes by name, each with this many blocks.
fn shapes(n: usize) -> Vec<(&'static str, Graph)> {
    let last = n - 1;
    let end = move |i: usize, t: Terminator| if i == last { Terminator::Return } else { t };
    vec![
        ("chain", graph(n, |i| end(i, jump(i + 1)))),
        (
            "diamonds",
            graph(n, |i| {
                end(i, if i % 3 == 0 && i + 3 < n { branch(i + 1, i + 2) } else { jump((i / 3 + 1) * 3).clamp(last) })
            }),
        ),
        (
            "breaks",
            graph(n, |i| match i {
                0 => jump(1),
                _ if i == last => Terminator::Return,
                _ if i == last - 1 => jump(1),
                _ => branch(last, i + 1),
            }),
        ),
        ("nested loops", graph(n, |i| end(i, if i < n / 2 { jump(i + 1) } else { branch(last - i, i + 1) }))),
        ("nested exits", graph(n, |i| end(i, if i < n / 2 { branch(i + 1, last - i) } else { jump(i + 1) }))),
        ("ladder", graph(n, |i| end(i, branch((i + 2).min(last), i + 1)))),
        (
            "switch",
            graph(n, |i| match i {
                0 => Terminator::Switch {
                    cases: (1..last).map(|c| (c as u64, Block::new(c))).collect(),
                    default: Block::new(last),
                },
                _ => end(i, jump(i + 1)),
            }),
        ),
        (
            "exits of one loop",
            graph(n, |i| match i {
                _ if i == last => Terminator::Return,
                _ if i < n / 2 => branch(if i + 1 < n / 2 { i + 1 } else { 0 }, n / 2 + i),
                _ => branch((i + 1).min(last), (i + 2).min(last)),
            }),
        ),
    ]
}

trait Clamp {
    fn clamp(self, last: usize) -> Self;
}

impl Clamp for Terminator {
    fn clamp(self, last: usize) -> Self {
        match self {
            Self::Jump(to) => jump(to.index().min(last)),
            other => other,
        }
    }
}

#[test]
fn a_hundred_thousand_blocks() {
    for (name, graph) in shapes(100_000) {
        let start = Instant::now();
        let result = match structure(&graph, &Options::default()) {
            Ok(structured) => format!("{} nodes", structured.layout.nodes.len()),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
                error.to_string()
            }
        };
        println!("{name}: {:?}, {result}", start.elapsed());
        assert!(start.elapsed().as_secs() < 60, "{name}");
    }
}

/// The time that this thread has run, so that other load on the machine does not count. If the
/// system does not report it, the time that has passed.
fn processor_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat");
    let ran = ran.ok().and_then(|text| text.split_whitespace().next().and_then(|nanos| nanos.parse().ok()));
    ran.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

#[test]
fn time_grows_with_size() {
    for (name, small) in shapes(2_000) {
        let large = shapes(32_000).into_iter().find(|s| s.0 == name).map(|s| s.1).expect("the same shapes");
        // As many blocks are structured in both measurements, because the system counts in ticks of
        // some milliseconds.
        let time = |graph: &Graph, times: usize| {
            let measure = |_| {
                let start = processor_time();
                (0..times).for_each(|_| drop(structure(graph, &Options::default())));
                processor_time().saturating_sub(start)
            };
            (0..2).map(measure).min().expect("two runs")
        };
        let (short, long) = (time(&small, 16), time(&large, 1));
        println!("{name}: {short:?} for 16 times 2,000 blocks, {long:?} for 32,000");
        assert!(long < short * 5 + Duration::from_millis(50), "{name}: {short:?} and {long:?}");
    }
}
