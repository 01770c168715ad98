//! Small inputs that ask for much memory or time: each is refused before it gets them.

use dxil_base::error::ErrorKind::{Limit, Malformed};
use dxil_bitcode as bitcode;
use dxil_test_support::bit_writer::{BitWriter, Op};

use crate::make::*;

#[test]
fn counts_without_content() {
    // An unabbreviated record that says 2^40 operands; below, an array and a blob that say as many.
    let bytes = raw_module(1, |w| {
        w.abbreviation_id(3);
        w.vbr(1, 6);
        w.vbr(1 << 40, 6);
        w.fixed(0, 64);
    });
    refused(&bytes, Malformed, "more than the bitcode has bits for");
    for element in [Op::Fixed(1), Op::Vbr(6), Op::Char6] {
        let bytes = raw_module(1, |w| {
            w.define(&[Op::Literal(4), Op::Array, element]);
            w.abbreviation_id(4);
            w.vbr(1 << 40, 6);
            w.fixed(0, 64);
        });
        refused(&bytes, Malformed, "more than the bitcode has bits for");
    }
    let bytes = raw_module(1, |w| {
        w.define(&[Op::Literal(4), Op::Blob]);
        w.abbreviation_id(4);
        w.vbr(u64::MAX, 6);
        w.align32();
        w.fixed(0, 64);
    });
    refused(&bytes, Malformed, "ends within");
    let bytes = raw_module(1, |w| {
        w.abbreviation_id(2);
        w.vbr(u64::MAX, 5);
    });
    assert!(bitcode::read(&bytes).is_err());
}

#[test]
fn literals_that_multiply() {
    // An abbreviation of a thousand literals that is used many times, for three bits each.
    let mut form = vec![Op::Literal(22)];
    form.extend((0..1000).map(|_| Op::Literal(0)));
    let bytes = raw_module(1, |w| {
        types(w);
        w.block(CONSTANTS_BLOCK, 3, |w| {
            w.define(&form);
            w.record(1, &[BYTES3]);
            (0..10_000).for_each(|_| w.abbreviation_id(4));
        });
    });
    refused(&bytes, Limit, "literal operands");
}

#[test]
fn abbreviations_without_end() {
    let bytes = raw_module(1, |w| (0..5000).for_each(|_| w.define(&[Op::Literal(1)])));
    refused(&bytes, Limit, "abbreviations");
    let bytes = raw_module(1, |w| {
        w.block(0, 2, |w| {
            w.record(1, &[1]);
            (0..5000).for_each(|_| w.define(&[Op::Literal(1)]));
        });
    });
    refused(&bytes, Limit, "abbreviations");
    let bytes = raw_module(1, |w| w.block(0, 2, |w| (0..5000).for_each(|i| w.record(1, &[i]))));
    refused(&bytes, Limit, "block ids");
}

#[test]
fn attributes_that_multiply() {
    let bytes = raw_module(1, |w| {
        w.block(GROUP_BLOCK, 3, |w| {
            let flags: Vec<u64> = [1, 0].into_iter().chain((0..2000).flat_map(|_| [0, 18])).collect();
            w.record(3, &flags);
        });
        w.block(PARAMATTR_BLOCK, 3, |w| (0..100).for_each(|_| w.record(2, &[1; 100])));
    });
    refused(&bytes, Limit, "attributes");
}

#[test]
fn integers_without_end() {
    let mut w = BitWriter::bitcode();
    w.abbreviation_id(1);
    (0..100).for_each(|_| w.fixed(0xff, 8));
    refused(&w.cut(), Malformed, "64 bits");
    // Any number of zero chunks may follow without changing the value.
    let mut w = BitWriter::bitcode();
    w.abbreviation_id(1);
    (0..100).for_each(|_| w.fixed(0x80, 8));
    refused(&w.cut(), Malformed, "ends within");
}

#[test]
fn inputs_that_are_too_large() {
    let e = bitcode::read(&vec![0; dxil_base::limits::INPUT_BYTES + 1]).unwrap_err();
    assert_eq!(e.kind(), Limit);
}
