//! Compares two recipes: the pairs that only one of them finds.
//!
//! ```text
//! documents   one two three four five      under the recipe before, and under the one after
//! before       A   A    A    B    C        fingerprints
//! after        D   D    E    E    C
//! joint        AD  AD   AE   BE   C        equal under both: one joint entry
//! ```
//!
//! Documents with the same two fingerprints are one joint entry. Joint entries are compared, and a change
//! represents all pairs of their documents. Each side is searched by itself; every pair that one side finds is
//! looked up in the other. The cost is two searches, one step for each pair found, and one for each pair of joint
//! entries in it. Memory: 24 bytes for each pair during the search and 12 afterwards, 24 for each change, and some 60
//! for each document. A side has at most [`MOST_PAIRS`] pairs, unless it is searched by bands: then the number is
//! not limited, but its own analysis has to hold these pairs as well.

use std::sync::Arc;

use rayon::prelude::*;

use super::fingerprint_index::each;
use super::{Analysis, AnalysisError, FingerprintIndex, Settings};
use crate::id::DocId;
use crate::index::{self, Distinct, Pair, count_document_pairs};
use crate::number::grouped;
use crate::progress::Progress;
use crate::simhash::Bits;

/// The most pairs of different fingerprints within k on one side, unless it is searched by bands.
pub const MOST_PAIRS: usize = 10_000_000;
/// The most changes that are listed of each kind (gained, lost).
pub const MOST_CHANGES: usize = 2_000_000;
/// The document has no fingerprint on this side.
const NONE: u32 = u32::MAX;
/// Pairs that are compared before the length of the list is checked again.
const STRIDE: usize = 1 << 14;

/// One of the two sides: the fingerprints of a corpus under the settings of a time.
#[derive(Debug)]
pub struct ChangeSide {
    /// Recipe, layout, and the k within which pairs are near.
    pub settings: Settings,
    /// The fingerprints.
    pub index: Arc<FingerprintIndex>,
}

impl ChangeSide {
    /// Compares with the present analysis. Two searches: about a second for a million documents.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, if a document could not be read again, or if a side has too many pairs.
    pub fn compare(&self, now: &Analysis, progress: &Progress) -> Result<Changes, AnalysisError> {
        progress.check()?;
        AnalysisError::require_all_read(&now.corpus)?;
        let index = Arc::clone(now.index.as_ref().unwrap_or(&self.index));
        Changes::new(self, &Self { settings: now.settings.clone(), index }, progress)
    }
}

/// The pairs that only one of two sides finds.
#[derive(Debug)]
pub struct Changes {
    /// The settings before.
    pub before: Settings,
    /// The settings after.
    pub after: Settings,
    /// Pairs that only the later side finds, nearest first.
    pub gained: ChangeList,
    /// Pairs that only the earlier side found, nearest first.
    pub lost: ChangeList,
    joint: Distinct<u64>,
}

/// The changes of one kind.
#[derive(Debug, Default)]
pub struct ChangeList {
    /// The changes, at most [`MOST_CHANGES`].
    pub list: Vec<ChangedPair>,
    /// Pairs of documents that the list represents.
    pub n_pairs: u64,
    /// Whether more pairs exist, farther apart, that are not listed.
    pub is_cut: bool,
    /// Pairs of documents that its side finds, whether or not the other side finds them.
    pub n_found: u64,
}

/// Documents that are near each other on one side only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedPair {
    /// A joint entry: documents that are equal under both recipes.
    pub a: u32,
    /// The other joint entry. It is equal to `a` if the documents are equal on one side and have no fingerprint on
    /// the other.
    pub b: u32,
    /// Their distance before; `None` if one of them had no fingerprint.
    pub before: Option<u32>,
    /// Their distance after; `None` if one of them has no fingerprint.
    pub after: Option<u32>,
}

impl Changes {
    /// Compares what two sides find in the same corpus.
    ///
    /// # Errors
    /// [`AnalysisError`] if cancelled, or if a side without bands has more than [`MOST_PAIRS`].
    pub fn new(
        before: &ChangeSide,
        after: &ChangeSide,
        progress: &Progress,
    ) -> Result<Self, AnalysisError> {
        let n_documents = before.index.n_documents().max(after.index.n_documents());
        let entry = |index: &FingerprintIndex, document| index.entry_of(document).unwrap_or(NONE);
        let mut words = Vec::with_capacity(n_documents);
        for document in (0..n_documents).map(DocId::from) {
            if document.index().is_multiple_of(STRIDE) {
                progress.check()?;
            }
            let both = [before, after].map(|side| entry(&side.index, document));
            words.push((both != [NONE; 2]).then(|| u64::from(both[0]) << 32 | u64::from(both[1])));
        }
        let joint = Distinct::collapse(&words, progress)?;
        drop(words);
        // Both sides are searched first: if one has too many pairs, no other work is needed.
        let found_before = before.index.pairs_within(before.settings.k, progress)?;
        let found_after = after.index.pairs_within(after.settings.k, progress)?;
        let gained = only(&joint, [before, after], 1, &found_after, progress)?;
        drop(found_after);
        let lost = only(&joint, [before, after], 0, &found_before, progress)?;
        let [before, after] = [before, after].map(|side| side.settings.clone());
        Ok(Self { before, after, gained, lost, joint })
    }

