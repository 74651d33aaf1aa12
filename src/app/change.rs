//! The start of the program and of analyses, and changes of the settings: invalid ones are refused, and the analysis
//! follows the others.

use std::sync::Arc;

use crate::analysis::settings::MOST_ACCIDENTAL_PAIRS;
use crate::analysis::{Analysis, AnalysisError, AnalysisInput, DEFAULT_TAU, Job, Settings, Stage};
use crate::app::screen::learn::LessonsState;
use crate::app::state::RunningAnalysis;
use crate::app::{AnalysisTask, App, Effect, StartOptions, ViewId};
use crate::corpus::{Input, LoadOptions};
use crate::export::Sources;

/// The reason why settings are refused: they contradict themselves, or pairs by chance would outnumber the
/// real ones.
pub(super) fn refuse(app: &App, settings: &Settings) -> Option<String> {
    let n = app.analysis.index.as_ref().map_or(0, |index| index.n_distinct());
    let checked = settings.check().and_then(|()| settings.check_pairs(n, MOST_ACCIDENTAL_PAIRS));
    checked.err().map(|error| error.to_string())
}

/// Raises or lowers k, or shows the reason why k cannot be changed.
pub(super) fn change_k(app: &mut App, step: i32) {
    let mut settings = app.settings.clone();
    settings.k = settings.k.saturating_add_signed(step);
    if settings.k == app.settings.k {
        return;
    }
    if let Some(why) = refuse(app, &settings) {
        return app.say(why);
    }
    app.settings = settings;
    follow_settings(app);
}

/// Takes other settings, and keeps the present fingerprints so that Recipes can list the changed pairs.
pub(super) fn change_recipe(app: &mut App, settings: Settings) {
    app.tune.compare.remember(&app.analysis, &app.settings, &settings);
    app.settings = settings;
    follow_settings(app);
}

/// Makes the analysis follow the settings: at once if the pairs are known, else by a job.
pub(super) fn follow_settings(app: &mut App) {
    let same_recipe = app.analysis.settings.recipe == app.settings.recipe;
    if app.running.as_ref().is_some_and(|running| running.loads) {
        if same_recipe {
            adjust(app);
        } else {
            app.pending = true;
            app.say("the change follows when the corpus is read");
        }
        return;
    }
    // Under a new recipe k is checked when its fingerprints are there.
    let mut running = app.running.iter();
    if !same_recipe && running.any(|running| running.recipe == app.settings.recipe) {
        return;
    }
    let work = if same_recipe && app.analysis.records.len() == app.analysis.len() {
        let known = app.analysis.under(&app.settings);
        if known.is_ok_and(|known| known.is_complete()) {
            adjust(app);
            return;
        }
        AnalysisInput::Reindex(Arc::clone(&app.analysis))
    } else {
        let similar = app.analysis.similar_texts.clone();
        AnalysisInput::Refingerprint(app.analysis.corpus.clone(), similar)
    };
    app.start(work);
}

/// Changes the analysis to the k and the layout of the settings, as far as that needs no search.
pub(super) fn adjust(app: &mut App) {
    let (has, wanted) = (&app.analysis.settings, &app.settings);
    let differ = (has.k, has.layout) != (wanted.k, wanted.layout);
    if differ && has.recipe == wanted.recipe
        // Invalid settings were rejected by `refuse`.
        && let Ok(adjusted) = app.analysis.under(wanted)
    {
        app.analysis = Arc::new(adjusted);
        app.versions.analysis += 1;
        app.tune.compare.settle(&app.analysis.settings);
    }
}

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
            (None, index) => AnalysisInput::Load(inputs, options, index),
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
            AnalysisInput::Load(..) => Stage::Read,
            AnalysisInput::Refingerprint(..) => Stage::Fingerprint,
            AnalysisInput::Reindex(_) => Stage::Pair,
        }));
        let loads = matches!(work, AnalysisInput::Load(..));
        let recipe = self.settings.recipe.clone();
        self.running = Some(RunningAnalysis { number, job: Arc::clone(&job), loads, recipe });
        let settings = self.settings.clone();
        let task = AnalysisTask { number, work, settings, job };
        self.effects.push(Effect::Analyse(Box::new(task)));
    }
}
