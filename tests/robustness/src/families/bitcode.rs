//! Families of records and constants that describe far more than they contain.

use super::{Family, kernel, limited, linear};
use crate::bitstream::{Block, Item, Record};

pub(super) const FAMILIES: &[Family] = &[
    limited("flags of old attribute lists", 1_000, old_attributes),
    linear("blocks of attachments", 1_000, attachment_blocks),
];

/// Pairs of a parameter and the flags that it has, in the form of LLVM before 3.3. All flags are set.
fn old_attributes(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.body.ret(None);
        let operands = (1..=n as u64).flat_map(|parameter| [parameter, (1 << 52) - 1]).collect();
        let list = Item::from(Record { code: 1, operands });
        k.module.item(Item::Block(Block { id: 9, items: vec![list] }));
    })
}

/// Many attachments of one instruction, and as many blocks that could have further ones.
fn attachment_blocks(n: usize) -> Vec<u8> {
    kernel(|k| {
        let one = k.module.number(1);
        let node = k.module.node(&[Some(one)]) as u64;
        let pairs = std::iter::repeat_n([0, node], n).flatten();
        let all = Item::from(Record { code: 11, operands: std::iter::once(0).chain(pairs).collect() });
        k.body.item(Item::Block(Block { id: 16, items: vec![all] }));
        (0..n).for_each(|_| k.body.item(Item::Block(Block { id: 16, items: Vec::new() })));
        k.body.ret(None);
    })
}
