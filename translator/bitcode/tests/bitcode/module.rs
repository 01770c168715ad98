//! The module block: globals, functions, aliases, attributes, names, types.

use dxil_base::entity::Entity;
use dxil_base::error::ErrorKind::{Limit, Malformed, Unsupported};
use dxil_bitcode::{Attribute, AttributeSlot, Linkage, Type};
use dxil_test_support::bit_writer::{BitWriter, Op};

use crate::make::*;

/// A module whose type table consists of these records.
fn with_types(records: &[(u64, &[u64])]) -> Vec<u8> {
    raw_module(1, |w| {
        w.block(TYPE_BLOCK, 4, |w| {
            w.record(1, &[records.len() as u64]);
            records.iter().for_each(|(code, ops)| w.record(*code, ops));
        });
    })
}

#[test]
fn every_type() {
    let bytes = raw_module(1, |w| {
        w.block(TYPE_BLOCK, 4, |w| {
            for code in [2, 3, 4, 5, 10, 13, 14, 15, 16, 17, 22, 23, 24] {
                w.record(code, &[]);
            }
            // Type 13 is a pointer to a type that comes later, type 14 an integer.
            w.record(8, &[16, 3]);
            w.record(7, &[33]);
            w.record(25, &[5]);
            w.text_record(19, &[], "later type");
            w.record(20, &[0, 13, 14]);
            w.text_record(19, &[], "open");
            w.record(6, &[0]);
            w.record(20, &[1]);
            w.record(12, &[4, 1, 1]);
            w.record(21, &[1, 0, 14, 13]);
            w.record(9, &[0, 55, 1, 14]);
        });
    });
    let module = read(&bytes);
    let texts: Vec<String> = module.types.keys().map(|ty| module.type_text(ty).to_string()).collect();
    assert_eq!(
        texts,
        [
            "void",
            "float",
            "double",
            "label",
            "half",
            "x86_fp80",
            "fp128",
            "ppc_fp128",
            "metadata",
            "x86_mmx",
            "token",
            "bfloat",
            "x86_amx",
            "%\"later type\" addrspace(3)*",
            "i33",
            "ptr addrspace(5)",
            "%\"later type\"",
            "%open",
            "%t18",
            "<vscale x 4 x float>",
            "void (i33, %\"later type\" addrspace(3)*, ...)",
            "float (i33)",
        ]
    );
    has_line(&module, "%\"later type\" = type { %\"later type\" addrspace(3)*, i33 }");
    assert!(matches!(module.types.values().nth(18), Some(Type::Struct { packed: true, .. })));
}

#[test]
fn types_that_make_no_sense() {
    refused(&with_types(&[(11, &[4, 0])]), Malformed, "contains itself");
    refused(&with_types(&[(18, &[0, 1]), (11, &[4, 0])]), Malformed, "contains itself");
    refused(&with_types(&[(8, &[7, 0])]), Malformed, "refers to type 7, but the module has 1 types");
    refused(&with_types(&[(8, &[u64::MAX, 0])]), Malformed, "past the end");
    refused(&with_types(&[(7, &[0])]), Malformed, "0 bits");
    refused(&with_types(&[(7, &[1 << 23])]), Malformed, "bits");
    refused(&with_types(&[(7, &[])]), Malformed, "operand 0 is needed");
    refused(&with_types(&[(2, &[]), (11, &[4, 0])]), Malformed, "not a valid array");
    refused(&with_types(&[(2, &[]), (8, &[0, 0])]), Malformed, "not a valid pointer");
    refused(&with_types(&[(5, &[]), (18, &[0, 0])]), Malformed, "not a valid struct");
    refused(&with_types(&[(3, &[]), (11, &[1, 0]), (12, &[4, 1])]), Malformed, "not a valid vector");
    refused(&with_types(&[(3, &[]), (12, &[0, 0])]), Malformed, "has no elements");
    refused(&with_types(&[(5, &[]), (21, &[0, 0])]), Malformed, "not a valid function result");
    refused(&with_types(&[(2, &[]), (21, &[0, 0, 0])]), Malformed, "not a valid parameter list");
    refused(&with_types(&[(500, &[])]), Unsupported, "type record 500");
    refused(&raw_module(1, |w| (types(w), types(w)).0), Malformed, "a second type table");
    let late = raw_module(1, |w| {
        w.block(CONSTANTS_BLOCK, 4, |w| w.record(2, &[]));
        types(w);
    });
    refused(&late, Malformed, "follows a block that uses types");
    // Arrays nested sixty-five deep. The element type of each is the type before it.
    let deep: Vec<(u64, Vec<u64>)> = std::iter::once((3, vec![])).chain((0..65).map(|i| (11, vec![2, i]))).collect();
    let deep: Vec<(u64, &[u64])> = deep.iter().map(|(c, o)| (*c, o.as_slice())).collect();
    refused(&with_types(&deep), Limit, "nested types");
    // The same in reverse order, so that a walk visits the outermost type first.
    let mut back: Vec<(u64, Vec<u64>)> = (0..65).map(|i| (11, vec![2, i + 1])).collect();
    back.push((3, vec![]));
    let back: Vec<(u64, &[u64])> = back.iter().map(|(c, o)| (*c, o.as_slice())).collect();
    refused(&with_types(&back), Limit, "nested types");
    // A struct of two structs of two structs and so on: a small table with huge types.
    let wide: Vec<(u64, Vec<u64>)> = std::iter::once((3, vec![])).chain((0..40).map(|i| (18, vec![0, i, i]))).collect();
    let wide: Vec<(u64, &[u64])> = wide.iter().map(|(c, o)| (*c, o.as_slice())).collect();
    refused(&with_types(&wide), Limit, "fields nested in one type");
}

