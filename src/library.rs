//! The library's interface: one function for each question that a program asks about its texts.
//!
//! Each function takes plain values, runs to its end on all cores, and consists of a few calls into other
//! modules. Lists of fingerprints have one element for each document, in the order of the documents: `None` for a
//! text without features, which is near no other text. A [`DocId`] is a position in such a list.

use std::sync::LazyLock;

use crate::explain::Overlap;
use crate::explain::overlap::align;
use crate::id::DocId;
use crate::index::{self, Distinct, DocumentPair, Groups, Neighbour, Plan};
use crate::progress::{Cancelled, Progress};
use crate::simhash::{Bits, Fingerprint, Fingerprinter, Recipe};

/// The fingerprint of a text under the default recipe: 64 bits of three-word shingles.
///
/// `None` if the text has no words. For another recipe use a [`Fingerprinter`]. Costs one pass over the text,
/// about 100 MB/s on one core.
///
/// ```
/// let fingerprint = simscope::fingerprint("The tide came in, and went out again.").unwrap();
/// assert_eq!((fingerprint.width(), fingerprint.to_string().len()), (64, 16));
/// assert_eq!(simscope::fingerprint("!?"), None);
/// ```
pub fn fingerprint(text: &str) -> Option<Fingerprint> {
    static DEFAULT: LazyLock<Fingerprinter> = LazyLock::new(|| {
        Fingerprinter::new(&Recipe::default()).expect("the default recipe needs nothing")
    });
    DEFAULT.fingerprint(text)
}

/// Every pair of documents whose fingerprints differ in at most `k` bits, each pair once. Exact for any k.
///
/// Sorted by distance; pairs of equal distance by the first document of each of their two fingerprints. A million
/// fingerprints of 64 bits take well below a second at k = 3. Each pair takes 12 bytes, and m documents with the
/// same fingerprint make m (m - 1) / 2 pairs: for texts with many copies use [`groups()`], which needs no list of
/// pairs.
///
/// ```
/// use simscope::Fingerprint;
///
/// let documents = [0b0000, 0b0111, 0b0001].map(|bits| Some(Fingerprint::new(bits, 64)));
/// let pairs = simscope::pairs_within(&documents, 2);
/// let found: Vec<_> = pairs.iter().map(|pair| (pair.a.0, pair.b.0, pair.distance)).collect();
/// assert_eq!(found, [(0, 2, 1), (1, 2, 2)]);
/// ```
///
/// # Panics
/// If two fingerprints differ in width, or if there are 2^32 or more.
pub fn pairs_within(fingerprints: &[Option<Fingerprint>], k: u32) -> Vec<DocumentPair> {
    fn find<B: Bits>(
        fingerprints: &[Option<Fingerprint>],
        width: u32,
        k: u32,
    ) -> Vec<DocumentPair> {
        let (distinct, plan) = distinct::<B>(fingerprints, width, k);
        let pairs = done(index::near_pairs(distinct.values(), &plan, &Progress::new()));
        index::document_pairs(&distinct, &pairs).collect()
    }
    match width(fingerprints) {
        ..=64 => find::<u64>(fingerprints, width(fingerprints), k),
        width => find::<u128>(fingerprints, width, k),
    }
}

