//! A query on its way to a worker thread, and its answer on the way back.

use std::{
    fmt::{self, Debug, Formatter},
    sync::Arc,
};

use super::{App, Message, query::Query, resource::JobNumber};
use crate::analysis::{self, Analysis, AnalysisInput, Job, Settings};

/// An analysis to be made.
#[derive(Debug)]
pub struct AnalysisTask {
    /// The job's number.
    pub number: JobNumber,
    /// The work that is there to start from.
    pub work: AnalysisInput,
    /// The settings of the job.
    pub settings: Settings,
    /// The job, through which progress is read and a stop is requested.
    pub job: Arc<Job>,
}

impl AnalysisTask {
    /// Makes the analysis; its snapshots and its end are sent as messages.
    pub fn run(self, send: &mut (dyn FnMut(Message) + Send)) {
        let Self { number, work, settings, job } = self;
        let mut publish =
            |analysis, finished| send(Message::Analysed { number, analysis, finished });
        match analysis::run(work, settings, &job, &mut |snapshot| publish(snapshot, false)) {
            Ok(analysis) => publish(analysis, true),
            Err(error) => send(Message::AnalysisFailed { number, problem: error.to_string() }),
        }
    }
}

/// A query and all that a worker thread needs to run it.
pub struct Task {
    /// Its number.
    pub number: JobNumber,
    /// The name of its query; of several tasks of one name only the newest is wanted.
    pub name: &'static str,
    work: Box<dyn FnOnce() -> QueryAnswer + Send>,
    fail: fn(JobNumber, String) -> QueryAnswer,
}

/// The answer to a query, or why there is none, on its way to the resource that asked.
pub struct QueryAnswer(Box<dyn FnOnce(&mut App) + Send>);

impl Task {
    /// A query about `analysis`, and what takes its answer.
    pub(super) fn new<Q: Query>(
        number: JobNumber,
        query: Q,
        analysis: Arc<Analysis>,
        job: Arc<Job>,
        take: fn(&mut App, JobNumber, Result<Q::Answer, String>),
        fail: fn(JobNumber, String) -> QueryAnswer,
    ) -> Self {
        let work = move || {
            let result = query.run(&analysis, &job);
            QueryAnswer::new(move |app| take(app, number, result))
        };
        Self { number, name: Q::NAME, work: Box::new(work), fail }
    }

    /// Runs the query. Takes as long as that.
    pub fn run(self) -> QueryAnswer {
        (self.work)()
    }

    /// A function that makes the answer of a failed query, for use if running it panicked.
    pub fn failure(&self) -> impl FnOnce(String) -> QueryAnswer + use<> {
        let (fail, number) = (self.fail, self.number);
        move |problem| fail(number, problem)
    }
}

impl QueryAnswer {
    /// Does this to the program.
    pub(super) fn new(take: impl FnOnce(&mut App) + Send + 'static) -> Self {
        Self(Box::new(take))
    }

    /// Hands the answer over.
    pub(super) fn deliver(self, app: &mut App) {
        (self.0)(app);
    }
}

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
