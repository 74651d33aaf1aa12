//! The texts to time on: real corpora where they are, else generated ones that anyone has.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;

/// So many bytes of text at most: beyond any cache, and timed in well under a second.
const MOST_BYTES: usize = 16 << 20;
const SAMPLE: &str = include_str!("../../../assets/sample.jsonl");

/// Documents under a name that says where they come from.
pub(crate) struct Texts {
    /// For the table.
    pub(crate) name: &'static str,
    /// One a document.
    pub(crate) texts: Vec<String>,
}

impl Texts {
    /// Bytes in all.
    pub(crate) fn bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }
}

/// The JSONL file of a shared corpus, if there is one.
pub(crate) fn shared(corpus: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("SIMSCOPE_SHARED")?);
    let path = folder.join("corpora").join(corpus).join("docs.jsonl");
    path.is_file().then_some(path)
}

/// Mostly ASCII: abstracts, one in eight with an accent or a dash; else English-like words.
pub(crate) fn english() -> Texts {
    match shared("arxiv-feeds-dev") {
        Some(path) => Texts { name: "arXiv abstracts", texts: read(&path, |_| true) },
        None => Texts { name: "generated English", texts: generated(MOST_BYTES) },
    }
}

/// All the languages there are, ASCII among them.
pub(crate) fn languages() -> Texts {
    match shared("udhr-articles") {
        Some(path) => Texts { name: "human rights, 500 languages", texts: read(&path, |_| true) },
        None => Texts { name: "sample, not English", texts: repeated(|text| !text.is_ascii()) },
    }
}

/// Chinese, Japanese and Korean.
pub(crate) fn cjk() -> Texts {
    match shared("udhr-articles") {
        Some(path) => {
            let mut texts = read(&path, is_cjk);
            let few = texts.len();
            while texts.iter().map(String::len).sum::<usize>() < MOST_BYTES / 4 {
                texts.extend_from_within(..few);
            }
            Texts { name: "human rights, CJK", texts }
        }
        None => Texts { name: "sample, CJK", texts: repeated(is_cjk) },
    }
}

fn is_cjk(text: &str) -> bool {
    let east = |c: &char| matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    2 * text.chars().filter(east).count() > text.chars().count()
}

fn read(path: &PathBuf, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let file = fs::read_to_string(path).expect("the corpus is readable");
    let mut bytes = 0;
    texts_of(&file)
        .filter(|text| wanted(text))
        .take_while(|text| {
            bytes += text.len();
            bytes <= MOST_BYTES
        })
        .collect()
}

fn repeated(wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let texts: Vec<String> = texts_of(SAMPLE).filter(|text| wanted(text)).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let times = MOST_BYTES / 4 / bytes.max(1);
    std::iter::repeat_n(texts, times).flatten().collect()
}

fn texts_of(jsonl: &str) -> impl Iterator<Item = String> {
    jsonl.lines().map(|line| {
        let mut row: Value = serde_json::from_str(line).expect("a row of the corpus");
        match row["text"].take() {
            Value::String(text) => text,
            _ => unreachable!("every row of these corpora has a text"),
        }
    })
}

/// Sentences of the sample's English words, the frequent ones often, in documents of 60 to 300 words.
pub(crate) fn generated(bytes: usize) -> Vec<String> {
    let english: Vec<String> = texts_of(SAMPLE).filter(|text| text.is_ascii()).collect();
    let words: Vec<&str> = english.iter().flat_map(|text| text.split_whitespace()).collect();
    let mut state = 1u64;
    let mut random = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut left = bytes as isize;
    let mut texts = Vec::new();
    while left > 0 {
        let mut text = String::new();
        for _ in 0..60 + random(240) {
            text.push_str(words[random(words.len())]);
            text.push(' ');
        }
        left -= text.len() as isize;
        texts.push(text);
    }
    texts
}