/// The documents whose fingerprints differ from `query` in at most `k` bits, nearest first, then in order.
///
/// The result includes documents with the same fingerprint, at distance 0. Exact for any k. Costs one pass over
/// the list, a few milliseconds for a million; to search for many fingerprints use [`pairs_within`], which is
/// faster.
///
/// ```
/// use simscope::Fingerprint;
///
/// let [query, other, far] = [0b0000, 0b0001, 0b1111].map(|bits| Fingerprint::new(bits, 64));
/// let found = simscope::neighbours(&[Some(far), None, Some(other), Some(query)], query, 3);
/// let found: Vec<_> = found.iter().map(|near| (near.document.0, near.distance)).collect();
/// assert_eq!(found, [(3, 0), (2, 1)]);
/// ```
///
/// # Panics
/// If two fingerprints differ in width, or if there are 2^32 or more.
pub fn neighbours(
    fingerprints: &[Option<Fingerprint>],
    query: Fingerprint,
    k: u32,
) -> Vec<Neighbour> {
    fn find<B: Bits>(known: &[(DocId, Fingerprint)], query: Fingerprint, k: u32) -> Vec<Neighbour> {
        let value = |fingerprint: Fingerprint| B::from_wide(fingerprint.bits());
        let values: Vec<B> = known.iter().map(|&(_, fingerprint)| value(fingerprint)).collect();
        let found = index::neighbours(&values, value(query), k).into_iter();
        let near = |found: index::Match| {
            let document = known[found.entry as usize].0;
            Neighbour { document, distance: found.distance }
        };
        found.map(near).collect()
    }
    let numbered = fingerprints.iter().enumerate();
    let known: Vec<(DocId, Fingerprint)> =
        numbered.filter_map(|(at, fingerprint)| Some((at.into(), (*fingerprint)?))).collect();
    let is_alike = known.iter().all(|(_, fingerprint)| fingerprint.width() == query.width());
    assert!(is_alike, "{ONE_WIDTH}");
    if query.width() <= 64 { find::<u64>(&known, query, k) } else { find::<u128>(&known, query, k) }
}

/// Groups of near-duplicates: a chain of pairs within `k` leads from each member of a group to every other.
///
/// The ends of a chain may be farther apart than k. A document that is near no other document is in no group.
/// Costs the same as the search for pairs, but memory does not grow with the number of pairs: about 40 bytes for
/// each document.
///
/// ```
/// use simscope::Fingerprint;
///
/// let documents = [0, 0xff, 1, 0, 3].map(|bits| Some(Fingerprint::new(bits, 64)));
/// let groups = simscope::groups(&documents, 1);
/// let first: Vec<_> = groups.documents(0).iter().map(|document| document.index()).collect();
/// assert_eq!((groups.len(), first), (1, vec![0, 2, 3, 4]));
/// ```
///
/// # Panics
/// If two fingerprints differ in width, or if there are 2^32 or more.
pub fn groups(fingerprints: &[Option<Fingerprint>], k: u32) -> Groups {
    fn find<B: Bits>(fingerprints: &[Option<Fingerprint>], width: u32, k: u32) -> Groups {
        let (distinct, plan) = distinct::<B>(fingerprints, width, k);
        done(index::linked_groups(&distinct, &plan, |_| true, &Progress::new())).0
    }
    match width(fingerprints) {
        ..=64 => find::<u64>(fingerprints, width(fingerprints), k),
        width => find::<u128>(fingerprints, width, k),
    }
}

/// The reasons why two texts are near or far.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The fingerprint of each text; `None` where it has no features.
    pub fingerprints: [Option<Fingerprint>; 2],
    /// Differing bits, 0 to the width; `None` where a text has no features.
    pub distance: Option<u32>,
    /// The exact cosine of their features, which the distance estimates; the features of both texts and those of
    /// only one text, each with its weights.
    pub overlap: Overlap,
}

/// Explains a pair of texts: their distance, their exact cosine, the features that they share, and the features
/// that they do not.
///
/// Costs about ten times as much as the two fingerprints, and a copy of each feature.
///
/// ```
/// use simscope::{Fingerprinter, Recipe};
///
/// let fingerprinter = Fingerprinter::new(&"words:1".parse::<Recipe>()?)?;
/// let why = simscope::explain(&fingerprinter, "tide pool crab", "tide pool gull");
/// // Two of three words: 2 / (sqrt(3) sqrt(3)).
/// assert!((why.overlap.cosine.unwrap() - 2.0 / 3.0).abs() < 1e-12);
/// assert_eq!(&*why.overlap.shared[0].feature.shingle, "tide");
/// assert_eq!(&*why.overlap.only[1][0].feature.shingle, "gull");
/// # Ok::<(), simscope::RecipeError>(())
/// ```
pub fn explain(fingerprinter: &Fingerprinter, a: &str, b: &str) -> Explanation {
    let [a, b] = [a, b].map(|text| fingerprinter.feature_votes(text));
    let fingerprints =
        [&a, &b].map(|feature_votes| feature_votes.fingerprint(fingerprinter.recipe()));
    let distance = match fingerprints {
        [Some(a), Some(b)] => Some(a.distance(b)),
        _ => None,
    };
    Explanation { fingerprints, distance, overlap: Overlap::new(&align(&a, &b)) }
}

