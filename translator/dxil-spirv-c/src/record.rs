//! The local root signature of a converter: where in a shader record its parameters are.
//!
//! In: parameters, in the order of the calls. Out: the place of a resource in the record. What must
//! hold: constants take four bytes each; descriptors and tables take eight, at multiples of eight.

use dxil_translator::ir::resources::{Resource, UNBOUNDED};
use dxil_translator::ops::consts::ResourceClass;

use crate::abi::{Code, NONE};
use crate::border::{Answer, Failure};

/// The largest number of ranges. A shader record has at most 4096 bytes.
const MOST_RANGES: usize = 1 << 16;

/// The parameters of a local root signature.
#[derive(Clone, Debug, Default)]
pub struct ShaderRecord {
    ranges: Vec<Range>,
    /// Bytes of the parameters so far.
    end: u32,
    /// Whether a table is being declared.
    in_table: bool,
}

/// Registers of a parameter.
#[derive(Clone, Copy, Debug)]
struct Range {
    class: ResourceClass,
    space: u32,
    first: u32,
    count: u32,
    place: RecordPlace,
}

/// The place of a resource in a shader record, with the byte of its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordPlace {
    /// Constants.
    Constants {
        /// First byte.
        offset: u32,
        /// Number of bytes.
        size: u32,
    },
    /// A root descriptor.
    Address {
        /// First byte.
        offset: u32,
    },
    /// A table.
    Table {
        /// First byte.
        offset: u32,
        /// The resource's offset in the table, in descriptors.
        first: u32,
    },
}

/// The class with a number of the interface, which is DXIL's.
///
/// # Errors
/// `InvalidArgument` if there is none.
pub fn class(number: i32) -> Answer<ResourceClass> {
    use ResourceClass::{CBuffer, Sampler, Srv, Uav};
    let known = [Srv, Uav, CBuffer, Sampler];
    let class = usize::try_from(number).ok().and_then(|number| known.get(number));
    class.copied().ok_or_else(|| Failure::argument(&format!("there is no resource class {number}")))
}

impl ShaderRecord {
    fn add(&mut self, range: Range) -> Answer {
        if self.ranges.len() == MOST_RANGES {
            return Err(Failure::new(Code::OutOfMemory, "the local root signature has too many ranges"));
        }
        self.ranges.push(range);
        Ok(())
    }

    /// Takes this many bytes for the next parameter.
    fn take(&mut self, bytes: u32, alignment: u32) -> u32 {
        let offset = self.end.next_multiple_of(alignment);
        self.end = offset.saturating_add(bytes) & !3;
        offset
    }

    /// Adds root constants.
    ///
    /// # Errors
    /// `InvalidArgument` inside a table, or for more words than a record has.
    pub fn constants(&mut self, space: u32, first: u32, words: u32) -> Answer {
        self.outside()?;
        let size = words.checked_mul(4).filter(|&size| size <= 1 << 16);
        let size = size.ok_or_else(|| Failure::argument("more root constants than a shader record has space for"))?;
        let place = RecordPlace::Constants { offset: self.take(size, 4), size };
        self.add(Range { class: ResourceClass::CBuffer, space, first, count: 1, place })
    }

    /// Adds a root descriptor. A space of all ones is a place for nothing.
    ///
    /// # Errors
    /// `InvalidArgument` inside a table.
    pub fn descriptor(&mut self, class: ResourceClass, space: u32, first: u32) -> Answer {
        self.outside()?;
        let place = RecordPlace::Address { offset: self.take(8, 8) };
        self.add(Range { class, space, first, count: 1, place })
    }

    /// Begins a table.
    ///
    /// # Errors
    /// `InvalidArgument` inside a table.
    pub fn begin_table(&mut self) -> Answer {
        self.outside()?;
        self.take(8, 8);
        self.in_table = true;
        Ok(())
    }

    /// Adds a range to the table that has begun.
    ///
    /// # Errors
    /// `InvalidArgument` outside of a table.
    pub fn range(&mut self, class: ResourceClass, space: u32, first: u32, count: u32, offset: u32) -> Answer {
        if !self.in_table {
            return Err(Failure::argument("a range of a local table is outside of a table"));
        }
        let place = RecordPlace::Table { offset: self.end - 8, first: offset };
        self.add(Range { class, space, first, count, place })
    }

    /// Ends a table.
    ///
    /// # Errors
    /// `InvalidArgument` outside of a table.
    pub fn end_table(&mut self) -> Answer {
        if !std::mem::take(&mut self.in_table) {
            return Err(Failure::argument("a local table ends that has not begun"));
        }
        Ok(())
    }

    fn outside(&self) -> Answer {
        if self.in_table { Err(Failure::argument("a local table has not ended")) } else { Ok(()) }
    }

    /// The place of a resource; `None` if the record does not have it.
    pub fn find(&self, resource: &Resource) -> Option<RecordPlace> {
        let at = |range: &&Range| {
            let end = if range.count == UNBOUNDED { u32::MAX } else { range.first.saturating_add(range.count) };
            (range.class, range.space) == (resource.class, resource.space)
                && range.space != NONE
                && (range.first..end).contains(&resource.lower_bound)
        };
        let range = self.ranges.iter().find(at)?;
        Some(match range.place {
            RecordPlace::Table { offset, first } => {
                RecordPlace::Table { offset, first: first.wrapping_add(resource.lower_bound - range.first) }
            }
            place => place,
        })
    }
}
