//! What the texts of a pair say, as fields of its JSON object.

use serde::Serialize;

use super::{
    comparison::{Comparison, SIDES},
    figures::{rounded, weight},
};
use crate::explain::{
    Sameness, TextsExplanation,
    counterfactual::Edit,
    deciders::{Decider, DifferingBit},
    matched::{Matched, matched},
    overlap::Only,
};

/// The fields that a pair's JSON object has beside those about its fingerprints. Lists are cut to the
/// lines asked for; the counts beside them are of all.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct Json {
    exact_cosine: Option<f64>,
    /// Of equal fingerprints: whether the texts, the features or only the fingerprints are equal.
    equal: Option<&'static str>,
    jaccard: Option<f64>,
    containment: Option<f64>,
    features_a: usize,
    features_b: usize,
    features_shared: usize,
    shared: Vec<JsonShared>,
    only_a: Vec<JsonOnly>,
    only_b: Vec<JsonOnly>,
    deciders: Vec<JsonBit>,
    counterfactual: Option<JsonCounterfactual>,
    sentences_a: JsonSentences,
    sentences_b: JsonSentences,
}

#[derive(Debug, Serialize)]
struct JsonShared {
    feature: String,
    weight_a: f64,
    weight_b: f64,
    contribution: f64,
}

#[derive(Debug, Serialize)]
struct JsonOnly {
    feature: String,
    weight: f64,
    share: f64,
}

#[derive(Debug, Serialize)]
struct JsonBit {
    bit: u32,
    value_a: u8,
    votes_a: f64,
    margin_a: f64,
    votes_b: f64,
    margin_b: f64,
    deciders_a: Vec<JsonDecider>,
    deciders_b: Vec<JsonDecider>,
}

#[derive(Debug, Serialize)]
struct JsonDecider {
    feature: String,
    push: f64,
}

#[derive(Debug, Serialize)]
struct JsonCounterfactual {
    k: u32,
    edited: &'static str,
    n_edits: usize,
    at_least: usize,
    distance: u32,
    edits: Vec<JsonEdit>,
}

#[derive(Debug, Serialize)]
struct JsonEdit {
    feature: String,
    from: f64,
    to: f64,
}

#[derive(Debug, Serialize)]
struct JsonSentences {
    n_sentences: usize,
    n_tried: usize,
    without: Vec<JsonSentence>,
}

#[derive(Debug, Serialize)]
struct JsonSentence {
    sentence: String,
    distance: Option<u32>,
}

/// The comparison's fields.
pub(in crate::cli) fn json(it: &Comparison<'_>) -> Json {
    let features = matched(it.ballots[0], it.ballots[1]);
    let TextsExplanation { overlap, sameness, bits, counterfactual, sentences } =
        it.explain(&features);
    let name = |feature: &Matched<'_>| feature.voter().shingle.clone();
    let only = |side: usize| {
        let only = overlap.only[side].iter().take(it.most);
        only.map(|Only { feature, share }| JsonOnly {
            feature: name(feature),
            weight: weight(feature.weight(side)),
            share: rounded(*share),
        })
        .collect()
    };
    let sentences = |side: usize| {
        let effects = &sentences[side];
        JsonSentences {
            n_sentences: effects.n_sentences,
            n_tried: effects.effects.len(),
            without: effects
                .effects
                .iter()
                .take(it.most)
                .map(|effect| JsonSentence {
                    sentence: it.texts[side][effect.place.clone()].trim().to_owned(),
                    distance: effect.distance,
                })
                .collect(),
        }
    };
    let shared = overlap.shared.iter().take(it.most).map(|shared| JsonShared {
        feature: name(&shared.feature),
        weight_a: weight(shared.feature.weight(0)),
        weight_b: weight(shared.feature.weight(1)),
        contribution: rounded(shared.contribution),
    });
    let edit = |edit: &Edit<'_>| JsonEdit {
        feature: name(&edit.feature),
        from: weight(edit.from),
        to: weight(edit.to),
    };
    Json {
        exact_cosine: overlap.cosine.map(rounded),
        equal: sameness.map(Sameness::name),
        jaccard: overlap.jaccard().map(rounded),
        containment: overlap.containment().map(rounded),
        features_a: it.ballots[0].voters.len(),
        features_b: it.ballots[1].voters.len(),
        features_shared: overlap.shared.len(),
        shared: shared.collect(),
        only_a: only(0),
        only_b: only(1),
        deciders: bits.iter().map(json_bit).collect(),
        counterfactual: counterfactual.map(|found| JsonCounterfactual {
            k: it.k,
            edited: SIDES[found.side],
            n_edits: found.edits.len(),
            at_least: found.at_least,
            distance: found.distance,
            edits: found.edits.iter().take(it.most).map(edit).collect(),
        }),
        sentences_a: sentences(0),
        sentences_b: sentences(1),
    }
}

fn json_bit(bit: &DifferingBit<'_>) -> JsonBit {
    let deciders = |side: usize| {
        let decider = |decider: &Decider<'_>| JsonDecider {
            feature: decider.feature.voter().shingle.clone(),
            push: weight(decider.push),
        };
        bit.deciders[side].iter().map(decider).collect()
    };
    JsonBit {
        bit: bit.bit,
        value_a: u8::from(bit.values[0]),
        votes_a: weight(bit.votes[0]),
        margin_a: rounded(bit.margins[0]),
        votes_b: weight(bit.votes[1]),
        margin_b: rounded(bit.margins[1]),
        deciders_a: deciders(0),
        deciders_b: deciders(1),
    }
}
