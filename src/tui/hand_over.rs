//! Lends the terminal to another program: the editor or the pager.
//!
//! The terminal is restored and the input thread parked before the program starts; the program alone has the terminal,
//! its keys and its signals until it ends. Work in the background goes on.

use std::io::{self, Write as _};
use std::process::{Command, ExitStatus};
use std::thread;

use crossbeam_channel::{bounded, select};
use rustix::process::{Pid, Signal, kill_process};

use super::event_loop::{EventSources, LoopEnd};
use super::input::controlling_terminal;
use super::signals::{self, SignalRequest};
use super::{programs, terminal};
use crate::app::Message;
use crate::corpus::Content;
use crate::id::DocId;
use crate::text::visible::visible_lines;

impl EventSources {
    /// Opens the editor at a document.
    pub(super) fn edit(&mut self, document: DocId) -> Result<(), LoopEnd> {
        match self.session.app.analysis.corpus.file_place(document) {
            Ok(place) => {
                let (command, name) = programs::editor(&place);
                self.hand_over(command, &name)
            }
            Err(problem) => self.update(Message::Notice(problem)),
        }
    }

    /// Opens the pager on a document's text, in a temporary file that is removed afterwards.
    pub(super) fn page(&mut self, document: DocId) -> Result<(), LoopEnd> {
        match text_file(&self.session.app.analysis.corpus.read(document)) {
            Ok(file) => {
                let (command, name) = programs::pager(file.path());
                self.hand_over(command, &name)
            }
            Err(problem) => self.update(Message::Notice(problem)),
        }
    }

    /// Lends the terminal to a program until it ends; a signal that asks to leave ends both.
    fn hand_over(&mut self, mut command: Command, name: &str) -> Result<(), LoopEnd> {
        self.input.park();
        terminal::leave();
        signals::lend(true);
        let outcome = self.run_program(&mut command);
        signals::lend(false);
        if let Err(end @ LoopEnd::Signal(_)) = outcome {
            return Err(end);
        }
        self.return_to_terminal()?;
        self.input.go_on();
        let problem = match outcome {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => match status.code() {
                // The statuses of a shell for a program that cannot be run.
                Some(126 | 127) => format!("{name} cannot be started; set EDITOR or PAGER"),
                Some(code) => format!("{name} ended with status {code}"),
                None => format!("{name} was ended by a signal"),
            },
            Err(LoopEnd::Failed(error)) => format!("{name} cannot be started: {error}"),
            Err(end) => return Err(end),
        };
        self.update(Message::Notice(problem))
    }

    /// Runs a program on the terminal until it ends.
    fn run_program(&mut self, command: &mut Command) -> Result<ExitStatus, LoopEnd> {
        command.stdin(controlling_terminal()?);
        let mut child = command.spawn()?;
        let pid = Pid::from_child(&child);
        let (ended, end) = bounded(1);
        thread::Builder::new().name("program".to_owned()).spawn(move || {
            let _ = ended.send(child.wait());
        })?;
        loop {
            select! {
                recv(end) -> status => {
                    return Ok(status??);
                }
                // Other signals can be ignored: the next frame has the new size of the terminal.
                recv(self.signals) -> request => if let Ok(SignalRequest::Leave(status)) = request {
                    let _ = kill_process(pid, Signal::TERM);
                    let _ = end.recv_timeout(signals::PATIENCE / 2);
                    return Err(LoopEnd::Signal(status));
                },
            }
        }
    }
}

/// A file with a document's text as screens show it, without control characters.
fn text_file<E: ToString>(content: &Result<Content, E>) -> Result<tempfile::NamedTempFile, String> {
    let content = content.as_ref().map_err(E::to_string)?;
    let text = content.text().ok_or("the corpus has no text of this document")?;
    let write = || -> io::Result<tempfile::NamedTempFile> {
        let mut file = tempfile::Builder::new().prefix("simscope-").suffix(".txt").tempfile()?;
        for line in visible_lines(text) {
            writeln!(file, "{line}")?;
        }
        Ok(file)
    };
    write().map_err(|error| format!("the text cannot be written to a temporary file: {error}"))
}
