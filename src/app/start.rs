//! The start of the program, and of analyses.

use std::{sync::Arc, time::Duration};

use super::{
    App, Effect, Screen, StartOptions,
    custom_keys::Keymap,
    pane::TextPane,
    resource::{Resource, Versions},
    screen::{
        ViewId, docs::DocsState, groups::GroupsState, learn::LearnState, near::NearState,
        review::Review, similar::SimilarState, tables::TablesState, titles::Titles,
        tune::TuneState,
    },
    state::RunningAnalysis,
    task::AnalysisTask,
    trail::Trail,
    undo::History,
};
use crate::{
    analysis::{Analysis, AnalysisInput, IndexFile, Job, Settings, SettingsError, Stage},
    corpus::{Input, LoadOptions},
    export::Sources,
};

impl App {
    /// The state of a program that is about to read `inputs`, and its first work.
    ///
    /// # Errors
    /// [`SettingsError`] if the settings contradict themselves.
    pub fn new(
        title: String,
        settings: Settings,
        inputs: Vec<Input>,
        options: LoadOptions,
        start: StartOptions,
    ) -> Result<(Self, Vec<Effect>), SettingsError> {
        let mut app = Self {
            size: start.size,
            ascii: start.ascii,
            screen: Screen::Docs,
            views: ViewId::FIRST,
            keymap: Keymap::default(),
            trail: Trail::default(),
            overlay: None,
            analysis: Arc::new(Analysis::empty(settings.clone())?),
            history: History::new(settings.clone()),
            settings,
            title,
            docs: DocsState::default(),
            near: NearState::default(),
            similar: SimilarState::default(),
            tables: TablesState::default(),
            groups: GroupsState::default(),
            tune: TuneState::default(),
            learn: LearnState::default(),
            page: TextPane::default(),
            document: Resource::default(),
            review: Review::default(),
            titles: Titles::default(),
            notice: None,
            notice_ends: None,
            notice_stays: false,
            tour: None,
            now: Duration::ZERO,
            exporting: None,
            running: None,
            leaving: false,
            confirming: None,
            typed: Vec::new(),
            alone: [None; Screen::ALL.len()],
            is_reading: false,
            dragged: None,
            lost_labels: Vec::new(),
            failure: None,
            mouse: true,
            ticks: 0,
            compare_within: start.compare_within,
            next_number: 1,
            pending: false,
            versions: Versions::default(),
        };
        app.review.sources = Arc::new(Sources { inputs: inputs.clone(), load: options.clone() });
        let effect = app.start(AnalysisInput::Load(inputs, options));
        Ok((app, vec![effect]))
    }

    /// Reads the inputs from an index instead of reading the files.
    pub fn read_with(&mut self, index: Arc<IndexFile>) -> Effect {
        self.start(AnalysisInput::Index(index))
    }

    /// Starts an analysis; a running one is stopped.
    pub(super) fn start(&mut self, work: AnalysisInput) -> Effect {
        if let Some(running) = self.running.take() {
            running.job.progress.cancel();
        }
        let number = self.number();
        let job = Arc::new(Job::to_begin(match work {
            AnalysisInput::Load(..) | AnalysisInput::Index(_) => Stage::Read,
            AnalysisInput::Refingerprint(_) => Stage::Fingerprint,
            AnalysisInput::Reindex(_) => Stage::Pair,
        }));
        let loads = matches!(work, AnalysisInput::Load(..) | AnalysisInput::Index(_));
        let recipe = self.settings.recipe.clone();
        self.running = Some(RunningAnalysis { number, job: Arc::clone(&job), loads, recipe });
        Effect::Analyse(Box::new(AnalysisTask {
            number,
            work,
            settings: self.settings.clone(),
            job,
        }))
    }
}
