//! Records that DXC does not write and that other producers of DXIL do: they become the words of
//! DXC's own records for the same code, whose fixtures drivers run. The opcode of a newer shader
//! model is refused by its name.

use std::sync::Arc;

use dxil_robustness::Corpus;
use dxil_robustness::bitstream::{Item, Record, lists, write};
use dxil_robustness::mutate::with_bitcode;
use dxil_robustness::pipeline::all_entries;
use dxil_test_support::spirv::instructions;
use dxil_translator::{ErrorKind, Options, lavapipe};

/// Blocks and records of LLVM's LLVMBitCodes.h.
const TYPES: u32 = 17;
const NUMBER_OF_TYPES: u64 = 1;
const INTEGER: u64 = 7;
const STRUCT_NAME: u64 = 19;
const FUNCTION: u32 = 12;
const CAST: u64 = 3;
const BITCAST: u64 = 11;
const EXTRACT_VALUE: u64 = 26;
const COMPARE: u64 = 28;
const EQUAL: u64 = 32;
const COMPARE_EXCHANGE: u64 = 46;
const CONSTANTS: u32 = 11;
const INTEGER_CONSTANT: u64 = 4;

/// The number of `i32` in the table of types.
fn i32_type(items: &[Item]) -> u64 {
    let records = items.iter().filter_map(|item| match item {
        Item::Record(record) if ![NUMBER_OF_TYPES, STRUCT_NAME].contains(&record.code) => Some(record),
        _ => None,
    });
    let position = records.into_iter().position(|record| record.code == INTEGER && record.operands == [32]);
    position.expect("an i32") as u64
}

/// A fixture with compare-and-exchanges of groupshared memory, in which each one is changed. The
/// second argument of `change` is the record that follows it.
fn changed(change: impl Fn(&mut Record, Option<&mut Record>, u64)) -> (Vec<u8>, Vec<u8>) {
    let corpus = Corpus::fixtures(16 << 10);
    let fixture = corpus.named("groupshared/atomics");
    let mut blocks = fixture.blocks.clone();
    let mut types = Vec::new();
    lists(&mut blocks, TYPES, &mut types);
    let i32 = i32_type(types[0]);
    let (mut functions, mut changes) = (Vec::new(), 0);
    lists(&mut blocks, FUNCTION, &mut functions);
    for function in functions {
        for at in 0..function.len() {
            let [Item::Record(exchange), rest @ ..] = &mut function[at..] else { continue };
            if exchange.code == COMPARE_EXCHANGE {
                let next = match rest.first_mut() {
                    Some(Item::Record(next)) => Some(Arc::make_mut(next)),
                    _ => None,
                };
                change(Arc::make_mut(exchange), next, i32);
                changes += 1;
            }
        }
    }
    assert_eq!(changes, 2);
    (fixture.bytes.clone(), with_bitcode(&fixture.bytes, &write(&blocks)))
}

fn words(container: &[u8]) -> Vec<u32> {
    all_entries(container, &Options::new(lavapipe())).unwrap()
}

/// SPIR-V's OpIEqual.
const IEQUAL: u16 = 170;

/// The opcodes of a module, in order.
fn opcodes(words: &[u32]) -> Vec<u16> {
    instructions(words).map(|(opcode, _)| opcode as u16).collect()
}

/// Before LLVM 3.5 the record had six operands, and the result was the old value alone.
#[test]
fn a_compare_exchange_without_success() {
    let (new, old) = changed(|exchange, next, i32| {
        assert_eq!(exchange.operands.len(), 8);
        exchange.operands.truncate(6);
        // The value that the exchange compares with, as the next instruction numbers it.
        let compared = exchange.operands[1] + 1;
        match next {
            Some(next) if next.code == EXTRACT_VALUE && next.operands == [1, 0] => {
                *next = Record { code: CAST, operands: vec![1, i32, BITCAST] };
            }
            Some(next) if next.code == EXTRACT_VALUE => {
                *next = Record { code: COMPARE, operands: vec![1, compared, EQUAL] };
            }
            _ => {}
        }
    });
    let (mut new, old) = (opcodes(&words(&new)), opcodes(&words(&old)));
    // The fixture does not read the success of the second exchange.
    new.remove(new.iter().rposition(|&opcode| opcode == IEQUAL).unwrap());
    assert_eq!(new, old);
}

/// LLVM's reader takes an ordering that it does not know for a sequentially consistent one.
#[test]
fn an_unknown_memory_ordering() {
    let (new, old) = changed(|exchange, _, _| exchange.operands[4] = 7);
    assert_eq!(words(&new), words(&old));
}

/// The opcodes of the preview of shader model 6.10 have the sign bit, and 32 bits.
#[test]
fn an_operation_of_the_preview_is_named() {
    let corpus = Corpus::fixtures(16 << 10);
    let fixture = corpus.named("groupshared/atomics");
    let (mut blocks, mut constants, mut changes) = (fixture.blocks.clone(), Vec::new(), 0);
    lists(&mut blocks, CONSTANTS, &mut constants);
    for item in constants.into_iter().flatten() {
        let Item::Record(record) = item else { continue };
        // A number has its sign in the lowest bit: that of ThreadId, and -0x7fffffff.
        if record.code == INTEGER_CONSTANT && record.operands == [93 << 1] {
            Arc::make_mut(record).operands = vec![0x7fff_ffff << 1 | 1];
            changes += 1;
        }
    }
    assert_eq!(changes, 1);
    let container = with_bitcode(&fixture.bytes, &write(&blocks));
    let error = all_entries(&container, &Options::new(lavapipe())).expect_err("an operation of the preview");
    let text = "operation GetGroupWaveIndex (opcode 0x80000001) of the preview of shader model 6.10";
    assert!(error.kind() == ErrorKind::Unsupported && error.message().contains(text), "{error}");
}
