//! The documents that the user has marked, printed when the explorer ends (`--print-marked`).

use std::io::{self, Write as _};
use std::iter;

use crate::analysis::dedup::Mark;
use crate::app::App;
use crate::id::DocId;
use crate::text::visible;

/// The place of standard output while the screen is drawn on the terminal instead; restored when this is dropped.
pub(super) struct OutputAside {
    is_wanted: bool,
    #[cfg(unix)]
    aside: Option<std::os::fd::OwnedFd>,
}

impl OutputAside {
    /// Draws on the terminal from now on, if marked documents are wanted and standard output is no terminal.
    ///
    /// # Errors
    /// If there is no terminal.
    #[cfg_attr(not(unix), expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail"))]
    pub(super) fn put(is_wanted: bool) -> io::Result<Self> {
        Ok(Self {
            is_wanted,
            #[cfg(unix)]
            aside: if is_wanted { put_aside()? } else { None },
        })
    }

    /// Restores standard output; returns the rows to print, empty if none are wanted.
    pub(super) fn end(self, app: &App) -> String {
        if self.is_wanted { marked(app) } else { String::new() }
    }
}

#[cfg(unix)]
impl Drop for OutputAside {
    fn drop(&mut self) {
        // Nothing could be done about an error.
        let _ = self.aside.as_ref().map(rustix::stdio::dup2_stdout);
    }
}

#[cfg(unix)]
fn put_aside() -> io::Result<Option<std::os::fd::OwnedFd>> {
    use io::IsTerminal as _;
    use std::fs::File;
    use std::os::fd::AsFd as _;

    if io::stdout().is_terminal() {
        return Ok(None);
    }
    let terminal = File::options().read(true).write(true).open("/dev/tty")?;
    let aside = io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(terminal)?;
    Ok(Some(aside))
}

/// A row of TSV for each marked document, below the names of the columns: mark, id, file and line.
fn marked(app: &App) -> String {
    let marks = &app.review.rule.marks.documents;
    let row = |(document, mark): (&DocId, &Mark)| {
        let address = app.analysis.corpus.address(*document);
        let line = address.line.map_or_else(String::new, |line| line.to_string());
        let text = |text: &str| visible(text).replace('\t', " ");
        format!("{}\t{}\t{}\t{line}\n", mark.name(), text(address.id), text(&address.file))
    };
    iter::once("mark\tid\tfile\tline\n".to_owned()).chain(marks.iter().map(row)).collect()
}

/// Writes the rows to standard output. A closed pipe is success: whoever reads has seen enough.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn print(rows: &str) -> io::Result<()> {
    let written = io::stdout().write_all(rows.as_bytes()).and_then(|()| io::stdout().flush());
    written.or_else(
        |error| {
            if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
        },
    )
}
