//! A part of the table of document frequencies: an open hash table of keys and counts, 8 bytes a slot.

use std::{collections::HashMap, hint::black_box};

/// Parts of the table, by the highest bits of the key: cores fill them side by side.
/// Many, so that each stays near while it is filled.
pub(super) const SHARDS: usize = 1024;
/// Bits of the key that name its shard.
const SHARD_BITS: u32 = SHARDS.ilog2();
/// A count that a slot cannot hold; it stands in a list.
const MANY: u64 = (1 << SHARD_BITS) - 1;

/// A part of the table. Its number stands for the highest bits of its keys, which leaves room for a count
/// beside the others: a slot is the key without those bits, then the count. The next free slot takes a key
/// whose own is taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Shard {
    /// A power of two of them, at most three quarters taken; 0 is a free one.
    slots: Vec<u64>,
    n_taken: usize,
    /// The counts that do not fit: of keys whose slot says [`MANY`].
    many: HashMap<u64, u32>,
}

impl Shard {
    /// Distinct keys.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.n_taken
    }

    /// Counts one more document that holds the key.
    pub(super) fn count(&mut self, key: u64) {
        if 4 * self.n_taken >= 3 * self.slots.len() {
            self.grow(2 * self.slots.len());
        }
        let at = self.find(key << SHARD_BITS);
        match &mut self.slots[at] {
            slot @ 0 => {
                self.n_taken += 1;
                *slot = key << SHARD_BITS | 1;
            }
            slot if *slot & MANY < MANY - 1 => *slot += 1,
            slot => {
                *slot |= MANY;
                *self.many.entry(key).or_insert(MANY as u32 - 1) += 1;
            }
        }
    }

    /// Documents that hold the key.
    #[inline]
    pub(super) fn of(&self, key: u64) -> u32 {
        if self.slots.is_empty() {
            return 0;
        }
        match self.slots[self.find(key << SHARD_BITS)] & MANY {
            MANY => self.many[&key],
            count => count as u32,
        }
    }

    /// The slot that holds a key, or the free one where it would go.
    #[inline]
    fn find(&self, shifted: u64) -> usize {
        let wrap = self.slots.len() - 1;
        let mut at = self.home(shifted);
        loop {
            let slot = self.slots[at];
            if slot == 0 || slot & !MANY == shifted {
                return at;
            }
            at = (at + 1) & wrap;
        }
    }

    /// The slot where a search begins.
    #[inline]
    fn home(&self, shifted: u64) -> usize {
        (shifted >> (u64::BITS - self.slots.len().ilog2())) as usize
    }

    /// Has the slot where the search for a key begins brought from memory, without waiting for it: a search
    /// waits, since where it goes next depends on what it finds.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        if !self.slots.is_empty() {
            black_box(self.slots[self.home(key << SHARD_BITS)]);
        }
    }

    /// Makes room for `n_more` keys at least.
    pub(super) fn reserve(&mut self, n_more: usize) {
        let wanted = (4 * (self.n_taken + n_more)).div_ceil(3).next_power_of_two();
        if wanted > self.slots.len() {
            self.grow(wanted);
        }
    }

    fn grow(&mut self, n_slots: usize) {
        let slots = std::mem::replace(&mut self.slots, vec![0; n_slots.max(16)]);
        for slot in slots.into_iter().filter(|slot| *slot > 0) {
            let at = self.find(slot & !MANY);
            self.slots[at] = slot;
        }
    }
}

/// The shard of a key.
#[inline]
pub(super) fn shard_of(key: u64) -> usize {
    (key >> (u64::BITS - SHARD_BITS)) as usize
}
