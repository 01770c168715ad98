//! Families of metadata, attributes, and the texts of a module.

use super::family::{Family, Kernel, kernel, limited, linear};
use crate::bitstream::{Block, Item, Record};

pub(super) const FAMILIES: &[Family] = &[
    linear("metadata", 10_000, metadata),
    linear("metadata strings", 5_000, strings),
    linear("named metadata", 2_000, named),
    linear("kinds of metadata", 250, kinds),
    linear("metadata of instructions", 2_000, attachments),
    linear("hints of branches", 250, |n| hinted_branches("dx.controlflow.hints", n)),
    linear("hints of loops", 250, |n| hinted_branches("llvm.loop", n)),
    linear("hints of one branch", 100, repeated_hints),
    linear("alignments of the data layout", 500, data_layout),
    limited("attribute lists", 40, attributes),
];

fn metadata(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.body.ret(None);
        let mut last = k.module.number(1);
        for _ in 0..n {
            last = k.module.node(&[Some(last), Some(last)]);
        }
        k.module.name("some", vec![last]);
    })
}

fn strings(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.body.ret(None);
        let strings = (0..n).map(|i| Some(k.module.string(format!("string {i}").as_bytes()))).collect::<Vec<_>>();
        let list = k.module.node(&strings);
        k.module.name("some", vec![list]);
    })
}

fn named(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.body.ret(None);
        let one = k.module.number(1);
        let node = k.module.node(&[Some(one)]);
        (0..n).for_each(|i| k.module.name(&format!("name{i}"), vec![node]));
    })
}

fn record(code: u64, operands: impl IntoIterator<Item = u64>) -> Item {
    Item::from(Record { code, operands: operands.into_iter().collect() })
}

fn text(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.bytes().map(u64::from)
}

/// Names the kinds of metadata attachments, from number 0 on.
fn name_kinds(k: &mut Kernel, names: impl IntoIterator<Item = impl AsRef<str>>) {
    let kind = |(number, name): (u64, _)| record(6, std::iter::once(number).chain(text(AsRef::as_ref(&name))));
    k.module.item(Item::Block(Block { id: 22, items: (0..).zip(names).map(kind).collect() }));
}

/// Names of kinds, and an attachment, without which no reader needs them.
fn kinds(n: usize) -> Vec<u8> {
    kernel(|k| {
        name_kinds(k, (0..n).map(|i| format!("kind{i}")));
        let one = k.module.number(1);
        let node = k.module.node(&[Some(one)]);
        k.body.attach(0, 0, node);
        k.body.ret(None);
    })
}

/// Metadata of the kind `dx.precise` at every instruction.
fn attachments(n: usize) -> Vec<u8> {
    kernel(|k| {
        name_kinds(k, ["dx.precise"]);
        let one = k.module.number(1);
        let node = k.module.node(&[Some(one)]);
        let mut sum = k.input;
        for i in 0..n as u64 {
            sum = k.body.binary(0, sum, k.input);
            k.body.attach(i + 1, 0, node);
        }
        k.keep(sum);
        k.body.ret(None);
    })
}

/// Branches with one node of metadata, which names another node as often as there are branches. So
/// does that one with a text.
fn hinted_branches(kind: &str, n: usize) -> Vec<u8> {
    kernel(|k| {
        name_kinds(k, [kind]);
        let name = k.module.string(b"a name");
        let inner = k.module.node(&vec![Some(name); n]);
        let node = k.module.node(&vec![Some(inner); n]);
        let condition = k.condition(1);
        // The instruction before the first branch is the condition.
        for i in 0..n as u64 {
            k.body.branch(condition, i + 1, i + 1);
            k.body.attach(i + 2, 0, node);
        }
        k.body.ret(None);
    })
}

fn data_layout(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.body.ret(None);
        let layout = (0..n).map(|i| format!("i{}:32", n - i)).collect::<Vec<_>>().join("-");
        k.module.item(record(3, text(&layout)));
    })
}

/// A group of attributes with one attribute of functions, which is a text. Its parts end with zero.
pub(super) fn attribute(group: u64, key: &str, value: Option<&str>) -> Item {
    let kind = if value.is_some() { 4 } else { 3 };
    record(3, [group, 0xffff_ffff, kind].into_iter().chain(text(key)).chain(text(value.unwrap_or_default())))
}

/// Lists of all groups of attributes.
fn attributes(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.body.ret(None);
        let group = |i| attribute(i, &format!("key{i}\0"), None);
        k.module.item(Item::Block(Block { id: 10, items: (1..=n as u64).map(group).collect() }));
        let lists = (0..n).map(|_| record(2, 1..=n as u64));
        k.module.item(Item::Block(Block { id: 9, items: lists.collect() }));
    })
}

/// One branch to which a list of lists of hints is attached again and again.
fn repeated_hints(n: usize) -> Vec<u8> {
    kernel(|k| {
        name_kinds(k, ["dx.controlflow.hints"]);
        let condition = k.condition(1);
        k.body.branch(condition, 1, 1);
        k.body.ret(None);
        let number = Some(k.module.number(2));
        let inner = Some(k.module.node(&[number; 8]));
        let list = k.module.node(&[inner; 8]);
        // The call and the comparison come before the branch.
        (0..n).for_each(|_| k.body.attach(2, 0, list));
    })
}
