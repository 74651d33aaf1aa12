//! The program on a pseudo-terminal, with a clock: when did the frame come that shows what was asked for?
//!
//! A thread reads what the program writes, notes the time and feeds a model of the screen. A frame
//! counts when it is whole: the program brackets each in a synchronized update.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use std::{fs, thread};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

/// A running program.
pub(super) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Arc<Output>,
    started: Instant,
}

#[derive(Default)]
struct Output {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    model: vt100::Parser,
    /// The last bytes, in case a mark is cut in two.
    tail: Vec<u8>,
    /// Whether a frame is being written.
    inside: bool,
    /// When the last bytes came.
    at: Instant,
    ended: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            model: vt100::Parser::new(cells(24), cells(80), 0),
            tail: Vec::new(),
            inside: true,
            at: Instant::now(),
            ended: false,
        }
    }
}

impl State {
    fn take(&mut self, bytes: &[u8], at: Instant) {
        self.model.process(bytes);
        self.tail.extend(bytes);
        let last = |mark: &[u8]| self.tail.windows(mark.len()).rposition(|window| window == mark);
        if let (begins, ends @ Some(_)) | (begins @ Some(_), ends) =
            (last(FRAME_BEGINS), last(FRAME_ENDS))
        {
            self.inside = begins > ends;
        }
        self.tail.drain(..self.tail.len().saturating_sub(FRAME_ENDS.len() - 1));
        self.at = at;
    }
}

impl Terminal {
    /// Runs the program on a corpus at 80x24, without colour.
    pub(super) fn open(corpus: &Path) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_simscope"));
        command.args(["--fresh".as_ref(), corpus.as_os_str()]);
        command.env("TERM", "xterm-256color");
        command.env("NO_COLOR", "1");
        command.env_remove("SSH_TTY");
        let pair = native_pty_system().openpty(size(80, 24)).expect("a pseudo-terminal");
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program runs");
        drop(pair.slave);
        let output = Arc::<Output>::default();
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let sink = Arc::clone(&output);
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            loop {
                let n = reader.read(&mut buffer).unwrap_or(0);
                let at = Instant::now();
                let mut state = sink.state.lock().expect("no panic");
                state.take(&buffer[..n], at);
                state.ended = n == 0;
                sink.changed.notify_all();
                if n == 0 {
                    break;
                }
            }
        });
        let writer = pair.master.take_writer().expect("a writer");
        Self { master: pair.master, writer, child, output, started }
    }

    /// How long after the start a whole frame showed what is wished for.
    pub(super) fn since_start(
        &self,
        patience: Duration,
        wish: impl Fn(&vt100::Screen) -> bool,
    ) -> Option<Duration> {
        self.wait(self.started, patience, wish)
    }

    /// Types, and waits for a whole frame that shows what is wished for: how long that took.
    pub(super) fn press(
        &mut self,
        keys: &str,
        patience: Duration,
        wish: impl Fn(&vt100::Screen) -> bool,
    ) -> Option<Duration> {
        let pressed = Instant::now();
        self.writer.write_all(keys.as_bytes()).expect("the program reads");
        self.writer.flush().expect("the program reads");
        self.wait(pressed, patience, wish)
    }

    /// Gives the terminal another size, and waits likewise.
    pub(super) fn resize(
        &mut self,
        width: u16,
        height: u16,
        patience: Duration,
        wish: impl Fn(&vt100::Screen) -> bool,
    ) -> Option<Duration> {
        self.state().model.screen_mut().set_size(cells(height), cells(width));
        let pressed = Instant::now();
        self.master.resize(size(width, height)).expect("a terminal has a size");
        self.wait(pressed, patience, wish)
    }

    fn wait(
        &self,
        from: Instant,
        patience: Duration,
        wish: impl Fn(&vt100::Screen) -> bool,
    ) -> Option<Duration> {
        let shows = |state: &State| !state.inside && state.at >= from && wish(state.model.screen());
        let (state, waited) = self
            .output
            .changed
            .wait_timeout_while(self.state(), patience, |state| !state.ended && !shows(state))
            .expect("no panic");
        (!waited.timed_out() && shows(&state)).then(|| state.at - from)
    }

    /// The rows of the screen.
    pub(super) fn rows(&self) -> Vec<String> {
        rows(self.state().model.screen())
    }

    /// A line of `/proc/PID/status`, in the unit it has there; 0 where there is none.
    pub(super) fn status(&self, field: &str) -> u64 {
        let pid = self.child.process_id().unwrap_or_default();
        fs::read_to_string(format!("/proc/{pid}/status")).map_or(0, |status| number(&status, field))
    }

    /// How often threads gave up the processor of their own will: each time they were woken before.
    pub(super) fn wake_ups(&self) -> u64 {
        let pid = self.child.process_id().unwrap_or_default();
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return 0 };
        threads
            .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("status")).ok())
            .map(|status| number(&status, "voluntary_ctxt_switches"))
            .sum()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.output.state.lock().expect("no panic")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The rows of a screen.
pub(super) fn rows(screen: &vt100::Screen) -> Vec<String> {
    let width = screen.size().1.get();
    screen.rows(0, width).collect()
}

fn number(status: &str, field: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).expect("a size is not 0")
}
