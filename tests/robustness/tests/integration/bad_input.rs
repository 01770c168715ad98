//! Translates every truncation of five fixtures, and random mutations of all fixtures. Each must
//! give a module or a typed error with its place, never a panic.
//!
//! The crate `dxil-validate` runs a longer campaign that starts with the same cases: 100,000
//! mutations, with every emitted module checked by the validator. The campaign here needs no
//! validator. The environment variable `CASES` sets the number of mutations, `SEED` selects others,
//! and `CASE` runs a single one.

use dxil_robustness::bitstream::{self, Block, Item};
use dxil_robustness::campaign::{no_judge, random_cases, random_long_vectors};
use dxil_robustness::mutate::{mutate, mutate_records};
use dxil_robustness::pipeline::{self, Outcome};
use dxil_robustness::{Campaign, Corpus};
use dxil_translator::ErrorKind;
use dxil_translator::container::Container;

/// Containers of different stages and shader models.
const TRUNCATED: [&str; 5] = [
    "newer-dxc/heap.cs_6_6",
    "newer-dxc/vertex_pixel.vs_6_8",
    "newer-dxc/vertex_pixel.ps_6_8",
    "newer-dxc/tessellation_geometry.gs_6_6",
    "newer-dxc/vectors69.cs_6_9",
];

/// Truncations of a container, both unchanged and with the sizes of container, part, program and
/// bitcode adjusted to the new length.
#[test]
fn truncations() {
    let corpus = Corpus::fixtures(64 << 10);
    let mut cases = Vec::new();
    for name in TRUNCATED {
        let bytes = &corpus.named(name).bytes;
        cases.extend((0..bytes.len()).flat_map(|len| [(name, bytes, len, false), (name, bytes, len, true)]));
    }
    let make = |case: usize| {
        let (name, bytes, len, fit) = cases[case];
        let mut cut = bytes[..len].to_vec();
        if fit {
            fit_sizes(bytes, &mut cut);
        }
        (format!("{name} cut at byte {len}{}", if fit { ", sizes adjusted" } else { "" }), cut)
    };
    let tally = Campaign { name: "truncations", cases: cases.len(), make: &make, judge: &no_judge }.run();
    assert!(tally.refused["Malformed"] >= cases.len() / 2, "every truncation with unchanged sizes is malformed");
}

/// Adjusts the sizes that lead to the bitcode to the length of `cut`: those of the container, the
/// last part, the program and the bitcode.
fn fit_sizes(whole: &[u8], cut: &mut [u8]) {
    let len = cut.len();
    let parts = Container::parse(whole).map(|container| container.parts().last().map(|part| part.data_offset()));
    let Ok(Some(data)) = parts else { return };
    let sizes = [
        (24, len),
        (data - 4, len.saturating_sub(data)),
        (data + 4, len.saturating_sub(data) / 4),
        (data + 20, len.saturating_sub(data + 24)),
    ];
    for (at, size) in sizes {
        if let Some(word) = cut.get_mut(at..at + 4) {
            word.copy_from_slice(&(size as u32).to_le_bytes());
        }
    }
}

/// Truncations of a container's bitcode, without the container.
#[test]
fn truncated_bitcode() {
    let corpus = Corpus::fixtures(64 << 10);
    let mut cases = Vec::new();
    for name in TRUNCATED {
        let program = Container::parse(&corpus.named(name).bytes).and_then(|container| container.program());
        let bitcode = program.unwrap_or_else(|error| panic!("{name}: {error}")).bitcode;
        cases.extend((0..bitcode.len()).map(|len| (name, &bitcode[..len])));
    }
    let make = |case: usize| (format!("bitcode of {} cut", cases[case].0), cases[case].1.to_vec());
    Campaign { name: "truncated bitcode", cases: cases.len(), make: &make, judge: &no_judge }.run();
}

/// Random changes of bits and bytes anywhere in a container.
#[test]
fn mutations() {
    random_cases("mutations", 4_000, mutate, &no_judge);
}

/// Random changes of bitcode records, which the bitcode reader accepts and later stages must
/// refuse.
#[test]
fn record_mutations() {
    random_cases("record mutations", 4_000, mutate_records, &no_judge);
}

/// The same for a device on which vectors of any length stay vectors.
#[test]
fn record_mutations_of_long_vectors() {
    random_long_vectors("record mutations of long vectors", 1_000, mutate_records, &no_judge);
}

fn record(code: u64, operands: &[u64]) -> Item {
    bitstream::Record { code, operands: operands.to_vec() }.into()
}

/// Bitcode with types of exponential size: each structure contains the previous one twice. The
/// record codes are those of LLVM's LLVMBitCodes.h.
fn doubling_types(depth: u64) -> Vec<u8> {
    let mut types = vec![record(1, &[depth + 1]), record(7, &[32])];
    types.extend((0..depth).map(|below| record(18, &[0, below, below])));
    let types = Item::Block(Block { id: 17, items: types });
    // A global of the outermost type (with an explicit type) whose initialiser is a null constant.
    let global = record(7, &[depth, 3, 2, 3, 0, 0]);
    let constants = Item::Block(Block { id: 11, items: vec![record(1, &[depth]), record(2, &[])] });
    bitstream::write(&[Block { id: 8, items: vec![record(1, &[1]), types, global, constants] }])
}

/// Small inputs that describe very large types. A reader that expands the types would run out of
/// time or memory.
#[test]
fn bombs() {
    let inputs: Vec<(String, Vec<u8>)> = [15, 16, 40, 62, 63, 64, 65, 5000]
        .into_iter()
        .map(|depth| (format!("types doubled {depth} times"), doubling_types(depth)))
        .collect();
    let make = |case: usize| inputs[case].clone();
    let tally = Campaign { name: "bombs", cases: inputs.len(), make: &make, judge: &no_judge }.run();
    assert_eq!(tally.refused["Limit"], 7, "all inputs but the smallest exceed a limit");
}

/// The unchanged fixtures may be refused as unsupported, but never as malformed.
#[test]
fn fixtures_are_well_formed() {
    let mut malformed = Vec::new();
    for entry in Corpus::fixtures(usize::MAX).entries {
        if let Outcome::Refused(error) = pipeline::run(&entry.bytes)
            && error.kind() == ErrorKind::Malformed
        {
            malformed.push(format!("{}: {error}", entry.name));
        }
    }
    assert!(malformed.is_empty(), "{}", malformed.join("\n"));
}
