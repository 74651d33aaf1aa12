//! A part of the table of document frequencies: an open hash table of keys and counts, 8 bytes a slot.

use std::{collections::HashMap, hint::black_box};

/// Parts of the table, by the highest bits of the key: cores fill them side by side.
/// Many, so that each stays near while it is filled.
pub(super) const SHARDS: usize = 1024;
/// Bits of the key that name its shard.
const SHARD_BITS: u32 = SHARDS.ilog2();
/// A count that a slot cannot hold; it stands in a list.
const MANY: u64 = (1 << SHARD_BITS) - 1;
/// Slots that are searched as one: half a line of the cache.
const ROW: usize = 4;
/// Keys fetched before the first of them is looked at: more than memory delivers at a time, and few
/// enough to be near when their turn comes.
pub(super) const AHEAD: usize = 256;

/// A part of the table. Its number stands for the highest bits of its keys, which leaves room for a count
/// beside the others: a slot is the key [`shifted`], then the count. A key is in the row its next
/// bits name or, where that is full, in the next that was not. All slots of a row are looked at without a
/// branch, and few keys stand outside their row: what is nearly always so costs nothing to guess.
#[derive(Clone, Debug, Default)]
pub(super) struct Shard {
    /// Rows filled from their start; 0 is a free slot. At most three quarters are taken before some keys
    /// are counted, and one is free behind them.
    rows: Vec<Row>,
    n_taken: usize,
    /// The counts that do not fit: of keys, shifted, whose slot says [`MANY`].
    many: HashMap<u64, u32>,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Row([u64; ROW]);

impl Row {
    /// The first slot that is free or the key's; [`ROW`] where there is none.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "a branch would be guessed wrong")]
    fn find(&self, shifted: u64) -> usize {
        let mut found = ROW;
        for at in (0..ROW).rev() {
            let slot = self.0[at];
            found = if (slot == 0) | (slot ^ shifted <= MANY) { at } else { found };
        }
        found
    }
}

impl Shard {
    /// Distinct keys.
    pub(super) fn len(&self) -> usize {
        self.n_taken
    }

    /// Counts one more document for the key of each of these words. Tells `at` the place of each in its
    /// turn: while the shard does not grow, [`Shard::at`] finds the key's count there.
    #[inline]
    pub(super) fn count_all(&mut self, words: &[u64], mut at: impl FnMut(u32)) {
        // Where nothing was counted before, the table is near, since it was cleared just now.
        let is_far = self.n_taken > 0;
        for words in words.chunks(AHEAD) {
            if self.has_no_room(words.len()) {
                // Both at once, so that a slot is free whatever comes.
                let wanted = (self.n_taken + words.len()).div_ceil(ROW) + 1;
                self.grow(wanted.max(2 * self.rows.len()));
            }
            if is_far {
                for &word in words {
                    self.fetch(word);
                }
            }
            let Self { rows, n_taken, many } = self;
            let mut taken = *n_taken;
            for &word in words {
                let shifted = word & !MANY;
                let (row, place) = find(rows, shifted);
                let slot = &mut rows[row].0[place];
                taken += usize::from(*slot == 0);
                if *slot & MANY < MANY - 1 {
                    *slot = (*slot | shifted) + 1;
                } else {
                    *slot |= MANY;
                    *many.entry(shifted).or_insert(MANY as u32 - 1) += 1;
                }
                at((row * ROW + place) as u32);
            }
            *n_taken = taken;
        }
    }

    /// Whether so many more keys, should all be new, might not fit, or too many are taken.
    fn has_no_room(&self, n_more: usize) -> bool {
        let n_slots = ROW * self.rows.len();
        4 * self.n_taken >= 3 * n_slots || self.n_taken + n_more >= n_slots
    }

    /// How many slots there are: the same as long as the shard has not grown.
    pub(super) fn n_slots(&self) -> usize {
        ROW * self.rows.len()
    }

    /// The count at a place, if it is below [`MANY`].
    #[inline]
    pub(super) fn at(&self, place: u32) -> Option<u32> {
        let count = self.rows[place as usize / ROW].0[place as usize % ROW] & MANY;
        (count < MANY).then_some(count as u32)
    }

    /// Documents that hold the key of this word.
    #[inline]
    pub(super) fn of(&self, word: u64) -> u32 {
        if self.rows.is_empty() {
            return 0;
        }
        let shifted = word & !MANY;
        let (row, at) = find(&self.rows, shifted);
        match self.rows[row].0[at] & MANY {
            MANY => self.many[&shifted],
            count => count as u32,
        }
    }

    /// Has the row where the search for this word's key begins brought from memory, so that others can be
    /// asked for before it is there: a search waits, since where it goes depends on what it finds.
    #[inline]
    pub(super) fn fetch(&self, word: u64) {
        if !self.rows.is_empty() {
            black_box(self.rows[home(&self.rows, word & !MANY)].0[0]);
        }
    }

    /// Makes room for `n_more` keys at least.
    pub(super) fn reserve(&mut self, n_more: usize) {
        let wanted = (4 * (self.n_taken + n_more)).div_ceil(3 * ROW) + 1;
        if wanted > self.rows.len() {
            // Tables that grow little by little are not copied every time.
            self.grow(wanted.max(self.rows.len() + self.rows.len() / 2));
        }
    }

    fn grow(&mut self, n_rows: usize) {
        // Written, not only asked for: memory that is read before it is written is handed out twice.
        let mut rows = Vec::with_capacity(n_rows);
        rows.resize(n_rows, black_box(Row::default()));
        let rows = std::mem::replace(&mut self.rows, rows);
        for slot in rows.iter().flat_map(|row| row.0).filter(|slot| *slot > 0) {
            let (row, at) = find(&self.rows, slot & !MANY);
            self.rows[row].0[at] = slot;
        }
    }
}

/// The row and slot that hold a key, or the free one where it would go.
#[inline]
fn find(rows: &[Row], shifted: u64) -> (usize, usize) {
    let mut row = home(rows, shifted);
    loop {
        let at = rows[row].find(shifted);
        if at < ROW {
            return (row, at);
        }
        row = if row + 1 == rows.len() { 0 } else { row + 1 };
    }
}

/// The row where a search begins.
#[inline]
fn home(rows: &[Row], shifted: u64) -> usize {
    ((u128::from(shifted) * rows.len() as u128) >> u64::BITS) as usize
}

/// The shard of a key.
#[inline]
pub(super) fn shard_of(key: u64) -> usize {
    (key >> (u64::BITS - SHARD_BITS)) as usize
}

/// A key without the bits that name its shard, which leaves the lowest of the word free. What stands
/// there is passed over where a word is asked for.
#[inline]
pub(super) fn shifted(key: u64) -> u64 {
    key << SHARD_BITS
}

/// The key of a word in a shard.
#[inline]
pub(super) fn key_of(shard: usize, word: u64) -> u64 {
    (shard as u64) << (u64::BITS - SHARD_BITS) | word >> SHARD_BITS
}
