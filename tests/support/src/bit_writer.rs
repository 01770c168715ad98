//! Writes bitstreams by hand, for bitcode that no available compiler writes.
//!
//! In: blocks, abbreviations and records, call by call. Out: bytes. The writer checks nothing, so
//! that tests can also write malformed bitcode.

/// The encoding of one operand of an abbreviated record.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// This value, which the record does not contain.
    Literal(u64),
    /// An integer of this width.
    Fixed(u32),
    /// An integer in chunks of this width.
    Vbr(u32),
    /// An array, whose element type follows.
    Array,
    /// One of 64 characters.
    Char6,
    /// Bytes.
    Blob,
}

/// A bitstream being written.
#[derive(Clone, Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    bits: usize,
    /// For each open block: the width of abbreviation ids outside of it, and the position of its
    /// length word.
    open: Vec<(u32, usize)>,
    width: u32,
}

impl BitWriter {
    /// A stream that starts with the magic number of bitcode.
    #[must_use]
    pub fn bitcode() -> Self {
        let mut w = Self { width: 2, ..Self::default() };
        w.fixed(0xdec0_4342, 32);
        w
    }
    /// Writes an integer of this width.
    pub fn fixed(&mut self, value: u64, width: u32) {
        for i in 0..width {
            if self.bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if value >> i & 1 != 0 {
                *self.bytes.last_mut().unwrap() |= 1 << (self.bits % 8);
            }
            self.bits += 1;
        }
    }
    /// Writes an integer in chunks of this width.
    pub fn vbr(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }
    /// Pads with zeros to a multiple of 32 bits.
    pub fn align32(&mut self) {
        while !self.bits.is_multiple_of(32) {
            self.fixed(0, 1);
        }
    }
    /// The bytes, padded to whole words.
    ///
    /// # Panics
    /// If a block is open.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        assert!(self.open.is_empty(), "a block is open");
        self.align32();
        self.bytes
    }
    /// The bytes so far, even if blocks are open.
    #[must_use]
    pub fn cut(mut self) -> Vec<u8> {
        self.align32();
        self.bytes
    }

    /// Writes the id of an abbreviation, in the width of the block.
    pub fn abbreviation_id(&mut self, id: u64) {
        self.fixed(id, self.width);
    }
    /// Begins a block with abbreviation ids of this width.
    pub fn enter(&mut self, block: u64, width: u32) {
        self.abbreviation_id(1);
        self.vbr(block, 8);
        self.vbr(width.into(), 4);
        self.align32();
        self.open.push((self.width, self.bytes.len()));
        self.width = width;
        self.fixed(0, 32);
    }
    /// Ends the innermost block.
    ///
    /// # Panics
    /// If no block is open.
    pub fn end(&mut self) {
        self.abbreviation_id(0);
        self.align32();
        let (width, at) = self.open.pop().expect("an open block");
        self.width = width;
        let words = ((self.bytes.len() - at) / 4 - 1) as u32;
        self.bytes[at..at + 4].copy_from_slice(&words.to_le_bytes());
    }
    /// Writes a block with the content that `content` writes.
    pub fn block(&mut self, block: u64, width: u32, content: impl FnOnce(&mut Self)) {
        self.enter(block, width);
        content(self);
        self.end();
    }
    /// Writes a record without abbreviation.
    pub fn record(&mut self, code: u64, operands: &[u64]) {
        self.abbreviation_id(3);
        self.vbr(code, 6);
        self.vbr(operands.len() as u64, 6);
        for &operand in operands {
            self.vbr(operand, 6);
        }
    }
    /// Writes a record without abbreviation, with characters after the operands.
    pub fn text_record(&mut self, code: u64, operands: &[u64], text: &str) {
        let all: Vec<u64> = operands.iter().copied().chain(text.bytes().map(u64::from)).collect();
        self.record(code, &all);
    }
    /// Defines an abbreviation.
    pub fn define(&mut self, ops: &[Op]) {
        self.abbreviation_id(2);
        self.vbr(ops.len() as u64, 5);
        for op in ops {
            let (encoding, value) = match *op {
                Op::Literal(value) => {
                    self.fixed(1, 1);
                    self.vbr(value, 8);
                    continue;
                }
                Op::Fixed(width) => (1, Some(width)),
                Op::Vbr(width) => (2, Some(width)),
                Op::Array => (3, None),
                Op::Char6 => (4, None),
                Op::Blob => (5, None),
            };
            self.fixed(0, 1);
            self.fixed(encoding, 3);
            if let Some(value) = value {
                self.vbr(value.into(), 5);
            }
        }
    }
    /// Writes a record by the abbreviation of this id and form. `fields` has the code and the
    /// operands, without literals; the count of an array precedes its elements.
    ///
    /// # Panics
    /// If a field is missing.
    pub fn abbreviated(&mut self, id: u64, ops: &[Op], fields: &[u64], blob: &[u8]) {
        self.abbreviation_id(id);
        let mut fields = fields.iter().copied();
        let mut ops = ops.iter();
        while let Some(op) = ops.next() {
            match op {
                Op::Literal(_) => {}
                Op::Array => {
                    let count = fields.next().unwrap();
                    self.vbr(count, 6);
                    let element = ops.next().unwrap();
                    for _ in 0..count {
                        self.scalar(element, fields.next().unwrap());
                    }
                }
                Op::Blob => {
                    self.vbr(blob.len() as u64, 6);
                    self.align32();
                    blob.iter().for_each(|&b| self.fixed(b.into(), 8));
                    self.align32();
                }
                scalar => self.scalar(scalar, fields.next().unwrap()),
            }
        }
    }
    fn scalar(&mut self, op: &Op, value: u64) {
        match *op {
            Op::Fixed(width) => self.fixed(value, width),
            Op::Vbr(width) => self.vbr(value, width),
            Op::Char6 => {
                let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
                let index = letters.iter().position(|&l| u64::from(l) == value).expect("a character of six bits");
                self.fixed(index as u64, 6);
            }
            ref other => panic!("{other:?} is not a scalar"),
        }
    }
}
