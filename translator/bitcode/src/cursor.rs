//! A reading position in a stream of bits.
//!
//! In: bytes, least significant bit first. Out: fixed-width and variable-width integers, aligned
//! bytes. What must hold: a read cannot fail. A bit after the end is zero, and an integer of more
//! than 64 bits moves the position behind every end. [`check`](Cursor::check) tells both, so one
//! check after many reads is enough, if the number of reads is bounded.

use dxil_base::error::{Error, Place, Result};

/// The most bits that [`peek`](Cursor::peek) gives: those of eight bytes, less the bits of the
/// first byte that are before the position.
pub(super) const PEEKED: u32 = 57;
/// The highest bits of the nine chunks of six bits that are seen together. The last chunk of an
/// integer has none.
const LAST_CHUNKS: u64 = 0x0020_8208_2082_0820;
/// The position after an integer of more than 64 bits.
const BEHIND_ALL: u64 = 1 << 62;

/// Reads bits from bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The number of bits read so far.
    bit: u64,
    /// Offset of the first byte in the whole input, in bits. Error places count from there.
    base: u64,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `bytes`, which are `base` bytes into the input.
    pub fn new(bytes: &'a [u8], base: usize) -> Self {
        Self { bytes, bit: 0, base: base as u64 * 8 }
    }
    /// The number of bits.
    #[inline]
    fn end(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }
    /// The number of bits read so far.
    #[inline]
    pub fn bit(&self) -> u64 {
        self.bit
    }
    /// The current place in the whole input.
    pub fn place(&self) -> Place {
        Place::Bit(self.offset(self.bit.min(self.end())))
    }
    /// The offset of a bit of this cursor in the whole input.
    #[inline]
    pub fn offset(&self, bit: u64) -> u64 {
        self.base + bit
    }
    /// The number of bits not read yet.
    #[inline]
    pub fn remaining(&self) -> u64 {
        self.end().saturating_sub(self.bit)
    }
    /// Moves to a bit.
    #[inline]
    pub fn seek(&mut self, bit: u64) {
        self.bit = bit;
    }
    /// Whether all that was read is in the input. `start` is the bit at which a record or block
    /// began.
    ///
    /// # Errors
    /// `Malformed` if a read went past the end, or if an integer had more than 64 bits.
    #[inline]
    pub fn check(&self, start: u64) -> Result<()> {
        if self.bit <= self.end() { Ok(()) } else { Err(self.failure(start)) }
    }
    #[cold]
    #[inline(never)]
    fn failure(&self, start: u64) -> Error {
        let place = Place::Bit(self.offset(start.min(self.end())));
        match self.bit {
            BEHIND_ALL.. => malformed!(place, "a variable-width integer has more than 64 bits"),
            _ => malformed!(place, "the bitcode ends within a record or block"),
        }
    }

    /// The next bits, [`PEEKED`] of them at least.
    #[inline(always)]
    pub fn peek(&self) -> u64 {
        match self.whole() {
            Some(bits) => bits,
            None => last_bytes(self.bytes, (self.bit / 8) as usize) >> (self.bit % 8),
        }
    }
    /// The next bits, if the input has [`PEEKED`] more.
    #[inline(always)]
    pub fn whole(&self) -> Option<u64> {
        let at = (self.bit / 8) as usize;
        let chunk = self.bytes.get(at..at + 8)?.first_chunk()?;
        Some(u64::from_le_bytes(*chunk) >> (self.bit % 8))
    }
    /// Reads an integer of at most [`PEEKED`] bits.
    #[inline(always)]
    fn short(&mut self, width: u32) -> u64 {
        let value = self.peek() & ((1 << width) - 1);
        self.bit += u64::from(width);
        value
    }
    /// Reads an integer of `width` bits, at most 64.
    #[inline(always)]
    pub fn fixed(&mut self, width: u32) -> u64 {
        if width <= PEEKED {
            return self.short(width);
        }
        let low = self.short(32);
        low | self.short(width - 32) << 32
    }
    /// Reads an integer in chunks of `width` bits (2 to 32). The highest bit of each chunk tells
    /// whether another follows.
    #[inline(always)]
    pub fn vbr(&mut self, width: u32) -> u64 {
        let (bits, more) = (self.peek(), 1 << (width - 1));
        if bits & more == 0 {
            self.bit += u64::from(width);
            return bits & (more - 1);
        }
        let (value, after) = self.chunks(width);
        self.bit = after;
        value
    }
    /// Reads an integer in chunks of six bits, as most of the stream's integers are.
    #[inline(always)]
    pub fn vbr6(&mut self) -> u64 {
        match short_vbr6(self.peek()) {
            Some((value, width)) => {
                self.bit += u64::from(width);
                value
            }
            None => {
                let (value, after) = self.long_vbr6();
                self.bit = after;
                value
            }
        }
    }
    /// Reads integers of `width` bits, at most 8, mostly the characters of a name. Those that are
    /// seen together are taken together. `meaning` says what each stands for.
    #[inline]
    pub fn fixed_list(&mut self, width: u32, numbers: &mut [u64], meaning: impl Fn(u64) -> u64) {
        for part in numbers.chunks_mut((PEEKED / width) as usize) {
            let mut bits = self.peek();
            self.bit += part.len() as u64 * u64::from(width);
            for number in part {
                *number = meaning(bits & ((1 << width) - 1));
                bits >>= width;
            }
        }
    }
    /// Moves past integers in chunks of six bits, of which the input has enough bits for `count`.
    pub fn skip_vbr6(&mut self, mut count: u64) {
        while count != 0 {
            let mut ends = !self.peek() & LAST_CHUNKS;
            let seen = u64::from(ends.count_ones());
            if seen < count {
                self.bit += 9 * 6;
                count -= seen;
                continue;
            }
            (1..count).for_each(|_| ends &= ends - 1);
            self.bit += u64::from(ends.trailing_zeros() + 1);
            return;
        }
    }
    /// The next bits, for integers that are read one after the other.
    #[inline(always)]
    pub fn window(&self) -> Window<'a> {
        Window { cursor: *self, bits: self.peek(), seen: PEEKED }
    }
    /// An integer of more than four chunks of six bits, mostly the bits of a float, and the
    /// position after it.
    #[inline(never)]
    fn long_vbr6(self) -> (u64, u64) {
        let bits = self.peek();
        let ends = !bits & LAST_CHUNKS;
        if ends == 0 {
            return self.chunks(6);
        }
        let width = ends.trailing_zeros() + 1;
        let bits = bits & ((1 << width) - 1);
        // Five bits of each chunk, then ten of each two chunks, and twenty of each four.
        let two = bits & 0x01f0_1f01_f01f | bits >> 1 & 0x3e03_e03e_03e0;
        let four = two & 0x0003_ff00_03ff | two >> 2 & 0x0ffc_000f_fc00;
        let eight = four & 0xf_ffff | four >> 4 & 0x00ff_fff0_0000;
        (eight | bits >> 8 & 0x1f00_0000_0000, self.bit + u64::from(width))
    }
    /// An integer of any number of chunks, and the position after it.
    #[inline(never)]
    fn chunks(mut self, width: u32) -> (u64, u64) {
        let more = 1u64 << (width - 1);
        let (mut value, mut shift) = (0, 0);
        loop {
            let chunk = self.short(width);
            let data = chunk & (more - 1);
            if data != 0 {
                if shift > 63 || data << shift >> shift != data {
                    return (0, BEHIND_ALL);
                }
                value |= data << shift;
            }
            if chunk & more == 0 {
                return (value, self.bit);
            }
            // Any number of zero chunks may follow without changing the value. The shift only has
            // to stay above 63.
            shift = (shift + width - 1).min(128);
        }
    }
    /// The bytes from one bit to another, which both begin a byte.
    pub fn whole_bytes(&self, start: u64, end: u64) -> &'a [u8] {
        self.bytes.get((start / 8) as usize..(end / 8) as usize).unwrap_or_default()
    }
    /// Moves to the next multiple of 32 bits from the start.
    #[inline]
    pub fn align32(&mut self) {
        self.bit = self.bit.next_multiple_of(32);
    }
    /// Reads bytes, from a position that [`align32`](Self::align32) made.
    ///
    /// # Errors
    /// `Malformed` if the input has fewer bytes. `start` is the bit at which the record began.
    pub fn bytes(&mut self, len: u64, start: u64) -> Result<&'a [u8]> {
        let first = self.bit / 8;
        let bytes = first.checked_add(len).and_then(|end| self.bytes.get(first as usize..usize::try_from(end).ok()?));
        self.bit = self.bit.saturating_add(len.saturating_mul(8)).min(BEHIND_ALL - 1);
        bytes.ok_or_else(|| self.failure(start))
    }
}

