//! The program on a pseudo-terminal, and a model of what it shows.
//!
//! A thread reads what the program writes, keeps every byte and feeds a terminal model; tests wait for
//! a condition on either, never for a time. The model answers no query, so `COLORFGBG` names the ground.

#![expect(clippy::unwrap_used, reason = "where the harness fails, the test fails")]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The program under test.
pub(super) const PROGRAM: &str = env!("CARGO_BIN_EXE_simscope");
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// A running program and its terminal.
pub(super) struct Pty {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Arc<Output>,
    /// The line settings before the program came, as text.
    settings: String,
    /// The folder of its state, where no other is named.
    _state: tempfile::TempDir,
}

#[derive(Default)]
struct Output {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    model: vt100::Parser,
    bytes: Vec<u8>,
    ended: bool,
}

impl Default for State {
    fn default() -> Self {
        Self { model: vt100::Parser::new(cells(24), cells(80), 0), bytes: Vec::new(), ended: false }
    }
}

/// The state that a program left behind.
pub(super) struct Ended {
    /// The exit status.
    pub(super) status: u32,
    /// Every byte it wrote.
    pub(super) bytes: Vec<u8>,
    /// The screen as it is now.
    pub(super) screen: String,
}

impl Pty {
    /// Runs simscope at 80x24, without colour: what is selected is then bold.
    pub(super) fn open(args: &[&str]) -> Self {
        Self::open_with(args, &[("NO_COLOR", "1")])
    }

    /// Runs simscope with these variables.
    pub(super) fn open_with(args: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(args);
        Self::run(command, variables)
    }

