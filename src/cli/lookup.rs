//! Finds the document of an id, or suggests ids that the user may have meant.

use anyhow::Context;

use crate::analysis::Analysis;
use crate::corpus::Corpus;
use crate::id::DocId;
use crate::simhash::Fingerprint;
use crate::text::visible::visible;

use super::notes;
use super::options::CommandRun;
use super::suggest::distance;

/// The number of ids offered when none is similar to the one asked for.
const OFFERED: usize = 3;

/// The document with this id. If there are several, the first, with a warning that names the others.
///
/// # Errors
/// A message with the most similar ids if there is no such document.
pub(super) fn document(run: &CommandRun, analysis: &Analysis, id: &str) -> anyhow::Result<DocId> {
    let corpus = &analysis.corpus;
    let mut found = corpus.find(id);
    // Ids are looked up among the inputs only, because documents of the reference may have the same ids.
    found.retain(|&document| !corpus.is_reference(document));
    let Some(&first) = found.first() else {
        let (id, title) = (visible(id), run.title());
        anyhow::bail!("no document \"{id}\" in {title}; {}", offer(corpus, &id));
    };
    if found.len() > 1 {
        let shown = found.iter().take(OFFERED + 1);
        let mut places: Vec<String> = shown.map(|&document| corpus.place(document)).collect();
        if found.len() > places.len() {
            places.push(format!("{} more", found.len() - places.len()));
        }
        notes::warning(&format_args!(
            "{} documents have the id \"{}\" ({}); the first of them is used",
            found.len(),
            visible(id),
            places.join(", "),
        ));
    }
    Ok(first)
}

/// The fingerprint of a document.
///
/// # Errors
/// A message if it has none.
pub(super) fn fingerprint(analysis: &Analysis, document: DocId) -> anyhow::Result<Fingerprint> {
    analysis.fingerprint(document).with_context(|| {
        let id = visible(analysis.corpus.id(document)).into_owned();
        format!("document \"{id}\" has no features and so no fingerprint: only an equal text is found for it, by groups and dedup; choose another")
    })
}

/// The ids to suggest: ids similar to `id`, or else the first ones.
fn offer(corpus: &Corpus, id: &str) -> String {
    let all = || (0..corpus.n_first()).map(|index| corpus.id(DocId::from(index)));
    let mut near: Vec<_> = all()
        .enumerate()
        .filter_map(|(index, other)| Some((unlikeness(id, other)?, index)))
        .collect();
    near.sort_unstable();
    let near: Vec<&str> =
        near.into_iter().take(OFFERED).map(|(_, index)| corpus.id(DocId::from(index))).collect();
    if near.is_empty() {
        let first: Vec<&str> = all().take(OFFERED).collect();
        let rest = if corpus.n_first() > first.len() { " and so on" } else { "" };
        format!("ids are {}{rest}", quoted(&first))
    } else {
        format!("ids like it are {}", quoted(&near))
    }
}

fn quoted(ids: &[&str]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| format!("\"{}\"", visible(id))).collect();
    quoted.join(", ")
}

/// How unlike two ids are, smaller is nearer; `None` if they have nothing in common.
fn unlikeness(asked: &str, other: &str) -> Option<(usize, bool)> {
    let is_part = !asked.is_empty() && other.to_lowercase().contains(&asked.to_lowercase());
    if is_part { Some((0, true)) } else { distance(asked, other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_slips_are_like_and_strangers_are_not() {
        assert_eq!(unlikeness("Log", "tide-log"), Some((0, true)));
        assert_eq!(unlikeness("tide-lgo", "tide-log"), Some((2, false)));
        assert_eq!(unlikeness("tide-log", "harbour"), None);
    }
}
