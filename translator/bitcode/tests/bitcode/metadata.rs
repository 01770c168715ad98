//! Metadata in the encodings of all LLVM versions.

use dxil_base::entity::Entity;
use dxil_base::error::ErrorKind::{Limit, Malformed};
use dxil_bitcode::{MetadataId, MetadataOperand, MetadataView};
use dxil_test_support::bit_writer::{BitWriter, Op};

use crate::make::*;

/// The shared module with a metadata block.
fn with_metadata(content: impl FnOnce(&mut BitWriter)) -> Vec<u8> {
    module(
        1,
        FN_VOID,
        |w| w.block(METADATA_BLOCK, 4, content),
        |b| {
            b.act(1, &[1]);
            b.act(10, &[]);
        },
    )
}

#[test]
fn encodings_of_llvm_3_7() {
    let bytes = with_metadata(|w| {
        w.text_record(1, &[], "string"); // 0
        w.record(2, &[I32, TWO]); // 1
        w.record(3, &[1, 0, 2, 5]); // 2: a string, null, a value, and a forward reference
        w.record(5, &[4]); // 3: distinct, its operand is the node itself
        w.record(7, &[0, 1, 2, 3, 0]); // 4: a location
        w.record(27, &[0; 9]); // 5: a debug node
        w.record(3, &[6]); // 6
        w.text_record(4, &[], "dx.name");
        w.record(10, &[2, 3]);
        w.text_record(6, &[0], "dbg");
        w.text_record(6, &[5], "dx.precise");
        // An unknown record, which takes no number.
        w.record(77, &[1]);
        w.record(3, &[]); // 7
    });
    let module = read(&bytes);
    has_line(&module, "!2 = !{!\"string\", null, i32 2, !4}");
    has_line(&module, "!3 = distinct !{!3}");
    has_line(&module, "!4 = !DI(7)");
    has_line(&module, "!6 = !{!5}");
    has_line(&module, "!7 = !{}");
    has_line(&module, "!dx.name = !{!2, !3}");
    assert_eq!(module.metadata_kind("dx.precise"), Some(5));
    assert_eq!(module.metadata_kind("none"), None);
    let named = module.named_metadata("dx.name").unwrap();
    assert_eq!(named, [MetadataId::new(2), MetadataId::new(3)]);
    let MetadataView::Node(_, operands) = module.metadata_view(None, MetadataOperand::Id(named[0])) else {
        panic!("a node");
    };
    assert_eq!(module.metadata_view(None, operands[0]), MetadataView::String(b"string"));
    assert_eq!(module.metadata_view(None, operands[1]), MetadataView::Null);
    assert!(matches!(module.metadata_view(None, operands[2]), MetadataView::Value(_)));
    assert!(matches!(module.metadata_view(None, operands[3]), MetadataView::Debug(_)));
}

#[test]
fn encodings_before_llvm_3_6() {
    let bytes = with_metadata(|w| {
        w.text_record(1, &[], "old");
        w.record(8, &[METADATA, 0, VOID, 0, I32, TWO, METADATA, 1]);
        w.record(9, &[I32, ONE]);
        w.record(9, &[I32, ONE, I32, ONE]);
    });
    let module = read(&bytes);
    has_line(&module, "!1 = !{!\"old\", null, i32 2, !1}");
    has_line(&module, "!2 = i32 1");
    has_line(&module, "!3 = !{}");
    refused(&with_metadata(|w| w.record(8, &[METADATA])), Malformed, "expected pairs");
    refused(&with_metadata(|w| w.record(8, &[I32, FIVE64])), Malformed, "expected i32");
}