const ONE_WIDTH: &str = "fingerprints that are compared have one width";

/// The width of all fingerprints; 64 if there are none.
fn width(fingerprints: &[Option<Fingerprint>]) -> u32 {
    let mut widths = fingerprints.iter().flatten().map(|fingerprint| fingerprint.width());
    let first = widths.next().unwrap_or(u64::BITS);
    assert!(widths.all(|width| width == first), "{ONE_WIDTH}");
    first
}

/// The distinct fingerprints, and the cheapest exact search among them.
fn distinct<B: Bits>(
    fingerprints: &[Option<Fingerprint>],
    width: u32,
    k: u32,
) -> (Distinct<B>, Plan) {
    let value = |document: DocId| {
        fingerprints[document.index()].map(|fingerprint| B::from_wide(fingerprint.bits()))
    };
    let distinct = done(Distinct::collapse_each(fingerprints.len(), value, &Progress::new()));
    let plan = index::choose(distinct.values(), width, k);
    (distinct, plan)
}

/// The result of a job that is never cancelled.
fn done<T>(result: Result<T, Cancelled>) -> T {
    result.expect("nobody stops it")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(bits: &[u128], width: u32) -> Vec<Option<Fingerprint>> {
        bits.iter().map(|&bits| Some(Fingerprint::new(bits, width))).collect()
    }

    /// The functions agree with each other and with comparing all pairs, for both word sizes.
    #[test]
    fn pairs_neighbours_and_groups_agree_at_every_width() {
        for width in [8, 64, 65, 128] {
            let bits: Vec<u128> = (0..60).map(|n| (n * n % 53) << (n % 7)).collect();
            let mut documents = prints(&bits, width);
            documents[7] = None;
            for k in [0, 2, 200] {
                let pairs = pairs_within(&documents, k);
                let mut expected = 0;
                for (at, query) in documents.iter().enumerate() {
                    let Some(query) = *query else { continue };
                    let others = documents.iter().enumerate().filter(|(other, _)| *other != at);
                    let near = others
                        .filter(|(_, other)| other.is_some_and(|other| other.distance(query) <= k));
                    let near: Vec<usize> = near.map(|(other, _)| other).collect();
                    expected += near.len();
                    let mut found: Vec<usize> = neighbours(&documents, query, k)
                        .iter()
                        .map(|it| it.document.index())
                        .collect();
                    found.retain(|found| *found != at);
                    found.sort_unstable();
                    assert_eq!(found, near);
                    let group = groups(&documents, k).group_of(DocId::from(at));
                    assert_eq!(group.is_some(), !near.is_empty());
                }
                assert_eq!(2 * pairs.len(), expected);
                assert!(pairs.is_sorted_by_key(|pair| pair.distance));
            }
        }
    }

    #[test]
    fn nothing_has_no_pairs_and_no_groups() {
        for documents in [vec![], vec![None, None]] {
            assert!(pairs_within(&documents, 3).is_empty() && groups(&documents, 3).is_empty());
            assert!(neighbours(&documents, Fingerprint::new(0, 64), 3).is_empty());
        }
    }

    #[test]
    #[should_panic(expected = "one width")]
    fn widths_are_not_mixed() {
        pairs_within(&[prints(&[1], 64), prints(&[1], 65)].concat(), 3);
    }

    #[test]
    fn a_text_without_words_is_no_text_to_be_near() {
        let fingerprinter = Fingerprinter::new(&Recipe::default()).unwrap();
        let why = explain(&fingerprinter, "", "the tide");
        assert_eq!((why.distance, why.overlap.cosine, why.overlap.n_only), (None, None, [0, 1]));
    }
}
