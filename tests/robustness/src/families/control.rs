//! Families of control flow: blocks, nesting, cases, jumps that cross, and irreducible loops.

use dxil_base::entity::Entity;
use dxil_structure::Block;
use dxil_structure::analysis::{Cfg, Dominators};

use super::family::{Family, Kernel, kernel, limited, linear};
use crate::compose::{I32, Value};
use dxil_test_support::Random;

pub(super) const FAMILIES: &[Family] = &[
    linear("blocks in a chain", 2_000, chain),
    linear("branches that come together", 500, diamonds),
    linear("branches that nest", 120, nested),
    linear("switches that nest", 120, nested_switches),
    limited("loops that nest", 60, loops),
    limited("blocks inside loops that nest", 60, inside_loops),
    linear("jumps that cross", 500, crossing),
    linear("unrolled loops with continues", 500, ladder),
    linear("values that leave loops", 500, left_loops),
    linear("random irreducible graphs", 400, irreducible),
    linear("a switch into a cycle", 500, switched_cycle),
    linear("irreducible loops in a row", 250, irreducible_row),
    limited("irreducible ladders", 120, irreducible_ladder),
    linear("cases with one target", 2_000, |n| cases(n, 1)),
    linear("cases with their own targets", 750, |n| cases(n, n)),
    linear("cases that lead to the default block", 2_000, |n| default_cases(n, 1)),
    linear("switches with cases that lead to the default block", 4, |n| default_cases(2_000, n)),
    linear("switches with cases that lead to one block", 4, |n| cases_of_many(2_000, n)),
    limited("breaks out of two loops", 100, two_level_breaks),
    linear("breaks out of one loop", 1_000, breaks),
    limited("labels of switch ranges", 10, switch_ranges),
    limited("values after many breaks", 80, values_after_breaks),
    limited("loops that nest with one latch", 60, one_latch),
    linear("exits of one latch", 1_000, latch_exits),
];

fn chain(n: usize) -> Vec<u8> {
    kernel(|k| {
        for i in 1..n as u64 {
            k.body.jump(i);
        }
        k.body.ret(None);
    })
}

fn diamonds(n: usize) -> Vec<u8> {
    kernel(|k| {
        for i in 0..n {
            let at = k.body.blocks();
            let condition = k.condition(i);
            k.body.branch(condition, at + 1, at + 2);
            let a = k.some(i);
            k.body.jump(at + 3);
            let b = k.some(i + 1);
            k.body.jump(at + 3);
            let both = k.body.phi(I32, &[(a, at + 1), (b, at + 2)]);
            k.keep(both);
        }
        k.body.ret(None);
    })
}

/// Constructs, each of which is in the one around it: `start` ends block `i` with a jump to the
/// next block or to the block after its construct.
fn nest(n: usize, start: impl Fn(&mut Kernel, u64, u64)) -> Vec<u8> {
    kernel(|k| {
        let last = 2 * n as u64;
        (0..n as u64).for_each(|i| start(k, i, last - i));
        for i in n as u64..last {
            let value = k.some(i as usize);
            k.keep(value);
            k.body.jump(i + 1);
        }
        k.body.ret(None);
    })
}

fn nested(n: usize) -> Vec<u8> {
    nest(n, |k, i, after| {
        let condition = k.condition(i as usize);
        k.body.branch(condition, i + 1, after);
    })
}

fn loops(n: usize) -> Vec<u8> {
    kernel(|k| {
        let n = n as u64;
        (0..n).for_each(|i| k.body.jump(i + 1));
        for i in 0..n {
            let condition = k.condition(i as usize);
            k.body.branch(condition, n - i, n + i + 1);
        }
        k.body.ret(None);
    })
}

