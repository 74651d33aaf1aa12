//! The program with its workers and its theme, on any screen.
//!
//! The event loop and `--print` use the same session: the loop waits for the user, `--print` does not.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use ratatui::buffer::Buffer;

use super::theme::Theme;
use super::worker::Worker;
use super::{memory, view, view_export};
use crate::analysis::dedup::review_settings;
use crate::analysis::query::MarksQuery;
use crate::app::{App, Effect, Message, Size, StartOptions, update};
use crate::corpus::default_label_file;
use crate::explorer_start::ExplorerStart;
use crate::number::counted;

/// The approximate limit on the time of a comparison; a comparison that reaches it is coarser.
const COMPARE_WITHIN: Duration = Duration::from_millis(50);

/// A running program and its workers.
pub(super) struct Session {
    /// The program.
    pub(super) app: App,
    /// The colours and characters to draw with.
    pub(super) theme: Theme,
    pub(super) worker: Worker,
    /// The start time on a terminal; `None` on a page, which must not depend on the time.
    pub(super) began: Option<Instant>,
    /// The file of lessons that are done, if they are kept.
    lessons: Option<PathBuf>,
    /// Work asked for at the start that has not begun.
    held: Vec<Effect>,
}

impl Session {
    /// A session whose work has not begun.
    ///
    /// # Errors
    /// If the settings contradict themselves.
    pub(super) fn new(start: ExplorerStart, size: Size) -> Result<Self> {
        let theme = Theme(start.look);
        let (index, read, compare_within) = (start.index, start.read, Some(COMPARE_WITHIN));
        let options = StartOptions { size, compare_within, index, read };
        let (mut app, held) =
            App::new(start.title, start.settings, start.inputs, start.options, options)?;
        app.keymap = start.keymap;
        app.review.all_pairs = start.all_pairs;
        app.review.restore = start.marks;
        app.review.is_fresh = start.is_fresh;
        app.begin_with_fields(start.fields);
        app.begin_with_choices();
        if let Some(place) = start.learn {
            app.open_learn(&place).map_err(|problem| anyhow!(problem))?;
        }
        Ok(Self { app, theme, worker: Worker::new(start.labels), began: None, lessons: None, held })
    }

    /// A session that takes up the labels, marks, choices and lessons of earlier ones, and keeps its own.
    ///
    /// # Errors
    /// If the settings contradict themselves.
    pub(super) fn remembering(mut start: ExplorerStart, size: Size) -> Result<Self> {
        let place = remember(&mut start);
        let mut session = Self::new(start, size)?;
        match place {
            Ok(place) => session.app.review.place = place,
            Err(problem) => {
                let lost = "choices and marks are not kept in this session";
                session.app.notice = Some(format!("{lost}: {problem}"));
            }
        }
        session.lessons = memory::place();
        if let Some(place) = &session.lessons {
            session.app.learn.lessons.done = memory::recall(place);
        }
        Ok(session)
    }

    /// Begins the work.
    pub(super) fn begin(&mut self) {
        for effect in std::mem::take(&mut self.held) {
            self.worker.execute(effect);
        }
    }

    /// Handles a message and starts the work it asks for; returns the effects for the terminal.
    pub(super) fn update(&mut self, message: Message) -> Vec<Effect> {
        let message = view::located(&self.app, self.theme, message);
        if let Some(began) = self.began {
            self.app.now = began.elapsed();
        }
        let effects = update(&mut self.app, message);
        let mut others = Vec::new();
        for effect in effects {
            match effect {
                Effect::ExportView(export) => {
                    let end = view_export::export(&mut self.app, self.theme, &export);
                    others.extend(self.update(Message::ViewExported(end)));
                }
                Effect::Remember(names) => {
                    let kept = self.lessons.as_ref().map(|place| memory::remember(place, &names));
                    // An error of the disk does not stop the program.
                    if let Some(Err(error)) = kept {
                        let lost = format!("done, but not kept for the next time: {error}");
                        others.extend(self.update(Message::Notice(lost)));
                    }
                }
                effect => others.extend(self.worker.execute(effect)),
            }
        }
        others
    }

    /// The time when the notice ends by itself.
    pub(super) fn notice_ends(&self) -> Option<Instant> {
        self.began.zip(self.app.notice_ends).map(|(began, ends)| began + ends)
    }

    /// The screen as it is.
    pub(super) fn draw(&self) -> Buffer {
        view::draw(&self.app, self.theme)
    }

    /// Stops the running job without waiting for it. The error is the reason why the program had to end, or names
    /// labels that could not be saved.
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

/// Restores the labels, marks and choices for this corpus; returns the path of the file of choices and marks, if there
/// is one.
///
/// # Errors
/// If that file cannot be read: nothing is kept then, so that it stays as it is.
fn remember(start: &mut ExplorerStart) -> Result<Option<PathBuf>, String> {
    start.labels = start.labels.take().or_else(default_label_file);
    // Marks of `--marks` are not mixed with the kept ones.
    let place = memory::review_place(&start.inputs).filter(|_| start.marks.is_none());
    if let Some(place) = &place {
        let others = || Some(memory::other_reviews(place)).filter(|others| !others.is_empty());
        let own = memory::recall_review(place)?.map(MarksQuery::Own);
        if let Some(MarksQuery::Own(review)) = &own
            && !start.has_settings
            && !start.is_fresh
        {
            start.settings = review_settings(&review.text).settings(&start.settings);
        }
        start.marks = own.or_else(|| others().map(MarksQuery::FirstWithSameTexts));
    }
    Ok(place)
}

/// For the tests of panics: panics if `SIMSCOPE_PANIC` names this place (`loop`: at the key F12; `inspect`: at every
/// opened document). Not in a release.
pub(super) fn panic_if_asked(place: &str) {
    let asked = || std::env::var_os("SIMSCOPE_PANIC").is_some_and(|asked| asked == place);
    assert!(!(cfg!(debug_assertions) && asked()), "SIMSCOPE_PANIC={place}");
}