#[test]
fn globals_old_and_new() {
    let bytes = raw_module(1, |w| {
        types(w);
        w.text_record(5, &[], "section");
        // The old form has a pointer type. The new one has the value type and an address space.
        w.record(7, &[ARRAY4_PTR, 1, 0, 3, 5, 1]);
        w.record(7, &[I32, 3 << 2 | 2, 5, 9, 0, 0, 0, 1, 1, 1]);
        // Linkages by numbers that have changed.
        w.record(7, &[I32, 2, 0, 10, 0, 0]);
        w.record(7, &[I32, 2, 0, 5, 0, 0]);
        w.block(CONSTANTS_BLOCK, 4, |w| {
            w.record(1, &[I32]);
            w.record(2, &[]);
        });
    });
    let module = read(&bytes);
    has_line(&module, "@0 = internal constant [4 x i32], align 16");
    has_line(&module, "@1 = private thread_local unnamed_addr addrspace(3) global i32 0");
    has_line(&module, "@2 = weak_odr global i32");
    has_line(&module, "@3 = external global i32");
    assert_eq!(module.globals.values().next().unwrap().section, 1);
    assert!(module.globals.values().nth(1).unwrap().externally_initialized);

    let global = |ops: &[u64]| raw_module(1, |w| (types(w), w.record(7, ops)).0);
    refused(&global(&[I32, 0, 0, 0, 0, 0]), Malformed, "not a pointer");
    refused(&global(&[99, 2, 0, 0, 0, 0]), Malformed, "type 99 does not exist; the module has 26");
    refused(&global(&[I32, 2, 0, 77, 0, 0]), Malformed, "linkage 77");
    refused(&global(&[I32, 2, 0, 0, 40, 0]), Malformed, "alignment");
    refused(&global(&[I32, 2, 0, 0, 0, 1]), Malformed, "section 1 does not exist; the module has 0");
    refused(&global(&[I32, 2, 5, 0, 0, 0]), Malformed, "value 4, but only 1 are defined");
    refused(&global(&[I32, 2, 1, 0, 0, 0]), Malformed, "expected i32");
    refused(&global(&[I32, 2]), Malformed, "six are needed");
    refused(&global(&[I32, 1 << 40 | 2, 0, 0, 0, 0]), Malformed, "address space");
}

#[test]
fn functions_and_aliases() {
    let bytes = raw_module(1, |w| {
        types(w);
        // The first function has a function type, the second a pointer to one, as in old modules.
        w.record(8, &[FN_INTS, 8, 1, 3, 0, 5, 0, 0, 0, 1]);
        w.record(8, &[FN_VOID_PTR, 0, 1, 0, 0, 0, 0]);
        w.record(9, &[FN_VOID_PTR, 1, 3]);
        w.record(14, &[FN_INTS, 0, 0, 0, 0]);
        w.block(SYMTAB_BLOCK, 4, |w| {
            for (value, name) in [(0, "ints"), (1, "nothing"), (2, "old"), (3, "new")] {
                w.text_record(1, &[value], name);
            }
        });
    });
    let module = read(&bytes);
    has_line(&module, "declare internal i32 @ints(i32, i32)");
    has_line(&module, "declare void @nothing()");
    has_line(&module, "@old = internal alias void ()* @nothing");
    has_line(&module, "@new = external alias i32 (i32, i32)* @ints");
    let ints = module.functions.values().next().unwrap();
    assert!((ints.calling_convention, ints.align, ints.unnamed_addr) == (8, 16, true));

    let record = |code: u64, ops: &[u64]| raw_module(1, |w| (types(w), w.record(code, ops)).0);
    refused(&record(8, &[I32, 0, 1, 0, 0, 0, 0]), Malformed, "the type of a function is i32");
    refused(&record(8, &[FN_VOID, 0, 1, 0, 1, 0, 0]), Malformed, "attribute list 1 does not exist; the module has 0");
    refused(&record(8, &[FN_VOID, 0, 0, 0, 0, 0, 0]), Malformed, "0 function bodies for 1 defined functions");
    refused(&record(9, &[I32, 0, 0]), Malformed, "the type of an alias is i32");
    refused(&record(14, &[I32, 0, 9, 0]), Malformed, "value 9, but only 1 are defined");
    refused(&record(18, &[I32, 0, 9, 0]), Unsupported, "ifunc");
    refused(&record(1, &[3]), Unsupported, "version 3");
    let body = raw_module(1, |w| (types(w), w.block(FUNCTION_BLOCK, 3, |_| {})).0);
    refused(&body, Malformed, "1 function bodies for 0 defined functions");
}

