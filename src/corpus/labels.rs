//! Labels of pairs of texts: the last label of a pair counts, and the earlier ones are kept.
//!
//! Each line of JSON is one label. The digests of the two texts name the pair, in any order. The ids of the
//! documents are only for people to read. A later line for a pair replaces the earlier one; `"undo"` removes
//! the last label of the pair.
//!
//! ```text
//! {"a":"06a2..","b":"f13c..","verdict":"yes","ids":["L0","R7"],"source":"eye"}
//! {"a":"f13c..","b":"06a2..","verdict":"no","ids":["R7","L0"],"source":"eye","repeat":true}
//! {"a":"06a2..","b":"f13c..","verdict":"undo"}
//! ```

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::text::Digest;
use crate::verdict::Verdict;

/// Two texts, given by their digests, without order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPair {
    low: Digest,
    high: Digest,
}

impl TextPair {
    /// The pair of two texts, in either order.
    pub fn new(one: Digest, other: Digest) -> Self {
        Self { low: one.min(other), high: one.max(other) }
    }

    /// The two texts, the smaller digest first.
    pub fn digests(self) -> [Digest; 2] {
        [self.low, self.high]
    }
}

/// A person's verdict on a pair of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The texts.
    pub pair: TextPair,
    /// The verdict.
    pub verdict: Verdict,
    /// The ids of the documents when they were judged, in the order of [`TextPair::digests`].
    pub ids: [String; 2],
    /// The source of the verdict: [`BY_EYE`], or the file it was imported from.
    pub source: String,
    /// Whether the pair was shown a second time, to see if the verdict is the same.
    pub is_repeat: bool,
}

/// The source of a label that a person gave in simscope.
pub const BY_EYE: &str = "eye";

/// A line of a file of labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelEntry {
    /// A label.
    Added(Label),
    /// The last label of a pair is removed.
    Undone(TextPair),
}

/// An entry as written in the file.
#[derive(Debug, Serialize, Deserialize)]
struct LabelLine {
    a: String,
    b: String,
    verdict: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ids: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    source: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    repeat: bool,
}

/// The verdict word that takes back the last label of a pair.
const UNDO: &str = "undo";

impl LabelEntry {
    /// The entry in a line; unknown fields are ignored.
    ///
    /// # Errors
    /// The problem of the line.
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let line: LabelLine = serde_json::from_slice(line).map_err(|error| {
            let text = error.to_string();
            format!("not a label ({})", text.split(" at line").next().unwrap_or_default())
        })?;
        let digest = |text: &str| text.parse::<Digest>().map_err(|error| error.to_string());
        let (a, b) = (digest(&line.a)?, digest(&line.b)?);
        let pair = TextPair::new(a, b);
        if line.verdict == UNDO {
            return Ok(Self::Undone(pair));
        }
        let verdict = line.verdict.parse().map_err(|_| {
            format!("verdict {:?} is unknown; it is yes, no, unsure or {UNDO}", line.verdict)
        })?;
        let [id_a, id_b] = line.ids.unwrap_or_default();
        let ids = if a <= b { [id_a, id_b] } else { [id_b, id_a] };
        Ok(Self::Added(Label { pair, verdict, ids, source: line.source, is_repeat: line.repeat }))
    }

    /// The line of the entry, without a line end.
    pub(super) fn line(&self) -> String {
        let (pair, label) = match self {
            Self::Added(label) => (label.pair, Some(label)),
            Self::Undone(pair) => (*pair, None),
        };
        let [a, b] = pair.digests().map(|digest| digest.to_string());
        let line = LabelLine {
            a,
            b,
            verdict: label.map_or(UNDO, |label| label.verdict.name()).to_owned(),
            ids: label.map(|label| label.ids.clone()),
            source: label.map_or_else(String::new, |label| label.source.clone()),
            repeat: label.is_some_and(|label| label.is_repeat),
        };
        serde_json::to_string(&line).expect("strings and a flag are JSON")
    }
}

/// Labels by pair.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// All labels of a pair that were not undone, the newest last.
    by_pair: HashMap<TextPair, Vec<Label>>,
    /// Pairs in the order of their first labels.
    order: Vec<TextPair>,
}

impl Labels {
    /// The last label of a pair.
    pub fn get(&self, pair: TextPair) -> Option<&Label> {
        self.by_pair.get(&pair)?.last()
    }

    /// The last label of each pair, in the order of their first labels.
    pub fn iter(&self) -> impl Iterator<Item = &Label> {
        self.order.iter().filter_map(|&pair| self.get(pair))
    }

    /// The number of pairs that have a label. Visits all pairs.
    pub fn count(&self) -> usize {
        self.iter().count()
    }

