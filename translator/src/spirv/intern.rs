//! Hash-consing of types and constants.
//!
//! In: a key, which is a short run of words. Out: the id that it was entered with. Keys lie one
//! after another in a single vector (`length, id, words…`), and the table holds their offsets. So
//! no key has an allocation of its own, and finding a key costs a hash and a comparison of words.

use super::Id;

#[derive(Default)]
pub(super) struct Interner {
    /// Starts with one unused word, so that offset zero means «none».
    keys: Vec<u32>,
    /// Hash table of offsets into `keys`, with open addressing. Zero is a free slot. The length is
    /// a power of two.
    slots: Vec<u32>,
    count: usize,
}

/// Multiplies and rotates like `rustc-hash`, for short keys. The upper half of the result is better
/// mixed than the lower.
#[inline]
fn hash(key: &[u32]) -> usize {
    let mut state = 0u64;
    for &word in key {
        state = (state.rotate_left(26) ^ u64::from(word)).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
    (state >> 32) as usize
}

impl Interner {
    /// The id entered with this key.
    #[inline]
    pub(super) fn get(&self, key: &[u32]) -> Option<Id> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash(key) & mask;
        loop {
            let at = *self.slots.get(slot)?;
            if at == 0 {
                return None;
            }
            // Compares word by word: keys are too short for a call of memcmp to pay.
            let entered = self.key(at);
            if entered.len() == key.len() && entered.iter().zip(key).all(|(a, b)| a == b) {
                return Id::from_word(*self.keys.get(at as usize + 1)?);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Enters a key that is not in the table yet. Returns its offset, for [`key`](Self::key).
    pub(super) fn insert(&mut self, key: &[u32], id: Id) -> u32 {
        // A quarter of the slots stays free, so that every probe ends.
        if self.count * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        if self.keys.is_empty() {
            self.keys.push(0);
        }
        let at = self.keys.len() as u32;
        self.keys.push(key.len() as u32);
        self.keys.push(id.word());
        self.keys.extend_from_slice(key);
        self.place(at);
        self.count += 1;
        at
    }

    /// The key at an offset; empty for offset zero.
    #[inline]
    pub(super) fn key(&self, at: u32) -> &[u32] {
        let at = at as usize;
        let length = self.keys.get(at).map_or(0, |&n| n as usize);
        self.keys.get(at + 2..at + 2 + length).unwrap_or_default()
    }

    fn place(&mut self, at: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = hash(self.key(at)) & mask;
        while self.slots.get(slot).is_some_and(|&taken| taken != 0) {
            slot = (slot + 1) & mask;
        }
        if let Some(free) = self.slots.get_mut(slot) {
            *free = at;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for at in old {
            if at != 0 {
                self.place(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_entered_and_nothing_else() {
        let mut interner = Interner::default();
        assert_eq!(interner.get(&[1, 2]), None);
        let mut offsets = Vec::new();
        for n in 1..=1000u32 {
            let id = Id::from_word(n).unwrap();
            offsets.push(interner.insert(&[n % 7, n], id));
        }
        for n in 1..=1000u32 {
            assert_eq!(interner.get(&[n % 7, n]), Id::from_word(n));
            assert_eq!(interner.key(offsets[n as usize - 1]), [n % 7, n]);
        }
        assert_eq!(interner.get(&[1]), None);
        assert_eq!(interner.get(&[0, 1]), None);
    }
}
