//! The bitstream: abbreviations of every kind, `BLOCKINFO`, the wrapper, unknown blocks and
//! records.

use dxil_base::error::ErrorKind::Malformed;
use dxil_test_support::bit_writer::{BitWriter, Op};

use crate::make::*;

fn chars(text: &str) -> Vec<u64> {
    text.bytes().map(u64::from).collect()
}

/// `[code, count, characters…]`
fn counted(text: &str) -> Vec<u64> {
    std::iter::once(text.len() as u64).chain(chars(text)).collect()
}

#[test]
fn every_encoding_of_an_operand() {
    const TRIPLE: u64 = 2;
    const LAYOUT: u64 = 3;
    const SOURCE: u64 = 16;
    const ASM: u64 = 4;
    const SECTION: u64 = 5;
    let bytes = raw_module(1, |w| {
        let char6 = [Op::Literal(TRIPLE), Op::Array, Op::Char6];
        w.define(&char6);
        w.abbreviated(4, &char6, &counted("dxil_ms.DX09"), &[]);
        let fixed = [Op::Fixed(5), Op::Array, Op::Fixed(8)];
        w.define(&fixed);
        let fields: Vec<u64> = std::iter::once(LAYOUT).chain(counted("e-m:\u{7f}\0")).collect();
        w.abbreviated(5, &fixed, &fields, &[]);
        let vbr = [Op::Vbr(3), Op::Array, Op::Vbr(5)];
        w.define(&vbr);
        let fields: Vec<u64> = std::iter::once(SOURCE).chain(counted("file.hlsl")).collect();
        w.abbreviated(6, &vbr, &fields, &[]);
        // Only scalars: a literal operand, a fixed operand of width zero, whose value is zero, and
        // one of each other kind.
        let scalars = [Op::Literal(ASM), Op::Literal(97), Op::Fixed(0), Op::Char6, Op::Vbr(6), Op::Fixed(7)];
        w.define(&scalars);
        w.abbreviation_id(7);
        w.fixed(1, 6);
        w.vbr(99, 6);
        w.fixed(100, 7);
        let six = [Op::Literal(SECTION), Op::Array, Op::Vbr(6)];
        w.define(&six);
        w.abbreviation_id(4);
        w.vbr(0, 6);
    });
    // Ids of three bits end at 7, so the last abbreviation cannot be used. The last record uses the
    // first abbreviation again.
    let module = read(&bytes);
    assert_eq!(module.bytes(module.triple), b"");
    assert_eq!(module.bytes(module.data_layout), b"e-m:\x7f\0");
    assert_eq!(module.bytes(module.source_name), b"file.hlsl");
    assert_eq!(module.bytes(module.inline_asm), b"a\0bcd");
}

#[test]
fn block_info_gives_abbreviations_before_a_blocks_own() {
    let info = [Op::Literal(4), Op::Vbr(6)];
    let own = [Op::Literal(1), Op::Fixed(5)];
    let bytes = raw_module(1, |w| {
        w.block(0, 2, |w| {
            w.record(1, &[CONSTANTS_BLOCK]);
            w.define(&info);
            // A name record, as tools write it for debugging, and a nested block, which no known
            // writer produces.
            w.text_record(2, &[], "CONSTANTS");
            w.block(99, 3, |w| w.record(7, &[1, 2, 3]));
            w.record(1, &[SYMTAB_BLOCK]);
            w.define(&[Op::Literal(77), Op::Fixed(1)]);
            // The same block id again.
            w.record(1, &[CONSTANTS_BLOCK]);
        });
        types(w);
        for number in [6, 7] {
            w.block(CONSTANTS_BLOCK, 4, |w| {
                w.define(&own);
                w.abbreviated(5, &own, &[I32], &[]);
                w.abbreviated(4, &info, &[signed(number)], &[]);
            });
        }
        w.record(7, &[I32, 3, 1, 0, 0, 0]);
        w.record(7, &[I32, 3, 2, 0, 0, 0]);
    });
    let module = read(&bytes);
    has_line(&module, "@2 = constant i32 6");
    has_line(&module, "@3 = constant i32 7");
}