    /// Pairs of documents that both sides find; `None` if not all changes are listed.
    pub fn n_both(&self) -> Option<u64> {
        (!self.gained.is_cut).then(|| self.gained.n_found - self.gained.n_pairs)
    }

    /// The number of listed changes.
    pub fn n_listed(&self) -> usize {
        self.gained.list.len() + self.lost.list.len()
    }

    /// A row of the list, gained pairs first: the change, and whether the pair is gained.
    pub fn row(&self, row: usize) -> Option<(&ChangedPair, bool)> {
        let gained = &self.gained.list;
        let lost = || self.lost.list.get(row - gained.len());
        gained.get(row).map(|changed| (changed, true)).or_else(|| Some((lost()?, false)))
    }

    /// Pairs of documents that a change represents.
    pub fn n_pairs(&self, changed: &ChangedPair) -> u64 {
        n_pairs(&self.joint, changed)
    }

    /// The first pair of documents of a change, in corpus order.
    pub fn first(&self, changed: &ChangedPair) -> (DocId, DocId) {
        let (left, right) = (self.joint.documents(changed.a), self.joint.documents(changed.b));
        let (a, b) = (left[0], right[usize::from(changed.a == changed.b)]);
        (a.min(b), a.max(b))
    }

    /// All pairs of documents of a change, each in corpus order, one by one.
    pub fn document_pairs(&self, changed: &ChangedPair) -> impl Iterator<Item = (DocId, DocId)> {
        let (left, right) = (self.joint.documents(changed.a), self.joint.documents(changed.b));
        let is_inside = changed.a == changed.b;
        left.iter().enumerate().flat_map(move |(at, &a)| {
            let right = if is_inside { &right[at + 1..] } else { right };
            right.iter().map(move |&b| (a.min(b), a.max(b)))
        })
    }
}

/// Pairs of documents between the two joint entries of a change, or inside one.
fn n_pairs(joint: &Distinct<u64>, changed: &ChangedPair) -> u64 {
    let [a, b] = [changed.a, changed.b].map(|entry| joint.documents(entry).len() as u64);
    if changed.a == changed.b { a * (a - 1) / 2 } else { a * b }
}

/// The entry of a joint entry on a side; `None` if it has no fingerprint there.
fn on(joint: &Distinct<u64>, entry: u32, side: usize) -> Option<u32> {
    let word = joint.value(entry);
    let found = (if side == 0 { word >> 32 } else { word }) as u32;
    (found != NONE).then_some(found)
}

/// The pairs of entries that only `sides[which]` finds.
fn only(
    joint: &Distinct<u64>,
    sides: [&ChangeSide; 2],
    which: usize,
    pairs: &[Pair],
    progress: &Progress,
) -> Result<ChangeList, AnalysisError> {
    let (ours, theirs) = (sides[which], sides[1 - which]);
    // The joint entries of each of our entries.
    let mut parts = vec![Vec::new(); ours.index.n_distinct()];
    for part in 0..joint.len() as u32 {
        if let Some(entry) = on(joint, part, which) {
            parts[entry as usize].push(part);
        }
    }
    progress.check()?;
    // Documents missing on the other side have no neighbours there.
    let asked = |a: u32, b: u32| on(joint, a, 1 - which).zip(on(joint, b, 1 - which));
    let changed = |a: u32, b: u32, distance: u32| {
        let other = asked(a, b);
        if other.is_some_and(|(a, b)| theirs.index.finds(a, b, theirs.settings.k)) {
            return None;
        }
        let other = other.map(|(a, b)| theirs.index.distance(a, b));
        let (before, after) =
            if which == 0 { (Some(distance), other) } else { (other, Some(distance)) };
        let (a, b) = (a.min(b), a.max(b));
        Some(ChangedPair { a, b, before, after })
    };
    let n_found = ours.index.count_pairs(pairs);
    let mut kind = ChangeList { n_found, ..ChangeList::default() };
    // Equal fingerprints first (distance 0), then the pairs, which are sorted nearest first.
    for parts in &parts {
        for (at, &a) in parts.iter().enumerate() {
            progress.check()?;
            // Documents that are equal on both sides are found by both, unless they have a fingerprint on this side
            // only.
            let is_alone = on(joint, a, 1 - which).is_none() && joint.documents(a).len() > 1;
            let rest = &parts[at + usize::from(!is_alone)..];
            let found = rest.par_iter().filter_map(|&b| changed(a, b, 0));
            if kind.take(joint, found.collect()) {
                return Ok(kind);
            }
        }
    }
    for stride in pairs.chunks(STRIDE) {
        progress.check()?;
        let found = stride.par_iter().flat_map_iter(|pair| {
            let (left, right) = (&parts[pair.a as usize], &parts[pair.b as usize]);
            let both = left.iter().flat_map(move |&a| right.iter().map(move |&b| (a, b)));
            both.filter_map(|(a, b)| changed(a, b, pair.distance))
        });
        if kind.take(joint, found.collect()) {
            return Ok(kind);
        }
    }
    Ok(kind)
}

