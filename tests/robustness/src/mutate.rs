//! Random changes to a container, from a single flipped bit to spliced ranges.
//!
//! In: a container and random numbers. Out: a changed container. Most changes hit the program part,
//! since most of the translator reads that part. The container's digest is not updated, because the
//! translator does not check it.

use std::sync::Arc;

use dxil_translator::container::{Container, FourCc};

use crate::bitstream::{self, Block, Item, Record};
use crate::corpus::Corpus;
use dxil_test_support::Random;

/// Numbers that readers often handle wrongly: ends of ranges, powers of two, all ones.
const NUMBERS: [u32; 16] = [
    0,
    1,
    2,
    3,
    4,
    7,
    0x20,
    0x7f,
    0xff,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fff8,
    0xffff_fffe,
    0xffff_ffff,
];

/// A container of the corpus with one to eight changes.
pub fn mutate(corpus: &Corpus, random: &mut Random) -> (String, Vec<u8>) {
    let Some(entry) = corpus.pick(random) else { return (String::new(), Vec::new()) };
    let mut bytes = entry.bytes.clone();
    // A single change shows what one check misses. Several changes reach code that needs a
    // combination of them.
    let changes = [1, 1, 1, 1, 2, 3, 5, 8][random.below(8)];
    for _ in 0..changes {
        change(&mut bytes, corpus, random);
    }
    (entry.name.clone(), bytes)
}

