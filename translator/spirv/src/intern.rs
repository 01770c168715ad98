//! Hash-consing of types and constants.
//!
//! In: a key, which is a short run of words. Out: the id that it was entered with. Keys lie one
//! after another in a single vector (`length, id, words…`), and the table holds their offsets. So
//! no key has an allocation of its own, and finding a key costs a hash and a comparison of words.
//!
//! The input chooses the words of constants, so the hash depends on a secret: else it could choose
//! constants that have the same hash, each of which is compared with all before it. Ids do not
//! depend on the secret, because the table is never iterated.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use rspirv::spirv::Op;

use super::words::Id;

/// What is known of one id. A zero word means that it is not known.
#[derive(Clone, Copy, Default)]
pub(super) struct IdInfo {
    /// The result type, if the id has one.
    pub(super) ty: u32,
    /// Offset of the key in the interner, if the id is an interned type or constant.
    pub(super) key: u32,
    /// The opcode of the type or constant.
    pub(super) op: Option<Op>,
}

pub(super) struct Interner {
    secret: Secret,
    /// Starts with one unused word, so that offset zero means «none».
    keys: Vec<u32>,
    /// Hash table of offsets into `keys`, with open addressing. Zero is a free slot. The length is
    /// a power of two.
    slots: Vec<u32>,
    count: usize,
}

/// What the hash starts with, and what it multiplies by.
#[derive(Clone, Copy)]
struct Secret(u64, u64);

impl Secret {
    /// Two words at a time: the halves of the product are folded into one, so that all bits of the
    /// result depend on all bits of the words.
    #[inline]
    fn hash(self, key: &[u32]) -> usize {
        let mut state = self.0;
        for words in key.chunks(2) {
            let words = match *words {
                [low, high] => u64::from(high) << 32 | u64::from(low),
                [word] => u64::from(word),
                _ => 0,
            };
            let product = u128::from(state ^ words) * u128::from(self.1);
            state = product as u64 ^ (product >> 64) as u64;
        }
        state as usize
    }
}

impl Default for Interner {
    fn default() -> Self {
        let random = RandomState::default();
        // The multiplier has bits in both halves, or one half of the product would say little.
        Self::with_secret(Secret(random.hash_one(0), random.hash_one(1) | 1 << 63 | 1))
    }
}

impl Interner {
    fn with_secret(secret: Secret) -> Self {
        Self { secret, keys: Vec::with_capacity(512), slots: Vec::new(), count: 0 }
    }

    /// Forgets all keys. Clearing takes time for each slot, so the slots that a large module left
    /// become fewer with each smaller one.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        if self.count * 8 < self.slots.len() {
            self.slots.truncate(self.slots.len() / 2);
        }
        self.slots.fill(0);
        self.count = 0;
    }

    /// The hash of a key, by which it is found and inserted.
    #[inline]
    pub(super) fn hash(&self, key: &[u32]) -> usize {
        self.secret.hash(key)
    }

    /// The id entered with this key.
    #[inline]
    pub(super) fn get(&self, key: &[u32]) -> Option<Id> {
        self.find(key, self.hash(key))
    }

    /// [`get`](Self::get) by the key's hash.
    #[inline]
    pub(super) fn find(&self, key: &[u32], hash: usize) -> Option<Id> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash & mask;
        loop {
            let at = *self.slots.get(slot)?;
            if at == 0 {
                return None;
            }
            let is_equal = match (self.key(at), key) {
                // Most keys have three words, which take fewer steps than a call of memcmp.
                (&[a, b, c], &[x, y, z]) => a == x && b == y && c == z,
                (entered, key) => entered == key,
            };
            if is_equal {
                return Id::from_word(*self.keys.get(at as usize + 1)?);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Enters a key that is not in the table yet, with its hash. Returns its offset, for
    /// [`key`](Self::key).
    pub(super) fn insert(&mut self, key: &[u32], hash: usize, id: Id) -> u32 {
        // A quarter of the slots stays free, so that every probe ends.
        if self.count * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        if self.keys.is_empty() {
            self.keys.push(0);
        }
        let at = self.keys.len() as u32;
        let (length, id) = (key.len() as u32, id.word());
        match *key {
            [a, b, c] => self.keys.extend_from_slice(&[length, id, a, b, c]),
            _ => {
                self.keys.extend_from_slice(&[length, id]);
                self.keys.extend_from_slice(key);
            }
        }
        self.place(at, hash);
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

    fn place(&mut self, at: u32, hash: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash & mask;
        while self.slots.get(slot).is_some_and(|&taken| taken != 0) {
            slot = (slot + 1) & mask;
        }
        if let Some(free) = self.slots.get_mut(slot) {
            *free = at;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(256);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for at in old {
            if at != 0 {
                self.place(at, self.hash(self.key(at)));
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
            offsets.push(interner.insert(&[n % 7, n], interner.hash(&[n % 7, n]), id));
        }
        for n in 1..=1000u32 {
            assert_eq!(interner.get(&[n % 7, n]), Id::from_word(n));
            assert_eq!(interner.key(offsets[n as usize - 1]), [n % 7, n]);
        }
        assert_eq!(interner.get(&[1]), None);
        assert_eq!(interner.get(&[0, 1]), None);
    }
    #[test]
    fn hashes_that_collide_under_one_secret_do_not_under_another() {
        let (one, other) = (Secret(0x1234_5678, 0x9e37_79b9_7f4a_7c15), Secret(0x8765_4321, 0xd6e8_feb8_6659_fd93));
        let collide = (0..1 << 20).map(|n| [0u32, 1, n * 7, n]).filter(|key| one.hash(key) & 1023 == 5);
        let mut interner = Interner::with_secret(other);
        let mut count = 0;
        for (n, key) in (1..).zip(collide) {
            interner.insert(&key, interner.hash(&key), Id::from_word(n).unwrap());
            count += 1;
        }
        assert!(count > 900, "{count} keys collide");
        let used = |slots: &&[u32]| slots.iter().all(|&at| at != 0);
        assert!(!interner.slots.windows(64).any(|slots| used(&slots)), "keys lie in one place");
    }

    #[test]
    fn secrets_differ_from_table_to_table() {
        let [a, b] = [Interner::default(), Interner::default()].map(|interner| interner.secret);
        assert_ne!((a.0, a.1), (b.0, b.1));
    }
}
