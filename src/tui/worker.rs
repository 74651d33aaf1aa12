//! Work outside the main thread: analyses and queries.
//!
//! An analysis gets a thread of its own and is stopped through its job. Each kind of query has one thread, which runs
//! the newest task and drops the tasks before it: a held cursor key asks for hundreds of documents and must not queue
//! them up. A panic in a thread becomes an answer.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::sync::Once;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::label_keeper::{LabelKeeper, Request};
use super::session::panic_if_asked;
use crate::app::{AnalysisTask, Effect, Message, Task};

/// The nice value of analyses, so that the screen has precedence.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

/// The threads that work for the program, and the channel of their answers.
pub(super) struct Worker {
    answer: Sender<Message>,
    /// The channel on which answers arrive. It is never disconnected.
    pub(super) answers: Receiver<Message>,
    /// One thread for each kind of query, made at its first task, by the name of the query.
    queries: HashMap<&'static str, Sender<Task>>,
    labels: LabelKeeper,
}

impl Worker {
    /// Idle workers; labels are kept in this file, if there is one.
    pub(super) fn new(labels: Option<PathBuf>) -> Self {
        let (answer, answers) = unbounded();
        let labels = LabelKeeper::new(labels, answer.clone());
        Self { answer, answers, queries: HashMap::new(), labels }
    }

    /// Begins a piece of work; an effect that is not work is returned.
    pub(super) fn execute(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Analyse(task) => {
                let answer = self.answer.clone();
                spawn("analysis", move || analyse(*task, &answer));
            }
            Effect::Run(task) => {
                let thread = self.queries.entry(task.name);
                let thread =
                    thread.or_insert_with_key(|name| newest_first(name, &self.answer, run));
                let _ = thread.send(task);
            }
            Effect::ReadLabels => self.labels.ask(Request::Read),
            Effect::KeepLabel(entry) => self.labels.ask(Request::Keep(entry)),
            other => return Some(other),
        }
        None
    }

    /// Waits until all labels are saved; returns the problems among the answers that were not received yet.
    pub(super) fn close(&mut self) -> Vec<String> {
        self.labels.close();
        let lost = |answer| match answer {
            Message::LabelLost { problem, .. } => Some(problem),
            _ => None,
        };
        self.answers.try_iter().filter_map(lost).collect()
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

/// Runs an analysis behind the screen.
fn analyse(task: AnalysisTask, answer: &Sender<Message>) {
    step_back();
    let number = task.number;
    let result = guarded("the analysis", || {
        // The receiver is gone when the program has ended.
        task.run(&mut |message| _ = answer.send(message));
    });
    if let Err(problem) = result {
        let _ = answer.send(Message::AnalysisFailed { number, problem });
    }
}

/// Runs a query.
fn run(task: Task) -> Message {
    let Task { number, name, work, fail } = task;
    let run = || {
        panic_if_asked(name);
        work()
    };
    let answer = guarded(&format!("the query for the {name}"), run);
    Message::Answered(answer.unwrap_or_else(|problem| fail(number, problem)))
}

/// Runs work; a panic becomes an error.
fn guarded<T>(name: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    // The panic drops unfinished work, and no mutable state is shared.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        format!("{name} failed because of an error in simscope: {}", reason(panic.as_ref()))
    })
}

fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given")
}

/// Gives the threads of the screen precedence while all cores work: lowers the priority of this thread, of threads it
/// will start, and of the pool. On Linux each thread has its own nice value; elsewhere nothing is done.
fn step_back() {
    #[cfg(target_os = "linux")]
    {
        static POOL: Once = Once::new();
        // A thread whose priority cannot be lowered keeps it.
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
    use crate::app::JobNumber;

    fn answered(receiver: &Receiver<Message>) -> JobNumber {
        match receiver.recv().unwrap() {
            Message::AnalysisFailed { number, .. } => number,
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
            Message::AnalysisFailed { number, problem: String::new() }
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
        assert_eq!(problem, "the test failed because of an error in simscope: seven 7");
    }
}
