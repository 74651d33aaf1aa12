//! The event loop: waits, handles the messages that came, draws once.
//!
//! It blocks until a key, an answer or a signal arrives. A deadline is set only for a frame that is due, for the end of
//! a notice and, while a job runs, for the spinner's next tick. A key is drawn at once, or, if it selects a text, when
//! the text is there, after [`TEXT_WAIT`] at the latest; [`FrameTimer`] spaces the frames of a running job. However
//! much is queued, a frame follows after [`BATCH`] messages or [`BUDGET`].

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::Write as _;
use std::time::{Duration, Instant};
use std::{env, process};

use anyhow::{Context, Result, anyhow};
#[cfg(unix)]
use crossbeam_channel::Receiver;
use crossbeam_channel::{Select, TryRecvError};

use super::clipboard::Clipboard;
use super::frame_timer::FrameTimer;
use super::input::InputThread;
use super::screen::TerminalScreen;
use super::session::{Session, panic_if_asked};
#[cfg(unix)]
use super::signals::{self, SignalRequest};
use super::terminal;
use crate::app::{Effect, Key, KeyCode, Keys, Message, Size};
use crate::explorer_start::ExplorerStart;
use crate::look::Ground;

/// The most messages that are handled before a frame.
const BATCH: usize = 256;
/// The most time that is spent on messages before a frame.
const BUDGET: Duration = Duration::from_millis(4);
/// The time that the frame of a key waits for the texts of the selected document or pair: a frame of a screen at 60 Hz.
/// Without a wait the key would be three frames: one with an empty pane, one with the text, and one with what differs.
const TEXT_WAIT: Duration = Duration::from_millis(16);

/// Opens the explorer on the terminal; returns when the user leaves. `keys` are pressed first, as in
/// [`print()`](super::print()): each when all work of the key before is done. A key of the user ends them.
///
/// A signal that asks to leave (TERM, HUP, INT, QUIT and others) restores the terminal and ends the process with status
/// 128 plus its number.
///
/// # Errors
/// If standard output is not a terminal, the terminal fails, the settings contradict themselves, or nothing
/// could be read; the terminal is restored before.
pub fn run(start: ExplorerStart, keys: Keys) -> Result<()> {
    let most = start.size;
    let size = within(terminal::size()?, most);
    let mut session = Session::remembering(start, size)?;
    session.began = Some(Instant::now());
    let guard = terminal::take()?;
    let mut sources = EventSources::new(session, keys, most)?;
    let Err(end) = sources.run();
    drop(guard);
    sources.clipboard.finish();
    let closed = sources.session.close();
    match end {
        LoopEnd::Failed(error) => Err(error),
        LoopEnd::Quit => closed,
        LoopEnd::Signal(status) => {
            // A label that could not be saved is reported, however the user leaves.
            if let Err(problem) = closed {
                let _ = writeln!(std::io::stderr(), "error: {problem:#}");
            }
            process::exit(status)
        }
    }
}

/// The reason why the loop ends.
pub(super) enum LoopEnd {
    Quit,
    Failed(anyhow::Error),
    #[cfg_attr(not(unix), expect(dead_code, reason = "a system without signals"))]
    Signal(i32),
}

