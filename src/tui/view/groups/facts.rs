//! Sentences about the selected group: whether it is a chain, the k that cuts it, the edges that hold it
//! together, and the members that its first document covers.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use crate::{
    analysis::{TextRelation, dedup::Mark},
    app::{
        App,
        layout::SizeClass,
        screen::{groups::GroupsPane, tree::GroupTree},
        wrap::wrap,
    },
    id::DocId,
    index::{Bridge, GroupShape, Linkage},
    number::{counted, grouped},
    text::visible,
    tui::widget::canvas::{Canvas, cut, fit_id, shorten},
};

/// Cells of a name within a sentence.
const NAME: usize = 24;
/// Cells from which on sentences are whole.
const ROOMY: usize = 60;
/// Width in cells below which only the most important facts are shown.
const NARROW: usize = 50;
/// Columns of a screen from which on a remark has room for all.
const ROOMY_TITLE: u16 = 120;
/// The most listed parts; the rest is counted.
const PARTS: usize = 5;

/// The group and its size, and the names of the numbers at the right.
pub(super) fn titles(app: &App) -> (String, String) {
    let Some((group, listing)) = app.groups.selected().zip(app.groups.listing.as_ref()) else {
        return ("group".to_owned(), String::new());
    };
    let mut title =
        format!("g{group}: {}", counted(listing.groups.documents(group).len() as u64, "document"));
    if let Some(tree) = &app.groups.tree {
        title += &format!(", {}", counted(tree.shape.distinct() as u64, "fingerprint"));
    }
    if app.groups.listing.as_ref().is_some_and(|listing| listing.linkage == Linkage::Complete) {
        title += ", complete linkage";
    }
    let distance = "d and cosine to the first".to_owned();
    let review = app.review_in_words().map(|review| {
        if app.size.width >= ROOMY_TITLE { format!("{review}; {distance}") } else { review }
    });
    (title, review.unwrap_or(distance))
}

/// Draws the sentences; returns the number of their rows.
pub(super) fn facts(app: &App, canvas: &mut Canvas) -> usize {
    let theme = canvas.theme;
    let width = canvas.width().saturating_sub(2);
    let Some(tree) = &app.groups.tree else { return canvas.height() };
    let mut rows = Vec::new();
    for (text, warns) in sentences(app, tree, width) {
        rows.extend(wrap(&text, width).into_iter().map(|row| (row, warns)));
    }
    let height = canvas.height();
    if let (1, Some((first, warns))) = (height, sentences(app, tree, width).into_iter().next()) {
        rows = vec![(shorten(&first, width), warns)];
    }
    let (rows, warnings): (Vec<String>, Vec<bool>) = rows.into_iter().unzip();
    let rows = cut(rows, height, width);
    let n_rows = rows.len();
    for (y, (row, warns)) in rows.into_iter().zip(warnings).enumerate() {
        let style = if warns { theme.warn() } else { theme.text() };
        canvas.row(y, Span::styled(format!(" {row}"), style));
    }
    n_rows
}

/// Sentences, the most important first, and which of them warn.
fn sentences(app: &App, tree: &GroupTree, width: usize) -> Vec<(String, bool)> {
    let shape = &*tree.shape;
    let quoted = |document| {
        let id = visible(app.analysis.corpus.id(document)).into_owned();
        let most = NAME.max(width / 2);
        format!("\"{}\"", if id.width() > most { fit_id(&id, most) } else { id })
    };
    let name = |entry: u32| quoted(tree.index.documents(entry)[0]);
    let mut sentences = Vec::new();
    if let Some(document) = app.groups.document.filter(|_| !app.groups.is_on_document()) {
        let has_near = app.analysis.near_count(document).is_some_and(|near| near > 0);
        let linkage = app.groups.linkage;
        sentences.push((in_no_group(&quoted(document), shape.k, linkage, has_near), false));
    }
    sentences.extend(decision(app, &quoted).map(|sentence| (sentence, false)));
    sentences.push((reach(app, shape, &name, width), shape.is_chain()));
    sentences.extend(spared(app, tree, &quoted).map(|sentence| (sentence, true)));
    if shape.nodes.len() > 2 && app.groups.linkage == Linkage::Single {
        sentences.push((holds(shape, &name), false));
    }
    sentences.push((covers(shape, &name), false));
    sentences
}

