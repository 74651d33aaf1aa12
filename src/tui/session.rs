//! The program with its workers and its looks, on any screen.
//!
//! The event loop and `--print` drive the same session: one waits for the user, the other does not wait.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use crossbeam_channel::Receiver;
use ratatui::Frame;

use super::{
    ExplorerStart,
    theme::{Glyphs, Theme},
    view, view_export,
    worker::Worker,
};
#[cfg(unix)]
use crate::look::Look;
use crate::{
    app::{App, Effect, Message, Size, StartOptions, update},
    number::counted,
};

/// A comparison takes no more than about this: past it the difference is coarser.
const COMPARE_WITHIN: Duration = Duration::from_millis(50);

/// A running program and its workers.
pub(super) struct Session {
    /// The program.
    pub(super) app: App,
    theme: Theme,
    worker: Worker,
    /// The beginning of the program on a terminal; a page is the same whenever it is printed.
    pub(super) began: Option<Instant>,
    /// Work asked for at the start, held back until the first frame is out.
    held: Vec<Effect>,
}

impl Session {
    /// A session in which nothing is done yet.
    ///
    /// # Errors
    /// If the settings contradict themselves.
    pub(super) fn new(start: ExplorerStart, size: Size) -> Result<Self> {
        let theme = Theme(start.look);
        let options =
            StartOptions { size, ascii: start.look.ascii, compare_within: Some(COMPARE_WITHIN) };
        let (mut app, mut held) =
            App::new(start.title, start.settings, start.inputs, start.options, options)?;
        if let Some(index) = start.index {
            held = vec![app.read_with(index)];
        }
        app.keymap = start.keymap;
        app.review.all_pairs = start.all_pairs;
        app.review.restore = start.marks;
        app.review.is_fresh = start.is_fresh;
        app.begin_with_choices();
        app.learn.truth = start.truth;
        app.learn.lessons.scored_as = start.scored_as;
        app.learn.lessons.all.extend(start.lesson);
        if start.tour {
            app.begin_tour();
        }
        if let Some(place) = start.learn {
            app.open_learn(place).map_err(|problem| anyhow!(problem))?;
        }
        Ok(Self { app, theme, worker: Worker::new(start.labels), began: None, held })
    }

    /// Shows the first frame, then lets the work begin.
    ///
    /// # Errors
    /// If the screen cannot be drawn.
    pub(super) fn open(&mut self, show: impl FnOnce(&Self) -> Result<()>) -> Result<()> {
        show(self)?;
        for effect in std::mem::take(&mut self.held) {
            self.worker.execute(effect);
        }
        Ok(())
    }

    /// The colours and characters that it is drawn with.
    #[cfg(unix)]
    pub(super) fn look(&mut self) -> &mut Look {
        &mut self.theme.0
    }

    /// Takes a message and hands out the work it asks for; returns the effects for the terminal.
    pub(super) fn update(&mut self, message: Message) -> Vec<Effect> {
        let message = view::located(&self.app, self.theme, message);
        if let Some(began) = self.began {
            self.app.log.now = began.elapsed();
        }
        self.worker.settle(&message);
        let effects = update(&mut self.app, message);
        let mut others = Vec::new();
        for effect in effects {
            match effect {
                Effect::ExportView(export) => {
                    let end = view_export::export(&mut self.app, self.theme, &export);
                    others.extend(self.update(Message::ViewExported(end)));
                }
                effect => others.extend(self.worker.execute(effect)),
            }
        }
        others
    }

    /// Draws the screen as it is.
    pub(super) fn draw(&self, frame: &mut Frame) {
        view::draw(&self.app, frame, self.theme);
    }

    /// The characters that it is drawn with.
    pub(super) fn glyphs(&self) -> &'static Glyphs {
        self.theme.glyphs()
    }

    /// The channel on which the workers answer.
    pub(super) fn answers(&self) -> &Receiver<Message> {
        self.worker.answers()
    }

    /// Whether an answer is still expected.
    pub(super) fn is_awaiting(&self) -> bool {
        self.worker.is_awaiting()
    }

    /// Stops the running job without waiting for it; the reason the program had to end, if any, or what was
    /// lost while it ended.
    pub(super) fn close(mut self) -> Result<()> {
        if let Some(running) = &self.app.running {
            running.job.progress.cancel();
        }
        let mut lost = self.app.lost_labels;
        lost.extend(self.worker.close());
        match (self.app.failure, lost.first()) {
            (Some(failure), _) => Err(anyhow!(failure)),
            (None, Some(first)) if lost.len() > 1 => {
                Err(anyhow!("{first} ({} like it)", counted(lost.len() as u64 - 1, "more label")))
            }
            (None, Some(first)) => Err(anyhow!(first.clone())),
            (None, None) => Ok(()),
        }
    }
}

/// For the tests of what a panic leaves behind: panics where `SIMSCOPE_PANIC` names this place
/// (`loop`: at the key F12; `inspect`: at every document opened). Not in a release.
pub(super) fn panic_if_asked(place: &str) {
    let asked = || std::env::var_os("SIMSCOPE_PANIC").is_some_and(|asked| asked == place);
    assert!(!(cfg!(debug_assertions) && asked()), "SIMSCOPE_PANIC={place}");
}