impl<E: Into<anyhow::Error>> From<E> for LoopEnd {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The size of the terminal, or a smaller one that was asked for.
fn within(size: Size, most: Option<Size>) -> Size {
    most.map_or(size, |most| Size {
        width: size.width.min(most.width),
        height: size.height.min(most.height),
    })
}

pub(super) struct EventSources {
    pub(super) session: Session,
    /// The most columns and rows.
    most: Option<Size>,
    screen: TerminalScreen,
    clipboard: Clipboard,
    pace: FrameTimer,
    /// The keys of `--keys` that are not pressed yet.
    keys: VecDeque<Key>,
    pub(super) input: InputThread,
    #[cfg(unix)]
    pub(super) signals: Receiver<SignalRequest>,
    /// Whether the next `SIGCONT` follows a stop by the program itself, which is already handled.
    #[cfg(unix)]
    resumed: bool,
}

impl EventSources {
    /// Begins to take signals, begins the work, and then reads keys. Before the keys it chooses the theme for the
    /// background of the terminal, if the user named no theme and the terminal answers.
    fn new(mut session: Session, keys: Keys, most: Option<Size>) -> Result<Self> {
        // From here on a signal gives the terminal back.
        #[cfg(unix)]
        let signals = signals::listen()?;
        session.begin();
        let look = &mut session.theme.0;
        if cfg!(unix) && look.asks_ground && terminal::is_light() {
            look.ground = Ground::Light;
        }
        Ok(Self {
            session,
            most,
            screen: TerminalScreen::default(),
            clipboard: Clipboard::default(),
            pace: FrameTimer::new(env::var_os("SSH_TTY").is_some()),
            keys: keys.0.into(),
            input: InputThread::listen()?,
            #[cfg(unix)]
            signals,
            #[cfg(unix)]
            resumed: false,
        })
    }

    fn run(&mut self) -> Result<Infallible, LoopEnd> {
        self.screen.show(self.session.draw())?;
        loop {
            self.wait();
            self.take_in()?;
            self.press()?;
            if self.pace.is_due(Instant::now()) {
                self.draw()?;
            }
        }
    }

    /// Sleeps until there is something to do.
    fn wait(&self) {
        let mut select = Select::new();
        select.recv(&self.input.messages);
        select.recv(&self.session.worker.answers);
        #[cfg(unix)]
        select.recv(&self.signals);
        let pace = self.pace.deadline(self.session.app.moves());
        match pace.into_iter().chain(self.session.notice_ends()).min() {
            Some(deadline) => drop(select.ready_deadline(deadline)),
            None => drop(select.ready()),
        }
    }

    /// Presses the keys of `--keys`, each when all work of the key before is done.
    fn press(&mut self) -> Result<(), LoopEnd> {
        while !self.session.app.is_busy()
            && let Some(key) = self.keys.pop_front()
        {
            self.pace.draw_by(Instant::now());
            self.update(Message::Key(key))?;
        }
        Ok(())
    }

    /// Handles what has come: signals, keys, answers, the tick.
    fn take_in(&mut self) -> Result<(), LoopEnd> {
        let started = Instant::now();
        #[cfg(unix)]
        while let Ok(request) = self.signals.try_recv() {
            self.obey(request)?;
        }
        for _ in 0..BATCH {
            let message = match self.input.messages.try_recv() {
                Ok(message) => message.context("the terminal can no longer be read")?,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    return Err(anyhow!("the terminal can no longer be read").into());
                }
            };
            if matches!(message, Message::Key(key) if key == Key::plain(KeyCode::F(12))) {
                panic_if_asked("loop");
            }
            if matches!(message, Message::Key(_)) {
                self.keys.clear();
            }
            self.update(message)?;
            let wait = if self.session.app.awaits_texts() { TEXT_WAIT } else { Duration::ZERO };
            self.pace.draw_by(started + wait);
            if started.elapsed() > BUDGET {
                break;
            }
        }
        let answers = self.session.worker.answers.try_iter().take(BATCH).collect();
        for answer in without_outdated(answers) {
            let is_snapshot = matches!(answer, Message::Analysed { finished: false, .. });
            self.update(answer)?;
            // A document or a comparison answers a key; snapshots do not.
            if is_snapshot {
                self.pace.draw_when_convenient(started);
            } else if self.pace.due.is_none() || !self.session.app.awaits_texts() {
                self.pace.draw_by(started);
            }
        }
        if self.session.notice_ends().is_some_and(|end| end <= started) {
            self.pace.draw_by(started);
            return self.update(Message::NoticeOver);
        }
        if self.session.app.moves() && self.pace.ticks(started) {
            self.pace.draw_when_convenient(started);
            return self.update(Message::Tick);
        }
        Ok(())
    }

