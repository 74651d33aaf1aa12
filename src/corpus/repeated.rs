//! Ids that occur more than once are reported, because a list of ids would mean all their documents. An id may
//! occur once in a corpus and once in its reference.
//!
//! Ids are compared by 64-bit hashes. They are divided into as many passes as keep the list of hashes below
//! [`MOST_HASHES`]: 8 bytes per id, 32 MiB at most. Two ids with the same hash count as one; among a million
//! ids this has a chance of 1 in 37 million. The example in the message is compared letter by letter.

use std::hash::{BuildHasher, RandomState};

use rayon::prelude::*;

use super::Corpus;
use super::diagnostic::Diagnostic;
use crate::id::DocId;
use crate::number::{counted, grouped};
use crate::progress::{Cancelled, Progress};

/// Hashes in memory at a time.
const MOST_HASHES: usize = 1 << 22;

/// The ids that occur more than once, in one message; `None` if each occurs once. About 100 ns per id.
///
/// # Errors
/// [`Cancelled`] if cancelled.
pub(super) fn repeated_ids(
    corpus: &Corpus,
    progress: &Progress,
) -> Result<Option<Diagnostic>, Cancelled> {
    let n_passes = corpus.len().div_ceil(MOST_HASHES) as u64;
    find(corpus, n_passes.max(1), progress)
}

fn find(
    corpus: &Corpus,
    n_passes: u64,
    progress: &Progress,
) -> Result<Option<Diagnostic>, Cancelled> {
    let hasher = RandomState::new();
    let (mut n_ids, mut n_documents) = (0, 0);
    // The first two documents with the same id, in corpus order.
    let mut example: Option<[DocId; 2]> = None;
    let mut hashes = Vec::new();
    for pass in 0..n_passes {
        hashes.clear();
        for (first, chunk) in &corpus.chunks {
            progress.check()?;
            let side = corpus.is_reference(DocId(*first));
            let ids = (0..chunk.documents.len()).map(|index| chunk.id(index));
            let of_the_pass =
                ids.map(|id| hasher.hash_one((side, id))).filter(|hash| hash % n_passes == pass);
            hashes.extend(of_the_pass);
        }
        hashes.par_sort_unstable();
        let runs = || hashes.chunk_by(|a, b| a == b).filter(|run| run.len() > 1);
        n_ids += runs().count() as u64;
        n_documents += runs().map(|run| run.len() as u64).sum::<u64>();
        let repeated: Vec<u64> = runs().map(|run| run[0]).collect();
        if let Some(found) = first(corpus, &hasher, &repeated)
            && example.is_none_or(|known| found < known)
        {
            example = Some(found);
        }
    }
    Ok(example.map(|[one, other]| report(corpus, one, other, n_ids, n_documents)))
}

/// The first document whose id has one of these hashes, and the next document with exactly this id.
fn first(corpus: &Corpus, hasher: &RandomState, repeated: &[u64]) -> Option<[DocId; 2]> {
    if repeated.is_empty() {
        return None;
    }
    let all = || (0..corpus.len()).map(DocId::from);
    let named = |document: DocId| (corpus.is_reference(document), corpus.id(document));
    let is_repeated =
        |document: &DocId| repeated.binary_search(&hasher.hash_one(named(*document))).is_ok();
    all().filter(is_repeated).find_map(|one| {
        let mut later = all().skip(one.index() + 1);
        let other = later.find(|other| named(*other) == named(one))?;
        Some([one, other])
    })
}

fn report(corpus: &Corpus, one: DocId, other: DocId, n_ids: u64, n_documents: u64) -> Diagnostic {
    let documents = counted(n_documents, "document");
    let all = match n_ids {
        1 => format!("{documents} in all"),
        n => format!("{} ids occur more than once, in {documents} in all", grouped(n)),
    };
    Diagnostic::new(
        &corpus.place(one),
        &format!(
            "the id \"{}\" occurs again at {}; {all}",
            cut(corpus.id(one)),
            corpus.place(other)
        ),
        "rows name documents by id, so a list of ids means all of them: give each its own, or name \
         another field with `id-field`",
    )
}

/// An id shortened for a message, because an id may have a megabyte.
fn cut(id: &str) -> String {
    const LONGEST: usize = 60;
    match id.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}..", &id[..end]),
        None => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Input, LoadOptions, load};

    fn corpus(ids: &[&str]) -> Corpus {
        let row = |id: &&str| format!("{{\"id\":\"{id}\",\"text\":\"some words\"}}\n");
        let bytes = Box::leak(ids.iter().map(row).collect::<String>().into_bytes().into());
        let input = Input::Bundled { name: "rows.jsonl", bytes };
        load(&[input], &LoadOptions::default(), &Progress::new(), &mut |_| {}).unwrap()
    }

    fn message(ids: &[&str], n_passes: u64) -> Option<String> {
        let found = find(&corpus(ids), n_passes, &Progress::new()).unwrap();
        found.map(|found| format!("{}: {}", found.place, found.problem))
    }

    #[test]
    fn repeated_ids_are_counted_and_the_first_is_shown_with_both_places() {
        assert_eq!(message(&["a", "b", "c"], 1), None);
        assert_eq!(
            message(&["a", "b", "a", "a"], 1).as_deref(),
            Some("rows.jsonl:1: the id \"a\" occurs again at rows.jsonl:3; 3 documents in all")
        );
        let ids = ["x", "b", "c", "b", "d", "c", "c", "e"];
        // The number of passes does not change the answer.
        for n_passes in 1..9 {
            assert_eq!(
                message(&ids, n_passes).as_deref(),
                Some(
                    "rows.jsonl:2: the id \"b\" occurs again at rows.jsonl:4; \
                     2 ids occur more than once, in 5 documents in all"
                ),
                "{n_passes} passes"
            );
        }
    }

    #[test]
    fn a_giant_id_is_cut() {
        let giant = "é".repeat(100_000);
        let text = message(&[&giant, &giant], 1).unwrap();
        assert!(text.len() < 300 && text.contains("éé..\" occurs again"), "{text}");
    }

    #[test]
    fn repeated_ids_are_a_remark_and_not_an_error() {
        let corpus = corpus(&["a", "a"]);
        assert!(corpus.diagnostics().is_empty());
        assert_eq!(corpus.remarks().len(), 1);
    }

    #[test]
    fn the_search_can_be_cancelled() {
        let progress = Progress::new();
        progress.cancel();
        assert_eq!(repeated_ids(&corpus(&["a"]), &progress), Err(Cancelled));
    }
}
