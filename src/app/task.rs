//! The task that brings a query to a worker thread, and the answer that comes back.

use std::{
    fmt::{self, Debug, Formatter},
    sync::Arc,
};

use super::{App, Message, query::Query, resource::JobNumber};
use crate::analysis::{self, Analysis, AnalysisInput, Job, Settings};

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
        match analysis::run(work, settings, &job, &mut |snapshot| publish(snapshot, false)) {
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
    work: Box<dyn FnOnce() -> QueryAnswer + Send>,
    fail: fn(JobNumber, String) -> QueryAnswer,
}

/// The answer to a query, or the reason why there is none, for the resource that asked.
pub struct QueryAnswer(Box<dyn FnOnce(&mut App) + Send>);

impl Task {
    /// The task of a query about `analysis`, and of the function that takes its answer.
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

    /// Runs the query.
    pub fn run(self) -> QueryAnswer {
        (self.work)()
    }

    /// A function that makes the answer of a failed query, to use if the query panicked.
    pub fn failure(&self) -> impl FnOnce(String) -> QueryAnswer + use<> {
        let (fail, number) = (self.fail, self.number);
        move |problem| fail(number, problem)
    }
}

impl QueryAnswer {
    /// An answer that calls this function on the program.
    pub(super) fn new(take: impl FnOnce(&mut App) + Send + 'static) -> Self {
        Self(Box::new(take))
    }

    /// Gives the answer to the program.
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
