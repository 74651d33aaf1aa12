//! The Sweep view: a map of recipes, each at the k that serves it best, filled in the background.
//!
//! ```text
//! Enter --> reference --> words:1 binary --> words:1 tf --> ..    one query after the other
//!           (what is true)    its widths         its widths
//! ```
//!
//! Stopped, it keeps what it has, and goes on from there. A cell holds under the recipe it was begun with,
//! whatever the recipe is now.

use std::{sync::Arc, time::Duration};

use crate::{
    analysis::{
        AnalysisError, Counts, Grid, Job, Likeness, Reference, Settings, SettingsError, Swept,
        Truth, job::timed, sweep::sweep,
    },
    app::{query, resource::Resource},
    corpus::Corpus,
};

/// What to do where the usual truth cannot be had: the screen knows no other.
const OUT_OF_REACH: &str = "of so many documents, or so alike, not every true pair can be found; \
     `simscope sweep --tau 0.9 ..` asks for fewer, and `simscope sweep --truth FILE ..` takes judged pairs";

/// What the Sweep view remembers.
#[derive(Debug, Default)]
pub struct SweepState {
    /// What is swept.
    pub grid: Grid,
    /// The selected shingling.
    pub row: usize,
    /// The selected width of a weighting: all widths of the first, then those of the next.
    pub column: usize,
    /// The sweep that was begun.
    pub begun: Option<Begun>,
    /// Its present step.
    pub step: Resource<query::SweepStep>,
}

/// A sweep that was begun.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The settings it was begun with: all that the grid does not vary, and the features of the truth.
    pub base: Settings,
    /// What is true, once that is known.
    pub reference: Option<Arc<Reference>>,
    /// The cells so far, row by row.
    pub swept: Vec<Arc<Swept>>,
    /// How long the steps so far took.
    pub took: Duration,
    /// Why it cannot go on.
    pub problem: Option<String>,
    /// Whether it was stopped, and waits to be gone on with.
    pub(in crate::app) is_stopped: bool,
}

/// A step of a sweep.
#[derive(Clone, Debug)]
pub enum SweepTask {
    /// Finding what is true, under these settings.
    Reference(Box<Settings>),
    /// One shingling and weighting at every width.
    Recipe(Box<Settings>, Vec<u32>, Arc<Reference>),
}

/// What a step found, and how long it took.
#[derive(Clone, Debug)]
pub struct SweepPart {
    /// What it found.
    pub found: SweepFound,
    /// How long it took.
    pub took: Duration,
}

/// What a step finds.
#[derive(Clone, Debug)]
pub enum SweepFound {
    /// What is true.
    Reference(Arc<Reference>),
    /// A cell for each width.
    Swept(Vec<Arc<Swept>>),
}

impl SweepTask {
    /// Does the step. Costs a fingerprinting or two, or the exact cosines of all texts.
    ///
    /// # Errors
    /// Why there is nothing: it was told to stop, or there is no truth to be had.
    pub fn answer(self, corpus: &Corpus, job: &Job) -> Result<SweepPart, String> {
        let (found, took) = timed(|| self.found(corpus, job));
        let found = found.map_err(|error| match error {
            AnalysisError::Settings(SettingsError::TruthOutOfReach | SettingsError::Truth(_)) => {
                OUT_OF_REACH.to_owned()
            }
            error => error.to_string(),
        })?;
        Ok(SweepPart { found, took })
    }

    fn found(self, corpus: &Corpus, job: &Job) -> Result<SweepFound, AnalysisError> {
        Ok(match self {
            Self::Reference(settings) => {
                let truth = Truth::prepare(corpus, &settings, Likeness::default(), job)?;
                let features = settings.recipe.features.to_string();
                let reference = Reference::by_cosine(truth, &features, Counts::default())?;
                SweepFound::Reference(Arc::new(reference))
            }
            Self::Recipe(settings, widths, reference) => {
                let swept = sweep(corpus, &settings, &widths, &reference, job)?;
                SweepFound::Swept(swept.into_iter().map(Arc::new).collect())
            }
        })
    }
}

impl Begun {
    /// Whether what is true cannot be found, however often that is asked.
    pub fn is_in_vain(&self) -> bool {
        self.problem.is_some() && self.reference.is_none()
    }
}

impl SweepState {
    /// Columns of the map.
    pub fn columns(&self) -> usize {
        self.grid.weights.len() * self.grid.widths.len()
    }

    /// A cell of the map, if it is there yet.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Arc<Swept>> {
        self.begun.as_ref()?.swept.get(row * self.columns() + column)
    }

    /// The selected cell, if it is there yet.
    pub fn selected(&self) -> Option<&Arc<Swept>> {
        self.cell(self.row, self.column)
    }

    /// The cell with the largest F1, the first of several.
    pub fn best(&self) -> Option<&Arc<Swept>> {
        let f1 = |swept: &Swept| swept.at_best().f1().unwrap_or(0.0);
        let swept = self.begun.as_ref()?.swept.iter();
        swept.reduce(|best, one| if f1(one) > f1(best) { one } else { best })
    }

    /// Steps done, and steps in all: what is true, and each shingling with each weighting.
    pub fn steps(&self) -> (usize, usize) {
        let all = 1 + self.grid.features.len() * self.grid.weights.len();
        let done = self.begun.as_ref().map_or(0, |begun| {
            usize::from(begun.reference.is_some()) + begun.swept.len() / self.grid.widths.len()
        });
        (done, all)
    }

    /// Whether every cell is there.
    pub fn is_done(&self) -> bool {
        let (done, all) = self.steps();
        done == all
    }

    /// The step to do next: its number, and what it is.
    pub(in crate::app) fn next(&self) -> Option<(usize, SweepTask)> {
        let begun = self.begun.as_ref().filter(|_| !self.is_done())?;
        let (done, _) = self.steps();
        let Some(reference) = &begun.reference else {
            return Some((done, SweepTask::Reference(Box::new(begun.base.clone()))));
        };
        let settings = self.grid.settings(&begun.base).swap_remove(done - 1);
        let reference = Arc::clone(reference);
        Some((done, SweepTask::Recipe(Box::new(settings), self.grid.widths.clone(), reference)))
    }
}
