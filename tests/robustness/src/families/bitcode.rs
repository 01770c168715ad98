//! Families of records and constants that describe far more than they contain.

use super::family::{Family, Kernel, kernel, limited, linear};
use crate::bitstream::{Block, Item, Record};
use crate::compose::{I1, I32, Type, Value};

pub(super) const FAMILIES: &[Family] = &[
    limited("flags of old attribute lists", 1_000, old_attributes),
    linear("blocks of attachments", 1_000, attachment_blocks),
    limited("changed long constants", 100, changed_constants),
    limited("elements of a long constant", 100, constant_elements),
    limited("selects of a table", 2_000, selected_tables),
];

/// Pairs of a parameter and the flags that it has, in the form of LLVM before 3.3. All flags are
/// set.
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

/// A long vector of constants, and its type.
fn long_vector(k: &mut Kernel) -> (Type, Value) {
    let vector = k.module.ty(12, &[1024, I32]);
    (vector, k.module.constant(vector, 22, (0..1024u64).map(Into::into).collect()))
}

/// Constants that are a long vector with another first element, of which one element is used.
fn changed_constants(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ((vector, base), zero) = (long_vector(k), k.module.int(0));
        for i in 0..n as u32 {
            let element = k.module.int(i);
            let changed = k.module.constant(vector, 15, [base, element, zero].map(Into::into).to_vec());
            let element = k.module.constant(I32, 14, vec![vector.into(), changed.into(), zero.into()]);
            k.keep(element);
        }
        k.body.ret(None);
    })
}

/// Constants that are an element of a long vector.
fn constant_elements(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ((vector, base), zero) = (long_vector(k), k.module.int(0));
        for _ in 0..n {
            // The vector's type, the vector and the index.
            let element = k.module.constant(I32, 14, vec![vector.into(), base.into(), zero.into()]);
            k.keep(element);
        }
        k.body.ret(None);
    })
}

/// Choices between two tables by a constant. A phi, which nothing uses, gets them.
fn selected_tables(n: usize) -> Vec<u8> {
    kernel(|k| {
        let table = k.module.array(4_000, I32);
        let elements = (0..4_000u64).map(Into::into).collect();
        let (elements, zeros) = (k.module.constant(table, 22, elements), k.module.constant(table, 2, Vec::new()));
        let truth = k.module.integer(I1, 1);
        let after = n as u64 + 1;
        let cases: Vec<_> = (1..n as u32).map(|label| (k.module.int(label), u64::from(label) + 1)).collect();
        k.body.switch(k.input, 1, &cases);
        (0..n).for_each(|_| k.body.jump(after));
        let mut choice = || k.module.constant(table, 13, [truth, elements, zeros].map(Into::into).to_vec());
        let incoming: Vec<_> = (1..after).map(|block| (choice(), block)).collect();
        k.body.phi(table, &incoming);
        k.body.ret(None);
    })
}