/// Every block branches to two random later ones, and has a phi of a value of each predecessor.
fn crossing(n: usize) -> Vec<u8> {
    let mut random = Random::from_case(1, n as u64);
    let last = n - 1;
    let mut targets = Vec::new();
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); n];
    for i in 0..last {
        let mut to = || (i + 1 + random.below(16)).min(last);
        let (a, b) = (i + 1, to());
        targets.push((a, b));
        sources[a].push(i);
        sources[b].push(i);
    }
    kernel(|k| {
        // A block after the first has a phi, a value and a condition.
        let first = k.body.ahead(0);
        let Value::Local(first) = first else { return };
        let value_of = |block: usize| match block {
            0 => Value::Local(first),
            block => Value::Local(first + 2 + 3 * (block - 1) + 1),
        };
        for (i, sources) in sources.iter().enumerate() {
            if i > 0 {
                let incoming: Vec<_> = sources.iter().map(|&from| (value_of(from), from as u64)).collect();
                let phi = k.body.phi(I32, &incoming);
                let sum = k.body.binary(0, phi, phi);
                k.keep(sum);
            } else {
                k.some(0);
            }
            let condition = k.condition(i);
            match targets.get(i) {
                Some(&(a, b)) => k.body.branch(condition, a as u64, b as u64),
                None => k.body.ret(None),
            }
        }
    })
}

fn ladder(n: usize) -> Vec<u8> {
    kernel(|k| {
        let last = n as u64 - 1;
        for i in 0..last {
            let value = k.some(i as usize);
            k.keep(value);
            let condition = k.condition(i as usize);
            k.body.branch(condition, (i + 2).min(last), i + 1);
        }
        k.body.ret(None);
    })
}

/// Loops with two exits each. The values of every loop are used after all loops.
fn left_loops(n: usize) -> Vec<u8> {
    kernel(|k| {
        let mut values = Vec::new();
        for i in 0..n {
            // Header with one exit, body with another; the second exit comes to the first one's
            // target.
            let at = k.body.blocks();
            k.body.jump(at + 1);
            let value = k.some(i);
            values.push(value);
            let condition = k.condition(i);
            k.body.branch(condition, at + 2, at + 3);
            let other = k.condition(i + 1);
            k.body.branch(other, at + 1, at + 3);
        }
        for value in values {
            k.keep(value);
        }
        k.body.ret(None);
    })
}

/// A graph with random edges. Every block uses values of blocks that dominate it.
fn irreducible(n: usize) -> Vec<u8> {
    let mut random = Random::from_case(2, n as u64);
    let mut to = |block: usize| match random.below(4) {
        0 => 1 + random.below(n - 1),
        _ => (block + 1 + random.below(8)).min(n - 1),
    };
    let targets: Vec<(usize, usize)> = (0..n - 1).map(|block| (block + 1, to(block))).collect();
    let cfg = Cfg::<Block>::new(n, |block, out| {
        out.extend(targets.get(block.index()).into_iter().flat_map(|&(a, b)| [Block::new(a), Block::new(b)]));
    });
    let dominators = Dominators::new(&cfg);
    kernel(|k| {
        let Value::Local(first) = k.body.next() else { return };
        for (block, &(a, b)) in targets.iter().enumerate() {
            let mut value = k.some(1);
            let mut above = Block::new(block);
            for _ in 0..random.below(12) {
                above = dominators.immediate(above).unwrap_or(above);
            }
            // A block defines three values.
            value = k.body.binary(0, Value::Local(first + 3 * above.index()), value);
            let condition = k.body.compare(32, value, k.input);
            k.body.branch(condition, a as u64, b as u64);
        }
        k.body.ret(None);
    })
}

fn switched_cycle(n: usize) -> Vec<u8> {
    kernel(|k| {
        let labels: Vec<(Value, u64)> = (0..n).map(|i| (k.module.int(i as u32), i as u64 + 1)).collect();
        let input = k.input;
        k.body.switch(input, n as u64 + 1, &labels);
        for i in 0..n {
            let value = k.some(i);
            k.keep(value);
            let condition = k.condition(i);
            k.body.branch(condition, (i as u64 + 1) % n as u64 + 1, n as u64 + 1);
        }
        k.body.ret(None);
    })
}

