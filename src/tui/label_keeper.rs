//! Writes the file of labels on a thread of its own, because a disk may be slow and keys must not wait.
//!
//! Labels are written in the order in which they were given, each to disk before the next. Labels that cannot be
//! written are reported, on leaving, too. The program ends only when all labels are written or known to be lost.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::app::Message;
use crate::corpus::{LabelEntry, LabelFile, Labels, TextPair};
use crate::number::counted;

/// The thread, and the channel to it.
pub(super) struct LabelKeeper(Option<(Sender<Request>, JoinHandle<()>)>);

/// A request for the thread.
pub(super) enum Request {
    /// Read the labels in the file.
    Read,
    /// Add a label, or take a label back.
    Keep(LabelEntry),
}

impl LabelKeeper {
    /// Keeps labels in this file; without a file, keeps none.
    pub(super) fn new(place: Option<PathBuf>, answer: Sender<Message>) -> Self {
        let (requests, queue) = unbounded();
        let work = move || keep(place.as_deref(), &queue, &answer);
        let thread = thread::Builder::new().name("labels".to_owned()).spawn(work);
        let thread = thread.expect("the system gives a handful of threads");
        Self(Some((requests, thread)))
    }

    /// Hands a request to the thread.
    pub(super) fn ask(&self, request: Request) {
        if let Some((requests, _)) = &self.0 {
            // The thread ends after the last sender.
            let _ = requests.send(request);
        }
    }

    /// Waits until all labels are on disk, or known not to be: two seconds where the file is locked.
    pub(super) fn close(&mut self) {
        if let Some((requests, thread)) = self.0.take() {
            drop(requests);
            // A panic of the thread is already reported.
            let _ = thread.join();
        }
    }
}

impl Drop for LabelKeeper {
    fn drop(&mut self) {
        self.close();
    }
}

fn keep(place: Option<&Path>, queue: &Receiver<Request>, answer: &Sender<Message>) {
    let mut file: Option<LabelFile> = None;
    // Labels that were not saved: taking one back must not remove the label before it.
    let mut lost: Vec<TextPair> = Vec::new();
    for request in queue {
        let message = match request {
            Request::Read => Message::Labels(match place {
                None => Ok((Arc::new(Labels::default()), None)),
                Some(place) => match LabelFile::open(place) {
                    Ok((opened, problems)) => {
                        let labels = Arc::new(opened.labels().clone());
                        file = Some(opened);
                        let first = problems.first().map(|first| {
                            let n = counted(problems.len() as u64, "line");
                            format!("{n} of the labels cannot be used; the first problem: {first}")
                        });
                        Ok((labels, first))
                    }
                    Err(error) => Err(error.to_string()),
                },
            }),
            Request::Keep(LabelEntry::Undone(pair)) if lost.contains(&pair) => {
                lost.retain(|other| *other != pair);
                continue;
            }
            Request::Keep(entry) => match file.as_mut().map(|file| file.add([entry.clone()])) {
                Some(Err(error)) => {
                    if let LabelEntry::Added(label) = &entry {
                        lost.push(label.pair);
                    }
                    Message::LabelLost {
                        entry,
                        problem: format!("the label was not saved: {error}"),
                    }
                }
                Some(Ok(())) | None => continue,
            },
        };
        // The receiver is gone when the program has ended; the queued labels must still be written.
        let _ = answer.send(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{BY_EYE, Label};
    use crate::text::digest;
    use crate::verdict::Verdict;

    fn label(a: &str, b: &str) -> LabelEntry {
        let pair = TextPair::new(digest(a), digest(b));
        let ids = [a.to_owned(), b.to_owned()];
        let source = BY_EYE.to_owned();
        LabelEntry::Added(Label { pair, verdict: Verdict::Yes, ids, source, is_repeat: false })
    }

    #[test]
    fn what_was_said_is_on_disk_when_the_program_ends() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("labels.jsonl");
        let (answer, answers) = unbounded();
        let keeper = LabelKeeper::new(Some(place.clone()), answer);
        keeper.ask(Request::Read);
        for n in 0..20 {
            keeper.ask(Request::Keep(label("one", &n.to_string())));
        }
        drop(keeper);
        assert!(
            matches!(answers.recv().unwrap(), Message::Labels(Ok((labels, None))) if labels.count() == 0)
        );
        assert!(answers.is_empty());
        assert_eq!(LabelFile::open(&place).unwrap().0.labels().count(), 20);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_told_at_once_and_never_waited_for() {
        for place in ["/dev/zero", "/dev/full", "/dev"] {
            let (answer, answers) = unbounded();
            LabelKeeper::new(Some(place.into()), answer).ask(Request::Read);
            let told = answers.recv().unwrap();
            assert!(
                matches!(&told, Message::Labels(Err(why)) if why.contains("not a regular file")),
                "{place}: {told:?}"
            );
        }
    }

    #[test]
    fn a_disk_that_takes_nothing_is_told_and_so_is_a_file_of_something_else() {
        let folder = tempfile::tempdir().unwrap();
        let (answer, answers) = unbounded();
        let keeper = LabelKeeper::new(Some(folder.path().join("none").join("x")), answer.clone());
        keeper.ask(Request::Read);
        let said = label("one", "other");
        keeper.ask(Request::Keep(said.clone()));
        // A label that is not in the file needs no line that takes it back.
        let LabelEntry::Added(Label { pair, .. }) = said else { unreachable!() };
        keeper.ask(Request::Keep(LabelEntry::Undone(pair)));
        drop(keeper);
        assert_eq!(answers.len(), 2);
        assert!(matches!(answers.recv().unwrap(), Message::Labels(Ok(_))));
        assert!(
            matches!(answers.recv().unwrap(), Message::LabelLost { problem, .. } if problem.contains("none"))
        );
        let place = folder.path().join("notes");
        std::fs::write(&place, "dear diary\n").unwrap();
        LabelKeeper::new(Some(place), answer).ask(Request::Read);
        assert!(
            matches!(answers.recv().unwrap(), Message::Labels(Err(why)) if why.contains("but no label"))
        );
    }
}
