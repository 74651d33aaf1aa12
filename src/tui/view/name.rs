//! The name of a document in a list: its title, or its id where that tells more.

use std::collections::{HashMap, HashSet};

use unicode_width::UnicodeWidthStr as _;

use crate::app::{App, Screen};
use crate::id::DocId;
use crate::number::grouped;
use crate::sign;
use crate::text::visible;
use crate::tui::widget::canvas::{clip, fit, fit_id};

/// The characters by which titles tell documents apart.
const TOLD: usize = 28;
/// The fewest cells of a title behind an id.
const TITLE: usize = 20;

/// Documents that show together and whose titles begin alike.
pub(super) struct Unclear {
    documents: HashSet<DocId>,
    /// Cells of their longest id.
    id: usize,
}

/// The title of a document, if it has one that is known.
fn title(app: &App, document: DocId) -> Option<String> {
    let title = visible(app.titles.get(document)?).into_owned();
    Some(title).filter(|it| !it.is_empty())
}

/// The title of a document behind `mark`; its id where it has no title, or one of the `unclear` ones, which stands
/// behind the id where enough of it has room.
pub(super) fn titled(
    app: &App,
    document: DocId,
    mark: &str,
    unclear: &Unclear,
    cells: usize,
) -> String {
    let room = cells.saturating_sub(mark.width());
    let id = visible(app.analysis.corpus.id(document));
    let behind = room.saturating_sub(unclear.id + 1);
    let shown = match title(app, document) {
        Some(title) if !unclear.documents.contains(&document) => fit(&title, room),
        // An id that is the beginning of the text says it already.
        Some(title) if behind >= TITLE && title != *id => {
            format!("{} {}", fit(&id, unclear.id), fit(&title, behind))
        }
        _ => fit_id(&id, room),
    };
    format!("{mark}{shown}")
}

/// The documents of those that show whose titles begin alike, so that ids tell more.
pub(super) fn unclear(app: &App, shown: impl IntoIterator<Item = DocId>) -> Unclear {
    let mut by_title: HashMap<String, HashSet<DocId>> = HashMap::new();
    for document in shown {
        if let Some(title) = title(app, document) {
            by_title.entry(beginning(&title)).or_default().insert(document);
        }
    }
    let documents: HashSet<DocId> =
        by_title.into_values().filter(|all| all.len() > 1).flatten().collect();
    let ids = documents.iter().map(|it| visible(app.analysis.corpus.id(*it)).width());
    Unclear { id: ids.max().unwrap_or(0), documents }
}

/// The part of a title that tells documents apart.
fn beginning(title: &str) -> String {
    title.chars().take(TOLD).collect()
}

/// The user's mark of a document, for before its id; empty if there is none, and in groups, whose last column has it.
pub(super) fn mark(app: &App, document: DocId) -> String {
    let in_groups = app.screen == Screen::Docs && app.lists_groups();
    let mark = app.review.rule.marks.get(document).filter(|_| !in_groups);
    mark.map_or_else(String::new, |mark| format!("{}* ", mark.name()))
}

/// Two documents in `cells` by their titles, or by their ids where titles begin alike; both share the cells as they
/// need them.
pub(super) fn pair(app: &App, documents: [DocId; 2], between: char, cells: usize) -> String {
    let both = cells.saturating_sub(3);
    let titles = documents.map(|document| title(app, document));
    let ids = || documents.map(|document| visible(app.analysis.corpus.id(document)).into_owned());
    let (by_title, [a, b]) = match titles {
        [Some(a), Some(b)] if beginning(&a) != beginning(&b) => (true, [a, b]),
        _ => (false, ids()),
    };
    let left = a.width().min(both.saturating_sub(b.width()).max(both / 2));
    let right = b.width().min(both.saturating_sub(left));
    let [a, b] =
        if by_title { [clip(&a, left), clip(&b, right)] } else { apart([&a, &b], [left, right]) };
    format!("{a} {between} {b}")
}

/// Two ids in so many cells each. Where a beginning that both have would take the room of the parts that differ, its end
/// is left out.
fn apart(ids: [&str; 2], cells: [usize; 2]) -> [String; 2] {
    let [one, other] = ids;
    let differs = one.char_indices().zip(other.chars()).find(|((_, one), other)| one != other);
    let common = differs.map_or(0, |((at, _), _)| at);
    std::array::from_fn(|side| {
        let (id, cells) = (ids[side], cells[side]);
        match id.get(common..) {
            Some(rest) if id.width() > cells && common > cells / 2 => {
                let mut beginning = clip(&id[..common], cells.saturating_sub(rest.width()));
                if !beginning.ends_with(sign::CUT) {
                    beginning.push(sign::CUT);
                }
                fit(&format!("{beginning}{rest}"), cells)
            }
            _ => fit_id(id, cells),
        }
    })
}

/// The number of documents with a fingerprint behind the sign of equal texts, or of texts that differ or are not known
/// to be equal: ` =3`, ` ≡3`; empty for one document.
pub(super) fn copies(app: &App, entry: u32, n: usize) -> String {
    if n < 2 {
        return String::new();
    }
    let has_one_text = app.analysis.has_one_text(entry);
    let sign = if has_one_text { sign::EQUAL_TEXT } else { sign::EQUAL_PRINT };
    format!(" {sign}{}", grouped(n as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_begin_alike_are_told_apart() {
        let ids = ["opening-hours-monday", "opening-hours-friday"];
        assert_eq!(apart(ids, [8, 9]), ["o…monday", "op…friday"]);
        assert_eq!(apart(ids, [20, 20]), ids);
        assert_eq!(apart(ids, [15, 15]), ["opening-…monday", "opening-…friday"]);
        assert_eq!(apart(["tide-log", "rumour-1"], [5, 5]), ["tid…g", "rum…1"]);
    }
}