/// The warning if a document of the shown group is near a kept one, and stays because their texts have too little in
/// common.
fn spared(app: &App, tree: &GroupTree, quoted: &dyn Fn(DocId) -> String) -> Option<String> {
    let first = tree.index.documents(tree.shape.nodes.first()?.entry)[0];
    let one = app.spared_in(app.groups.listing.as_ref()?.groups.group_of(first)?).next()?;
    let shared = match one.shared {
        None => "a text is not known".to_owned(),
        Some(shared) => format!("they share {:.0} % of their text", (shared * 100.0).floor()),
    };
    Some(format!("spared: {} is near {}, but {shared}", quoted(one.document), quoted(one.kept)))
}

/// The decision on the member under the cursor, and its reason.
fn decision(app: &App, quoted: &dyn Fn(DocId) -> String) -> Option<String> {
    let document = app.query().filter(|_| app.groups.pane == GroupsPane::Tree)?;
    let decisions = app.decisions()?;
    let mark = app.review.rule.marks.get(document);
    let by_hand = if mark.is_some() { " by hand" } else { "" };
    if let Some(one) = decisions.of(document) {
        return Some(format!(
            "{} is dropped{by_hand} for {}: {}, {} apart",
            quoted(document),
            quoted(one.kept),
            one.reason.name(),
            counted(u64::from(one.distance), "bit"),
        ));
    }
    if mark == Some(Mark::Drop) {
        return Some(format!(
            "{} was marked as dropped but is kept: there is no kept document within k that may replace it",
            quoted(document)
        ));
    }
    let n = decisions.n_dropped_for(document);
    let rest = match n {
        0 => "nothing is dropped for it".to_owned(),
        n => format!("{} dropped for it", counted(n, "document")),
    };
    let pairs = app.review.rule.marks.not_duplicates.iter();
    let mut others = pairs.filter(|pair| pair.contains(&document)).flatten();
    let other = others.find(|&&other| other != document);
    let no_duplicate =
        other.map_or_else(String::new, |&other| format!(", no duplicate of {}", quoted(other)));
    Some(format!("{} is kept{by_hand}{no_duplicate}; {rest}", quoted(document)))
}

fn in_no_group(name: &str, k: u32, linkage: Linkage, has_near: bool) -> String {
    match linkage {
        Linkage::Single if has_near => format!(
            "document {name} is in no group: those within k={k} are marked as no duplicates of it"
        ),
        Linkage::Single => {
            format!("document {name} is in no group: no other document is within k={k}")
        }
        Linkage::Complete => {
            format!("document {name} is in no group at k={k} by complete linkage")
        }
    }
}

/// The diameter of the group, and its parts at a smaller k; for a chain, the advice.
fn reach(app: &App, shape: &GroupShape, name: &dyn Fn(u32) -> String, width: usize) -> String {
    let (k, far) = (shape.k, shape.farthest);
    let Some(weakest) = shape.weakest else {
        return one_fingerprint(app, shape);
    };
    let bound = if far.is_exact { "" } else { "at least " };
    let bits = counted(u64::from(far.distance), "bit");
    if app.groups.linkage == Linkage::Complete {
        let below = far.distance.saturating_sub(1);
        return format!(
            "every two differ in at most k={k} bits, the farthest two in {bound}{bits}; k={below} splits it"
        );
    }
    let chain = if shape.is_chain() { "chain, " } else { "" };
    let extent = format!("{chain}{bound}{bits} between the farthest two");
    let is_short = app.size.shape() < SizeClass::Wide;
    if width < NARROW && is_short {
        return extent;
    }
    let parts = format!("k={} splits it into {}", weakest.saturating_sub(1), parts(&shape.cut));
    if width < ROOMY && is_short {
        return format!("{extent}; {parts}");
    }
    if !shape.is_chain() {
        let every =
            if far.is_exact { "every two differ" } else { "as far as known every two differ" };
        return format!(
            "{every} in at most k={k} bits, the farthest two in {bound}{bits}; {parts}"
        );
    }
    let through = match &shape.bridge {
        Bridge::At { entry, separates_farthest: true, .. } => {
            format!(", connected only through {}", of_fingerprint(shape, *entry, name))
        }
        _ => String::new(),
    };
    let (a, b) = (name(far.a), name(far.b));
    format!(
        "chain: {a} and {b} differ in {bound}{bits} (k={k}){through}; {parts}; c: complete linkage"
    )
}

