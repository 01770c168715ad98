//! A reading position in a stream of bits.
//!
//! In: bytes, least significant bit first. Out: fixed-width and variable-width integers, aligned
//! bytes. What must hold: reading past the end is an error with the bit offset. The only other
//! errors are integers of more than 64 bits and seeks past the end.

use dxil_base::error::{Place, Result};

/// Reads bits from bytes. A window of up to 63 bits is kept in a register and refilled eight bytes
/// at a time.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The byte after the window.
    next: usize,
    /// The low [`have`](Self::have) bits are the next bits. Bits above them are zero, or already
    /// the bits of the stream that follow.
    window: u64,
    have: u32,
    /// Offset of the first byte in the whole input, in bits. Error places count from there.
    base: u64,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `bytes`, which are `base` bytes into the input.
    pub fn new(bytes: &'a [u8], base: usize) -> Self {
        Self { bytes, next: 0, window: 0, have: 0, base: base as u64 * 8 }
    }
    /// The number of bits read so far.
    #[inline]
    pub fn bit(&self) -> u64 {
        self.next as u64 * 8 - u64::from(self.have)
    }
    /// The current place in the whole input.
    #[inline]
    pub fn place(&self) -> Place {
        self.place_of(self.bit())
    }
    /// The place of a bit of this cursor in the whole input.
    #[inline]
    pub fn place_of(&self, bit: u64) -> Place {
        Place::Bit(self.base + bit)
    }
    /// The number of bits not read yet.
    #[inline]
    pub fn remaining(&self) -> u64 {
        self.bytes.len() as u64 * 8 - self.bit()
    }
    /// Moves to a bit.
    ///
    /// # Errors
    /// `Malformed` if the bit is past the end.
    pub fn seek(&mut self, bit: u64) -> Result<()> {
        if bit > self.bytes.len() as u64 * 8 {
            return Err(malformed!(
                self.place(),
                "a block ends at byte {}, but the bitcode has {} bytes",
                bit / 8,
                self.bytes.len()
            ));
        }
        self.next = (bit / 8) as usize;
        self.window = 0;
        self.have = 0;
        self.fixed((bit % 8) as u32)?;
        Ok(())
    }

    /// Fills the window to at least 56 bits, or to the end of the bytes.
    #[inline]
    fn refill(&mut self) {
        if self.refill_inside().is_none() {
            self.refill_at_end();
        }
    }
    /// Fills the window to at least 56 bits; `None` if fewer than eight bytes are left.
    #[inline(always)]
    fn refill_inside(&mut self) -> Option<()> {
        let chunk = self.bytes.get(self.next..)?.first_chunk::<8>()?;
        // Bits that do not fit are read again next time. To `or` the same bits twice changes
        // nothing.
        self.window |= u64::from_le_bytes(*chunk) << self.have;
        let taken = (63 - self.have) >> 3;
        self.next += taken as usize;
        self.have += taken * 8;
        Some(())
    }
    #[cold]
    #[inline(never)]
    fn refill_at_end(&mut self) {
        for &byte in self.bytes.get(self.next..).unwrap_or_default() {
            if self.have > 55 {
                break;
            }
            self.window |= u64::from(byte) << self.have;
            self.next += 1;
            self.have += 8;
        }
    }
    #[cold]
    #[inline(never)]
    fn end(&self) -> dxil_base::error::Error {
        malformed!(self.place(), "the bitcode ends within a record or block")
    }

    /// Reads an integer of at most 56 bits.
    #[inline(always)]
    fn short(&mut self, width: u32) -> Result<u64> {
        if self.have < width {
            self.refill();
            if self.have < width {
                return Err(self.end());
            }
        }
        let value = self.window & ((1 << width) - 1);
        self.window >>= width;
        self.have -= width;
        Ok(value)
    }
    /// Reads an integer of `width` bits, at most 64.
    #[inline]
    pub fn fixed(&mut self, width: u32) -> Result<u64> {
        if width <= 56 { self.short(width) } else { self.long(width) }
    }
    #[inline(never)]
    fn long(&mut self, width: u32) -> Result<u64> {
        let low = self.short(32)?;
        Ok(low | self.short(width.min(64) - 32)? << 32)
    }
    /// Reads an integer in chunks of `width` bits (2 to 32). The highest bit of each chunk tells
    /// whether another follows.
    #[inline]
    pub fn vbr(&mut self, width: u32) -> Result<u64> {
        if width == 6 {
            return self.vbr6();
        }
        let first = self.short(width)?;
        let more = 1 << (width - 1);
        if first & more == 0 { Ok(first) } else { self.vbr_rest(width, first & (more - 1)) }
    }
    /// Reads an integer in chunks of six bits, as most of the stream's integers are.
    #[inline(always)]
    pub fn vbr6(&mut self) -> Result<u64> {
        match self.vbr6_inside() {
            Some(value) => Ok(value),
            None => self.vbr6_at_end(),
        }
    }
    /// Reads an integer of up to five chunks of six bits at once. `None`, and nothing read, if it has
    /// more or if the end of the input is near.
    #[inline(always)]
    fn vbr6_inside(&mut self) -> Option<u64> {
        if self.have < 30 {
            self.refill_inside()?;
        }
        let bits = self.window;
        // The last chunk is the first whose highest bit is zero.
        let width = (!bits & 0x2082_0820).trailing_zeros() + 1;
        if width > 30 {
            return None;
        }
        self.window >>= width;
        self.have -= width;
        match width {
            6 => return Some(bits & 0x1f),
            12 => return Some(bits & 0x1f | bits >> 1 & 0x3e0),
            _ => {}
        }
        let bits = bits & ((1 << width) - 1);
        let low = bits & 0x1f | bits >> 1 & 0x3e0 | bits >> 2 & 0x7c00;
        Some(low | bits >> 3 & 0xf_8000 | bits >> 4 & 0x1f0_0000)
    }
    /// [`vbr6`](Self::vbr6) of more than five chunks, or at the end of the input.
    #[cold]
    #[inline(never)]
    fn vbr6_at_end(&mut self) -> Result<u64> {
        let first = self.short(6)?;
        if first & 0x20 == 0 { Ok(first) } else { self.vbr_rest(6, first & 0x1f) }
    }
    #[inline(never)]
    fn vbr_rest(&mut self, width: u32, first: u64) -> Result<u64> {
        let more = 1u64 << (width - 1);
        let (mut value, mut shift) = (first, width - 1);
        loop {
            let chunk = self.short(width)?;
            let data = chunk & (more - 1);
            if data != 0 {
                if shift > 63 || data << shift >> shift != data {
                    return Err(malformed!(self.place(), "a variable-width integer has more than 64 bits"));
                }
                value |= data << shift;
            }
            if chunk & more == 0 {
                return Ok(value);
            }
            // Any number of zero chunks may follow without changing the value. The shift only has
            // to stay above 63.
            shift = (shift + width - 1).min(128);
        }
    }
    /// Appends `count` integers of `width` bits. The caller has checked that the input has enough
    /// bits, so the loop cannot fail.
    pub fn fixed_run(&mut self, width: u32, count: u64, out: &mut Vec<u64>) -> Result<()> {
        if width > 56 || count.saturating_mul(width.into()) > self.remaining() {
            return (0..count).try_for_each(|_| self.fixed(width).map(|v| out.push(v)));
        }
        let mask = (1 << width) - 1;
        out.extend((0..count as usize).map(|_| {
            if self.have < width {
                self.refill();
            }
            let value = self.window & mask;
            self.window >>= width;
            self.have -= width;
            value
        }));
        Ok(())
    }
    /// Appends `count` integers in chunks of six bits: the operands of every record without
    /// abbreviation. The caller has checked that the input has enough bits for one chunk each.
    pub fn vbr6_run(&mut self, count: u64, out: &mut Vec<u64>) -> Result<()> {
        let start = out.len();
        out.resize(start + count as usize, 0);
        // The loop keeps a copy in registers.
        let mut cursor = self.clone();
        for slot in out.iter_mut().skip(start) {
            *slot = match cursor.vbr6_inside() {
                Some(value) => value,
                None => {
                    *self = cursor;
                    let value = self.vbr6_at_end()?;
                    cursor = self.clone();
                    value
                }
            };
        }
        *self = cursor;
        Ok(())
    }
    /// Moves to the next multiple of 32 bits from the start.
    pub fn align32(&mut self) -> Result<()> {
        let bit = self.bit();
        self.fixed((bit.wrapping_neg() % 32) as u32)?;
        Ok(())
    }
    /// Reads bytes, from a position that [`align32`](Self::align32) made.
    pub fn bytes(&mut self, len: u64) -> Result<&'a [u8]> {
        let start = self.bit() / 8;
        let end = start.checked_add(len).filter(|&end| end <= self.bytes.len() as u64).ok_or_else(|| self.end())?;
        let bytes = self.bytes.get(start as usize..end as usize).ok_or_else(|| self.end())?;
        self.seek(end * 8)?;
        Ok(bytes)
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
                assert_eq!(c.fixed(lead).unwrap(), 0);
                assert_eq!(c.fixed(width).unwrap(), value, "lead {lead} width {width}");
                assert_eq!(c.fixed(3).unwrap(), 5);
                assert_eq!(c.bit(), u64::from(lead + width + 3));
            }
        }
    }

    #[test]
    fn variable_width_integers() {
        for value in [0, 1, 31, 32, 1 << 20, u64::MAX >> 1, u64::MAX] {
            for width in 2..=32 {
                let (mut rest, mut all) = (value, Vec::new());
                loop {
                    let low = rest & ((1 << (width - 1)) - 1);
                    rest >>= width - 1;
                    all.extend(bits(low | u64::from(rest != 0) << (width - 1), width));
                    if rest == 0 {
                        break;
                    }
                }
                let bytes = pack(&all);
                assert_eq!(Cursor::new(&bytes, 0).vbr(width).unwrap(), value, "width {width}");
            }
        }
    }

    #[test]
    fn overlong_integers_and_ends_are_errors() {
        let mut c = Cursor::new(&[0xff; 40], 0);
        assert!(c.vbr(6).unwrap_err().message().contains("64 bits"));
        let mut c = Cursor::new(&[1, 2, 3], 4);
        c.fixed(20).unwrap();
        let e = c.fixed(5).unwrap_err();
        assert_eq!(e.place(), Place::Bit(32 + 20));
        assert!(c.seek(25).is_err());
        assert!(c.bytes(u64::MAX).is_err());
    }

    #[test]
    fn bytes_after_alignment() {
        let mut c = Cursor::new(&[1, 0, 0, 0, 7, 8, 9, 10], 0);
        assert_eq!(c.fixed(3).unwrap(), 1);
        c.align32().unwrap();
        assert_eq!(c.bytes(3).unwrap(), [7, 8, 9]);
        c.align32().unwrap();
        assert_eq!(c.remaining(), 0);
        assert!(c.fixed(1).is_err());
    }
}
