//! The blocks of root arguments: the push-constant block, the uniform block or buffer with root
//! constants that do not fit there, and the shader record.
//!
//! In: the plan, and the usage of its resources. Out: for each block the parts that the entry
//! reads, and how each is declared. What must hold: a root constant is a member of its own unless
//! the shader computes an index into its constant buffer, so that a driver may keep it in a
//! register; members do not overlap, and nothing is declared before the first byte that is read.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::usage::Usage;
use crate::analysis::program::Entry;
use crate::binding::plan::{BindingPlan, Descriptor, Location, Root};

/// The words of the largest constant buffer whose words are members: as many as a root signature
/// can have (D3D12, "Root Signature Limits").
const MEMBERS: u32 = 64;

/// A block of root arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootStorage {
    /// The push-constant block.
    Push,
    /// The shader record. Its first byte follows the shader identifier.
    Record,
    /// A uniform block, which may have other root arguments as well: its descriptor set and
    /// binding.
    Block(u32, u32),
    /// A buffer: the place of its address.
    Address(Root),
}

impl RootStorage {
    /// The block that has a root argument, and the argument's first byte there.
    pub fn from_root(root: Root) -> (Self, u32) {
        match root {
            Root::Push(offset) => (RootStorage::Push, offset),
            Root::Record(offset) => (RootStorage::Record, offset),
            Root::Inline { block, offset } => (RootStorage::Block(block.set, block.binding), offset),
        }
    }
}

/// How a part of a block is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootPartForm {
    /// Each word is a member.
    Words,
    /// The part is an array of words.
    Array,
    /// The part is an address: a vector of two words.
    Address,
}

impl RootPartForm {
    /// The form of a constant buffer of so many bytes. `indexed` says whether the shader computes
    /// an index into it.
    fn for_constants(size: u32, indexed: bool) -> Self {
        if indexed || size / 4 > MEMBERS { RootPartForm::Array } else { RootPartForm::Words }
    }
}

/// A part of a block that one resource reads, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RootPart {
    /// First byte in the block.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// How it is declared.
    pub form: RootPartForm,
    /// The number of its first member.
    pub member: u32,
}

impl RootPart {
    fn end(&self) -> u32 {
        self.offset.saturating_add(self.size)
    }
}

/// A block of root arguments, as an entry reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootBlock {
    /// The descriptor of a uniform block; `None` for the other blocks.
    pub descriptor: Option<Descriptor>,
    /// The parts, by ascending offset. They do not overlap.
    pub parts: Vec<RootPart>,
}

impl RootBlock {
    /// The part that has the byte.
    pub fn part(&self, offset: u32) -> Option<RootPart> {
        let after = self.parts.partition_point(|part| part.offset <= offset);
        let part = self.parts.get(after.checked_sub(1)?)?;
        (offset < part.end()).then_some(*part)
    }

    /// Orders the parts, joins those that overlap, and numbers the members.
    fn finish(&mut self) {
        self.parts.sort();
        self.parts.dedup();
        let overlap = self.parts.windows(2).any(|two| matches!(two, [a, b] if b.offset < a.end()));
        if overlap && let Some(&first) = self.parts.first() {
            // Only a plan that was written by hand has places that overlap in part.
            let end = self.parts.iter().map(RootPart::end).max().unwrap_or_default();
            let size = end.saturating_sub(first.offset);
            self.parts = vec![RootPart { size, form: RootPartForm::Array, ..first }];
        }
        let mut member = 0;
        for part in &mut self.parts {
            part.member = member;
            member += if part.form == RootPartForm::Words { part.size / 4 } else { 1 };
        }
    }
}

/// The blocks of root arguments that an entry reads.
pub type RootBlocks = BTreeMap<RootStorage, Rc<RootBlock>>;

/// Finds the blocks of root arguments that an entry reads.
pub fn root_blocks(entry: &Entry, plan: &BindingPlan, usage: &Usage) -> RootBlocks {
    let mut blocks: BTreeMap<RootStorage, RootBlock> = BTreeMap::new();
    for (id, planned) in plan.resources.iter().filter(|(id, _)| entry.reachable.resources.contains(*id)) {
        if let Some(Root::Inline { block, .. }) = planned.location.root() {
            blocks.entry(RootStorage::Block(block.set, block.binding)).or_default().descriptor = Some(block);
        }
        let constants = |size: u32| RootPartForm::for_constants(size, usage.resource(id).indexed);
        let (source, bytes, form) = match planned.location {
            Location::Push { offset, size } => (RootStorage::Push, byte_range(offset, size), constants(size)),
            Location::Record { offset, size } => (RootStorage::Record, byte_range(offset, size), constants(size)),
            Location::Address(root) => {
                let (source, offset) = RootStorage::from_root(root);
                (source, byte_range(offset, 8), RootPartForm::Address)
            }
            Location::Inline { block, offset, size } => {
                let source = RootStorage::Block(block.set, block.binding);
                blocks.entry(source).or_default().descriptor = Some(block);
                (source, byte_range(offset, size), constants(size))
            }
            Location::InlineAddress { address, offset, size } => {
                let (source, at) = RootStorage::from_root(address);
                let part = RootPart { offset: at, size: 8, form: RootPartForm::Address, member: 0 };
                blocks.entry(source).or_default().parts.push(part);
                (RootStorage::Address(address), byte_range(offset, size), constants(size))
            }
            location => {
                let Some(root) = location.table() else { continue };
                let (source, offset) = RootStorage::from_root(root);
                (source, byte_range(offset, 4), RootPartForm::Words)
            }
        };
        let size = bytes.end.saturating_sub(bytes.start);
        if size != 0 {
            let part = RootPart { offset: bytes.start, size, form, member: 0 };
            blocks.entry(source).or_default().parts.push(part);
        }
    }
    blocks.values_mut().for_each(RootBlock::finish);
    blocks.into_iter().map(|(source, block)| (source, Rc::new(block))).collect()
}

fn byte_range(offset: u32, size: u32) -> Range<u32> {
    offset..offset.saturating_add(size & !3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many words as a root signature can have are members each.
    #[test]
    fn large_constant_buffers_are_arrays() {
        for (bytes, indexed, form) in [
            (4, false, RootPartForm::Words),
            (256, false, RootPartForm::Words),
            (260, false, RootPartForm::Array),
            (4096, false, RootPartForm::Array),
            (16, true, RootPartForm::Array),
        ] {
            assert_eq!(RootPartForm::for_constants(bytes, indexed), form, "{bytes} {indexed}");
        }
    }
}