#[test]
fn encodings_after_llvm_3_8() {
    let form = [Op::Literal(35), Op::Vbr(6), Op::Vbr(6), Op::Blob];
    // The lengths 3, 0 and 33 in six-bit chunks are 000011, 000000, 100001 000001. The characters
    // follow from byte 4 on.
    let mut lengths = BitWriter::default();
    for length in [3, 0, 33] {
        lengths.vbr(length, 6);
    }
    let mut blob = lengths.cut();
    assert_eq!(blob.len(), 4);
    blob.extend_from_slice(b"abc");
    blob.extend_from_slice(&[b'x'; 33]);
    let with_strings = |count: u64, offset: u64| {
        with_metadata(|w| {
            w.define(&form);
            w.abbreviated(4, &form, &[count, offset], &blob);
            // The offset of the index, the index, and an attachment of the global take no numbers.
            w.record(38, &[0, 0]);
            w.record(3, &[1, 2, 3]);
            w.record(39, &[1]);
            w.record(36, &[GLOBAL, 0, 3, 1, 0]);
            w.record(40, &[1, 2, 3]);
            w.record(3, &[5]);
        })
    };
    let module = read(&with_strings(3, 4));
    has_line(&module, "!0 = !\"abc\"");
    has_line(&module, "!1 = !\"\"");
    has_line(&module, &format!("!2 = !\"{}\"", "x".repeat(33)));
    has_line(&module, &format!("!3 = !{{!\"abc\", !\"\", !\"{}\"}}", "x".repeat(33)));
    has_line(&module, "!5 = !{!4}");
    assert_eq!(module.global_attachments.len(), 2);
    refused(&with_strings(5, 4), Malformed, "the lengths of metadata strings end early");
    refused(&with_strings(u64::MAX, 4), Malformed, "metadata string");
    refused(&with_strings(3, 5), Malformed, "metadata string has 33 bytes, but only 32 are left");
    refused(&with_strings(1, 99), Malformed, "at byte 99 of a blob of 40 bytes");
}

/// The name of a kind at the start of a block, and an attachment of a global.
fn attached_kind(w: &mut BitWriter, number: u64) {
    // Characters of all numbers of chunks, and more of them than are skipped at once.
    w.record(6, &[&[number][..], &[97, 1, 31, 32, 255].repeat(9)].concat());
    w.record(3, &[]);
    w.record(36, &[GLOBAL, number, 0]);
}

/// Kinds at the start of a block are read when something is attached. What follows them in the
/// block is read in any case.
#[test]
fn kinds_are_read_for_attachments() {
    let module = read(&with_metadata(|w| attached_kind(w, 3)));
    assert_eq!(module.metadata_kinds.len(), 4);
    assert_eq!(module.bytes(module.metadata_kinds[3]), [97, 1, 31, 32, 255].repeat(9));
    has_line(&module, "!0 = !{}");
    let module = read(&with_metadata(|w| {
        (0..40).for_each(|kind| w.record(6, &[&[kind << 58][..], &vec![200; kind as usize]].concat()));
        w.record(3, &[]);
    }));
    has_line(&module, "!0 = !{}");
    assert!(module.metadata_kinds.is_empty());
    let endless = with_metadata(|w| {
        w.abbreviation_id(3);
        w.vbr(6, 6);
        w.vbr(1 << 40, 6);
    });
    refused(&endless, Malformed, "more than the bitcode has bits for");
}

/// A thread reads all modules into the same memory.
#[test]
fn a_module_leaves_nothing_for_the_next_one() {
    let bytes = with_metadata(|w| attached_kind(w, 3));
    let first = read(&bytes).to_string();
    for end in 1..bytes.len() {
        assert!(dxil_bitcode::read(&bytes[..end]).is_err(), "{end}");
        assert_eq!(read(&bytes).to_string(), first, "after {end} bytes");
    }
}

/// A block that has nothing but kinds is remembered: more of them than a thread remembers, and each
/// one again. Kinds are read and skipped by turns.
#[test]
fn blocks_of_kinds_that_were_read_before() {
    let with_kinds = |kinds: u64, is_attached: bool| {
        let tables = |w: &mut BitWriter| {
            w.block(METADATA_BLOCK, 4, |w| {
                (0..kinds).for_each(|kind| w.record(6, &[&[kind][..], &[97 + kind; 5]].concat()));
            });
            w.block(METADATA_BLOCK, 4, |w| {
                w.record(3, &[]);
                if is_attached {
                    w.record(36, &[GLOBAL, kinds - 1, 0]);
                }
            });
        };
        module(1, FN_VOID, tables, |b| {
            b.act(1, &[1]);
            b.act(10, &[]);
        })
    };
    for (kinds, is_attached) in
        (0..3).flat_map(|_| (1..12).flat_map(|kinds| [(kinds, false), (kinds, true), (kinds, false)]))
    {
        let module = read(&with_kinds(kinds, is_attached));
        has_line(&module, "!0 = !{}");
        let read = if is_attached { kinds as usize } else { 0 };
        assert_eq!(module.metadata_kinds.len(), read);
        let names = module.metadata_kinds.iter().map(|&name| module.bytes(name).to_vec());
        assert!(names.eq((0..read as u8).map(|kind| vec![97 + kind; 5])));
    }
}

