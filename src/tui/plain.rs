//! The explorer line by line, for screen readers and logs: it reads a line of keys and writes the changed lines.
//!
//! No line is overwritten or moved: each answer is written below the answer before it. An answer begins with the
//! selected row, followed by the new lines of the view.

use std::collections::HashMap;
use std::io::{BufRead, Write};

use anyhow::Result;

use super::headless::HeadlessPage;
use super::session::Session;
use super::view_export::screen_text;
use crate::app::{App, Effect, Key, KeyCode, Keys, Overlay, Size};
use crate::explorer_start::ExplorerStart;
use crate::id::DocId;
use crate::sign;
use crate::text::visible::{visible, visible_lines};

/// Reads lines of keys and writes the changed lines, until a key leaves or the input ends. `keys` are pressed first.
///
/// A line is what `--keys` takes, or the name of an action as `simscope config` lists it. An empty line is Enter. If
/// the program asks for text, the line is that text.
///
/// # Errors
/// If the settings contradict themselves, nothing could be read, or the output cannot be written.
pub fn plain(
    start: ExplorerStart,
    keys: &Keys,
    size: Size,
    lines: impl BufRead,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "reading {} ..", visible(&start.title))?;
    out.flush()?;
    let mut page = HeadlessPage::open(Session::remembering(start, size)?);
    // Bits are read, not looked at.
    page.session.app.docs.has_digits = true;
    let mut is_open = page.press(&keys.0)?;
    let mut shown = Shown::default();
    if is_open {
        write_changes(&mut page, &mut shown, out)?;
    }
    let mut lines = lines.split(b'\n');
    while is_open && let Some(line) = lines.next() {
        // Bytes that are no UTF-8 become a character that no key has.
        let line = String::from_utf8_lossy(&line?).into_owned();
        match meaning(&page.session.app, line.trim_end_matches('\r')) {
            Ok(keys) => {
                is_open = page.press(&keys)?;
                if is_open {
                    write_changes(&mut page, &mut shown, out)?;
                }
            }
            Err(problem) => writeln!(out, "{problem}\n")?,
        }
        out.flush()?;
    }
    page.session.close()
}

/// The keys that a line stands for.
fn meaning(app: &App, line: &str) -> Result<Vec<Key>, String> {
    let enter = Key::plain(KeyCode::Enter);
    let word = line.trim();
    if word.is_empty() {
        return Ok(vec![enter]);
    }
    if matches!(app.overlay, Some(Overlay::Prompt(_))) && !word.eq_ignore_ascii_case("<esc>") {
        // The text replaces the present text of the prompt.
        let text = line.chars().filter(|c| !c.is_control()).map(Key::char);
        return Ok([Key::ctrl('u')].into_iter().chain(text).chain([enter]).collect());
    }
    let named = app.keymap.bindings(app.view()).find(|it| it.action.name() == word);
    match named.filter(|_| app.overlay.is_none()) {
        Some(binding) => Ok(vec![binding.keys[0]]),
        None => word.parse::<Keys>().map(|keys| keys.0).map_err(|error| error.to_string()),
    }
}

/// The written rows.
#[derive(Default)]
struct Shown {
    /// The rows of the last answer.
    last: Vec<String>,
    /// The rows of the view, while a panel covers it.
    below: Vec<String>,
}

impl Shown {
    /// The number of times that each row was already there.
    fn counts(&self) -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        for rows in [&self.last, &self.below] {
            let mut these: HashMap<&String, usize> = HashMap::new();
            for row in rows {
                *these.entry(row).or_default() += 1;
            }
            for (row, n) in these {
                let most = counts.entry(row.clone()).or_insert(0);
                *most = n.max(*most);
            }
        }
        counts
    }
}

