//! Whether two engines say the same: a count and a checksum that no order changes.

use crate::data::scramble;

/// How many things an answer holds, and the sum of their scrambled numbers.
///
/// Two answers that are equal hold the same things, each as often, but for one chance in 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// How many.
    pub(crate) count: u64,
    checksum: u64,
}

impl Answer {
    /// The answer that holds these pairs, whichever way round each is.
    pub(crate) fn of_pairs(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut answer = Self::default();
        for (a, b) in pairs {
            answer.add(u64::from(a.min(b)) << 32 | u64::from(a.max(b)));
        }
        answer
    }

    /// Adds one thing.
    pub(crate) fn add(&mut self, thing: u64) {
        self.count += 1;
        // Scrambled twice: the first step alone leaves 0 as it is.
        let number = scramble(scramble(thing).wrapping_add(0x9e37_79b9_7f4a_7c15));
        self.checksum = self.checksum.wrapping_add(number);
    }

    /// Stops the benchmark if the rival says something else.
    ///
    /// # Panics
    /// If the answers differ.
    pub(crate) fn must_equal(self, theirs: Self, work: &str) {
        assert_eq!(self, theirs, "{work}: the two sides give different answers");
    }
}