impl ChangeList {
    /// The number of pairs of documents, as text: `1,234`, or `more than 1,234` if not all are listed.
    pub fn count(&self) -> String {
        let more = if self.is_cut { "more than " } else { "" };
        format!("{more}{}", grouped(self.n_pairs))
    }

    /// Adds changes; returns whether the list is full.
    fn take(&mut self, joint: &Distinct<u64>, mut found: Vec<ChangedPair>) -> bool {
        let room = MOST_CHANGES - self.list.len();
        self.is_cut = found.len() > room;
        found.truncate(room);
        self.n_pairs += found.iter().map(|changed| n_pairs(joint, changed)).sum::<u64>();
        self.list.extend(found);
        self.is_cut
    }
}

impl FingerprintIndex {
    /// The number of documents, including documents without a fingerprint.
    pub(super) fn n_documents(&self) -> usize {
        each!(self, index => index.distinct.n_documents())
    }

    /// The number of bits in which two entries differ.
    pub(super) fn distance(&self, a: u32, b: u32) -> u32 {
        each!(self, index => index.distinct.value(a).distance(index.distinct.value(b)))
    }

    /// Whether a search finds a pair of entries: it is within k and, if the layout has bands, shares a band.
    pub(super) fn finds(&self, a: u32, b: u32, k: u32) -> bool {
        each!(self, index => {
            let xor = (index.distinct.value(a) ^ index.distinct.value(b)).to_wide();
            let is_near = xor.count_ones() <= k;
            is_near && (!index.layout.is_bands() || index.layout.first_table_with_shared_key(xor).is_some())
        })
    }

    /// The number of pairs of documents that these pairs and the equal fingerprints represent.
    fn count_pairs(&self, pairs: &[Pair]) -> u64 {
        each!(self, index => count_document_pairs(&index.distinct, pairs))
    }

