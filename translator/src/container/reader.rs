//! A cursor over little-endian bytes.
//!
//! In: a slice and the place of its first byte in the whole input. Out: numbers, slices and strings
//! borrowed from it. What must hold: no read goes past the slice, and every error names the byte of
//! the whole input.

use std::ffi::CStr;

use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// Reads forward through a slice whose first byte is at `base` in the whole input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    base: usize,
    at: usize,
    what: &'static str,
}

impl<'a> ByteReader<'a> {
    /// A cursor at the start of `bytes`. `what` names the structure in messages.
    pub(crate) fn new(bytes: &'a [u8], base: usize, what: &'static str) -> Self {
        Self { bytes, base, at: 0, what }
    }

    /// The place of the next byte.
    pub(crate) fn place(&self) -> Place {
        self.place_of(self.at)
    }

    /// The place of the byte at `offset` from the start of the slice.
    pub(crate) fn place_of(&self, offset: usize) -> Place {
        Place::Byte(self.base.saturating_add(offset) as u64)
    }

    /// The offset of the next byte in the whole input.
    pub(crate) fn offset(&self) -> usize {
        self.base.saturating_add(self.at)
    }

    /// The number of bytes read so far.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The number of bytes left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The bytes that are left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// A second cursor at `offset` from the start of the slice. Offsets inside a part count from
    /// there.
    pub(crate) fn seek(&self, offset: usize) -> Result<Self> {
        if offset > self.bytes.len() {
            let (what, len) = (self.what, self.bytes.len());
            return Err(malformed!(self.place(), "{what}: offset {offset} is past its end ({len} bytes)"));
        }
        Ok(Self { at: offset, ..*self })
    }

    /// The next `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let taken = self.at.checked_add(count).and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| {
            let (what, left) = (self.what, self.left());
            malformed!(self.place(), "{what}: {count} bytes expected, {left} are left")
        })?;
        self.at += count;
        Ok(taken)
    }

    /// A cursor over only the next `count` bytes, for the structure `what`.
    pub(crate) fn part(&mut self, count: usize, what: &'static str) -> Result<Self> {
        let base = self.base.saturating_add(self.at);
        Ok(Self { bytes: self.bytes(count)?, base, at: 0, what })
    }

    /// The next `count` records of `stride` bytes each.
    pub(crate) fn records(&mut self, count: usize, stride: usize) -> Result<&'a [u8]> {
        let size = count
            .checked_mul(stride)
            .ok_or_else(|| malformed!(self.place(), "{}: {count} records of {stride} bytes do not fit", self.what))?;
        self.bytes(size)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    /// The next byte.
    pub(crate) fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// The next 16-bit number.
    pub(crate) fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// The next 32-bit number.
    pub(crate) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next 64-bit number.
    pub(crate) fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// The next 16 bytes, the size of a digest.
    pub(crate) fn digest(&mut self) -> Result<[u8; 16]> {
        self.array()
    }

    /// The string from here to the next null byte, which is read too.
    pub(crate) fn string(&mut self) -> Result<&'a str> {
        let place = self.place();
        // The scan is bounded, because many records may share one string and each use scans it.
        let rest = self.rest();
        let rest = rest.get(..=limits::NAME_BYTES).unwrap_or(rest);
        let Ok(text) = CStr::from_bytes_until_nul(rest) else {
            limits::check(place, "bytes of string", rest.len(), limits::NAME_BYTES)?;
            return Err(malformed!(place, "{}: a string has no terminating null byte", self.what));
        };
        self.bytes(text.count_bytes() + 1)?;
        text.to_str().map_err(|_| malformed!(place, "{}: a string is not UTF-8", self.what))
    }
}

/// 32-bit numbers, borrowed from the input.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    /// The numbers in `bytes`. A rest shorter than a number is ignored.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
    /// The number of words.
    pub fn len(&self) -> usize {
        self.0.len() / 4
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The number at `index`.
    pub fn get(&self, index: usize) -> Option<u32> {
        let start = index.checked_mul(4)?;
        let bytes = self.0.get(start..start.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }
    /// `count` numbers from `start` on; `None` if there are fewer.
    pub fn slice(&self, start: usize, count: usize) -> Option<Words<'a>> {
        let (start, size) = (start.checked_mul(4)?, count.checked_mul(4)?);
        self.0.get(start..start.checked_add(size)?).map(Words)
    }
    /// All numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.0.chunks_exact(4).map(|word| word.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
    }
}

impl std::fmt::Debug for Words<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
