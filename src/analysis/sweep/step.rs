//! One step of a sweep: find the true pairs, or evaluate one shingling and weighting at every width.

use std::{sync::Arc, time::Duration};

use super::{CountUnit, Reference, SweptRecipe, sweep};
use crate::{
    analysis::{AnalysisError, Job, Settings, SettingsError, job::timed},
    corpus::Corpus,
};

/// The message if the default truth cannot be computed; the screen offers no other truth.
const OUT_OF_REACH: &str = "this corpus has too many documents or too many true pairs to find them all; \
     `simscope sweep --tau 0.9 ..` needs fewer pairs, and `simscope sweep --truth FILE ..` uses judged pairs";

/// A step of a sweep.
#[derive(Clone, Debug)]
pub enum SweepTask {
    /// Find the true pairs, under these settings.
    Reference(Box<Settings>),
    /// Evaluate one shingling and weighting at every width.
    Recipe(Box<Settings>, Vec<u32>, Arc<Reference>),
}

/// The result of a step, and how long it took.
#[derive(Clone, Debug)]
pub struct SweepPart {
    /// The result.
    pub found: SweepResult,
    /// The time it took.
    pub took: Duration,
}

/// The results of the two kinds of steps.
#[derive(Clone, Debug)]
pub enum SweepResult {
    /// The true pairs.
    Reference(Arc<Reference>),
    /// A cell for each width.
    Swept(Vec<Arc<SweptRecipe>>),
}

impl SweepTask {
    /// Runs the step. Takes one or two fingerprintings, or the exact cosines of all texts.
    ///
    /// # Errors
    /// A message: it was cancelled, or the true pairs cannot be found.
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

    fn found(self, corpus: &Corpus, job: &Job) -> Result<SweepResult, AnalysisError> {
        Ok(match self {
            Self::Reference(settings) => {
                let reference = Reference::of_corpus(corpus, &settings, CountUnit::default(), job)?;
                SweepResult::Reference(Arc::new(reference))
            }
            Self::Recipe(settings, widths, reference) => {
                let swept = sweep(corpus, &settings, &widths, &reference, job)?;
                SweepResult::Swept(swept.into_iter().map(Arc::new).collect())
            }
        })
    }
}
