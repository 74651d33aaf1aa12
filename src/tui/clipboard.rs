//! The clipboard by a program of the desktop, for terminals that ignore the sequence for it (OSC 52).

use std::{
    env,
    io::{self, Write as _},
    process::{Command, Stdio},
    thread,
};

/// A program that takes the text from its standard input, and its arguments.
type Tool = (&'static str, &'static [&'static str]);

/// Gives a text to the programs that set a clipboard here. They run aside: one that hangs stops nothing.
///
/// # Errors
/// If no thread can be started.
pub(super) fn copy(text: String) -> io::Result<()> {
    let tools = tools(|name| env::var_os(name).is_some());
    if tools.is_empty() {
        return Ok(());
    }
    thread::Builder::new().name("clipboard".to_owned()).spawn(move || {
        for group in tools {
            let _ = group.into_iter().any(|tool| give(tool, &text).is_ok());
        }
    })?;
    Ok(())
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