    /// Runs a command with these variables.
    pub(super) fn run(mut command: CommandBuilder, variables: &[(&str, &str)]) -> Self {
        command.env("TERM", "xterm-256color");
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env("COLORFGBG", "15;0");
        for name in ["NO_COLOR", "COLORTERM", "SSH_TTY", "TMUX", "SIMSCOPE_PANIC"] {
            command.env_remove(name);
        }
        // The clipboard of whoever runs the tests has no part in them either.
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"] {
            command.env_remove(name);
        }
        // Nobody is new here, and the configuration of whoever runs the tests has no part in them.
        let state = tempfile::tempdir().unwrap();
        let lessons = state.path().join("simscope");
        std::fs::create_dir_all(&lessons).unwrap();
        std::fs::write(lessons.join("lessons"), "A lesson\n").unwrap();
        command.env("XDG_STATE_HOME", state.path());
        command.env("XDG_CONFIG_HOME", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pty"));
        for (name, value) in variables {
            command.env(name, value);
        }
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        let settings = line_settings(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let output = Arc::<Output>::default();
        let (mut reader, sink) = (pair.master.try_clone_reader().unwrap(), Arc::clone(&output));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                // Linux says EIO when the last program has left, others say 0.
                let n = reader.read(&mut buffer).unwrap_or(0);
                let mut state = sink.state.lock().unwrap();
                state.bytes.extend(&buffer[..n]);
                state.model.process(&buffer[..n]);
                state.ended = n == 0;
                sink.changed.notify_all();
                if n == 0 {
                    break;
                }
            }
        });
        let writer = pair.master.take_writer().unwrap();
        Self { master: pair.master, writer, child, output, settings, _state: state }
    }

    /// Types.
    pub(super) fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Gives the terminal another size.
    pub(super) fn resize(&self, width: u16, height: u16) {
        self.state().model.screen_mut().set_size(cells(height), cells(width));
        self.master.resize(size(width, height)).unwrap();
    }

    /// Claims a size that the model has not.
    pub(super) fn claim(&self, width: u16, height: u16) {
        self.master.resize(size(width, height)).unwrap();
    }

    /// Waits until the screen is as wished.
    pub(super) fn wait(&self, what: &str, wish: impl Fn(&vt100::Screen) -> bool) {
        self.wait_for(what, |state| wish(state.model.screen()));
    }

    /// Waits until the screen holds a text.
    pub(super) fn shows(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Waits until this document's row is the selected one.
    pub(super) fn selects(&self, id: &str) {
        self.wait(&format!("{id} selected"), |screen| is_selected(screen, id));
    }

    /// Lists all texts instead of the groups, and waits for them.
    pub(super) fn lists_all_texts(&mut self) {
        self.keys("\t");
        self.shows("all texts");
    }

    /// Waits until everything is there that the program works out by itself.
    pub(super) fn settles(&self) {
        let says = |screen: &vt100::Screen| {
            let text = screen.contents();
            let is_late =
                text.lines().any(|row| row.starts_with(" up to ")) || text.contains(" so far");
            text.contains(" are in ") && !is_late || text.contains("no two texts are within")
        };
        self.wait("what can go", says);
    }

    /// Waits until these bytes were written.
    pub(super) fn wait_for_bytes(&self, text: &str) {
        let wanted = text.as_bytes();
        self.wait_for("bytes", |state| state.bytes.windows(wanted.len()).any(|it| it == wanted));
    }

    /// The text on the screen.
    pub(super) fn contents(&self) -> String {
        self.state().model.screen().contents()
    }

    /// How many bytes were written so far.
    pub(super) fn n_bytes(&self) -> usize {
        self.state().bytes.len()
    }

    /// Waits until more than this many bytes were written.
    pub(super) fn writes_beyond(&self, n_bytes: usize) {
        self.wait_for("more output", |state| state.bytes.len() > n_bytes);
    }

    /// Sends a signal to the program.
    pub(super) fn signal(&self, name: &str) {
        let status =
            Command::new("kill").args([&format!("-{name}"), &self.pid().to_string()]).status();
        assert!(status.unwrap().success());
    }

    /// The program's process.
    pub(super) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Whether the line settings are those from before the program came.
    pub(super) fn has_old_settings(&self) -> bool {
        line_settings(self.master.as_ref()) == self.settings
    }

    /// Waits for the end, and checks that the terminal is left as it was found.
    pub(super) fn ends(mut self) -> Ended {
        self.wait_for("the end", |state| state.ended);
        let status = self.child.wait().unwrap().exit_code();
        assert!(self.has_old_settings(), "the line settings are not what they were");
        let state = self.state();
        assert_modes_off(&state.bytes);
        Ended { status, bytes: state.bytes.clone(), screen: state.model.screen().contents() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.output.state.lock().unwrap()
    }

    fn wait_for(&self, what: &str, wish: impl Fn(&State) -> bool) {
        let (state, timeout) = self
            .output
            .changed
            .wait_timeout_while(self.state(), PATIENCE, |state| !wish(state))
            .unwrap();
        let shown = state.model.screen().contents();
        drop(state);
        assert!(!timeout.timed_out(), "waited for {what}; there is\n{shown}");
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Gone already, unless a test failed.
        let _ = self.child.kill();
    }
}

/// Tries again until a condition outside the terminal holds.
pub(super) fn eventually(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a mode was on, and is on, after these bytes; `None` if it was never touched.
pub(super) fn mode(bytes: &[u8], number: u16) -> Option<bool> {
    let last = |end: char| {
        let sequence = format!("\x1b[?{number}{end}");
        bytes.windows(sequence.len()).rposition(|window| window == sequence.as_bytes())
    };
    let (on, off) = (last('h'), last('l'));
    (on.is_some() || off.is_some()).then_some(on > off)
}

/// Whether a row that holds this text has the cursor before it and is bold there.
fn is_selected(screen: &vt100::Screen, text: &str) -> bool {
    let width = screen.size().1.get();
    screen.rows(0, width).enumerate().any(|(row, line)| {
        line.match_indices(text).any(|(at, _)| {
            let before = &line[..at];
            let column = before.chars().count() as u16;
            let is_bold = screen.cell(row as u16, column).is_some_and(vt100::Cell::bold);
            is_bold && before.contains(['▶', '>'])
        })
    })
}

fn assert_modes_off(bytes: &[u8]) {
    for number in [1049, 1000, 1002, 1003, 1006, 2004, 2026] {
        assert_ne!(mode(bytes, number), Some(true), "mode {number} is left on");
    }
    assert_ne!(mode(bytes, 25), Some(false), "the cursor is left hidden");
    if let Some(left) = bytes.windows(8).rposition(|window| window == b"\x1b[?1049l") {
        assert!(
            !bytes[left + 8..].contains(&0x1b),
            "something is drawn after the terminal was given back"
        );
    }
}

fn line_settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().unwrap())
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}
