//! Work off the main thread: analyses, documents, comparisons.
//!
//! An analysis gets a thread of its own and is stopped through its job. Documents, comparisons and each
//! kind of question have one thread each, which does the newest request and forgets those before it: a
//! held cursor key asks for hundreds of documents and must not queue them up. A panic in any of them
//! becomes an answer.

#[cfg(target_os = "linux")]
use std::sync::Once;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{label_keeper::LabelKeeper, session::panic_if_asked};
use crate::{
    analysis::{self, Analysis},
    app::{
        Comparison, Effect, Inspection, JobNumber, Message,
        question::{Kind, Question},
    },
    id::DocId,
};

/// A comparison takes no more than about this: past it the difference is coarser.
const COMPARE_WITHIN: Duration = Duration::from_millis(50);

/// How far analyses step back behind the screen.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

/// The threads that work for the program, and where they answer.
pub(super) struct Worker {
    answer: Sender<Message>,
    answers: Receiver<Message>,
    inspect: Sender<Inspect>,
    compare: Sender<Compare>,
    /// One a kind of question, in the order of the kinds.
    ask: Vec<Sender<Ask>>,
    labels: LabelKeeper,
    awaited: Awaited,
}

/// The newest unanswered request of each kind.
#[derive(Default)]
struct Awaited {
    analysis: Option<JobNumber>,
    inspection: Option<JobNumber>,
    comparison: Option<JobNumber>,
    answers: [Option<JobNumber>; Kind::ALL.len()],
    labels: bool,
}

struct Ask {
    number: JobNumber,
    analysis: Arc<Analysis>,
    question: Question,
}

struct Inspect {
    number: JobNumber,
    analysis: Arc<Analysis>,
    document: DocId,
}

struct Compare {
    number: JobNumber,
    analysis: Arc<Analysis>,
    left: DocId,
    right: DocId,
}

impl Worker {
    /// Idle workers; labels are kept in this file, if there is one.
    pub(super) fn new(labels: Option<PathBuf>) -> Self {
        let (answer, answers) = unbounded();
        let inspect = newest_first("inspect", &answer, |request: Inspect| Message::Inspected {
            number: request.number,
            result: guarded("reading the document", || inspected(&request)),
        });
        let compare = newest_first("compare", &answer, |request: Compare| Message::Compared {
            number: request.number,
            result: guarded("the comparison", || compared(&request)),
        });
        let ask = |kind: &Kind| newest_first(kind.name(), &answer, answered);
        let ask = Kind::ALL.iter().map(ask).collect();
        let labels = LabelKeeper::new(labels, answer.clone());
        Self { answer, answers, inspect, compare, ask, labels, awaited: Awaited::default() }
    }

    /// Begins a piece of work; an effect that is none comes back.
    pub(super) fn execute(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Analyse { number, work, settings, job } => {
                self.awaited.analysis = Some(number);
                let answer = self.answer.clone();
                spawn("analysis", move || {
                    step_back();
                    let publish = |analysis, finished| {
                        // Nobody listens any more when the program has ended.
                        let _ = answer.send(Message::Analysed { number, analysis, finished });
                    };
                    let result = guarded("the analysis", || {
                        analysis::run(work, settings, &job, &mut |snapshot| {
                            publish(snapshot, false);
                        })
                        .map_err(|error| error.to_string())
                    });
                    match result {
                        Ok(analysis) => publish(analysis, true),
                        Err(problem) => {
                            let _ = answer.send(Message::AnalysisFailed { number, problem });
                        }
                    }
                });
            }
            Effect::Inspect { number, analysis, document } => {
                self.awaited.inspection = Some(number);
                let _ = self.inspect.send(Inspect { number, analysis, document });
            }
            Effect::Compare { number, analysis, left, right } => {
                self.awaited.comparison = Some(number);
                let _ = self.compare.send(Compare { number, analysis, left, right });
            }
            Effect::Ask { number, analysis, question } => {
                let kind = question.kind() as usize;
                self.awaited.answers[kind] = Some(number);
                let _ = self.ask[kind].send(Ask { number, analysis, question });
            }
            Effect::ReadLabels => {
                self.awaited.labels = true;
                self.labels.read();
            }
            Effect::KeepLabel(entry) => self.labels.keep(entry),
            other => return Some(other),
        }
        None
    }

    /// Notes that an answer has come.
    pub(super) fn settle(&mut self, message: &Message) {
        let Awaited { analysis, inspection, comparison, answers, labels } = &mut self.awaited;
        *labels &= !matches!(message, Message::Labels(_));
        let (awaited, answered) = match message {
            Message::Analysed { number, finished: true, .. }
            | Message::AnalysisFailed { number, .. } => (analysis, number),
            Message::Inspected { number, .. } => (inspection, number),
            Message::Compared { number, .. } => (comparison, number),
            Message::Answered { number, kind, .. } => (&mut answers[*kind as usize], number),
            _ => return,
        };
        awaited.take_if(|number| number == answered);
    }

    /// Whether the newest request of any kind is still to be answered.
    pub(super) fn is_awaiting(&self) -> bool {
        let Awaited { analysis, inspection, comparison, answers, labels } = &self.awaited;
        let mut jobs = [analysis, inspection, comparison].into_iter().chain(answers);
        *labels || jobs.any(Option::is_some)
    }

    /// Waits until all labels are kept; why some were not, among what is still unheard.
    pub(super) fn close(&mut self) -> Vec<String> {
        self.labels.close();
        let lost = |answer| match answer {
            Message::LabelLost { problem, .. } => Some(problem),
            _ => None,
        };
        self.answers.try_iter().filter_map(lost).collect()
    }

    /// Where answers arrive. Never disconnected.
    pub(super) fn answers(&self) -> &Receiver<Message> {
        &self.answers
    }
}

