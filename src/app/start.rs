//! The start of the program, and of analyses.

use std::sync::Arc;

use super::screen::learn::LessonsState;
use super::state::RunningAnalysis;
use super::{AnalysisTask, App, Effect, StartOptions, ViewId};
use crate::analysis::{Analysis, AnalysisError, AnalysisInput, DEFAULT_TAU, Job, Settings, Stage};
use crate::corpus::{Input, LoadOptions};
use crate::export::Sources;

impl App {
    /// The state of a program that is about to read `inputs`, and its first work.
    ///
    /// # Errors
    /// [`AnalysisError`] if the settings contradict themselves.
    pub fn new(
        title: String,
        settings: Settings,
        inputs: Vec<Input>,
        options: LoadOptions,
        start: StartOptions,
    ) -> Result<(Self, Vec<Effect>), AnalysisError> {
        let mut app = Self {
            size: start.size,
            ascii: start.ascii,
            compare_within: start.compare_within,
            views: ViewId::FIRST,
            analysis: Arc::new(Analysis::empty(settings.clone())?),
            title,
            mouse: true,
            next_number: 1,
            ..Self::default()
        };
        app.learn.lessons = LessonsState::new();
        app.tune.layouts.tau = DEFAULT_TAU;
        app.history.present.settings = settings.clone();
        app.settings = settings;
        app.review.sources = Arc::new(Sources { inputs: inputs.clone(), load: options.clone() });
        let work = match (start.read, start.index) {
            (Some(read), _) => {
                app.analysis = Arc::clone(&read);
                AnalysisInput::Reindex(read)
            }
            (None, Some(index)) => AnalysisInput::Index(inputs, options, index),
            (None, None) => AnalysisInput::Load(inputs, options),
        };
        app.start(work);
        let effects = std::mem::take(&mut app.effects);
        Ok((app, effects))
    }

    /// Starts an analysis; a running one is stopped.
    pub(super) fn start(&mut self, work: AnalysisInput) {
        if let Some(running) = self.running.take() {
            running.job.progress.cancel();
        }
        let number = self.number();
        let job = Arc::new(Job::to_begin(match work {
            AnalysisInput::Load(..) | AnalysisInput::Index(..) => Stage::Read,
            AnalysisInput::Refingerprint(..) => Stage::Fingerprint,
            AnalysisInput::Reindex(_) => Stage::Pair,
        }));
        let loads = matches!(work, AnalysisInput::Load(..) | AnalysisInput::Index(..));
        let recipe = self.settings.recipe.clone();
        self.running = Some(RunningAnalysis { number, job: Arc::clone(&job), loads, recipe });
        let settings = self.settings.clone();
        let task = AnalysisTask { number, work, settings, job };
        self.effects.push(Effect::Analyse(Box::new(task)));
    }
}
