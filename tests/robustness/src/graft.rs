//! Changes of a shader that keep its structure: pieces of other shaders, other operations, other
//! numbers.
//!
//! In: two containers of the corpus and random numbers. Out: a changed container. A change of bits
//! mostly ends in the bitcode reader, and a change of one record mostly in the verifier; these
//! changes leave modules that are whole enough for lowering.

use std::sync::Arc;

use dxil_translator::container::Container;

use crate::bitstream::{self, Block, Item, Record};
use crate::corpus::{Corpus, Entry};
use crate::mutate::with_bitcode;
use dxil_test_support::Random;

const CONSTANTS: u32 = 11;
const FUNCTION: u32 = 12;
const METADATA: u32 = 15;
const TYPES: u32 = 17;
/// Records of LLVMBitCodes.h: an integer constant, a call, a metadata node.
const INTEGER: u64 = 4;
const CALL: u64 = 34;
const NODE: u64 = 3;

/// A container of the corpus with one to eight changes that keep its structure.
pub fn graft(corpus: &Corpus, random: &mut Random) -> (String, Vec<u8>) {
    let (Some(entry), Some(other)) = (corpus.pick(random), corpus.pick(random)) else {
        return (String::new(), Vec::new());
    };
    let mut blocks = entry.blocks.clone();
    for _ in 0..[1, 1, 2, 3, 8][random.below(5)] {
        change(&mut blocks, other, random);
    }
    let mut bytes = with_bitcode(&entry.bytes, &bitstream::write(&blocks));
    if random.below(8) == 0 {
        bytes = change_parts(&bytes, other, random);
    }
    (format!("{} with {}", entry.name, other.name), bytes)
}

fn change(blocks: &mut [Block], other: &Entry, random: &mut Random) {
    match random.below(12) {
        0 => splice(blocks, other, FUNCTION, random),
        1 => splice(blocks, other, [METADATA, CONSTANTS, TYPES][random.below(3)], random),
        2 | 3 => integer(blocks, random),
        4 | 5 => callee(blocks, random),
        6 => swap_operands(blocks, METADATA, NODE, random),
        7 => swap_operands(blocks, FUNCTION, CALL, random),
        8 => border(blocks, random),
        9 => copy_record(blocks, other, random),
        _ => reorder(blocks, random),
    }
}

/// All blocks of an id, at any depth.
fn blocks_with_id<'a>(blocks: &'a mut [Block], id: u32, found: &mut Vec<&'a mut Block>) {
    for block in blocks {
        if block.id == id {
            found.push(block);
            continue;
        }
        for item in &mut block.items {
            if let Item::Block(inner) = item {
                blocks_with_id(std::slice::from_mut(inner), id, found);
            }
        }
    }
}

/// A random block of an id.
fn one<'a>(blocks: &'a mut [Block], id: u32, random: &mut Random) -> Option<&'a mut Block> {
    let mut found = Vec::new();
    blocks_with_id(blocks, id, &mut found);
    let at = random.below(found.len());
    found.into_iter().nth(at)
}

/// Replaces a block by one of another shader.
fn splice(blocks: &mut [Block], other: &Entry, id: u32, random: &mut Random) {
    let mut from = other.blocks.clone();
    if let (Some(from), Some(to)) = (one(&mut from, id, random), one(blocks, id, random)) {
        *to = from.clone();
    }
}

/// A random record with this code in a block of this id.
fn record<'a>(blocks: &'a mut [Block], id: u32, code: u64, random: &mut Random) -> Option<&'a mut Record> {
    let mut found = Vec::new();
    bitstream::records(blocks, &mut found);
    found.retain(|(block, record)| *block == id && record.code == code);
    let at = random.below(found.len());
    found.into_iter().nth(at).map(|(_, record)| Arc::make_mut(record))
}

/// Gives an integer constant another value: operations, kinds of resources, masks, semantics and
/// indexes are all constants.
fn integer(blocks: &mut [Block], random: &mut Random) {
    let value = match random.below(6) {
        // An operation, a kind, a mask, a size, a sign.
        0 | 1 => random.below(310) as u64,
        2 => random.below(32) as u64,
        3 => [1, 2, 3, 7, 15, 255][random.below(6)],
        4 => 1 << random.below(32),
        _ => u64::from(random.bits() as u32),
    };
    if let Some(record) = record(blocks, CONSTANTS, INTEGER, random) {
        let sign = u64::from(random.below(8) == 0);
        record.operands = vec![value << 1 | sign];
    }
}

/// Lets a call call what another call calls: another overload, or another operation.
fn callee(blocks: &mut [Block], random: &mut Random) {
    let target = record(blocks, FUNCTION, CALL, random).map(|record| record.operands.clone());
    if let (Some(target), Some(record)) = (target, record(blocks, FUNCTION, CALL, random)) {
        // Attributes, flags, function type, callee.
        for at in 2..4 {
            if let (Some(slot), Some(&value)) = (record.operands.get_mut(at), target.get(at)) {
                *slot = value;
            }
        }
    }
}

/// Exchanges two operands of a record.
fn swap_operands(blocks: &mut [Block], id: u32, code: u64, random: &mut Random) {
    if let Some(record) = record(blocks, id, code, random) {
        let (a, b) = (random.below(record.operands.len()), random.below(record.operands.len()));
        if a < record.operands.len() && b < record.operands.len() {
            record.operands.swap(a, b);
        }
    }
}

