//! Entries with equal and with different texts.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::analysis::{AnalysisDepth, AnalysisInput, Settings, run_to};
use crate::corpus::{Input, LoadOptions};

fn analysed(rows: &str, recipe: &str) -> Analysis {
    let bytes = rows.to_owned().into_bytes().leak();
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes }];
    let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
    let settings = Settings { recipe: recipe.parse().unwrap(), k: 3, ..Settings::default() };
    let job = Job::new();
    (*run_to(AnalysisDepth::Index, work, settings, &job, &mut |_| {}).unwrap()).clone()
}

fn of_texts(texts: &[String], recipe: &str) -> Analysis {
    let mut rows = String::new();
    for (at, text) in texts.iter().enumerate() {
        let text = serde_json::to_string(text).unwrap();
        writeln!(rows, "{{\"id\": \"{at}\", \"text\": {text}}}").unwrap();
    }
    analysed(&rows, recipe)
}

fn compared(analysis: &Analysis) -> Analysis {
    analysis.with_equal_texts(Arc::new(analysis.compare_texts(&Job::new()).unwrap()))
}

#[test]
fn equal_texts_and_equal_features_are_told_apart() {
    let texts = [
        "tide pool",
        "Tide\n pool",
        "pool, tide",
        "crab",
        "gull gull gull kelp",
        "gull gull gull moon",
        "gull  gull gull moon",
        "sand",
        "sand!",
    ];
    let texts = texts.map(String::from);
    let before = of_texts(&texts, "words:1");
    let (index, id) = (before.index.clone().unwrap(), |at: usize| DocId::from(at));
    let entry = |at| index.entry_of(id(at)).unwrap();
    // Before the comparison nothing is known about the texts.
    assert_eq!(
        (before.has_one_text(entry(0)), before.has_equal_text(id(0)), before.twins(id(0), id(1))),
        (false, Some(false), Some(TwinKind::Unknown))
    );
    assert!(before.has_equal_text(id(3)).is_none());
    let after = compared(&before);
    assert!(!after.has_one_text(entry(0)));
    assert_eq!(after.twins(id(0), id(1)), Some(TwinKind::Text));
    assert_eq!(after.twins(id(0), id(2)), Some(TwinKind::OtherText));
    assert_eq!((after.twins(id(0), id(3)), after.has_equal_text(id(3))), (None, None));
    assert_eq!(
        (after.has_equal_text(id(1)), after.has_equal_text(id(2))),
        (Some(true), Some(false))
    );
    assert!(!after.has_one_text(entry(4)) && !after.has_one_text(entry(3)));
    assert_eq!(after.twins(id(5), id(6)), Some(TwinKind::Text));
    // One word, with and without a punctuation mark: different texts with equal features.
    assert_eq!(after.twins(id(7), id(8)), Some(TwinKind::OtherText));
    // The recipe's normalisation counts: if it keeps case, 0 and 1 are different texts.
    let kept = compared(&of_texts(&texts, "words:1 case=keep"));
    assert_eq!(kept.twins(id(0), id(1)), None, "not even one fingerprint");
}

#[test]
fn of_fingerprints_without_texts_nothing_is_claimed() {
    let rows = "{\"id\": \"a\", \"fingerprint\": \"00000000000000ff\"}\n\
                {\"id\": \"b\", \"fingerprint\": \"00000000000000ff\"}\n";
    let after = compared(&analysed(rows, "words:3"));
    assert!(!after.has_one_text(0));
    assert_eq!(after.has_equal_text(DocId(0)), Some(false));
    assert_eq!(after.twins(DocId(0), DocId(1)), Some(TwinKind::Unknown));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// Against a comparison of every pair of texts.
    #[test]
    fn twins_are_those_whose_texts_are_equal(
        texts in prop::collection::vec(
            prop::collection::vec(prop::sample::select(vec!["a", "A", "b", "a.", " "]), 1..4), 1..12),
    ) {
        let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
        let analysis = compared(&of_texts(&texts, "words:1"));
        let read = |text: &str| {
            text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        for one in 0..texts.len() {
            for other in (0..texts.len()).filter(|&other| other != one) {
                let (a, b) = (DocId::from(one), DocId::from(other));
                let prints = [a, b].map(|document| analysis.fingerprint(document));
                let expected = match read(&texts[one]) == read(&texts[other]) {
                    _ if prints[0].is_none() || prints[0] != prints[1] => None,
                    true => Some(TwinKind::Text),
                    false => Some(TwinKind::OtherText),
                };
                prop_assert_eq!(analysis.twins(a, b), expected);
            }
            let index = analysis.index.as_ref().unwrap();
            if let Some(entry) = index.entry_of(DocId::from(one)) {
                let mut documents = index.documents(entry).iter();
                let is_like = |it: &DocId| read(&texts[it.index()]) == read(&texts[one]);
                let expected = index.documents(entry).len() > 1 && documents.all(is_like);
                prop_assert_eq!(analysis.has_one_text(entry), expected);
            }
        }
        // Pairs of different texts, and those across a boundary, each text by its first document on either side.
        let equal = analysis.equal_texts.as_ref().unwrap();
        for boundary in (0..=texts.len()).map(Some).chain([None]) {
            let is_first = |at: usize, from: usize| !(from..at).any(|it| read(&texts[it]) == read(&texts[at]));
            let ours = (0..boundary.unwrap_or(texts.len())).filter(|&at| is_first(at, 0));
            let mut expected: Vec<(DocId, DocId)> = ours
                .flat_map(|one| (boundary.unwrap_or(one + 1)..texts.len()).map(move |other| (one, other)))
                .filter(|&(_, other)| is_first(other, boundary.unwrap_or(0)))
                .map(|(one, other)| (DocId::from(one), DocId::from(other)))
                .filter(|&(a, b)| analysis.twins(a, b) == Some(TwinKind::OtherText))
                .collect();
            let (n, drawn) = equal.different(boundary.map(DocId::from), usize::MAX, 0);
            let mut drawn: Vec<_> = drawn.iter().map(|it| (it.a, it.b)).collect();
            expected.sort_unstable();
            drawn.sort_unstable();
            prop_assert_eq!(n as usize, expected.len());
            prop_assert_eq!(drawn, expected);
        }
    }
}