/// A thread that does the newest request in its queue and drops the ones before it.
fn newest_first<T: Send + 'static>(
    name: &str,
    answer: &Sender<Message>,
    work: impl Fn(T) -> Message + Send + 'static,
) -> Sender<T> {
    let (sender, receiver) = unbounded::<T>();
    let answer = answer.clone();
    spawn(name, move || {
        while let Ok(request) = receiver.recv() {
            let newest = receiver.try_iter().last().unwrap_or(request);
            if answer.send(work(newest)).is_err() {
                break;
            }
        }
    });
    sender
}

fn answered(request: Ask) -> Message {
    let Ask { number, analysis, question } = request;
    let kind = question.kind();
    let result = guarded("the answer", || Ok(question.answer(&analysis)));
    Message::Answered { number, kind, result }
}

fn inspected(request: &Inspect) -> Result<Arc<Inspection>, String> {
    panic_if_asked("inspect");
    let (text, ballot) =
        request.analysis.open(request.document).map_err(|error| error.to_string())?;
    Ok(Arc::new(Inspection::new(
        request.document,
        request.analysis.settings.recipe.clone(),
        text.as_deref(),
        ballot,
    )))
}

fn compared(request: &Compare) -> Result<Arc<Comparison>, String> {
    let read = |document| request.analysis.corpus.read(document).map_err(|error| error.to_string());
    let (left, right) = (read(request.left)?, read(request.right)?);
    let deadline = Instant::now() + COMPARE_WITHIN;
    let comparison =
        Comparison::new((request.left, left.text()), (request.right, right.text()), Some(deadline));
    Ok(Arc::new(comparison))
}

/// Runs work; a panic becomes its problem.
fn guarded<T>(what: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    // What a panic leaves half done is dropped with the work: nothing mutable is shared.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(format!("{what} failed, a fault of simscope: {}", reason(panic.as_ref())))
    })
}

fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given")
}

/// Lets the threads of the screen go first while all cores work: lowers this thread, those it will
/// start, and the pool's. On Linux each thread has a niceness of its own; elsewhere nothing is done.
fn step_back() {
    #[cfg(target_os = "linux")]
    {
        static POOL: Once = Once::new();
        // What cannot be lowered works on as it is.
        POOL.call_once(|| drop(rayon::broadcast(|_| rustix::process::nice(NICE))));
        let _ = rustix::process::nice(NICE);
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().name(name.to_owned());
    thread.spawn(work).expect("the system gives a handful of threads");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(receiver: &Receiver<Message>) -> JobNumber {
        match receiver.recv().unwrap() {
            Message::Inspected { number, .. } => number,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn of_many_requests_only_the_newest_is_done() {
        let (answer, answers) = unbounded();
        let (entered, enter) = unbounded();
        let (go, gate) = unbounded::<()>();
        let requests = newest_first("test", &answer, move |number: JobNumber| {
            entered.send(()).unwrap();
            gate.recv().unwrap();
            Message::Inspected { number, result: Err(String::new()) }
        });
        requests.send(1).unwrap();
        enter.recv().unwrap();
        for number in 2..=100 {
            requests.send(number).unwrap();
        }
        go.send(()).unwrap();
        go.send(()).unwrap();
        assert_eq!((answered(&answers), answered(&answers)), (1, 100));
        assert!(answers.is_empty());
    }

    #[test]
    fn a_panic_is_an_answer() {
        let problem = guarded::<()>("the test", || panic!("seven {}", 7)).unwrap_err();
        assert_eq!(problem, "the test failed, a fault of simscope: seven 7");
    }
}
