//! Values that are computed in the background, each with the query it answers.
//!
//! ```text
//! want(query) --Effect::Run(Task)--> worker: query.run(analysis, job) --Message::Answered--> Resource
//! ```
//!
//! Asking an equal query again does nothing; asking another query stops the job before. The answer of a stopped job is
//! dropped. The old answer stays until a new one comes.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use crate::analysis::Job;
use crate::analysis::query::{Query, StateDependency};

/// The number of a background job; answers to any but the newest of its kind are dropped.
pub type JobNumber = u64;

/// The version of each part of the state, counted up at each change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Versions {
    /// The recipe, or the frequencies of its features.
    pub recipe: u64,
    /// The fingerprints.
    pub fingerprints: u64,
    /// The near pairs.
    pub pairs: u64,
    /// The analysis.
    pub analysis: u64,
}

impl Versions {
    fn of(&self, reads: StateDependency) -> u64 {
        match reads {
            StateDependency::Nothing => 0,
            StateDependency::Recipe => self.recipe,
            StateDependency::Fingerprints => self.fingerprints,
            StateDependency::Pairs => self.pairs,
            StateDependency::Analysis => self.analysis,
        }
    }
}

/// The answer to a query, and the newest request for one.
#[derive(Debug)]
pub struct Resource<Q: Query> {
    request: Option<Request<Q>>,
    answer: Option<(Q, JobNumber, Q::Answer)>,
}

#[derive(Debug)]
struct Request<Q> {
    query: Q,
    /// The version of the state that the query reads.
    version: u64,
    number: JobNumber,
    job: Arc<Job>,
    /// Its end: an answer, or the reason why there is none; `None` while it runs. A request that was stopped has ended for
    /// no reason of its own.
    end: Option<Result<(), String>>,
    /// The time of the request since the program began.
    since: Duration,
}

impl<Q: Query> Default for Resource<Q> {
    fn default() -> Self {
        Self { request: None, answer: None }
    }
}

impl<Q: Query> Resource<Q> {
    /// Notes a request at a time since the program began, and returns its job, unless the newest request is equal.
    pub(super) fn request(
        &mut self,
        query: Q,
        versions: &Versions,
        number: JobNumber,
        since: Duration,
    ) -> Option<Arc<Job>> {
        let version = versions.of(Q::READS);
        let same = |before: &Request<Q>| before.version == version && before.query == query;
        if self.request.as_ref().is_some_and(same) {
            return None;
        }
        self.forget();
        let job = Arc::new(query.stage().map_or_else(Job::new, Job::to_begin));
        let (own, end) = (Arc::clone(&job), None);
        self.request = Some(Request { query, version, number, job: own, end, since });
        Some(job)
    }

    /// Takes the result of a job; false, and the result is dropped, if the job is not that of the newest request.
    pub(super) fn settle(&mut self, number: JobNumber, result: Result<Q::Answer, String>) -> bool {
        let is_it = |it: &&mut Request<Q>| it.number == number && it.end.is_none();
        let Some(request) = self.request.as_mut().filter(is_it) else { return false };
        request.end = Some(result.as_ref().map(|_| ()).map_err(String::clone));
        match result {
            Ok(answer) => self.answer = Some((request.query.clone(), number, answer)),
            // A stopped request stays stopped until `forget`, so that it is not asked again at once.
            Err(_) if request.job.progress.is_cancelled() => {}
            Err(_) => self.answer = None,
        }
        true
    }

    /// Forgets the newest request, and stops its job; the answer stays.
    pub fn forget(&mut self) {
        if let Some(request) = self.request.take() {
            request.job.progress.cancel();
        }
    }

    /// Forgets the newest request if it was stopped or failed, so that it can be asked again; returns whether it was.
    pub fn retry(&mut self) -> bool {
        let has_ended = self.is_cancelled() || self.problem().is_some();
        if has_ended {
            self.forget();
        }
        has_ended
    }

    /// Forgets the answer, too.
    pub fn clear(&mut self) {
        self.forget();
        self.answer = None;
    }

    /// The newest answer, which may belong to an older query than the newest.
    pub fn answer(&self) -> Option<&Q::Answer> {
        self.answer.as_ref().map(|(.., answer)| answer)
    }

    /// The newest answer and its query.
    pub fn answered(&self) -> Option<(&Q, &Q::Answer)> {
        self.answer.as_ref().map(|(query, _, answer)| (query, answer))
    }

    /// The number of the newest answer: another answer has another number.
    pub fn number(&self) -> Option<JobNumber> {
        self.answer.as_ref().map(|(_, number, _)| *number)
    }

    /// Takes the newest answer away.
    pub fn take(&mut self) -> Option<Q::Answer> {
        self.answer.take().map(|(.., answer)| answer)
    }

    /// The newest query, whether it was answered, failed, or still runs.
    pub fn asked(&self) -> Option<&Q> {
        self.request.as_ref().map(|request| &request.query)
    }

    /// Whether the newest request runs.
    pub fn is_running(&self) -> bool {
        self.request.as_ref().is_some_and(|request| request.end.is_none())
    }

    /// Whether a request runs whose query is like this.
    pub fn runs(&self, is_like: impl FnOnce(&Q) -> bool) -> bool {
        self.is_running() && self.asked().is_some_and(is_like)
    }

