//! The task that brings a query to a worker thread, and the answer that comes back.

use std::{
    fmt::{self, Debug, Formatter},
    sync::Arc,
};

use super::{App, Message, resource::JobNumber};
use crate::analysis::{AnalysisDepth, AnalysisInput, Job, Settings, run_to};

/// The task of a new analysis.
#[derive(Debug)]
pub struct AnalysisTask {
    /// The job's number.
    pub number: JobNumber,
    /// The inputs or the earlier analysis to start from.
    pub work: AnalysisInput,
    /// The settings of the job.
    pub settings: Settings,
    /// The job, through which progress is read and a stop is requested.
    pub job: Arc<Job>,
}

impl AnalysisTask {
    /// Makes the analysis; sends its snapshots and its end as messages.
    pub fn run(self, send: &mut (dyn FnMut(Message) + Send)) {
        let Self { number, work, settings, job } = self;
        let mut publish =
            |analysis, finished| send(Message::Analysed { number, analysis, finished });
        let depth = AnalysisDepth::PairsByDistance;
        match run_to(depth, work, settings, &job, &mut |snapshot| publish(snapshot, false)) {
            Ok(analysis) => publish(analysis, true),
            Err(error) => send(Message::AnalysisFailed { number, problem: error.to_string() }),
        }
    }
}

/// A query and the data that a worker thread needs to run it.
pub struct Task {
    /// Its number.
    pub number: JobNumber,
    /// The name of its query; only the newest of several tasks of one name is needed.
    pub name: &'static str,
    /// Runs the query.
    pub work: Box<dyn FnOnce() -> QueryAnswer + Send>,
    /// Makes the answer of the failed query with this number, to use if the query panicked.
    pub fail: fn(JobNumber, String) -> QueryAnswer,
}

/// The answer to a query, or the reason why there is none: a function that gives it to the resource that asked.
pub struct QueryAnswer(pub(super) Box<dyn FnOnce(&mut App) + Send>);

impl Debug for Task {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "Task({}, {})", self.number, self.name)
    }
}

impl Debug for QueryAnswer {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str("Answer")
    }
}
