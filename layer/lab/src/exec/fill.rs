//! What the inputs of a pipeline contain.
//!
//! In: a seed, and the place and the type of each number. Out: bytes. What must hold: the same seed
//! gives the same bytes on every machine; integers are small, so that what is an index, a count or
//! a shift stays in range; floating-point numbers are exact in 16 bits, so that the first
//! operations on them are exact on every driver.

use super::declared::{Block, Field, Scalar};

/// The range of the inputs' numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NumberRange {
    /// Integers from 0 to [`MOST`] and numbers from -1 to 1.
    #[default]
    Inside,
    /// One number of eight is an edge value: beyond every buffer, negative, infinite, not a number.
    Edge,
}

/// A source of numbers.
#[derive(Clone, Copy)]
pub struct NumberSource {
    /// The seed of the run.
    pub seed: u64,
    /// Where the numbers lie.
    pub bounds: NumberRange,
    /// The largest integer inside.
    pub most: u32,
    /// The round. A shader that writes nothing with one kind of numbers may write with another one.
    pub round: u32,
}

/// What the numbers of a round are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Small numbers of both signs and zeros; matrices are almost the identity.
    Around,
    /// Positive numbers up to 1 and counts above 0, so that no quotient is infinite.
    Positive,
    /// Larger numbers.
    Wide,
}

/// The largest integer of inputs, where no array of descriptors is shorter.
pub const MOST: u32 = 32;

/// Integers at edges.
const EDGE_INTEGERS: [u32; 8] = [0, 255, 256, 65_535, 65_536, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
/// Floating-point numbers at edges: zeros, infinities, no number, the smallest and the largest.
const EDGE_FLOATS: [u32; 8] =
    [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x0000_0001, 0x0080_0000, 0x7f7f_ffff];

impl NumberSource {
    /// What its numbers are like.
    pub fn kind(&self) -> Kind {
        [Kind::Around, Kind::Positive, Kind::Wide][self.round as usize % 3]
    }

    /// A number of 64 random bits for a place (SplitMix64).
    pub fn bits(&self, stream: u64, index: u64) -> u64 {
        let seed = self.seed.wrapping_add(u64::from(self.round).wrapping_mul(0xa076_1d64_78bd_642f));
        let mut z = seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95);
        z = z.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A floating-point number: a multiple of 1/64 from -0.5 to 1.5, above 0 and up to 1, or a
    /// multiple of 1/16 from -8 to 8.
    pub fn float(&self, stream: u64, index: u64) -> f32 {
        let bits = self.bits(stream, index);
        if self.is_edge(bits) {
            return f32::from_bits(EDGE_FLOATS[(bits >> 32) as usize % EDGE_FLOATS.len()]);
        }
        match self.kind() {
            Kind::Around => ((bits % 129) as f32 - 32.0) / 64.0,
            Kind::Positive => (bits % 64 + 1) as f32 / 64.0,
            Kind::Wide => ((bits % 257) as f32 - 128.0) / 16.0,
        }
    }

    /// An integer from 0 to the largest; from 1 on in a round of positive numbers.
    pub fn integer(&self, stream: u64, index: u64) -> u32 {
        let bits = self.bits(stream, index);
        if self.is_edge(bits) {
            return EDGE_INTEGERS[(bits >> 32) as usize % EDGE_INTEGERS.len()];
        }
        match self.kind() {
            Kind::Positive => (bits % u64::from(self.most.max(1)) + 1) as u32,
            // Without arrays of descriptors an index may be larger.
            Kind::Wide if self.most == MOST => (bits % (u64::from(MOST) * 2 + 1)) as u32,
            Kind::Around | Kind::Wide => (bits % (u64::from(self.most) + 1)) as u32,
        }
    }

    /// One of these values.
    fn chosen(&self, stream: u64, index: u64, values: &[u32]) -> u32 {
        let at = self.bits(stream, index) % values.len().max(1) as u64;
        values.get(at as usize).copied().unwrap_or(0)
    }

    fn is_edge(&self, bits: u64) -> bool {
        self.bounds == NumberRange::Edge && (bits >> 56).is_multiple_of(8)
    }

    /// A number of a constant buffer. Integers are sizes and counts: powers of two. Rows of
    /// floating-point numbers are those of the identity, so that a matrix is one and keeps
    /// positions, with a small number added here and there.
    fn constant(&self, stream: u64, offset: u32, scalar: Scalar) -> u32 {
        let bits = self.bits(stream, offset.into());
        match scalar {
            _ if self.is_edge(bits) => match scalar {
                Scalar::Float => self.float(stream, offset.into()).to_bits(),
                Scalar::Integer => self.integer(stream, offset.into()),
            },
            Scalar::Integer => {
                let largest = u64::from(self.most.max(1).ilog2());
                // In a round of larger numbers, loops have some steps.
                let fewest = if self.kind() == Kind::Wide { largest.saturating_sub(2) } else { 0 };
                1 << (fewest + bits % (largest - fewest + 1))
            }
            Scalar::Float => {
                let (row, column) = (offset / 16 % 4, offset / 4 % 4);
                let one = if row == column { 1.0 } else { 0.0 };
                let number = match self.kind() {
                    Kind::Around if bits.is_multiple_of(4) => one + ((bits >> 8) % 8) as f32 / 32.0,
                    Kind::Around => one,
                    Kind::Positive => one + ((bits >> 8) % 8 + 1) as f32 / 64.0,
                    Kind::Wide => ((bits >> 8) % 32 + 1) as f32 / 16.0,
                };
                number.to_bits()
            }
        }
    }

    /// The content of a constant buffer or of push constants.
    pub fn constants(&self, stream: u64, block: &Block, size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        for field in &block.fields {
            let word = match block.choice(field.offset).filter(|_| field.is_word()) {
                Some(values) => self.chosen(stream, field.offset.into(), values),
                None => self.constant(stream, field.offset, field.scalar),
            };
            put(&mut bytes, *field, field.offset as usize, word);
        }
        bytes
    }

    /// The content of a buffer of elements.
    pub fn elements(&self, stream: u64, block: &Block, size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        let mut number = |field: Field, at: usize, choice: Option<&[u32]>| {
            let word = match (choice, field.scalar) {
                (Some(values), _) => self.chosen(stream, at as u64, values),
                (None, Scalar::Float) => self.float(stream, at as u64).to_bits(),
                (None, Scalar::Integer) => self.integer(stream, at as u64),
            };
            put(&mut bytes, field, at, word);
        };
        let choice =
            |field: &Field, start: u32| block.choice(start.saturating_add(field.offset)).filter(|_| field.is_word());
        for field in &block.fields {
            number(*field, field.offset as usize, choice(field, 0));
        }
        if let Some((stride, fields)) = &block.tail {
            // What is an index in one element is one in all.
            let choices: Vec<_> = fields.iter().map(|field| choice(field, block.size)).collect();
            for start in (block.size as usize..size).step_by((*stride).max(1) as usize) {
                for (field, choice) in fields.iter().zip(&choices) {
                    number(*field, start + field.offset as usize, *choice);
                }
            }
        }
        bytes
    }
}

/// Writes a number of 32 bits as one of its field's width, if it is inside.
fn put(bytes: &mut [u8], field: Field, at: usize, word: u32) {
    let wide = match (field.scalar, field.width) {
        (Scalar::Float, 16) => u64::from(half(f32::from_bits(word))),
        (Scalar::Float, 64) => f64::from(f32::from_bits(word)).to_bits(),
        _ => u64::from(word),
    };
    let size = field.width as usize / 8;
    if let Some(place) = bytes.get_mut(at..at + size) {
        place.copy_from_slice(&wide.to_le_bytes()[..size]);
    }
}

/// A number converted to 16 bits, which is exact for the numbers of this file but the edge values.
pub fn half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    let fraction = (bits >> 13) as u16 & 0x3ff;
    match exponent {
        _ if value.is_nan() => sign | 0x7e00,
        31.. => sign | 0x7c00,
        1..=30 => sign | (exponent as u16) << 10 | fraction,
        _ => sign,
    }
}

