//! A radix partition: items are scattered to parts by counting.
//!
//! One pass counts the items of each part, a prefix sum turns the counts into the starts of the parts, and a
//! second pass moves every item to its part. Items of a part keep their order. Costs a few nanoseconds for each
//! item, with up to a few thousand parts.
//!
//! The block join partitions runs of 65,536 rows with [`super::runs`] instead, which prefetches and reuses
//! its memory.
//!
//! Source: Knuth, The Art of Computer Programming 3, section 5.2.5.

use crate::{
    kernel::exclusive_prefix_sum,
    progress::{Cancelled, Progress},
};

/// Items between two checks for cancellation: well under a millisecond.
pub(crate) const STRIDE: usize = 1 << 16;

/// Items grouped by part.
pub(crate) struct RadixPartition<T> {
    items: Vec<T>,
    /// The end of each part.
    ends: Vec<usize>,
}

impl<T: Copy + Default> RadixPartition<T> {
    /// Partitions items into `n_parts` parts. `items` is called twice and must list the same items each time:
    /// each item with its part, in chunks of at most [`STRIDE`] items.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled; checked once for each chunk.
    ///
    /// # Panics
    /// If a part is not below `n_parts`.
    pub(crate) fn new<Chunks, Chunk>(
        n_parts: usize,
        items: impl Fn() -> Chunks,
        progress: &Progress,
    ) -> Result<Self, Cancelled>
    where
        Chunks: Iterator<Item = Chunk>,
        Chunk: Iterator<Item = (usize, T)>,
    {
        let mut ends = vec![0; n_parts];
        for chunk in items() {
            progress.check()?;
            chunk.for_each(|(part, _)| ends[part] += 1);
        }
        let n_items = exclusive_prefix_sum(&mut ends);
        let mut placed = vec![T::default(); n_items];
        for chunk in items() {
            progress.check()?;
            for (part, item) in chunk {
                placed[ends[part]] = item;
                ends[part] += 1;
            }
        }
        Ok(Self { items: placed, ends })
    }
}

impl<T> RadixPartition<T> {
    /// The number of parts, including empty ones.
    pub(crate) fn n_parts(&self) -> usize {
        self.ends.len()
    }

    /// The items of a part, in the order in which they were listed.
    ///
    /// # Panics
    /// If there is no such part.
    pub(crate) fn part(&self, part: usize) -> &[T] {
        let from = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[from..self.ends[part]]
    }

    /// The items of every part.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let (mut rest, mut from) = (&mut self.items[..], 0);
        self.ends.iter().map(move |&end| {
            let (part, others) = std::mem::take(&mut rest).split_at_mut(end - from);
            (rest, from) = (others, end);
            part
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    proptest! {
        #[test]
        fn parts_hold_their_items_in_order(items in vec((0..9_usize, any::<u32>()), 0..300), chunk in 1..50_usize) {
            let chunks = || items.chunks(chunk).map(|chunk| chunk.iter().copied());
            let mut partition = RadixPartition::new(9, chunks, &Progress::new()).unwrap();
            prop_assert_eq!(partition.n_parts(), 9);
            let of = |part| items.iter().filter(move |item| item.0 == part).map(|item| item.1);
            for part in 0..9 {
                prop_assert!(partition.part(part).iter().copied().eq(of(part)));
            }
            for (part, found) in partition.parts_mut().enumerate() {
                prop_assert!(found.iter().copied().eq(of(part)));
            }
        }
    }

    #[test]
    fn it_stops_when_told() {
        let progress = Progress::new();
        progress.cancel();
        let items = || [[(0, 1_u8)].into_iter()].into_iter();
        assert!(RadixPartition::new(1, items, &progress).is_err());
    }
}