    /// The time that the newest request has run until `now`; zero if none runs.
    pub fn ran_for(&self, now: Duration) -> Duration {
        let running = self.request.as_ref().filter(|request| request.end.is_none());
        running.map_or(Duration::ZERO, |request| now.saturating_sub(request.since))
    }

    /// The running or stopped job.
    pub fn job(&self) -> Option<&Job> {
        let Request { job, end, .. } = self.request.as_ref()?;
        let is_open = match end {
            None => true,
            Some(end) => end.is_err() && job.progress.is_cancelled(),
        };
        is_open.then_some(&**job)
    }

    /// Whether the newest request was cancelled and has no answer.
    pub fn is_cancelled(&self) -> bool {
        self.job().is_some_and(|job| job.progress.is_cancelled())
    }

    /// Whether the newest request was cancelled, even if its answer came before it stopped.
    pub fn was_asked_to_stop(&self) -> bool {
        self.request.as_ref().is_some_and(|request| request.job.progress.is_cancelled())
    }

    /// Whether the newest request is answered, and its answer is about the present state.
    pub fn is_current(&self, versions: &Versions) -> bool {
        let current =
            |it: &Request<Q>| it.end == Some(Ok(())) && it.version == versions.of(Q::READS);
        self.request.as_ref().is_some_and(current)
    }

    /// The reason why the newest request failed, if it did.
    pub fn problem(&self) -> Option<&str> {
        let Request { job, end, .. } = self.request.as_ref()?;
        let problem = end.as_ref()?.as_ref().err()?;
        (!job.progress.is_cancelled()).then_some(problem)
    }
}

/// The progress of a resource, whatever its query.
pub(super) trait Background {
    /// The name of its query, and its job, while one runs.
    fn running(&self) -> Option<(&'static str, &Job)>;
    /// Whether it takes so long that its progress is shown and that it can be stopped.
    fn is_long(&self) -> bool;
    /// Drops everything if the query reads the fingerprints, because they were replaced.
    fn leave_fingerprints(&mut self);
}

impl<Q: Query> Background for Resource<Q> {
    fn running(&self) -> Option<(&'static str, &Job)> {
        self.job().filter(|_| self.is_running()).map(|job| (Q::NAME, job))
    }

    fn is_long(&self) -> bool {
        Q::STAGE.is_some()
    }

    fn leave_fingerprints(&mut self) {
        if matches!(Q::READS, StateDependency::Fingerprints | StateDependency::Pairs) {
            self.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;
    use crate::analysis::{Analysis, Stage};

    #[derive(Clone, Debug, PartialEq)]
    struct Double(u32);

    impl Query for Double {
        type Answer = u32;
        const NAME: &'static str = "double";
        const READS: StateDependency = StateDependency::Fingerprints;
        const STAGE: Option<Stage> = Some(Stage::Count);

        fn run(self, _: &Analysis, _: &Job) -> Result<u32, String> {
            Ok(2 * self.0)
        }
    }

    #[test]
    fn the_same_is_asked_once_and_another_question_stops_it() {
        let (mut resource, mut versions) = (Resource::default(), Versions::default());
        let first = resource.request(Double(1), &versions, 1, NOW).unwrap();
        assert!(resource.request(Double(1), &versions, 2, NOW).is_none() && resource.is_running());
        let second = resource.request(Double(2), &versions, 3, NOW).unwrap();
        assert!(first.progress.is_cancelled() && !second.progress.is_cancelled());
        assert!(!resource.settle(1, Ok(2)) && resource.settle(3, Ok(4)));
        assert_eq!((resource.answer(), resource.is_running()), (Some(&4), false));
        assert!(resource.request(Double(2), &versions, 4, NOW).is_none());
        versions.analysis += 1;
        assert!(resource.request(Double(2), &versions, 4, NOW).is_none());
        versions.fingerprints += 1;
        assert!(resource.request(Double(2), &versions, 4, NOW).is_some());
        assert_eq!(resource.answer(), Some(&4));
    }

    #[test]
    fn a_stop_is_remembered_until_somebody_tries_again() {
        let (mut resource, versions) = (Resource::default(), Versions::default());
        resource.request(Double(1), &versions, 1, NOW);
        let (name, job) = resource.running().unwrap();
        job.progress.cancel();
        assert!(name == Double::NAME && resource.is_running());
        assert!(resource.settle(1, Err("stopped".into())) && resource.is_cancelled());
        assert!(resource.request(Double(1), &versions, 2, NOW).is_none());
        resource.retry();
        assert!(resource.request(Double(1), &versions, 2, NOW).is_some());
        assert!(resource.settle(2, Err("a fault".into())));
        assert_eq!((resource.problem(), resource.is_cancelled()), (Some("a fault"), false));
    }

    #[test]
    fn answers_about_other_fingerprints_are_dropped() {
        let (mut resource, versions) = (Resource::default(), Versions::default());
        resource.request(Double(1), &versions, 1, NOW);
        resource.settle(1, Ok(2));
        assert_eq!(resource.answered(), Some((&Double(1), &2)));
        resource.leave_fingerprints();
        assert!(resource.answer().is_none() && resource.asked().is_none());
    }
}