/// A cursor with the bits after it. Integers that are seen together are taken without reading bytes
/// again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    pub cursor: Cursor<'a>,
    bits: u64,
    /// The number of bits that are seen.
    seen: u32,
}

impl Window<'_> {
    /// Reads an integer of `width` bits, at most 32, at the start of the window.
    #[inline(always)]
    pub fn first(&mut self, width: u32) -> u64 {
        let value = self.bits & ((1 << width) - 1);
        self.take(width);
        value
    }
    /// Reads an integer in chunks of six bits.
    #[inline(always)]
    pub fn vbr6(&mut self) -> u64 {
        if self.seen < 4 * 6 {
            *self = self.cursor.window();
        }
        match short_vbr6(self.bits) {
            Some((value, width)) => {
                self.take(width);
                value
            }
            None => {
                self.seen = 0;
                let (value, after) = self.cursor.long_vbr6();
                self.cursor.bit = after;
                value
            }
        }
    }
    /// Reads an integer of `width` bits, at most 32.
    #[inline(always)]
    pub fn fixed(&mut self, width: u32) -> u64 {
        if self.seen < width {
            *self = self.cursor.window();
        }
        self.first(width)
    }
    /// Reads an integer in chunks of `width` bits (2 to 32).
    #[inline(always)]
    pub fn vbr(&mut self, width: u32) -> u64 {
        if self.seen < width {
            *self = self.cursor.window();
        }
        if self.bits >> (width - 1) & 1 == 0 {
            return self.first(width);
        }
        self.seen = 0;
        self.cursor.vbr(width)
    }
    #[inline(always)]
    fn take(&mut self, width: u32) {
        self.cursor.bit += u64::from(width);
        self.bits >>= width;
        self.seen -= width;
    }
}