/// A number of 16 bits converted to 32 bits.
pub fn single(half: u16) -> f32 {
    let (exponent, fraction) = (u32::from(half >> 10 & 0x1f), u32::from(half & 0x3ff));
    let magnitude = match exponent {
        0 => fraction as f32 / 16_777_216.0,
        31 if fraction == 0 => f32::INFINITY,
        31 => f32::NAN,
        _ => f32::from_bits((exponent + 127 - 15) << 23 | fraction << 13),
    };
    if half & 0x8000 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_inputs_are_exact_in_sixteen_bits() {
        let source = NumberSource { seed: 1, bounds: NumberRange::Inside, most: MOST, round: 0 };
        for index in 0..10_000 {
            let number = source.float(3, index);
            assert!((-0.5..=1.5).contains(&number));
            assert_eq!(single(half(number)), number);
            assert!(source.integer(3, index) <= 32);
        }
    }

    #[test]
    fn rounds_have_other_numbers_that_keep_their_promises() {
        let of = |round| NumberSource { seed: 1, bounds: NumberRange::Inside, most: 8, round };
        for index in 0..1000 {
            let (float, integer) = (of(1).float(3, index), of(1).integer(3, index));
            assert!(float > 0.0 && float <= 1.0 && (1..=8).contains(&integer));
            let (float, integer) = (of(2).float(3, index), of(2).integer(3, index));
            assert!((-8.0..=8.0).contains(&float) && single(half(float)) == float && integer <= 8);
        }
        assert_ne!(of(0).bits(3, 0), of(3).bits(3, 0));
        assert!(f32::from_bits(of(1).constant(1, 4, Scalar::Float)) > 0.0);
    }

    #[test]
    fn halves_keep_their_bits() {
        for bits in 0..=u16::MAX {
            let number = single(bits);
            // Inputs have no denormal numbers.
            if number.is_nan() || bits & 0x7c00 == 0 {
                continue;
            }
            assert_eq!(half(number), bits, "{bits:#x}");
        }
    }

    #[test]
    fn a_constant_buffer_has_the_identity_and_counts() {
        let field = |offset, scalar| Field { offset, scalar, width: 32 };
        let mut block = Block { size: 80, ..Block::default() };
        block.fields.extend((0..16).map(|index| field(index * 4, Scalar::Float)));
        block.fields.extend((16..20).map(|index| field(index * 4, Scalar::Integer)));
        let source = NumberSource { seed: 7, bounds: NumberRange::Inside, most: MOST, round: 0 };
        let words: Vec<u32> =
            source.constants(1, &block, 80).as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        for (index, word) in words[..16].iter().enumerate() {
            let one = if index / 4 == index % 4 { 1.0 } else { 0.0 };
            assert!((f32::from_bits(*word) - one).abs() < 0.25, "{words:?}");
        }
        assert!(words[16..].iter().all(|word| word.is_power_of_two() && *word <= 32), "{words:?}");
        assert_ne!(source.constants(1, &block, 80), source.constants(2, &block, 80));
    }
}