fn change(bytes: &mut Vec<u8>, corpus: &Corpus, random: &mut Random) {
    let program = program_start(bytes);
    match random.below(16) {
        // A bit or number of the program part.
        0..=5 => flip(bytes, random, program),
        6 | 7 => number(bytes, random, program),
        // A bit or number anywhere in the container.
        8 => flip(bytes, random, 0),
        9 => number(bytes, random, 0),
        // A word of the header or of the part index.
        10 => {
            let at = 20 + 4 * random.below(12);
            put(bytes, at, NUMBERS[random.below(NUMBERS.len())]);
        }
        // A size or offset that is nearly right.
        11 => {
            let at = 4 * random.below(bytes.len() / 4);
            let near = word(bytes, at).wrapping_add(random.below(17) as u32).wrapping_sub(8);
            put(bytes, at, near);
        }
        12 => cut(bytes, random),
        13 => double(bytes, random),
        14 => swap(bytes, random),
        _ => splice(bytes, corpus, random),
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    if let Some(word) = bytes.get_mut(at..at + 4) {
        word.copy_from_slice(&value.to_le_bytes());
    }
}

/// The offset of the last bitcode in the container. DXC writes the program as the last part.
fn program_start(bytes: &[u8]) -> usize {
    let magic = bytes.windows(4).rposition(|window| window == b"BC\xc0\xde");
    magic.map_or(0, |at| at + 4)
}

fn flip(bytes: &mut [u8], random: &mut Random, start: usize) {
    let at = start + random.below(bytes.len().saturating_sub(start));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

/// Overwrites up to 32 bits at any bit position, because fields of bitcode are not aligned to
/// bytes.
fn number(bytes: &mut [u8], random: &mut Random, start: usize) {
    let bit = start * 8 + random.below(bytes.len().saturating_sub(start) * 8);
    let width = 1 + random.below(32);
    let value = if random.below(2) == 0 { NUMBERS[random.below(NUMBERS.len())] } else { random.bits() as u32 };
    for i in 0..width {
        if let Some(byte) = bytes.get_mut((bit + i) / 8) {
            let mask = 1 << ((bit + i) % 8);
            *byte = if value >> i & 1 != 0 { *byte | mask } else { *byte & !mask };
        }
    }
}

/// A range whose ends are multiples of four bytes, like most structures of a container.
fn range(bytes: &[u8], random: &mut Random, longest: usize) -> std::ops::Range<usize> {
    let start = random.below(bytes.len() / 4) * 4;
    let end = start + 4 * (1 + random.below(longest / 4));
    start..end.min(bytes.len())
}

fn cut(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = range(bytes, random, 128);
    bytes.drain(range);
    repair_size(bytes, random);
}

fn double(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = range(bytes, random, 128);
    let copy = bytes[range.clone()].to_vec();
    bytes.splice(range.start..range.start, copy);
    repair_size(bytes, random);
}

fn swap(bytes: &mut [u8], random: &mut Random) {
    let (a, b) = (random.below(bytes.len() / 4) * 4, random.below(bytes.len() / 4) * 4);
    let (first, second) = (word(bytes, a), word(bytes, b));
    put(bytes, a, second);
    put(bytes, b, first);
}

fn splice(bytes: &mut Vec<u8>, corpus: &Corpus, random: &mut Random) {
    let Some(other) = corpus.pick(random) else { return };
    let from = range(&other.bytes, random, 512);
    let at = range(bytes, random, 512);
    bytes.splice(at, other.bytes[from].iter().copied());
    repair_size(bytes, random);
}

/// In seven of eight cases, makes the size in the header agree with the length. If the sizes
/// differ, the translator reads the header only.
fn repair_size(bytes: &mut [u8], random: &mut Random) {
    if random.below(8) != 0 {
        let size = bytes.len() as u32;
        put(bytes, 24, size);
    }
}

/// A container of the corpus whose program has one to four changed records.
pub fn mutate_records(corpus: &Corpus, random: &mut Random) -> (String, Vec<u8>) {
    let Some(entry) = corpus.pick(random) else { return (String::new(), Vec::new()) };
    let mut blocks = entry.blocks.clone();
    for _ in 0..[1, 1, 2, 4][random.below(4)] {
        change_record(&mut blocks, random);
    }
    (entry.name.clone(), with_bitcode(&entry.bytes, &bitstream::write(&blocks)))
}

/// A container with other bitcode in its DXIL part, which must be the last part (as DXC writes it).
///
/// # Panics
/// If the last part of the container is not a DXIL part.
pub fn with_bitcode(container: &[u8], bitcode: &[u8]) -> Vec<u8> {
    let parts = Container::parse(container).map(|container| container.parts().last().copied());
    let part = parts.ok().flatten().filter(|part| part.fourcc == FourCc::DXIL);
    let start = part.expect("a container that ends with its DXIL part").data_offset();
    // The program header has 24 bytes: program version and size in words; magic, DXIL version,
    // offset and size of the bitcode.
    let mut bytes = [&container[..start + 24], bitcode].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let size = bytes.len();
    put(&mut bytes, 24, size as u32);
    put(&mut bytes, start - 4, (size - start) as u32);
    put(&mut bytes, start + 4, ((size - start) / 4) as u32);
    put(&mut bytes, start + 16, 16);
    put(&mut bytes, start + 20, bitcode.len() as u32);
    bytes
}

/// Ids of the blocks whose records are changed. Important ones are listed more often: function
/// bodies (12), constants (11), metadata (15), types (17), module (8).
const BLOCKS: [u32; 10] = [12, 12, 12, 12, 11, 11, 15, 15, 17, 8];

fn change_record(blocks: &mut [Block], random: &mut Random) {
    let wanted = BLOCKS[random.below(BLOCKS.len())];
    // In one of four cases, the order of items is changed, or an item is removed or repeated.
    if random.below(4) == 0 {
        let mut lists = Vec::new();
        bitstream::lists(blocks, wanted, &mut lists);
        let at = random.below(lists.len());
        if let Some(list) = lists.into_iter().nth(at) {
            change_items(list, random);
        }
        return;
    }
    let mut found = Vec::new();
    bitstream::records(blocks, &mut found);
    found.retain(|(block, _)| *block == wanted);
    // An operand of another record is often nearly right: the id of another value, another opcode.
    let foreign = found.get(random.below(found.len())).and_then(|(_, record)| random.choose(&record.operands).copied());
    let at = random.below(found.len());
    if let Some((_, record)) = found.into_iter().nth(at) {
        change_operands(Arc::make_mut(record), foreign.unwrap_or_default(), random);
    }
}

fn change_items(items: &mut Vec<Item>, random: &mut Random) {
    let (at, other) = (random.below(items.len()), random.below(items.len()));
    match random.below(4) {
        _ if items.is_empty() => {}
        0 => drop(items.remove(at)),
        1 => items.insert(other, items[at].clone()),
        2 => items.swap(at, other),
        _ => items[at..].rotate_left(1),
    }
}

fn change_operands(record: &mut Record, foreign: u64, random: &mut Random) {
    let at = random.below(record.operands.len());
    let number = u64::from(NUMBERS[random.below(NUMBERS.len())]);
    match random.below(16) {
        0 => record.code = random.below(64) as u64,
        1 => record.operands.push(foreign),
        2 => record.operands.truncate(at),
        3 => record.operands.insert(at, foreign),
        choice => {
            let Some(operand) = record.operands.get_mut(at) else { return };
            *operand = match choice {
                4..=6 => foreign,
                7..=9 => operand.wrapping_add(1 + random.below(4) as u64),
                10..=12 => operand.wrapping_sub(1 + random.below(4) as u64),
                13 => *operand ^ 1 << random.below(64),
                14 => number,
                _ => random.bits(),
            };
        }
    }
}