/// The bytes from one on, as a number. Bytes after the end are zero.
#[cold]
#[inline(never)]
fn last_bytes(bytes: &[u8], from: usize) -> u64 {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter().take(8).rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// An integer of at most four chunks of six bits at the start of these bits, and its width.
#[inline(always)]
pub(super) fn short_vbr6(bits: u64) -> Option<(u64, u32)> {
    let two = bits & 0x1f | bits >> 1 & 0x3e0;
    let four = two | bits >> 2 & 0x7c00 | bits >> 3 & 0xf_8000;
    match bits {
        _ if bits & 0x20 == 0 => Some((bits & 0x1f, 6)),
        _ if bits & 0x800 == 0 => Some((two, 12)),
        _ if bits & 0x2_0000 == 0 => Some((four & 0x7fff, 18)),
        _ if bits & 0x80_0000 == 0 => Some((four, 24)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits of an integer, least significant first.
    fn bits(value: u64, width: u32) -> impl Iterator<Item = bool> {
        (0..width).map(move |i| value >> i & 1 != 0)
    }
    fn pack(bits: &[bool]) -> Vec<u8> {
        bits.chunks(8).map(|c| c.iter().enumerate().fold(0, |b, (i, &on)| b | u8::from(on) << i)).collect()
    }

    #[test]
    fn fixed_widths_cross_every_boundary() {
        for lead in 0..64 {
            for width in 1..=64 {
                let value = 0x9e37_79b9_7f4a_7c15u64 >> (64 - width);
                let all: Vec<bool> = bits(0, lead).chain(bits(value, width)).chain(bits(5, 3)).collect();
                let bytes = pack(&all);
                let mut c = Cursor::new(&bytes, 0);
                assert_eq!(c.fixed(lead), 0);
                assert_eq!(c.fixed(width), value, "lead {lead} width {width}");
                assert_eq!(c.fixed(3), 5);
                assert_eq!(c.bit(), u64::from(lead + width + 3));
                assert!(c.check(0).is_ok());
            }
        }
    }

    fn chunks(value: u64, width: u32) -> Vec<bool> {
        let (mut rest, mut all) = (value, Vec::new());
        loop {
            let low = rest & ((1 << (width - 1)) - 1);
            rest >>= width - 1;
            all.extend(bits(low | u64::from(rest != 0) << (width - 1), width));
            if rest == 0 {
                return all;
            }
        }
    }

    #[test]
    fn variable_width_integers() {
        for value in [0, 1, 31, 32, 1 << 20, u64::MAX >> 1, u64::MAX] {
            for width in 2..=32 {
                let all = chunks(value, width);
                // Other bits follow, or the end.
                let end = all.len() as u64;
                for after in [0, 100] {
                    let bytes = pack(&[all.clone(), vec![true; after]].concat());
                    let mut c = Cursor::new(&bytes, 0);
                    assert_eq!((c.vbr(width), c.bit()), (value, end), "width {width}");
                    assert!(c.check(0).is_ok());
                    if width == 6 {
                        c.seek(0);
                        assert_eq!((c.vbr6(), c.bit()), (value, end));
                    }
                }
            }
        }
    }

    #[test]
    fn lists_of_integers() {
        let bytes: Vec<u8> = (0..200u32).map(|n| (0x9e37_79b9u32.wrapping_mul(n) >> 24) as u8).collect();
        for (lead, width) in (0..8).flat_map(|lead| (1..=8).map(move |width| (lead, width))) {
            let (mut c, mut one, mut list) = (Cursor::new(&bytes, 0), Cursor::new(&bytes, 0), [0; 250]);
            c.seek(lead);
            one.seek(lead);
            // Some of them are after the end, where all bits are zero.
            c.fixed_list(width, &mut list, |number| number);
            let expected = [(); 250].map(|()| one.fixed(width));
            assert_eq!((list, c.bit()), (expected, one.bit()), "lead {lead} width {width}");
        }
    }

    /// A list has all integers that were written, short ones beside long ones.
    #[test]
    fn lists_of_integers_in_chunks() {
        for lead in 0..8 {
            let numbers = std::array::from_fn::<u64, 200, _>(|n| 0x9e37_79b9_7f4a_7c15 >> (n * 11 % 64));
            let written = numbers.iter().flat_map(|&number| chunks(number, 6));
            let all: Vec<bool> = bits(0, lead).chain(written).collect();
            let bytes = pack(&all);
            let (mut c, mut list) = (Cursor::new(&bytes, 0), [0; 200]);
            c.seek(lead.into());
            let mut window = c.window();
            list.fill_with(|| window.vbr6());
            c = window.cursor;
            assert_eq!((list, c.bit()), (numbers, all.len() as u64), "lead {lead}");
        }
    }

    #[test]
    fn overlong_integers_and_ends_are_errors() {
        let mut c = Cursor::new(&[0xff; 40], 0);
        c.vbr(6);
        assert!(c.check(0).unwrap_err().message().contains("64 bits"));
        let mut c = Cursor::new(&[1, 2, 3], 4);
        c.fixed(20);
        assert!(c.check(0).is_ok());
        // The four bits that are left, and a zero.
        assert_eq!(c.fixed(5), 0);
        let e = c.check(20).unwrap_err();
        assert_eq!(e.place(), Place::Bit(32 + 20));
        assert!(e.message().contains("ends within"));
        assert_eq!(c.place(), Place::Bit(32 + 24));
        assert!(c.bytes(u64::MAX, 0).is_err());
    }

    #[test]
    fn bytes_after_alignment() {
        let mut c = Cursor::new(&[1, 0, 0, 0, 7, 8, 9, 10], 0);
        assert_eq!(c.fixed(3), 1);
        c.align32();
        assert_eq!(c.bytes(3, 0).unwrap(), [7, 8, 9]);
        c.align32();
        assert_eq!(c.remaining(), 0);
        assert!(c.check(0).is_ok());
        c.fixed(1);
        assert!(c.check(0).is_err());
    }
}