/// A number at a border of the variable-width encoding, or of a type.
fn border(blocks: &mut [Block], random: &mut Random) {
    let mut found = Vec::new();
    bitstream::records(blocks, &mut found);
    let at = random.below(found.len());
    if let Some((_, record)) = found.into_iter().nth(at).map(|(id, record)| (id, Arc::make_mut(record))) {
        let at = random.below(record.operands.len());
        if let Some(operand) = record.operands.get_mut(at) {
            let power = 1u64 << [5, 6, 7, 8, 10, 15, 16, 20, 30, 31, 32, 62, 63][random.below(13)];
            *operand = power.wrapping_add(random.below(3) as u64).wrapping_sub(1);
        }
    }
}

/// Puts a record of another shader into a block of the same id.
fn copy_record(blocks: &mut [Block], other: &Entry, random: &mut Random) {
    let id = [FUNCTION, FUNCTION, CONSTANTS, METADATA, TYPES][random.below(5)];
    let mut from = other.blocks.clone();
    let Some(from) = one(&mut from, id, random) else { return };
    let Some(item) = random.choose(&from.items).cloned() else { return };
    if let Some(block) = one(blocks, id, random) {
        let at = random.below(block.items.len() + 1);
        match random.below(2) {
            0 if at < block.items.len() => block.items[at] = item,
            _ => block.items.insert(at, item),
        }
    }
}

/// Removes, repeats or moves a run of items of a block.
fn reorder(blocks: &mut [Block], random: &mut Random) {
    let id = [FUNCTION, FUNCTION, CONSTANTS, METADATA, TYPES, 8][random.below(6)];
    let Some(block) = one(blocks, id, random) else { return };
    let start = random.below(block.items.len());
    let end = (start + 1 + random.below(6)).min(block.items.len());
    let run: Vec<Item> = block.items[start..end].to_vec();
    match random.below(3) {
        0 => drop(block.items.drain(start..end)),
        1 => {
            let at = random.below(block.items.len() + 1);
            block.items.splice(at..at, run);
        }
        _ => {
            block.items.drain(start..end);
            let at = random.below(block.items.len() + 1);
            block.items.splice(at..at, run);
        }
    }
}

/// A container in which one part other than the last is another shader's, is missing, or is there
/// twice. The last part is the program, which other changes find there.
fn change_parts(bytes: &[u8], other: &Entry, random: &mut Random) -> Vec<u8> {
    let parts = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let Ok(container) = Container::parse(bytes) else { return Vec::new() };
        let starts: Vec<usize> = container.parts().iter().map(|part| part.data_offset() - 8).collect();
        let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
        starts.iter().zip(ends).filter_map(|(&start, end)| bytes.get(start..end).map(<[u8]>::to_vec)).collect()
    };
    let (mut own, foreign) = (parts(bytes), parts(&other.bytes));
    if own.len() < 2 {
        return bytes.to_vec();
    }
    let at = random.below(own.len() - 1);
    match random.below(3) {
        0 => drop(own.remove(at)),
        1 => own.insert(at, own[at].clone()),
        _ => {
            let alike = foreign.iter().find(|part| part.get(..4) == own[at].get(..4));
            if let Some(part) = alike.or(foreign.first()) {
                own[at] = part.clone();
            }
        }
    }
    // The header: magic, digest, version, size, number of parts; then the offset of each part.
    let mut out = bytes[..24].to_vec();
    let size = 32 + own.iter().map(|part| part.len() + 4).sum::<usize>();
    out.extend((size as u32).to_le_bytes());
    out.extend((own.len() as u32).to_le_bytes());
    let mut offset = 32 + own.len() * 4;
    for part in &own {
        out.extend((offset as u32).to_le_bytes());
        offset += part.len();
    }
    own.iter().for_each(|part| out.extend(part));
    out
}

/// A list of smaller inputs than this one, each without a run of items of its bitcode.
pub fn without_items(bytes: &[u8], run: usize) -> Vec<Vec<u8>> {
    let Some(Entry { blocks, .. }) = Entry::new(String::new(), bytes.to_vec()) else { return Vec::new() };
    let mut out = Vec::new();
    let mut paths = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        lists(block, &mut vec![at], &mut paths);
    }
    for (path, len) in paths {
        for start in (0..len).step_by(run) {
            let mut smaller = blocks.clone();
            if let Some(block) = at_path(&mut smaller, &path) {
                block.items.drain(start..(start + run).min(len));
                out.push(with_bitcode(bytes, &bitstream::write(&smaller)));
            }
        }
    }
    out
}

/// The path to each block, and the number of its items.
fn lists(block: &Block, path: &mut Vec<usize>, found: &mut Vec<(Vec<usize>, usize)>) {
    found.push((path.clone(), block.items.len()));
    for (at, item) in block.items.iter().enumerate() {
        if let Item::Block(inner) = item {
            path.push(at);
            lists(inner, path, found);
            path.pop();
        }
    }
}

fn at_path<'a>(blocks: &'a mut [Block], path: &[usize]) -> Option<&'a mut Block> {
    let (&first, rest) = path.split_first()?;
    let mut block = blocks.get_mut(first)?;
    for &at in rest {
        block = match block.items.get_mut(at)? {
            Item::Block(inner) => inner,
            Item::Record(_) => return None,
        };
    }
    Some(block)
}
