//! The texts that can be copied for the row under the cursor.

use super::super::menu::{MenuChoice, MenuEntry};
use super::super::view::view;
use super::super::{App, Screen};
use super::menu::entry;
use crate::export::CommandLine;
use crate::id::DocId;

/// The entries of the menu that copy: ids, fingerprints, the text, and the command that prints the same.
pub(super) fn copies(app: &App) -> Vec<MenuEntry> {
    let mut found = Vec::new();
    let mut add = |name: &str, text: Option<String>| {
        let copy = |text| entry("copy", format!("copy {name}"), MenuChoice::Copy(text));
        found.extend(text.map(copy));
    };
    let documents = view(app.view()).documents(app);
    let is_of_a_pair = matches!(app.screen, Screen::Pair | Screen::Tables);
    let pair = match (&documents[..], app.near.pair()) {
        (&[one, other], _) => Some([one, other]),
        (_, Some((query, neighbour))) if is_of_a_pair => Some([query, neighbour.document]),
        _ => None,
    };
    let id = |document: DocId| app.analysis.corpus.id(document).to_owned();
    let bits = |document: DocId| app.analysis.fingerprint(document).map(|it| it.to_string());
    if let &[document] = &documents[..] {
        add("the id", Some(id(document)));
        add("the fingerprint", bits(document));
        add("the place", Some(app.analysis.corpus.place(document)));
        let open = app.open_document().filter(|it| it.document == document && it.hidden_bytes == 0);
        add("the text as shown", open.and_then(|it| Some(it.lines.as_ref()?.join("\n"))));
        add("the command that lists near documents", command(app, "query", &[document]));
    }
    if let Some([one, other]) = pair {
        add("both ids", Some(format!("{}\t{}", id(one), id(other))));
        let both = bits(one).zip(bits(other));
        add("both fingerprints", both.map(|(one, other)| format!("{one}\t{other}")));
        add("the command that explains the pair", command(app, "explain", &[one, other]));
    }
    match app.screen {
        Screen::Docs if app.lists_groups() => {
            add("the command that lists the groups", command(app, "groups", &[]))
        }
        Screen::Tune => add("the command that tunes k", command(app, "tune", &[])),
        _ => {}
    }
    found
}

/// A command about these documents under the present settings; `None` if an id would be read as an option.
fn command(app: &App, name: &str, documents: &[DocId]) -> Option<String> {
    let sources = &app.review.sources;
    let mut line = CommandLine::new(name, &app.settings, &sources.load);
    for &document in documents {
        let id = app.analysis.corpus.id(document);
        if id.starts_with('-') {
            return None;
        }
        match name {
            "query" => line.option("--id", Some(id.to_owned())),
            _ => line.flag(id, true),
        }
    }
    Some(line.of(&sources.inputs))
}