    pub(super) fn update(&mut self, message: Message) -> Result<(), LoopEnd> {
        for effect in self.session.update(message) {
            match effect {
                Effect::Copy(text) => {
                    terminal::copy(&text)?;
                    self.clipboard.copy(text);
                }
                Effect::CaptureMouse(on) => terminal::capture_mouse(on)?,
                Effect::Redraw => self.screen.forget(),
                #[cfg(unix)]
                Effect::Suspend => signals::ask_to_stop()?,
                #[cfg(unix)]
                Effect::Edit(document) => self.edit(document)?,
                #[cfg(unix)]
                Effect::Page(document) => self.page(document)?,
                Effect::Quit => return Err(LoopEnd::Quit),
                // The workers have taken the work. A system without signals cannot stop or lend the terminal.
                _ => {}
            }
        }
        Ok(())
    }

    /// Does what a signal asks for.
    #[cfg(unix)]
    fn obey(&mut self, request: SignalRequest) -> Result<(), LoopEnd> {
        match request {
            SignalRequest::Leave(status) => return Err(LoopEnd::Signal(status)),
            SignalRequest::Stop => {
                terminal::leave();
                signals::stop()?;
                self.resumed = true;
                self.return_to_terminal()?;
            }
            SignalRequest::Continue if std::mem::take(&mut self.resumed) => {}
            SignalRequest::Continue => {
                // Another process has stopped this one, so the terminal could not be restored before.
                terminal::leave();
                self.return_to_terminal()?;
            }
            SignalRequest::Resize => {
                // Even if the size is the old one again: in between, the terminal may have lost cells.
                self.screen.forget();
                self.pace.draw_by(Instant::now());
            }
        }
        Ok(())
    }

    #[cfg(unix)]
    pub(super) fn return_to_terminal(&mut self) -> Result<()> {
        terminal::enter(self.session.app.mouse)?;
        self.screen.forget();
        self.pace.draw_by(Instant::now());
        Ok(())
    }

    /// Draws at the present size of the terminal.
    fn draw(&mut self) -> Result<(), LoopEnd> {
        let size = within(terminal::size()?, self.most);
        if size != self.session.app.size {
            self.update(Message::Resize { width: size.width, height: size.height })?;
        }
        self.screen.show(self.session.draw())?;
        self.pace.drawn(Instant::now());
        Ok(())
    }
}

/// Leaves out snapshots of an analysis that are followed by a newer one.
fn without_outdated(mut answers: Vec<Message>) -> Vec<Message> {
    let mut newer = Vec::new();
    let is_kept = |answer: &Message| match answer {
        Message::Analysed { number, finished, .. } => {
            let is_outdated = newer.contains(number) && !finished;
            newer.push(*number);
            !is_outdated
        }
        _ => true,
    };
    let mut kept: Vec<bool> = answers.iter().rev().map(is_kept).collect();
    answers.retain(|_| kept.pop() == Some(true));
    answers
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::{Analysis, Settings};

    #[test]
    fn only_the_newest_snapshot_is_kept_and_every_result() {
        let analysis = Arc::new(Analysis::empty(Settings::default()).unwrap());
        let snapshot = |number, finished| Message::Analysed {
            number,
            analysis: Arc::clone(&analysis),
            finished,
        };
        let failed = |number| Message::AnalysisFailed { number, problem: String::new() };
        let queued = vec![
            snapshot(1, false),
            snapshot(1, false),
            failed(1),
            snapshot(2, false),
            snapshot(2, true),
            snapshot(3, false),
            snapshot(3, false),
        ];
        let name = |message: &Message| match message {
            Message::Analysed { number, finished, .. } => (*number, *finished),
            _ => (0, true),
        };
        let kept: Vec<_> = without_outdated(queued).iter().map(name).collect();
        assert_eq!(kept, [(1, false), (0, true), (2, true), (3, false)]);
    }
}
