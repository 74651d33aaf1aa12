//! `simscope explain` as JSON: one object, its fields in a fixed order. `--top` limits the lengths of lists; the counts
//! beside them are of all entries.

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::args::ExplainArgs;
use crate::analysis::explained_pair::ExplainedPair;
use crate::evaluate::{angle, interval};
use crate::explain::bit_margins::{BitMargin, alone, bit_numbers};
use crate::explain::figures::{rounded, weight};
use crate::explain::near_miss::remedies;
use crate::explain::overlap::{DifferingBit, Only};
use crate::explain::sentence::SentenceEffects;
use crate::explain::triage::Finding;
use crate::explain::{BitExplanation, BitMargins, EqualityKind, TextsExplanation};
use crate::index::{letter, load};
use crate::simhash::{FeatureVotes, Fingerprint, Recipe};

/// The names of the two documents.
const SIDES: [&str; 2] = ["a", "b"];

/// A JSON object: names with values that are already JSON.
#[derive(Debug)]
pub(super) struct Object(Vec<(&'static str, Box<RawValue>)>);

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

fn raw(value: &(impl Serialize + ?Sized)) -> Box<RawValue> {
    to_raw_value(value).expect("words, numbers and lists of them are JSON")
}

macro_rules! object {
    ($($name:literal: $value:expr),* $(,)?) => { Object(vec![$(($name, raw(&$value))),*]) };
}

/// A pair; `bits` is the bit of `--bit` in each document.
pub(super) fn pair(
    it: &ExplainedPair,
    ids: [&str; 2],
    bits: Option<&([&FeatureVotes; 2], [BitExplanation; 2])>,
    most: usize,
) -> Object {
    let (distance, width) = (it.bits.distance, it.layout.width());
    let (low, high) = interval::cosine(distance, width);
    let block = |(at, bits_off)| object! { "block": letter(at), "bits_off": bits_off };
    let blocks: Vec<Object> = it.bits.bits_off.iter().enumerate().map(block).collect();
    let tables = it.layout.tables().iter().zip(&it.bits.tables).enumerate();
    let tables = tables.map(|(number, (table, outcome))| {
        object! {
            "table": number + 1,
            "key": table.letters(),
            "hit": outcome.hit,
            "damaged": outcome.damaged.iter().map(|&block| letter(block)).collect::<Vec<_>>(),
        }
    });
    let remedies: Vec<Object> = remedies(&it.layout, it.bits.xor)
        .iter()
        .map(|remedy| {
            object! {
                "way": remedy.way,
                "layout": remedy.layout.name(),
                "n_tables": remedy.layout.tables().len(),
                "tables_hit": remedy.tables_hit,
                "key_bits": remedy.key_bits_min(),
            }
        })
        .collect();
    let mut pair = object! {
        "a": ids[0],
        "b": ids[1],
        "distance": distance,
        "width": width,
        "fingerprint_a": it.fingerprints[0].to_string(),
        "fingerprint_b": it.fingerprints[1].to_string(),
        "cosine": rounded(angle::estimate(distance, width)),
        "cosine_low": rounded(low),
        "cosine_high": rounded(high),
        "differing_bits": it.bits.differing_bits(),
        "layout": it.layout.name(),
        "guarantee": it.layout.guarantee(),
        "blocks": blocks,
        "tables": tables.collect::<Vec<_>>(),
        "tables_hit": it.bits.hits().count(),
        "n_tables": it.layout.tables().len(),
        "expected_tables": rounded(load::expected_tables_hit(&it.layout, distance)),
        "candidate_chance": load::candidate_chance(&it.layout, distance).map(rounded),
        "needed_k": distance,
        "remedies": remedies,
    };
    pair.0.extend(it.texts.iter().flat_map(|explanation| texts(explanation, it.k, most).0));
    if let Some((votes, bits)) = bits {
        let bits = [0, 1].map(|side| bit(votes[side], &bits[side], most));
        pair.0.push(("explained", raw(&bits)));
    }
    pair
}

/// The features of both texts.
fn texts(explanation: &TextsExplanation, k: u32, most: usize) -> Object {
    let TextsExplanation { overlap, sameness, bits, counterfactual, sentences } = explanation;
    let only = |side: usize| -> Vec<Object> {
        let only = |Only { feature, share }: &Only| {
            object! {
                "feature": *feature.shingle,
                "weight": weight(feature.weight(side)),
                "share": rounded(*share),
            }
        };
        overlap.only[side].iter().take(most).map(only).collect()
    };
    let shared = overlap.shared.iter().take(most).map(|shared| {
        object! {
            "feature": *shared.feature.shingle,
            "weight_a": weight(shared.feature.weight(0)),
            "weight_b": weight(shared.feature.weight(1)),
            "contribution": rounded(shared.contribution),
        }
    });
    let counterfactual = counterfactual.as_ref().map(|found| {
        let edits = found.edits.iter().take(most).map(|edit| {
            object! {
                "feature": *edit.shingle,
                "from": weight(edit.weight(found.side)),
                "to": weight(edit.weight(1 - found.side)),
            }
        });
        object! {
            "k": k,
            "edited": SIDES[found.side],
            "n_edits": found.edits.len(),
            "distance": found.distance,
            "edits": edits.collect::<Vec<_>>(),
        }
    });
    object! {
        "exact_cosine": overlap.cosine.map(rounded),
        "equal": sameness.map(EqualityKind::name),
        "jaccard": overlap.jaccard().map(rounded),
        "containment": overlap.containment().map(rounded),
        "features_a": overlap.n_shared + overlap.n_only[0],
        "features_b": overlap.n_shared + overlap.n_only[1],
        "features_shared": overlap.n_shared,
        "shared": shared.collect::<Vec<_>>(),
        "only_a": only(0),
        "only_b": only(1),
        "deciders": bits.iter().map(differing_bit).collect::<Vec<_>>(),
        "counterfactual": counterfactual,
        "sentences_a": without(&sentences[0], most),
        "sentences_b": without(&sentences[1], most),
    }
}

fn differing_bit(it: &DifferingBit) -> Object {
    let contributors = |side: usize| -> Vec<Object> {
        let contributors = it.contributors[side].iter();
        let named = contributors.map(|(feature, push)| {
            object! { "feature": *feature.shingle, "push": weight(*push) }
        });
        named.collect()
    };
    let [one, other] = &it.sides;
    object! {
        "bit": one.bit,
        "value_a": u8::from(one.value),
        "votes_a": weight(one.votes),
        "margin_a": rounded(one.margin),
        "votes_b": weight(other.votes),
        "margin_b": rounded(other.margin),
        "deciders_a": contributors(0),
        "deciders_b": contributors(1),
    }
}

fn without(found: &SentenceEffects, most: usize) -> Object {
    let effects = found.effects.iter().take(most);
    let without =
        effects.map(|effect| object! { "sentence": effect.sentence, "distance": effect.distance });
    object! {
        "n_sentences": found.n_sentences,
        "n_tried": found.effects.len(),
        "without": without.collect::<Vec<_>>(),
    }
}

/// A document; `explained` is the bit of `--bit`.
pub(super) fn document(
    (id, fingerprint): (&str, Option<Fingerprint>),
    recipe: &Recipe,
    feature_votes: Option<&FeatureVotes>,
    findings: &[Finding],
    ask: &ExplainArgs,
    explained: Option<&BitExplanation>,
) -> Object {
    let flag = |finding: &Finding| {
        object! {
            "flag": finding.flag.name(),
            "value": rounded(finding.value),
            "sentence": finding.sentence,
        }
    };
    let mut document = object! {
        "id": id,
        "fingerprint": fingerprint.map(|fingerprint| fingerprint.to_string()),
        "width": recipe.bits,
        "flags": findings.iter().map(flag).collect::<Vec<_>>(),
    };
    if let Some(feature_votes) = feature_votes {
        document.0.extend(votes(feature_votes, recipe, ask.cosine, ask.top).0);
        let explained = explained.map(|it| raw(&bit(feature_votes, it, ask.top)));
        document.0.extend(explained.map(|bit| ("explained", bit)));
    }
    document
}

/// The margins of the bits of a document.
fn votes(feature_votes: &FeatureVotes, recipe: &Recipe, cosine: f64, most: usize) -> Object {
    let margins = BitMargins::new(feature_votes, recipe.tie);
    let heaviest = margins.heaviest.map(|at| &feature_votes.features[at]);
    let alone = alone(feature_votes, recipe.tie);
    let bit = |bit: &BitMargin| {
        object! {
            "bit": bit.bit,
            "value": u8::from(bit.value),
            "votes": weight(bit.votes),
            "margin": rounded(bit.margin),
            "flips": rounded(bit.flips(cosine)),
        }
    };
    let held = |(feature, bits): &(usize, u128)| {
        object! { "feature": feature_votes.features[*feature].shingle, "flips": bit_numbers(*bits) }
    };
    object! {
        "tokens": feature_votes.n_tokens,
        "features": feature_votes.features.len(),
        "norm": rounded(feature_votes.votes.norm()),
        "heaviest": heaviest.map(|feature| &feature.shingle),
        "heaviest_weight": heaviest.map(|feature| weight(feature.weight)),
        "dominance": rounded(margins.dominance),
        "dominated": margins.is_dominated,
        "ties": margins.n_ties(),
        "weak": margins.weak().iter().map(|bit| bit.bit).collect::<Vec<_>>(),
        "cosine": cosine,
        "expected_flips": rounded(margins.expected_flips(cosine)),
        "bits": margins.bits.iter().rev().map(bit).collect::<Vec<_>>(),
        "alone": alone.iter().take(most).map(held).collect::<Vec<_>>(),
        "n_alone": alone.len(),
    }
}

/// A bit: its heaviest features, the fewest features whose removal flips the bit (null if no removal does), and the
/// fewest that flip it if they vote the other way.
fn bit(feature_votes: &FeatureVotes, it: &BitExplanation, most: usize) -> Object {
    let names = |features: &Vec<usize>| -> Vec<&str> {
        features.iter().map(|&feature| feature_votes.features[feature].shingle.as_str()).collect()
    };
    let steps = it.steps.iter().take(most).map(|step| {
        object! {
            "feature": feature_votes.features[step.feature].shingle,
            "count": feature_votes.features[step.feature].count,
            "push": weight(step.push),
            "sum": weight(step.sum),
        }
    });
    let (for_one, for_zero) = it.sides();
    object! {
        "bit": it.bit.bit,
        "value": u8::from(it.bit.value),
        "votes": weight(it.bit.votes),
        "margin": rounded(it.bit.margin),
        "for_one": weight(for_one),
        "for_zero": weight(for_zero),
        "n_features": it.steps.len(),
        "features": steps.collect::<Vec<_>>(),
        "removal": it.removal.as_ref().map(names),
        "inversion": names(&it.inversion),
    }
}
