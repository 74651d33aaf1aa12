//! Keeps a review between sessions: policy and marks in one file, which is replaced after each decision.

use std::{fs, io, path::PathBuf, sync::Arc};

use super::{Format, Target};
use crate::analysis::{
    Analysis, Job,
    dedup::{AbsentMark, DropRule, ReviewSettings, policy_line},
    query::{Query, StateDependency},
};

/// Writes a review to its file. Reads the marked documents.
#[derive(Clone, Debug, PartialEq)]
pub struct KeepReview {
    /// The rule to keep.
    pub rule: DropRule,
    /// The other choices to keep.
    pub choices: ReviewSettings,
    /// Lines of the file whose documents are not in this corpus; they stay in the file.
    pub absent: Arc<Vec<AbsentMark>>,
    /// The file.
    pub place: PathBuf,
}

impl Query for KeepReview {
    type Answer = ();
    const NAME: &'static str = "keep";
    const READS: StateDependency = StateDependency::Nothing;

    fn run(self, analysis: &Analysis, _: &Job) -> Result<(), String> {
        let mut lines = vec![policy_line(&self.rule.policy, &self.choices)];
        lines.extend(analysis.mark_lines(&self.rule.marks));
        lines.extend(self.absent.iter().map(|mark| mark.line.clone()));
        let write = || -> io::Result<()> {
            self.place.parent().map_or(Ok(()), fs::create_dir_all)?;
            let text = lines.join("\n") + "\n";
            Target::File(self.place.clone()).write(Format::Jsonl, &text)
        };
        write().map_err(|error| format!("choices and marks cannot be saved: {error}"))
    }
}