/// Writes the selected rows, then the other new lines, then texts that were asked for.
fn write_changes(page: &mut HeadlessPage, shown: &mut Shown, out: &mut impl Write) -> Result<()> {
    let in_ascii = sign::in_ascii(sign::CURSOR).filter(|_| page.session.theme.0.ascii);
    let cursor = in_ascii.unwrap_or(sign::CURSOR);
    let rows = screen_text(&page.screen);
    let rows: Vec<String> = rows.lines().map(words).filter(|row| !row.is_empty()).collect();
    let mut before = shown.counts();
    let is_new = |row: &&String| match before.get_mut(*row) {
        Some(n) if *n > 0 => {
            *n -= 1;
            false
        }
        _ => true,
    };
    let changed: Vec<&String> = rows.iter().filter(is_new).collect();
    let (selected, others): (Vec<&String>, Vec<&String>) =
        changed.into_iter().partition(|row| row.starts_with(cursor));
    for row in &selected {
        writeln!(out, "selected: {}", row.trim_start_matches(cursor).trim_start())?;
    }
    for row in &others {
        writeln!(out, "{row}")?;
    }
    if selected.is_empty() && others.is_empty() && page.effects.is_empty() {
        writeln!(out, "nothing changed")?;
    }
    for effect in std::mem::take(&mut page.effects) {
        match effect {
            Effect::Copy(text) => visible_lines(&text).try_for_each(|it| writeln!(out, "{it}"))?,
            Effect::Page(document) => text(&page.session.app, document, out)?,
            Effect::Edit(_) => writeln!(
                out,
                "the editor cannot be opened with --plain, which has no terminal for it"
            )?,
            _ => {}
        }
    }
    writeln!(out)?;
    out.flush()?;
    if page.session.app.overlay.is_none() {
        shown.below.clone_from(&rows);
    }
    shown.last = rows;
    Ok(())
}

/// Writes the text of a document.
fn text(app: &App, document: DocId, out: &mut impl Write) -> Result<()> {
    match app.analysis.corpus.read(document) {
        Ok(content) => {
            let text = content.text().unwrap_or("the corpus has no text of this document");
            visible_lines(text).try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Err(problem) => writeln!(out, "{problem}")?,
    }
    Ok(())
}

/// The words of a row, without frames, rules and block characters; more than two blanks become two. A bar before a word
/// is a blank. A row that is only a drawing and its name becomes empty.
fn words(row: &str) -> String {
    let is_block = |c: char| matches!(c, '\u{2580}'..='\u{259f}');
    let is_line = |c: char| matches!(c, '\u{2500}'..='\u{257f}');
    let is_drawn = |word: &str| {
        let mut chars = word.chars();
        let has_block = chars.clone().any(is_block) && !chars.clone().any(char::is_alphanumeric);
        has_block || (word.len() > 2 && chars.all(|c| c == sign::ZERO))
    };
    let without_lines: String = row.chars().map(|c| if is_line(c) { ' ' } else { c }).collect();
    let parts = without_lines.split("  ").map(|part| {
        let words = part.split(' ').filter(|word| !word.is_empty() && !is_drawn(word));
        let words = words.map(|word| word.replace(is_block, " "));
        words.collect::<Vec<_>>().join(" ")
    });
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    let is_named_drawing = row.contains(is_block) && parts.iter().all(|part| !part.contains(' '));
    if is_named_drawing && parts.len() < 2 { String::new() } else { parts.join("  ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_its_words() {
        assert_eq!(words("│▶   1 tide-log       244  ▗▞█▘ │"), "▶  1 tide-log  244");
        assert_eq!(words("─ Docs ──────── 33 of 64 ─"), "Docs  33 of 64");
        assert_eq!(words("├──────┤"), "");
        assert_eq!(words(" bit   ··██··███·█│██·██"), "");
        assert_eq!(words(" 10 rumour-1   226   ·   ▏▗▞█▘ ▕"), "10 rumour-1  226  ·");
        assert_eq!(words(" 10 ▌rumour-1   226"), "10  rumour-1  226");
    }
}