    /// The two verdicts on each pair that was shown again: the earlier one and the later one.
    pub fn repeats(&self) -> impl Iterator<Item = (Verdict, Verdict)> {
        let pairs = self.order.iter().filter_map(|pair| self.by_pair.get(pair));
        pairs.flat_map(|by_pair| {
            let after = by_pair.windows(2).filter(|words| words[1].is_repeat);
            after.map(|words| (words[0].verdict, words[1].verdict))
        })
    }

    /// Adds an entry; false if it undoes a label that does not exist.
    pub fn enter(&mut self, entry: LabelEntry) -> bool {
        match entry {
            LabelEntry::Added(label) => {
                let order = &mut self.order;
                let by_pair = self.by_pair.entry(label.pair).or_insert_with(|| {
                    order.push(label.pair);
                    Vec::new()
                });
                by_pair.push(label);
                true
            }
            LabelEntry::Undone(pair) => {
                self.by_pair.get_mut(&pair).is_some_and(|by_pair| by_pair.pop().is_some())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(one: u128, other: u128, verdict: Verdict, is_repeat: bool) -> LabelEntry {
        let pair = TextPair::new(Digest(one), Digest(other));
        let ids = pair.digests().map(|digest| format!("doc \"{}\"", digest.0));
        LabelEntry::Added(Label { pair, verdict, ids, source: BY_EYE.to_owned(), is_repeat })
    }

    #[test]
    fn a_line_comes_back_as_it_was_written() {
        let pair = TextPair::new(Digest(9), Digest(7));
        for entry in [
            label(7, 9, Verdict::Yes, false),
            label(9, 7, Verdict::Unsure, true),
            LabelEntry::Undone(pair),
        ] {
            assert_eq!(LabelEntry::parse(entry.line().as_bytes()), Ok(entry));
        }
        assert_eq!(
            LabelEntry::Undone(pair).line(),
            "{\"a\":\"00000000000000000000000000000007\",\"b\":\"00000000000000000000000000000009\",\"verdict\":\"undo\"}"
        );
    }

    #[test]
    fn ids_stay_with_their_texts_whichever_comes_first() {
        let line = |a: &str, b: &str| {
            let digest = |end: &str| format!("{end:0>32}");
            let line = format!(
                "{{\"b\":\"{}\",\"a\":\"{}\",\"verdict\":\"no\",\"ids\":[\"of {a}\",\"of {b}\"],\"new\":[{{}}]}}",
                digest(b),
                digest(a)
            );
            let LabelEntry::Added(label) = LabelEntry::parse(line.as_bytes()).unwrap() else {
                panic!()
            };
            label
        };
        assert_eq!(line("7", "9"), line("9", "7"));
        assert_eq!(line("9", "7").ids, ["of 7", "of 9"]);
    }

    #[test]
    fn the_problem_of_a_line_is_reported() {
        let digest = "0".repeat(32);
        let with = |verdict: &str| {
            format!("{{\"a\":\"{digest}\",\"b\":\"{digest}\",\"verdict\":\"{verdict}\"}}")
        };
        let table = [
            ("{\"a\":1}".to_owned(), "not a label (invalid type: integer `1`, expected a string"),
            ("{\"text\": \"x\"}".to_owned(), "not a label (missing field `a`)"),
            (with("perhaps"), "verdict \"perhaps\" is unknown; it is yes, no, unsure or undo"),
            (with("no").replacen('0', "x", 1), "is not a digest of a text"),
            ("\u{0}".to_owned(), "not a label (expected value)"),
        ];
        for (line, problem) in table {
            let found = LabelEntry::parse(line.as_bytes()).unwrap_err();
            assert!(found.contains(problem.trim_end_matches(')')), "{line}: {found}");
        }
    }

    #[test]
    fn the_last_label_counts_until_it_is_undone() {
        let mut labels = Labels::default();
        let pair = TextPair::new(Digest(1), Digest(2));
        let last = |labels: &Labels| labels.get(pair).map(|label| label.verdict);
        assert!(!labels.enter(LabelEntry::Undone(pair)), "there is no label");
        assert!(labels.enter(label(2, 1, Verdict::Yes, false)));
        labels.enter(label(5, 5, Verdict::Yes, false));
        labels.enter(label(1, 2, Verdict::No, true));
        assert_eq!((last(&labels), labels.count()), (Some(Verdict::No), 2));
        assert_eq!(labels.repeats().collect::<Vec<_>>(), [(Verdict::Yes, Verdict::No)]);
        labels.enter(LabelEntry::Undone(pair));
        assert_eq!((last(&labels), labels.repeats().count()), (Some(Verdict::Yes), 0));
        labels.enter(LabelEntry::Undone(pair));
        assert_eq!((last(&labels), labels.count()), (None, 1));
        labels.enter(label(1, 2, Verdict::Unsure, false));
        let order: Vec<TextPair> = labels.iter().map(|label| label.pair).collect();
        assert_eq!(order, [pair, TextPair::new(Digest(5), Digest(5))]);
    }
}