/// The sentence about a group of one fingerprint: whether its texts are equal.
fn one_fingerprint(app: &App, shape: &GroupShape) -> String {
    match app.analysis.shared(shape.nodes[0].entry) {
        TextRelation::OneText => "all texts are equal: no k separates them".to_owned(),
        TextRelation::Texts(n) => format!(
            "equal fingerprints of {}: no k separates them, another recipe may",
            counted(u64::from(n), "different text")
        ),
        TextRelation::Unknown => {
            "all fingerprints are equal: no k separates them; the texts are not compared".to_owned()
        }
    }
}

/// `5 + 2 + 12 x 1 documents`, or with `and 8 smaller parts` after it.
fn parts(sizes: &[u32]) -> String {
    let runs: Vec<&[u32]> = sizes.chunk_by(|left, right| left == right).collect();
    let run = |run: &&[u32]| match run.len() {
        1 => grouped(u64::from(run[0])),
        n if run[0] == 1 => format!("{} single", grouped(n as u64)),
        n => format!("{} x {}", grouped(n as u64), grouped(u64::from(run[0]))),
    };
    let (listed, rest) = runs.split_at(runs.len().min(PARTS));
    let listed: Vec<String> = listed.iter().map(run).collect();
    let more: usize = rest.iter().map(|run| run.len()).sum();
    let smaller = counted(more as u64, "smaller part");
    let more = if more > 0 { format!(" and {smaller}") } else { String::new() };
    format!("{} documents{more}", listed.join(" + "))
}

/// The documents of a fingerprint, since a bridge is all documents with its fingerprint.
fn of_fingerprint(shape: &GroupShape, entry: u32, name: &dyn Fn(u32) -> String) -> String {
    let copies = shape.nodes.iter().find(|node| node.entry == entry).map_or(1, |node| node.copies);
    match copies {
        1 => name(entry),
        n => format!("the {n} documents with the fingerprint of {}", name(entry)),
    }
}

fn holds(shape: &GroupShape, name: &dyn Fn(u32) -> String) -> String {
    match &shape.bridge {
        Bridge::At { entry, parts: left, .. } => {
            let bridge = of_fingerprint(shape, *entry, name);
            format!("without {bridge} (the bridge) it falls into {}", parts(left))
        }
        Bridge::None => {
            "no bridge: without any single fingerprint the others stay connected".to_owned()
        }
        Bridge::Unknown => "too many pairs to look for a bridge".to_owned(),
    }
}

/// The number of members that have a near-duplicate left if only the first is kept, including the first.
fn covers(shape: &GroupShape, name: &dyn Fn(u32) -> String) -> String {
    let (first, all) = (shape.nodes[0].entry, counted(u64::from(shape.documents), "document"));
    let covered = grouped(u64::from(shape.covered));
    let mut text =
        format!("{covered} of {all} are within k={} of the first, {}", shape.k, name(first));
    if shape.covered_by_medoid > shape.covered {
        let better = grouped(u64::from(shape.covered_by_medoid));
        text +=
            &format!("; {better} are within k={} of the medoid, {}", shape.k, name(shape.medoid));
    }
    text
}