    /// Every pair of entries within `k`, nearest first.
    fn pairs_within(&self, k: u32, progress: &Progress) -> Result<Vec<Pair>, AnalysisError> {
        let found = each!(self, index => {
            index::near_pairs_up_to(index.distinct.values(), &index.plan(k), MOST_PAIRS, progress)?
        });
        found.ok_or_else(|| AnalysisError::TooMuchAlike { k, most: grouped(MOST_PAIRS as u64) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::{FingerprintColumn, Job, LayoutChoice};
    use crate::simhash::{Fingerprint, FingerprintRecord};

    /// An index of these fingerprints; some documents have none.
    fn index(words: &[Option<u128>], bits: u32, layout: LayoutChoice) -> FingerprintIndex {
        let record = |word: &Option<u128>| {
            FingerprintRecord::carried(word.map(|word| Fingerprint::new(word, bits)))
        };
        let mut records = FingerprintColumn::new();
        records.extend(words.iter().map(record));
        let mut settings = Settings { k: 1, layout, ..Settings::default() };
        settings.recipe.bits = bits;
        FingerprintIndex::build(&records, None, &settings, &Job::new()).unwrap()
    }

    fn side(index: FingerprintIndex, k: u32) -> ChangeSide {
        ChangeSide { settings: Settings { k, ..Settings::default() }, index: Arc::new(index) }
    }

    /// The slow reference: every pair of documents, compared on both sides.
    fn naive(
        sides: [&ChangeSide; 2],
        which: usize,
        n: u32,
    ) -> BTreeMap<(DocId, DocId), [Option<u32>; 2]> {
        let two = (0..n).flat_map(|a| (a + 1..n).map(move |b| (DocId(a), DocId(b))));
        let found = |side: &ChangeSide, (a, b)| {
            let both = side.index.entry_of(a).zip(side.index.entry_of(b));
            both.map_or((false, None), |(a, b)| {
                // Copies share every band.
                let is_found = a == b || side.index.finds(a, b, side.settings.k);
                (is_found, Some(side.index.distance(a, b)))
            })
        };
        let changed = |pair| {
            let both = sides.map(|side| found(side, pair));
            (both[which].0 && !both[1 - which].0).then_some((pair, both.map(|side| side.1)))
        };
        two.filter_map(changed).collect()
    }

    fn words(bits: u32) -> impl Strategy<Value = Vec<Option<u128>>> {
        // Few low bits, so that there are many copies and near pairs.
        let word = (0..40_u128, 0..3_u32)
            .prop_map(move |(low, high)| low << (bits - 6) | u128::from(high));
        vec(prop_oneof![6 => word.prop_map(Some), 1 => Just(None)], 24..40)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn changes_are_those_of_every_two_documents(
            before in words(64),
            after in words(90),
            k in (0..4_u32, 0..4_u32),
            bands in any::<bool>(),
        ) {
            let layout = if bands { LayoutChoice::Bands { bands: 3, bits: 20 } } else { LayoutChoice::Auto };
            let n = before.len().min(after.len());
            let before = side(index(&before[..n], 64, layout), k.0);
            let after = side(index(&after[..n], 90, LayoutChoice::Auto), k.1);
            let sides = [&before, &after];
            let changes = Changes::new(sides[0], sides[1], &Progress::new()).unwrap();
            for (which, kind) in [&changes.lost, &changes.gained].into_iter().enumerate() {
                let mut found = BTreeMap::new();
                for changed in &kind.list {
                    let pairs: Vec<_> = changes.document_pairs(changed).collect();
                    prop_assert_eq!(pairs.len() as u64, changes.n_pairs(changed));
                    prop_assert_eq!(pairs.iter().min(), Some(&changes.first(changed)));
                    for pair in pairs {
                        let before = found.insert(pair, [changed.before, changed.after]);
                        prop_assert_eq!(before, None, "each pair once");
                    }
                }
                prop_assert_eq!(found.len() as u64, kind.n_pairs);
                prop_assert_eq!(found, naive(sides, which, n as u32));
                let distance = |it: &ChangedPair| if which == 0 { it.before } else { it.after };
                prop_assert!(kind.list.is_sorted_by_key(distance), "nearest first");
            }
            let n_lost = changes.lost.n_pairs;
            prop_assert_eq!(changes.n_both(), Some(changes.lost.n_found - n_lost));
        }
    }

    #[test]
    fn a_million_copies_on_both_sides_are_no_change_and_cost_nothing() {
        let words = vec![Some(7); 1_000_000];
        let [before, after] = [64, 32].map(|bits| side(index(&words, bits, LayoutChoice::Auto), 0));
        let changes = Changes::new(&before, &after, &Progress::new()).unwrap();
        assert_eq!(changes.n_listed(), 0);
        assert_eq!(changes.n_both(), Some(499_999_500_000));
        let progress = Progress::new();
        progress.cancel();
        let stopped = Changes::new(&before, &after, &progress);
        assert!(matches!(stopped, Err(AnalysisError::Cancelled(_))));
    }

    #[test]
    fn more_changes_than_can_be_listed_are_cut_at_the_farthest() {
        // All equal before, all different after: two million and more pairs are lost.
        let same = vec![Some(0); 3000];
        let apart: Vec<Option<u128>> =
            (0..3000_u64).map(|n| Some(n.wrapping_mul(0x9e37_79b9_7f4a_7c15).into())).collect();
        let [before, after] =
            [same, apart].map(|words| side(index(&words, 64, LayoutChoice::Auto), 0));
        let changes = Changes::new(&before, &after, &Progress::new()).unwrap();
        assert_eq!((changes.lost.list.len(), changes.lost.is_cut), (MOST_CHANGES, true));
        assert_eq!((changes.gained.n_pairs, changes.n_both()), (0, Some(0)));
    }

    #[test]
    fn a_list_that_is_cut_says_so() {
        let kind = |is_cut| ChangeList { n_pairs: 1234, is_cut, ..ChangeList::default() };
        assert_eq!(
            (kind(false).count(), kind(true).count()),
            ("1,234".into(), "more than 1,234".into())
        );
    }
}