/// A thread takes what an equal block said before. A module must not notice.
#[test]
fn block_info_of_one_module_is_not_that_of_another() {
    // A constant is written in six bits, or in as many as the block says.
    let (wide, own) = (|width| [Op::Literal(4), Op::Fixed(width)], [Op::Literal(1), Op::Fixed(5)]);
    let info = |w: &mut BitWriter, width| {
        w.block(0, 2, |w| {
            w.record(1, &[CONSTANTS_BLOCK]);
            w.define(&wide(width));
        });
    };
    let constant = |w: &mut BitWriter, id, width| {
        w.block(CONSTANTS_BLOCK, 4, |w| {
            w.record(1, &[I32]);
            w.abbreviated(id, &wide(width), &[signed(width.into())], &[]);
            w.abbreviated(id, &wide(width), &[signed(5)], &[]);
        });
        w.record(7, &[I32, 3, 1, 0, 0, 0]);
    };
    let one = |width| {
        raw_module(1, |w| {
            info(w, width);
            types(w);
            constant(w, 4, width);
            // Its own abbreviation comes right after the one of the block above.
            w.block(CONSTANTS_BLOCK, 4, |w| {
                w.define(&own);
                w.abbreviated(5, &own, &[I64], &[]);
                w.record(4, &[signed(1000)]);
            });
            w.record(7, &[I64, 3, 4, 0, 0, 0]);
        })
    };
    let two = raw_module(1, |w| {
        info(w, 7);
        info(w, 9);
        types(w);
        constant(w, 5, 9);
    });
    // A name as tools write it for debugging, and no abbreviation.
    let named = raw_module(1, |w| {
        w.block(0, 2, |w| w.text_record(2, &[], "CONSTANTS"));
        types(w);
        constant(w, 4, 7);
    });
    let only_named = raw_module(1, |w| {
        w.block(0, 2, |w| w.text_record(2, &[], "CONSTANTS"));
        types(w);
    });
    let after = raw_module(1, |w| {
        w.block(0, 2, |w| w.text_record(2, &[], "CONSTANTS"));
        info(w, 7);
        types(w);
        constant(w, 4, 7);
    });
    let none = raw_module(1, |w| {
        types(w);
        constant(w, 4, 7);
    });
    let all = [
        one(7),
        one(7),
        two.clone(),
        one(7),
        one(8),
        none,
        one(7),
        two.clone(),
        one(9),
        one(10),
        one(11),
        one(12),
        one(7),
    ];
    let all = [&all[..], &[only_named.clone(), two, named.clone(), only_named, after, named]].concat();
    let read =
        |bytes: &[u8]| dxil_bitcode::read(bytes).map(|module| module.to_string()).map_err(|error| error.to_string());
    let alone = |bytes: &Vec<u8>| std::thread::scope(|scope| scope.spawn(|| read(bytes)).join().unwrap());
    for (at, bytes) in all.iter().enumerate() {
        assert_eq!(read(bytes), alone(bytes), "module {at}");
    }
    assert!(read(&all[5]).unwrap_err().contains("abbreviation 4 is not defined here"));
    for (at, width) in [(0, 7), (2, 9), (4, 8), (12, 7)] {
        assert!(read(&all[at]).unwrap().contains(&format!("constant i32 {width}")), "module {at}");
    }
}

#[test]
fn abbreviations_end_with_their_block() {
    let bytes = raw_module(1, |w| {
        types(w);
        w.block(CONSTANTS_BLOCK, 4, |w| w.define(&[Op::Literal(1), Op::Fixed(5)]));
        w.block(CONSTANTS_BLOCK, 4, |w| {
            w.abbreviation_id(4);
            w.fixed(3, 5);
        });
    });
    refused(&bytes, Malformed, "abbreviation 4 is not defined here");
}

#[test]
fn abbreviations_that_make_no_sense() {
    let defining = |ops: &[Op]| raw_module(1, |w| w.define(ops));
    for ops in [
        vec![],
        vec![Op::Array, Op::Fixed(8)],
        vec![Op::Blob],
        vec![Op::Literal(1), Op::Array],
        vec![Op::Literal(1), Op::Array, Op::Array, Op::Fixed(1)],
        vec![Op::Literal(1), Op::Array, Op::Blob],
        vec![Op::Literal(1), Op::Array, Op::Literal(3)],
        vec![Op::Literal(1), Op::Array, Op::Fixed(0)],
        vec![Op::Literal(1), Op::Array, Op::Fixed(8), Op::Fixed(8)],
        vec![Op::Literal(1), Op::Blob, Op::Fixed(8)],
    ] {
        refused(&defining(&ops), Malformed, "its array or blob is not at its end");
    }
    refused(&defining(&[Op::Literal(1), Op::Vbr(1)]), Malformed, "operand of 1 bits");
    refused(&defining(&[Op::Literal(1), Op::Vbr(33)]), Malformed, "operand of 33 bits");
    refused(&defining(&[Op::Literal(1), Op::Fixed(65)]), Malformed, "operand of 65 bits");
    let mut w = BitWriter::bitcode();
    w.define(&[Op::Literal(1)]);
    w.fixed(0, 64);
    refused(&w.cut(), Malformed, "outside of any block");
    let mut w = BitWriter::bitcode();
    w.block(0, 2, |w| w.define(&[Op::Literal(1)]));
    refused(&w.cut(), Malformed, "before it names a block");
}

