//! The clipboard by a program of the desktop, for terminals that ignore the sequence for it (OSC 52).

use std::io::{self, Write as _};
#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, thread};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

/// A program that takes the text from its standard input, and its arguments.
type Tool = (&'static str, &'static [&'static str]);

/// The time that the last copy has to reach its program after the user has left.
const PATIENCE: Duration = Duration::from_millis(500);

/// The thread that gives what is copied to the programs, one text after the other.
#[derive(Default)]
pub(super) struct Clipboard {
    worker: Option<(Sender<String>, Receiver<()>)>,
}

impl Clipboard {
    /// Gives a text to the programs that set a clipboard here. It waits for none of them.
    pub(super) fn copy(&mut self, text: String) {
        let (sender, _) = self.worker.get_or_insert_with(start);
        let _ = sender.send(text);
    }

    /// Waits until the last copy has reached its program, or for a short time.
    pub(super) fn finish(&mut self) {
        if let Some((sender, end)) = self.worker.take() {
            drop(sender);
            let _ = end.recv_timeout(PATIENCE);
        }
    }
}

/// Starts the thread; the channel to it, and the one that is disconnected at its end.
fn start() -> (Sender<String>, Receiver<()>) {
    let tools = tools(|name| env::var_os(name).is_some());
    let ((sender, texts), (ended, end)) = (unbounded::<String>(), bounded(0));
    // Without a thread the terminal still has its sequence.
    let _ = thread::Builder::new().name("clipboard".to_owned()).spawn(move || {
        let _ended: Sender<()> = ended;
        while let Ok(text) = texts.recv() {
            // Of copies that wait, only the last is wanted.
            let text = texts.try_iter().last().unwrap_or(text);
            for group in &tools {
                let _ = group.iter().any(|&tool| give(tool, &text).is_ok());
            }
        }
    });
    (sender, end)
}

/// The programs for these variables of the environment: of each group the first one that is there.
fn tools(has: impl Fn(&str) -> bool) -> Vec<Vec<Tool>> {
    let mut groups: Vec<Vec<Tool>> = Vec::new();
    if has("TMUX") {
        // As tmux is set by default, it ignores the sequences of programs.
        groups.push(vec![("tmux", &["load-buffer", "-w", "-"])]);
    }
    // The desktop of another machine is not that of the user.
    if has("SSH_TTY") || has("SSH_CONNECTION") {
        return groups;
    }
    if cfg!(target_os = "macos") {
        groups.push(vec![("pbcopy", &[])]);
    } else if has("WAYLAND_DISPLAY") {
        groups.push(vec![("wl-copy", &[])]);
    } else if has("DISPLAY") {
        groups.push(vec![("xclip", &["-selection", "clipboard"]), ("xsel", &["-ib"])]);
    }
    groups
}

/// Gives a text to a program, and waits for its end.
fn give((program, arguments): Tool, text: &str) -> io::Result<()> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Some stay to serve the text: ^Z and the end of the terminal are not for them.
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read to the end has failed, and is not followed by another.
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(variables: &[&str]) -> Vec<Vec<&'static str>> {
        let groups = tools(|name| variables.contains(&name));
        groups.iter().map(|group| group.iter().map(|tool| tool.0).collect()).collect()
    }

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn the_environment_names_the_programs() {
        assert!(named(&[]).is_empty());
        assert_eq!(named(&["DISPLAY"]), [["xclip", "xsel"]]);
        assert_eq!(named(&["DISPLAY", "WAYLAND_DISPLAY"]), [["wl-copy"]]);
        assert_eq!(named(&["TMUX", "WAYLAND_DISPLAY"]), [["tmux"], ["wl-copy"]]);
        assert_eq!(named(&["TMUX", "DISPLAY", "SSH_TTY"]), [["tmux"]]);
    }
}