#[test]
fn metadata_that_makes_no_sense() {
    refused(&with_metadata(|w| w.record(3, &[9])), Malformed, "metadata 8, but only 1 are defined");
    refused(&with_metadata(|w| w.record(3, &[1 << 40])), Malformed, "metadata number");
    refused(&with_metadata(|w| w.record(2, &[I32, 99])), Malformed, "value 99, but only 8 are defined");
    refused(&with_metadata(|w| w.record(2, &[I32, FIVE64])), Malformed, "expected i32");
    refused(&with_metadata(|w| w.record(2, &[METADATA, 1])), Malformed, "type metadata or void");
    refused(&with_metadata(|w| w.record(10, &[])), Malformed, "has no name record");
    refused(&with_metadata(|w| attached_kind(w, 1 << 20)), Limit, "metadata kinds");
    refused(
        &with_metadata(|w| w.record(36, &[ONE, 0, 0])),
        Malformed,
        "which is neither a global variable nor a function",
    );
    refused(&with_metadata(|w| w.record(36, &[GLOBAL, 0])), Malformed, "attachment record");
    refused(&with_metadata(|w| w.record(1, &[256])), Malformed, "character");
    let named = with_metadata(|w| {
        w.text_record(4, &[], "n");
        w.record(10, &[3]);
    });
    refused(&named, Malformed, "metadata 3, but only 0 are defined");
}

#[test]
fn metadata_of_bodies() {
    let bytes = module(
        1,
        FN_INTS,
        |w| {
            w.block(METADATA_BLOCK, 4, |w| {
                w.text_record(1, &[], "shared");
                w.text_record(6, &[3], "kind");
            })
        },
        |b| {
            b.act(1, &[1]);
            // Metadata of a value that comes later, and a node of the body's own metadata.
            b.w.block(METADATA_BLOCK, 4, |w| {
                w.record(2, &[I32, FIRST_LOCAL + 2]);
                w.record(3, &[1, 3]);
            });
            let sum = b.value(2, &[b.v(ONE), b.v(TWO), 0]);
            assert_eq!(sum, FIRST_LOCAL + 2);
            // Metadata operands also count back from the next value number.
            b.act(34, &[0, 1 << 15, FN_METADATA, b.v(CALLEE), b.v(1)]);
            b.act(34, &[0, 1 << 15, FN_METADATA, b.v(CALLEE), b.v(0)]);
            b.act(10, &[b.v(sum)]);
            b.w.block(ATTACHMENT_BLOCK, 3, |w| {
                w.record(11, &[2, 3, 2, 7, 0]);
                w.record(11, &[0, 3, 0]);
                w.record(11, &[3, 2]);
            });
        },
    );
    let module = read(&bytes);
    assert_eq!(
        body_lines(&module),
        [
            "b0:",
            "%10 = add i32 1, i32 2, !kind !0",
            "call void @callee(metadata !1)",
            "call void @callee(metadata !0), !kind !2, !7 !0",
            "ret i32 %10",
            "!1 = i32 %10",
            "!2 = !{!\"shared\", !2}",
        ]
    );
    let body = module.functions.values().next().unwrap().body.as_ref().unwrap();
    assert_eq!(body.function_attachments.len(), 1);
    let attached = |node: u64, inst: u64| {
        crate::make::module(
            1,
            FN_VOID,
            |_| {},
            |b| {
                b.act(1, &[1]);
                b.act(10, &[]);
                b.w.block(ATTACHMENT_BLOCK, 3, |w| w.record(11, &[inst, 0, node]));
            },
        )
    };
    refused(&attached(0, 0), Malformed, "metadata 0 is attached, but only 0 are defined");
    refused(&attached(0, 1), Malformed, "instruction 1, but the function has only 1");
    let argument = crate::make::module(
        1,
        FN_VOID,
        |_| {},
        |b| {
            b.act(1, &[1]);
            b.act(34, &[0, 1 << 15, FN_METADATA, b.v(CALLEE), b.v(7)]);
            b.act(10, &[]);
        },
    );
    refused(&argument, Malformed, "an operand is metadata 7, but only 0 are defined");
}
