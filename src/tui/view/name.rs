//! The name of a document in a list: its id and, if there is room, its title.

use std::collections::{HashMap, HashSet};

use unicode_width::UnicodeWidthStr as _;

use crate::app::App;
use crate::id::DocId;
use crate::number::grouped;
use crate::text::visible;
use crate::tui::theme::Theme;
use crate::tui::widget::canvas::{clip, fit, fit_id};

/// Cells from which on a title stands beside the id.
const ROOMY: usize = 30;
/// The fewest cells of a title beside the id.
const TITLE: usize = 12;

/// Cells of an id beside a title of a pair, if ids need them.
const WHOLE: usize = 28;
/// Cells of the user's mark before an id.
const MARK: usize = 6;
/// The characters by which titles tell documents apart.
const TOLD: usize = 28;
/// Cells of a UUID, which says nothing when it is cut.
const UUID: usize = 36;
/// The fewest cells of a title beside a UUID.
const SHORT_TITLE: usize = 14;

/// Cells of the id in a name of `cells`: as many as ids need, but no more than half where that is more than a short
/// title leaves; `None` where no title has room.
fn id_cells(app: &App, cells: usize) -> Option<usize> {
    let marks = if app.review.rule.marks.documents.is_empty() { 0 } else { MARK };
    let (longest, half) = (app.titles.longest_id + marks, (cells / 2).max(20));
    let most = match app.titles.usual_id {
        UUID if cells > UUID + SHORT_TITLE => UUID,
        _ => half.min(cells.saturating_sub(TITLE + 1)),
    };
    (cells >= ROOMY).then(|| longest.clamp("document".len(), most))
}

/// The header of a column of names.
pub(super) fn header(app: &App, cells: usize) -> String {
    match id_cells(app, cells) {
        Some(id) => format!("{} {}", fit("document", id), fit("title", cells - id - 1)),
        None => fit("document", cells),
    }
}

/// The title of a document, if it is known; in ASCII a question mark for other characters.
fn title(app: &App, document: DocId) -> Option<String> {
    let title = visible(app.titles.get(document)?);
    let plain = |c: char| if app.ascii && !c.is_ascii() { '?' } else { c };
    Some(title.chars().map(plain).collect())
}

/// The title of a document alone, or its id where it has no title or one of the `unclear` ones, with `mark` before it.
pub(super) fn titled(
    app: &App,
    document: DocId,
    mark: &str,
    unclear: &HashSet<DocId>,
    cells: usize,
) -> String {
    let room = cells.saturating_sub(mark.width());
    let shown = match title(app, document).filter(|it| !it.is_empty()) {
        Some(title) if !unclear.contains(&document) => fit(&title, room),
        _ => fit_id(&visible(app.analysis.corpus.id(document)), room),
    };
    format!("{mark}{shown}")
}

/// The documents whose titles begin alike, so that ids tell more.
pub(super) fn unclear(app: &App, shown: &[DocId]) -> HashSet<DocId> {
    let beginning = |document| {
        app.titles.get(document).map(|title| title.chars().take(TOLD).collect::<String>())
    };
    let mut by_title: HashMap<String, HashSet<DocId>> = HashMap::new();
    for &document in shown {
        if let Some(title) = beginning(document) {
            by_title.entry(title).or_default().insert(document);
        }
    }
    by_title.into_values().filter(|all| all.len() > 1).flatten().collect()
}

/// Whether ids are UUIDs, which say nothing when they are cut.
fn are_uuids(app: &App) -> bool {
    app.titles.usual_id == UUID
}

/// The id and the title with `mark` before the id; in a narrow column whose ids are UUIDs the title alone.
pub(super) fn telling(app: &App, document: DocId, mark: &str, cells: usize) -> String {
    if !are_uuids(app) || id_cells(app, cells).is_some() {
        return name(app, document, mark, cells);
    }
    titled(app, document, mark, &HashSet::new(), cells)
}

/// The user's mark of a document, for before its id; empty if there is none.
pub(super) fn mark(app: &App, document: DocId) -> String {
    let mark = app.review.rule.marks.get(document);
    mark.map_or_else(String::new, |mark| format!("{}* ", mark.name()))
}

/// The id and the title of a document in `cells`, with `mark` before the id.
pub(super) fn name(app: &App, document: DocId, mark: &str, cells: usize) -> String {
    let id = visible(app.analysis.corpus.id(document));
    let marked = format!("{mark}{id}");
    let title = title(app, document).unwrap_or_default();
    match id_cells(app, cells) {
        // An id that is the beginning of the text says it already.
        Some(width) if title != *id => {
            format!("{} {}", fit_id(&marked, width), fit(&title, cells - width - 1))
        }
        _ => fit_id(&marked, cells),
    }
}

/// Two documents in `cells`, with their titles if there is room; ids share the cells as they need them.
pub(super) fn pair(app: &App, documents: [DocId; 2], between: char, cells: usize) -> String {
    let both = cells.saturating_sub(3);
    let half = both / 2;
    let ids = documents.map(|document| visible(app.analysis.corpus.id(document)).into_owned());
    let has_title =
        |(document, id): (DocId, &String)| title(app, document).is_some_and(|it| it != *id);
    // Ids that are cut alike tell less than whole ids without titles.
    let wanted = app.titles.longest_id.min(WHOLE);
    let has_room = id_cells(app, half).is_some_and(|cells| cells >= wanted);
    if has_room && documents.into_iter().zip(&ids).any(has_title) {
        let [a, b] = documents.map(|document| name(app, document, "", half));
        return format!("{a} {between} {}", b.trim_end());
    }
    let names = documents.map(|document| title(app, document).filter(|_| are_uuids(app)));
    let [a, b] = match names {
        [Some(a), Some(b)] if a != b => [a, b],
        _ => ids,
    };
    let left = a.width().min(both.saturating_sub(b.width()).max(half));
    let right = b.width().min(both.saturating_sub(left));
    if a.width() <= left && b.width() <= right {
        return format!("{a} {between} {b}");
    }
    let [a, b] = apart([&a, &b], [left, right]);
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
                if !beginning.ends_with('~') {
                    beginning.push('~');
                }
                fit(&format!("{beginning}{rest}"), cells)
            }
            _ => fit_id(id, cells),
        }
    })
}

/// The number of documents with a fingerprint behind the sign of equal texts, or of texts that differ or are not known
/// to be equal: ` =3`, ` ≡3`; empty for one document.
pub(super) fn copies(app: &App, entry: u32, n: usize, theme: Theme) -> String {
    if n < 2 {
        return String::new();
    }
    let glyphs = theme.glyphs();
    let has_one_text = app.analysis.has_one_text(entry);
    let sign = if has_one_text { glyphs.equal_text } else { glyphs.equal_print };
    format!(" {sign}{}", grouped(n as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_begin_alike_are_told_apart() {
        let ids = ["opening-hours-monday", "opening-hours-friday"];
        assert_eq!(apart(ids, [8, 9]), ["o~monday", "op~friday"]);
        assert_eq!(apart(ids, [20, 20]), ids);
        assert_eq!(apart(ids, [15, 15]), ["opening-~monday", "opening-~friday"]);
        assert_eq!(apart(["tide-log", "rumour-1"], [5, 5]), ["tid~g", "rum~1"]);
    }
}
