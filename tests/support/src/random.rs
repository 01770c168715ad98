//! Random numbers that are the same on every run and every machine: SplitMix64 (Steele, Lea and
//! Flood, "Fast splittable pseudorandom number generators", 2014).

/// The distance between two states of a generator.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number that SplitMix64 gives for a state, for tests that want a number for an index.
#[must_use]
pub fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(GAMMA);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator for a seed. Different seeds have unrelated streams.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ GAMMA)
    }

    /// The generator for one of the cases of a seed, which have unrelated streams.
    #[must_use]
    pub fn from_case(seed: u64, case: u64) -> Self {
        Self::new(mix(seed) ^ case)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        bits
    }

    /// A number below a bound, or 0 if the bound is 0.
    pub fn below<N: Bound>(&mut self, bound: N) -> N {
        bound.scale(self.bits())
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of the items, or `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// One of the items, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// The type of a bound of [`Random::below`].
pub trait Bound {
    /// Scales a fraction of 64 bits to a number below this bound.
    #[must_use]
    fn scale(self, fraction: u64) -> Self;
}

macro_rules! bounds {
    ($($type:ty)*) => {
        $(impl Bound for $type {
            fn scale(self, fraction: u64) -> Self {
                ((u128::from(fraction) * self as u128) >> 64) as Self
            }
        })*
    };
}

bounds! { i32 u32 u64 usize }

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the published algorithm for the state 1234567.
    #[test]
    fn known_numbers() {
        let mut random = Random(1_234_567);
        assert_eq!([(); 3].map(|()| random.bits()), [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn numbers_are_below_their_bound() {
        let mut random = Random::new(1);
        let mut counts = [0; 5];
        (0..1000).for_each(|_| counts[random.below(5usize)] += 1);
        assert!(counts.iter().all(|count| (100..300).contains(count)), "{counts:?}");
        assert_eq!(random.below(0usize), 0);
        assert_eq!(random.choose::<u8>(&[]), None);
    }
}
