//! A corpus from a seed whose duplicates are known but hidden. The learner chooses a recipe and k, and then sees how
//! good the choice was.
//!
//! Some texts are duplicates: copies, or copies with words replaced and moved. Others fill one template, so that they
//! look similar but are no duplicates. Ids give no hint.

use std::{collections::BTreeMap, fmt::Write as _};

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::{analysis::Analysis, evaluate::confusion::Confusion, id::DocId};

/// The number of stories, and of stories with duplicates.
const STORIES: usize = 90;
const RETOLD: usize = 30;
/// Texts that share a template.
const FORMS: usize = 24;
/// Different words.
const VOCABULARY: usize = 600;

/// The story of each document, by the document's id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenTruth(BTreeMap<String, u32>);

/// A corpus and its truth.
#[derive(Clone, Debug)]
pub struct BlindCorpus {
    /// The documents, one JSON line for each.
    pub jsonl: String,
    /// The stories.
    pub truth: HiddenTruth,
}

type Random = Xoshiro256PlusPlus;

/// The corpus of a seed.
pub fn corpus(seed: u64) -> BlindCorpus {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let words: Vec<String> = (0..VOCABULARY).map(|_| word(&mut random)).collect();
    let mut texts: Vec<(u32, Vec<&str>)> = Vec::new();
    for story in 0..STORIES {
        let text = written(&words, random.random_range(30..120), &mut random);
        if story < RETOLD {
            for _ in 0..random.random_range(1..=2) {
                texts.push((story as u32, duplicate(&text, &words, &mut random)));
            }
        }
        texts.push((story as u32, text));
    }
    let form = written(&words, 40, &mut random);
    for number in 0..FORMS {
        let mut text = form.clone();
        for place in text.iter_mut().step_by(4) {
            *place = pick(&words, &mut random);
        }
        texts.push(((STORIES + number) as u32, text));
    }
    for at in (1..texts.len()).rev() {
        texts.swap(at, random.random_range(0..=at));
    }
    let (mut jsonl, mut truth) = (String::new(), BTreeMap::new());
    for (number, (story, text)) in texts.into_iter().enumerate() {
        let id = format!("text-{:03}", number + 1);
        let _ = writeln!(jsonl, "{{\"id\":\"{id}\",\"text\":\"{}\"}}", text.join(" "));
        truth.insert(id, story);
    }
    BlindCorpus { jsonl, truth: HiddenTruth(truth) }
}

/// A pronounceable word.
fn word(random: &mut Random) -> String {
    const CONSONANTS: &[u8] = b"bdfgklmnprstv";
    const VOWELS: &[u8] = b"aeiou";
    let mut word = String::new();
    for _ in 0..random.random_range(1..=3) {
        word.push(char::from(CONSONANTS[random.random_range(0..CONSONANTS.len())]));
        word.push(char::from(VOWELS[random.random_range(0..VOWELS.len())]));
    }
    word
}

/// Frequent words are frequent: the square of a uniform number.
fn pick<'w>(words: &'w [String], random: &mut Random) -> &'w str {
    let at = random.random::<f64>().powi(2) * words.len() as f64;
    &words[(at as usize).min(words.len() - 1)]
}

fn written<'w>(words: &'w [String], n: usize, random: &mut Random) -> Vec<&'w str> {
    (0..n).map(|_| pick(words, random)).collect()
}

/// A duplicate of a story: up to an eighth of its words are replaced, and perhaps a run of words is moved.
fn duplicate<'w>(text: &[&'w str], words: &'w [String], random: &mut Random) -> Vec<&'w str> {
    let mut edited = text.to_vec();
    for _ in 0..random.random_range(0..=text.len() / 8) {
        let at = random.random_range(0..edited.len());
        edited[at] = pick(words, random);
    }
    if random.random_bool(0.3) {
        let half = edited.len() / 2;
        edited.rotate_left(half);
    }
    edited
}

impl HiddenTruth {
    /// The pairs within each k that are found, missed and false, for k from 0 to the width of a fingerprint. Costs one
    /// comparison for each pair.
    pub fn by_k(&self, analysis: &Analysis) -> Vec<Confusion> {
        let width = analysis.settings.recipe.bits as usize;
        let stories: Vec<_> = (0..analysis.len())
            .map(DocId::from)
            .filter_map(|document| {
                let story = self.0.get(analysis.corpus.id(document))?;
                Some((*story, analysis.fingerprint(document)?))
            })
            .collect();
        let (mut same, mut other) = (vec![0_u64; width + 1], vec![0_u64; width + 1]);
        for (at, (story, fingerprint)) in stories.iter().enumerate() {
            for (second, bits) in &stories[at + 1..] {
                let counts = if story == second { &mut same } else { &mut other };
                counts[fingerprint.distance(*bits) as usize] += 1;
            }
        }
        let n_true: u64 = same.iter().sum();
        let (mut found, mut wrong) = (0, 0);
        same.iter()
            .zip(&other)
            .map(|(same, other)| {
                found += same;
                wrong += other;
                Confusion {
                    true_positives: found,
                    false_positives: wrong,
                    false_negatives: n_true - found,
                }
            })
            .collect()
    }

    /// The outcome of a k; `None` before there are fingerprints.
    pub fn at(&self, analysis: &Analysis, k: u32) -> Option<Confusion> {
        self.by_k(analysis).get(k as usize).copied()
    }

    /// The k with the largest F1, the smallest of several, and its outcome.
    pub fn best(&self, analysis: &Analysis) -> Option<(u32, Confusion)> {
        let all = (0..).zip(self.by_k(analysis));
        let with_f1 = all.filter_map(|(k, it): (u32, Confusion)| Some((it.f1()?, k, it)));
        let best = with_f1.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, k, it)| (k, it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_corpus_with_retellings_and_forms() {
        let one = corpus(7);
        assert_eq!((&one.jsonl, &one.truth), (&corpus(7).jsonl, &corpus(7).truth));
        assert_ne!(one.jsonl, corpus(8).jsonl);
        assert_eq!(one.jsonl.lines().count(), one.truth.0.len());
        let mut stories: Vec<u32> = one.truth.0.values().copied().collect();
        stories.sort_unstable();
        stories.dedup();
        assert_eq!(stories.len(), STORIES + FORMS);
        assert!(one.truth.0.len() >= STORIES + FORMS + RETOLD);
    }
}