#[test]
fn names_from_a_string_table() {
    let module = |offset: u64, size: u64| {
        let mut w = BitWriter::bitcode();
        w.block(MODULE_BLOCK, 3, |w| {
            w.record(1, &[2]);
            types(w);
            w.record(7, &[0, 3, I32, 2, 0, 0, 0, 0]);
            w.record(8, &[offset, size, FN_VOID, 0, 1, 0, 0, 0, 0]);
        });
        w.block(STRTAB_BLOCK, 3, |w| {
            let blob = [Op::Literal(1), Op::Blob];
            w.define(&blob);
            w.abbreviated(4, &blob, &[], b"onetwo");
        });
        w.finish()
    };
    let read_ = read(&module(3, 3));
    has_line(&read_, "@one = external global i32");
    has_line(&read_, "declare void @two()");
    refused(&module(3, 4), Malformed, "string table, which has 6");
    refused(&module(u64::MAX, 4), Malformed, "string table");
}

#[test]
fn attributes_old_and_new() {
    let bytes = raw_module(1, |w| {
        types(w);
        w.block(GROUP_BLOCK, 3, |w| {
            w.record(3, &[7, 0xffff_ffff, 0, 18, 1, 25, 16]);
            let text: Vec<u64> =
                [8u64, 0xffff_ffff, 0, 20, 4].into_iter().chain(b"key\0value\0".map(u64::from)).collect();
            w.record(3, &text);
            let text: Vec<u64> =
                [9u64, 1, 3].into_iter().chain(b"alone\0".map(u64::from)).chain([6, 3, I32, 5, 29]).collect();
            w.record(3, &text);
            w.record(3, &[10, 0, 1, 41, 64]);
        });
        w.block(PARAMATTR_BLOCK, 3, |w| {
            w.record(2, &[7, 8, 9, 10]);
            // The result has zeroext and align 8. The function has nounwind, nonlazybind and
            // alignstack 4, which are above bit 20.
            w.record(1, &[0, 1 | 8 << 16, 0xffff_ffff, 1 << 5 | (1 << 31 | 3 << 26) << 11]);
        });
        w.record(8, &[FN_INTS, 0, 1, 0, 1, 0, 0]);
        w.record(8, &[FN_INTS, 0, 1, 0, 2, 0, 0]);
    });
    let module = read(&bytes);
    has_line(
        &module,
        "attributes #0 = { nounwind alignstack(16) readnone \"key\"=\"value\" 0:\"alone\" 0:byval(i32) 0:sret return:dereferenceable(64) }",
    );
    has_line(&module, "attributes #1 = { return:zeroext return:align(8) nounwind nonlazybind alignstack(4) }");
    let function = module.functions.values().next().unwrap();
    let list = function.attributes.unwrap();
    assert_eq!(module.text_attribute(list, "key"), Some(&b"value"[..]));
    assert_eq!(module.text_attribute(list, "alone"), None);
    let list = &module.attribute_items[module.attributes[list]];
    assert!(list.contains(&(AttributeSlot::Function, Attribute::Flag(18))));
    assert_eq!(function.linkage, Linkage::External);

    let group = |ops: &[u64]| raw_module(1, |w| (types(w), w.block(GROUP_BLOCK, 3, |w| w.record(3, ops))).0);
    refused(&group(&[1, 0, 9, 9]), Unsupported, "attribute form 9");
    refused(&group(&[1, 0, 1, 9]), Malformed, "operand 4 is needed");
    refused(&group(&[1, 0, 3, 97, 98]), Malformed, "no terminating zero");
    let list = raw_module(1, |w| w.block(PARAMATTR_BLOCK, 3, |w| w.record(2, &[5])));
    refused(&list, Malformed, "attribute group 5 does not exist");
}

#[test]
fn a_body_may_come_before_what_it_uses() {
    let bytes = raw_module(1, |w| {
        types(w);
        w.record(8, &[FN_INTS, 0, 0, 0, 0, 0, 0]);
        w.block(FUNCTION_BLOCK, 4, |w| {
            w.record(1, &[1]);
            // The module has two values, so the arguments are 2 and 3. This adds the constant and
            // the first argument.
            w.record(2, &[3, 2, 0]);
            w.record(10, &[1]);
        });
        w.block(CONSTANTS_BLOCK, 4, |w| {
            w.record(1, &[I32]);
            w.record(4, &[signed(41)]);
        });
    });
    let module = read(&bytes);
    assert_eq!(body_lines(&module), ["b0:", "%4 = add i32 41, i32 %2", "ret i32 %4"]);
    assert_eq!(module.values.keys().last().unwrap().index(), 1);
}