fn irreducible_ladder(n: usize) -> Vec<u8> {
    kernel(|k| {
        let last = n as u64 + 1;
        let condition = k.condition(0);
        k.body.branch(condition, 1, n as u64);
        for i in 1..=n as u64 {
            let condition = k.condition(i as usize);
            let back = if i == 1 { last } else { i - 1 };
            k.body.branch(condition, back, i + 1);
        }
        k.body.ret(None);
    })
}

/// A switch with this many cases and targets.
pub fn cases(n: usize, targets: usize) -> Vec<u8> {
    kernel(|k| {
        let end = targets as u64 + 1;
        let labels: Vec<(Value, u64)> = (0..n)
            .map(|i| (k.module.int(i as u32), if targets == 1 { end } else { 1 + (i % targets) as u64 }))
            .collect();
        let input = k.input;
        k.body.switch(input, 1, &labels);
        let mut incoming = Vec::new();
        for i in 0..targets {
            let value = k.some(i);
            incoming.push((value, i as u64 + 1));
            k.body.jump(end);
        }
        if targets == 1 {
            incoming.extend(labels.iter().map(|&(label, _)| (label, 0)));
        }
        let phi = k.body.phi(I32, &incoming);
        k.keep(phi);
        k.body.ret(None);
    })
}

/// Switches with this many cases, all of which lead to the default block.
fn default_cases(n: usize, switches: usize) -> Vec<u8> {
    kernel(|k| {
        let labels: Vec<Value> = (0..n).map(|i| k.module.int(i as u32)).collect();
        for default in 1..=switches as u64 {
            let cases: Vec<_> = labels.iter().map(|&label| (label, default)).collect();
            k.body.switch(k.input, default, &cases);
        }
        k.body.ret(None);
    })
}

/// Switches with this many cases, which lead to the block after the default one.
fn cases_of_many(n: usize, switches: usize) -> Vec<u8> {
    kernel(|k| {
        let labels: Vec<Value> = (0..n).map(|i| k.module.int(i as u32)).collect();
        for default in (1..).step_by(2).take(switches) {
            let cases: Vec<_> = labels.iter().map(|&label| (label, default + 1)).collect();
            k.body.switch(k.input, default, &cases);
            k.keep(k.input);
            k.body.jump(default + 1);
        }
        k.body.ret(None);
    })
}

/// A loop nest, in which every loop breaks out of two loops.
fn two_level_breaks(n: usize) -> Vec<u8> {
    kernel(|k| {
        let n = n as u64;
        let last = 2 * n + 1;
        k.body.jump(1);
        for i in 1..=n {
            let condition = k.condition(i as usize);
            // The latch of the loop around the one around this one's.
            k.body.branch(condition, (last - i + 2).min(last), i + 1);
        }
        for i in n + 1..last {
            let condition = k.condition(i as usize);
            k.body.branch(condition, last - i, i + 1);
        }
        k.body.ret(None);
    })
}

/// A loop with many breaks, each of which gives the value after the loop.
pub fn breaks(n: usize) -> Vec<u8> {
    kernel(|k| {
        let after = n as u64 + 1;
        k.body.jump(1);
        let mut incoming = Vec::new();
        for block in 1..=n as u64 {
            incoming.push((k.some(block as usize), block));
            let condition = k.condition(block as usize);
            k.body.branch(condition, after, if block == n as u64 { 1 } else { block + 1 });
        }
        let phi = k.body.phi(I32, &incoming);
        k.keep(phi);
        k.body.ret(None);
    })
}

/// Switches whose labels are ranges of 4,096 numbers.
pub fn switch_ranges(n: usize) -> Vec<u8> {
    kernel(|k| {
        for i in 0..n as u64 {
            // LLVM's magic number of this form, the type, the value, the default; one case with one
            // range.
            let operands = [0x4b5 << 16, I32, 0, i + 1, 1, 1, 0, 0, 4095 << 1, i + 1];
            let mut operands: Vec<_> = operands.into_iter().map(Into::into).collect();
            operands[2] = k.input.into();
            k.body.end(12, operands);
        }
        k.body.ret(None);
    })
}

