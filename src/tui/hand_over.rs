//! Lends the terminal to another program: the user's editor or pager, with its arguments for a file and a line.
//!
//! The terminal is restored and the input thread parked before the program starts; the program alone has the terminal,
//! its keys and its signals until it ends. Work in the background goes on.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::{env, thread};

use crossbeam_channel::{bounded, select};
use rustix::process::{Pid, Signal, kill_process};

use crate::app::Message;
use crate::corpus::{Content, FilePlace};
use crate::id::DocId;
use crate::text::visible::visible_lines;
use crate::tui::event_loop::{EventSources, LoopEnd};
use crate::tui::input::controlling_terminal;
use crate::tui::signals::{self, SignalRequest};
use crate::tui::terminal;

impl EventSources {
    /// Opens the editor at a document.
    pub(super) fn edit(&mut self, document: DocId) -> Result<(), LoopEnd> {
        match self.session.app.analysis.corpus.file_place(document) {
            Ok(place) => {
                let (command, name) = editor(&place);
                self.hand_over(command, &name)
            }
            Err(problem) => self.update(Message::Notice(problem)),
        }
    }

    /// Opens the pager on a document's text, in a temporary file that is removed afterwards.
    pub(super) fn page(&mut self, document: DocId) -> Result<(), LoopEnd> {
        match text_file(&self.session.app.analysis.corpus.read(document)) {
            Ok(file) => {
                let (command, name) = pager(file.path());
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

/// The arguments of a program, from a line, a file, and `FILE:LINE`.
type Arguments = fn(u64, OsString, OsString) -> Vec<OsString>;

/// The programs that take a line; any other program gets the file alone.
const EDITORS: [(&str, Arguments); 4] = [
    (
        "vi vim nvim view ex nano pico emacs emacsclient kak joe jed mg ne micro gedit",
        |line, file, _| vec![format!("+{line}").into(), file],
    ),
    ("hx helix zed subl", |_, _, place| vec![place]),
    ("code code-insiders codium cursor", |_, _, place| vec!["--goto".into(), place]),
    ("kate mate", |line, file, _| vec!["--line".into(), line.to_string().into(), file]),
];

/// The command in the first of these variables that is set, else the default one.
fn chosen(variables: &[&str], usual: &str) -> String {
    let set = variables.iter().filter_map(|name| env::var(name).ok());
    set.map(|value| value.trim().to_owned()).find(|it| !it.is_empty()).unwrap_or(usual.to_owned())
}

/// The editor on a line of a file, and its name: `$VISUAL`, `$EDITOR` or vi.
fn editor(place: &FilePlace) -> (Command, String) {
    let asked = chosen(&["VISUAL", "EDITOR"], "vi");
    let arguments = arguments(&asked, place);
    (shell(&asked, &arguments), name(&asked))
}

/// The pager on a file, and its name: `$PAGER` or less.
fn pager(file: &Path) -> (Command, String) {
    let asked = chosen(&["PAGER"], "less");
    (shell(&asked, &[file.into()]), name(&asked))
}

/// The name of the program in a command.
fn name(asked: &str) -> String {
    let first = asked.split_whitespace().next().unwrap_or_default();
    let name = Path::new(first).file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The arguments for the file and, if the program is known to take it, the line.
fn arguments(asked: &str, place: &FilePlace) -> Vec<OsString> {
    let FilePlace { path, line } = place;
    // A name such as `-c` would be read as an option, and vi runs a name such as `+call ..` as a command.
    let file = if path.is_relative() { Path::new(".").join(path) } else { path.clone() };
    let mut place = file.clone().into_os_string();
    place.push(format!(":{line}"));
    let name = name(asked);
    match EDITORS.iter().find(|(names, _)| names.split(' ').any(|it| it == name)) {
        Some((_, arguments)) => arguments(*line, file.into(), place),
        None => vec![file.into()],
    }
}

/// A command that a shell reads, since it may have options, with these arguments after it.
fn shell(asked: &str, arguments: &[OsString]) -> Command {
    // `exec` replaces the shell, which would otherwise take the signals of the program.
    let exec = if asked.split_whitespace().next().is_some_and(|word| word.contains('=')) {
        ""
    } else {
        "exec "
    };
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{exec}{asked} \"$@\"")).arg("sh").args(arguments);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(asked: &str, path: &str) -> String {
        let words = arguments(asked, &FilePlace { path: path.into(), line: 17 });
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn known_editors_are_told_the_line_and_others_the_file() {
        assert_eq!(told("vim", "a/tide.txt"), "+17 ./a/tide.txt");
        assert_eq!(told("/usr/bin/emacs -nw", "tide.txt"), "+17 ./tide.txt");
        assert_eq!(told("hx", "tide.txt"), "./tide.txt:17");
        assert_eq!(told("code --wait", "tide.txt"), "--goto ./tide.txt:17");
        assert_eq!(told("kate", "tide.txt"), "--line 17 ./tide.txt");
        assert_eq!(told("acme", "tide.txt"), "./tide.txt");
        assert_eq!(told("nano", "-tide.txt"), "+17 ./-tide.txt");
        assert_eq!(told("vim", "+call system('ls')"), "+17 ./+call system('ls')");
        assert_eq!(told("vim", "/tide.txt"), "+17 /tide.txt");
    }

    #[test]
    fn a_command_may_have_options_and_a_file_any_name() {
        let output = |asked| {
            let output = shell(asked, &["a b;'$x".into()]).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        assert_eq!(output("printf %s-%s one"), "one-a b;'$x");
        assert_eq!(output("X=1 printf %s"), "a b;'$x");
    }
}
