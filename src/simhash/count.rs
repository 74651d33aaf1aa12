//! A document's distinct feature hashes and how often each occurs.
//!
//! A small table of places, at most half full and cleared for every document, says where in the list a
//! hash stands: about 5 ns a feature while it fits the first cache, half of what sorting takes.

use super::fingerprint::Bits;

/// Distinct hashes in order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct Counts<H> {
    hashes: Vec<H>,
    /// How often each occurs.
    occurrences: Vec<u32>,
    /// At the place a hash's low bits name, or the next free one: its number in `hashes` plus 1.
    slots: Vec<u32>,
    /// Places that serve this document: a power of two.
    n_slots: usize,
    /// The hashes that occur more than once, filled by [`Counts::finish`].
    repeats: Vec<Repeat>,
}

/// A hash that occurs more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeat {
    /// Which of the distinct hashes.
    pub(super) number: u32,
    /// Occurrences, at least 2.
    pub(super) count: u32,
}

impl<H: Bits> Counts<H> {
    /// Forgets all, and makes room for a document of that many features.
    pub(super) fn begin(&mut self, n_features: usize) {
        self.hashes.clear();
        self.occurrences.clear();
        self.repeats.clear();
        self.n_slots = (2 * n_features).next_power_of_two();
        if self.slots.len() < self.n_slots {
            self.slots.resize(self.n_slots, 0);
        }
        self.slots[..self.n_slots].fill(0);
    }

    /// Counts one occurrence.
    ///
    /// # Panics
    /// If there is no room.
    #[inline]
    pub(super) fn add(&mut self, hash: H) {
        let slots = &mut self.slots[..self.n_slots];
        let wrap = slots.len() - 1;
        let mut at = hash.to_wide() as usize & wrap;
        loop {
            match slots[at] {
                0 => {
                    self.hashes.push(hash);
                    self.occurrences.push(1);
                    slots[at] = self.hashes.len() as u32;
                    return;
                }
                number if self.hashes[number as usize - 1] == hash => {
                    self.occurrences[number as usize - 1] += 1;
                    return;
                }
                _ => at = (at + 1) & wrap,
            }
        }
    }

    /// The distinct hashes and the repeated ones among them, by number.
    pub(super) fn finish(&mut self) -> (&[H], &[Repeat]) {
        let counts = self.occurrences.iter().enumerate().filter(|(_, count)| **count > 1);
        let repeats = counts.map(|(number, &count)| Repeat { number: number as u32, count });
        self.repeats.extend(repeats);
        (&self.hashes, &self.repeats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_counted_whatever_their_low_bits() {
        let mut counts = Counts::<u64>::default();
        for _ in 0..2 {
            counts.begin(6);
            for hash in [0, 1 << 60, 0, 5, 1 << 60, 0] {
                counts.add(hash);
            }
            let (hashes, repeats) = counts.finish();
            assert_eq!(hashes, [0, 1 << 60, 5]);
            let expected = [(0, 3), (1, 2)].map(|(number, count)| Repeat { number, count });
            assert_eq!(repeats, expected);
        }
        counts.begin(0);
        assert_eq!(counts.finish(), (&[][..], &[][..]));
    }
}