/// A loop with many breaks, and a value of each block that is used after the loop. No compiler
/// writes this, because the blocks do not dominate the uses.
pub fn values_after_breaks(n: usize) -> Vec<u8> {
    kernel(|k| {
        let after = n as u64 + 1;
        k.body.jump(1);
        let mut values = Vec::new();
        for block in 1..=n as u64 {
            values.push(k.some(block as usize));
            let condition = k.condition(block as usize);
            k.body.branch(condition, after, if block == n as u64 { 1 } else { block + 1 });
        }
        values.into_iter().for_each(|value| k.keep(value));
        k.body.ret(None);
    })
}

/// Switches, each of which is a case of the one around it.
fn nested_switches(n: usize) -> Vec<u8> {
    nest(n, |k, i, after| {
        let (one, input) = (k.module.int(1), k.some(i as usize));
        k.body.switch(input, after, &[(one, i + 1)]);
    })
}

/// A nest of loops with a chain of as many blocks inside, each of which defines a value that is
/// used after the loops.
fn inside_loops(n: usize) -> Vec<u8> {
    kernel(|k| {
        let n = n as u64;
        (0..n).for_each(|i| k.body.jump(i + 1));
        let mut values = Vec::new();
        for i in n..2 * n {
            values.push(k.some(i as usize));
            k.body.jump(i + 1);
        }
        for i in 0..n {
            let condition = k.condition(i as usize);
            k.body.branch(condition, n - i, 2 * n + i + 1);
        }
        values.into_iter().for_each(|value| k.keep(value));
        k.body.ret(None);
    })
}

/// Loops of two blocks, one after the other. Each may be entered at either block.
fn irreducible_row(n: usize) -> Vec<u8> {
    kernel(|k| {
        for i in 0..n as u64 {
            let first = 3 * i;
            let condition = k.condition(i as usize);
            k.body.branch(condition, first + 1, first + 2);
            let value = k.some(i as usize);
            k.keep(value);
            k.body.jump(first + 2);
            let condition = k.condition(i as usize + 1);
            k.body.branch(condition, first + 1, first + 3);
        }
        k.body.ret(None);
    })
}

/// Loops that nest and end in one latch, a switch with the headers from the innermost outwards.
/// Each loop has two more exits, which go to the header of the loop around it.
fn one_latch(n: usize) -> Vec<u8> {
    kernel(|k| {
        // Each loop has four blocks: the header, a second branch, and its two exits.
        let (header, latch) = (|i: usize| 4 * i as u64 + 1, 4 * n as u64 + 1);
        k.body.jump(1);
        for i in 0..n {
            let inner = if i + 1 < n { header(i + 1) } else { latch };
            let around = if i > 0 { header(i - 1) } else { latch + 1 };
            let condition = k.condition(i);
            k.body.branch(condition, header(i) + 1, header(i) + 2);
            k.body.branch(condition, inner, header(i) + 3);
            k.body.jump(around);
            k.body.jump(around);
        }
        let labels: Vec<(Value, u64)> = (1..n).map(|i| (k.module.int(i as u32), header(n - i))).collect();
        k.body.switch(k.input, header(0), &labels);
        k.body.ret(None);
    })
}

/// A loop whose latch is a switch with many exits, which come together after the loop. The last
/// case goes to the header.
fn latch_exits(n: usize) -> Vec<u8> {
    kernel(|k| {
        let last = n as u64 + 2;
        k.body.jump(1);
        let mut labels: Vec<(Value, u64)> = (0..n).map(|i| (k.module.int(i as u32), 2 + i as u64)).collect();
        labels.push((k.module.int(n as u32), 1));
        k.body.switch(k.input, last, &labels);
        for i in 0..n {
            let value = k.some(i);
            k.keep(value);
            k.body.jump(last);
        }
        k.body.ret(None);
    })
}