#[test]
fn wide_operands() {
    // Numbers of 64 bits in one operand, and in chunks of 32 bits.
    let (fixed, vbr) = ([Op::Literal(4), Op::Fixed(64)], [Op::Literal(4), Op::Vbr(32)]);
    let bytes = raw_module(1, |w| {
        types(w);
        w.block(CONSTANTS_BLOCK, 4, |w| {
            w.record(1, &[I64]);
            w.define(&fixed);
            w.define(&vbr);
            w.abbreviated(4, &fixed, &[signed(i64::MAX)], &[]);
            w.abbreviated(5, &vbr, &[signed(-i64::MAX)], &[]);
            w.record(4, &[signed(i64::MIN)]);
        });
        for constant in 0..3 {
            w.record(7, &[I64, 3, constant + 1, 0, 0, 0]);
        }
    });
    let module = read(&bytes);
    has_line(&module, "@3 = constant i64 9223372036854775807");
    has_line(&module, "@4 = constant i64 -9223372036854775807");
    has_line(&module, "@5 = constant i64 -9223372036854775808");
}

#[test]
fn unknown_blocks_and_records_are_skipped() {
    let mut w = BitWriter::bitcode();
    w.block(200, 5, |w| w.record(1, &[1, 2, 3]));
    w.block(MODULE_BLOCK, 3, |w| {
        w.record(1, &[1]);
        w.record(555, &[1, 2]);
        w.block(100, 3, |w| {
            w.block(101, 3, |w| w.record(1, &[]));
            w.record(1 << 40, &[u64::MAX]);
        });
        types(w);
        w.text_record(2, &[], "dxil-ms-dx");
    });
    w.block(201, 5, |w| w.record(1, &[]));
    let module = read(&w.finish());
    assert_eq!(module.bytes(module.triple), b"dxil-ms-dx");
    assert_eq!(module.types.len(), 26);
}

#[test]
fn padding_after_the_module_is_ignored() {
    let bytes = raw_module(1, types);
    for padding in [&[0u8; 32][..], &[0xff; 32], &[0; 3], b"anything else at all"] {
        read(&[&bytes, padding].concat());
    }
    let twice = {
        let mut w = BitWriter::bitcode();
        w.block(MODULE_BLOCK, 3, types);
        w.block(MODULE_BLOCK, 3, types);
        w.finish()
    };
    refused(&twice, dxil_base::error::ErrorKind::Unsupported, "a second module");
}

#[test]
fn wrapper() {
    let inner = raw_module(1, types);
    let wrapped = |offset: u32, size: u32| {
        let mut bytes: Vec<u8> = [0x0b17_c0de, 0, offset, size, 7].iter().flat_map(|w: &u32| w.to_le_bytes()).collect();
        bytes.extend_from_slice(&inner);
        bytes
    };
    let module = read(&wrapped(20, inner.len() as u32));
    assert_eq!(module.types.len(), 26);
    // Places count from the start of the wrapper.
    let mut broken = wrapped(20, inner.len() as u32);
    broken[20] = 0;
    let e = dxil_bitcode::read(&broken).unwrap_err();
    assert_eq!(e.place(), dxil_base::error::Place::Bit(160));
    for (offset, size) in [(20, inner.len() as u32 + 1), (u32::MAX, u32::MAX), (1000, 4)] {
        assert!(dxil_bitcode::read(&wrapped(offset, size)).unwrap_err().to_string().contains("wrapper"));
    }
    assert!(dxil_bitcode::read(&wrapped(20, 0)[..10]).is_err());
}

#[test]
fn identification_and_magic() {
    let mut w = BitWriter::bitcode();
    w.block(IDENTIFICATION_BLOCK, 5, |w| {
        w.text_record(1, &[], "LLVM3.7-dxil");
        w.record(2, &[0]);
    });
    w.block(MODULE_BLOCK, 3, types);
    let module = read(&w.finish());
    assert_eq!(module.bytes(module.producer.unwrap()), b"LLVM3.7-dxil");

    refused(&[0; 64], Malformed, "magic number");
    refused(&BitWriter::bitcode().finish(), Malformed, "no module");
    refused(b"BC", Malformed, "ends within");
}

#[test]
fn blocks_that_do_not_add_up() {
    // The header says one word more than the input has.
    let mut bytes = raw_module(1, |w| w.block(99, 3, |_| {}));
    let end = bytes.len();
    refused(&bytes[..end - 4], Malformed, "words according to its header");
    // The length of the module block, which follows the magic number and the header word.
    bytes[8] -= 1;
    refused(&bytes, Malformed, "but its header says");
    let mut w = BitWriter::bitcode();
    w.abbreviation_id(1);
    w.vbr(MODULE_BLOCK, 8);
    w.vbr(1, 4);
    w.align32();
    w.fixed(0, 32);
    refused(&w.cut(), Malformed, "abbreviation ids of 1 bits");
    let mut w = BitWriter::bitcode();
    w.record(1, &[1, 2, 3]);
    w.fixed(0, 64);
    refused(&w.cut(), Malformed, "outside of any block");
    let mut w = BitWriter::bitcode();
    w.fixed(0, 64);
    w.fixed(0, 64);
    refused(&w.cut(), Malformed, "none was entered");
}
