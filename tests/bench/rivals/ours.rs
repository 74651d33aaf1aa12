//! simscope's side: the whole of its search engine that this benchmark calls.

use rayon::ThreadPool;
use simscope::index::{self, Distinct, Pair, choose, near_pairs};
use simscope::progress::Progress;
use simscope::simhash::Bits;

/// Every pair of `values` within `k`, as the planner likes it.
pub(crate) fn all_pairs<B: Bits>(values: &[B], k: u32) -> Vec<Pair> {
    let plan = choose(values, B::CAPACITY, k);
    near_pairs(values, &plan, &Progress::new()).expect("nobody cancels")
}

/// The choice of the planner, in a line.
pub(crate) fn plan(values: &[u64], k: u32) -> String {
    choose(values, 64, k).to_string()
}

/// Every pair of `values` within `k`, by comparing everything with everything.
pub(crate) fn scan(values: &[u64], k: u32) -> Vec<Pair> {
    let plan = index::Plan::scan(values.len(), 64, k);
    near_pairs(values, &plan, &Progress::new()).expect("nobody cancels")
}

/// How many pairs of `values` are at each distance.
pub(crate) fn histogram(values: &[u64]) -> Vec<u64> {
    index::distance_histogram(values, &Progress::new()).expect("nobody cancels")
}

/// Documents with these fingerprints, as the commands treat them: copies collapsed, pairs of distinct
/// fingerprints found, pairs of documents counted and grouped. Document pairs, and groups.
pub(crate) fn documents(values: &[u64], k: u32) -> (u64, usize) {
    let fingerprints: Vec<_> = values.iter().copied().map(Some).collect();
    let distinct = Distinct::collapse(&fingerprints, &Progress::new()).expect("nobody cancels");
    let pairs = all_pairs(distinct.values(), k);
    let n_pairs = index::count_document_pairs(&distinct, &pairs);
    (n_pairs, index::groups(&distinct, &pairs).len())
}

/// A pool of `threads` threads; whatever `install` runs uses no other.
pub(crate) fn pool(threads: usize) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start")
}
