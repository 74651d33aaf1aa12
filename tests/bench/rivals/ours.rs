//! simscope's side: the whole of its search engine that this benchmark calls.

use rayon::ThreadPool;
use simscope::{
    index::{
        self, Cut, Distinct, HammingIndex, Match, Pair, choose, default_layout, naive, near_pairs,
    },
    progress::Progress,
    simhash::Bits,
};

/// Every pair of `values` within `k`, as the planner likes it.
pub(crate) fn all_pairs<B: Bits>(values: &[B], k: u32) -> Vec<Pair> {
    all_pairs_blocks(values, k, None).expect("the planner obeys the limits")
}

/// Every pair of `values` within `k`, with a number of blocks; none if that may not be asked for.
pub(crate) fn all_pairs_blocks<B: Bits>(
    values: &[B],
    k: u32,
    blocks: Option<u32>,
) -> Option<Vec<Pair>> {
    let plan = choose(values.len(), B::CAPACITY, k, blocks, Cut::WideFirst).ok()?;
    Some(near_pairs(values, &plan, k, &Progress::new()).expect("nobody cancels"))
}

/// What the planner would do, in a line.
pub(crate) fn plan(n: usize, k: u32) -> String {
    choose(n, 64, k, None, Cut::WideFirst).map_or_else(|error| error.to_string(), |plan| plan.why)
}

/// An index for queries within `k`.
pub(crate) fn build_index(values: &[u64], k: u32) -> HammingIndex<u64> {
    let layout = default_layout(values.len(), 64, k);
    HammingIndex::build(values, layout, &Progress::new()).expect("nobody cancels")
}

/// The entries of `index` within `k` of `value`.
pub(crate) fn query(index: &HammingIndex<u64>, value: u64, k: u32) -> Vec<Match> {
    index.query(value, k)
}

/// Every pair of `values` within `k`, by comparing everything with everything.
pub(crate) fn scan(values: &[u64], k: u32) -> Vec<Pair> {
    naive::all_pairs(values, k, &Progress::new()).expect("nobody cancels")
}

/// How many pairs of `values` are at each distance, if the engine can say without listing them.
pub(crate) fn histogram(_values: &[u64]) -> Option<Vec<u64>> {
    None
}

/// Documents with these fingerprints, as the commands treat them: copies collapsed, pairs of distinct
/// fingerprints found, pairs of documents counted and grouped. Document pairs, and groups.
pub(crate) fn documents(values: &[u64], k: u32) -> (u64, usize) {
    let fingerprints: Vec<_> = values.iter().copied().map(Some).collect();
    let distinct = Distinct::collapse(&fingerprints);
    let pairs = all_pairs(distinct.values(), k);
    let n_pairs = index::count_document_pairs(&distinct, &pairs);
    (n_pairs, index::groups(&distinct, &pairs).len())
}

/// A pool of `threads` threads; whatever `install` runs uses no other.
pub(crate) fn pool(threads: usize) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start")
}
