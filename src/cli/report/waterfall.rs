//! One bit of one document: who pushed it, and the fewest features that would flip it.

use std::io::{self, Write};

use serde::Serialize;

use super::figures::{quoted, rounded, signed, some_of, weight};
use crate::{
    explain::bit::{BitExplanation, Step},
    feature::FixedWeight,
    number::counted,
    simhash::Ballot,
};

/// A bit explained, for JSON.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct JsonBit {
    bit: u32,
    value: u8,
    votes: f64,
    margin: f64,
    for_one: f64,
    for_zero: f64,
    n_features: usize,
    /// The heaviest.
    features: Vec<JsonStep>,
    /// The fewest whose removal flips the bit, heaviest first; null where none do.
    removal: Option<Vec<String>>,
    /// The fewest that flip it if they vote the other way.
    inversion: Vec<String>,
}

#[derive(Debug, Serialize)]
struct JsonStep {
    feature: String,
    count: u32,
    push: f64,
    sum: f64,
}

/// The bit with its `most` heaviest features.
pub(in crate::cli) fn json(ballot: &Ballot, it: &BitExplanation, most: usize) -> JsonBit {
    let name = |&voter: &usize| ballot.voters[voter].shingle.clone();
    let step = |step: &Step| JsonStep {
        feature: name(&step.voter),
        count: ballot.voters[step.voter].count,
        push: weight(step.push),
        sum: weight(step.sum),
    };
    let (for_one, for_zero) = it.sides();
    JsonBit {
        bit: it.bit,
        value: u8::from(it.value),
        votes: weight(it.votes),
        margin: rounded(it.margin),
        for_one: weight(for_one),
        for_zero: weight(for_zero),
        n_features: it.steps.len(),
        features: it.steps.iter().take(most).map(step).collect(),
        removal: it.removal.as_ref().map(|removal| removal.iter().map(name).collect()),
        inversion: it.inversion.iter().map(name).collect(),
    }
}

/// Writes the bit's waterfall with its `most` heaviest features.
pub(in crate::cli) fn write(
    ballot: &Ballot,
    it: &BitExplanation,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (for_one, for_zero) = it.sides();
    writeln!(
        out,
        "bit {} is {}: {} for 1, {} for 0, so V = {}, margin {:.2}",
        it.bit,
        u8::from(it.value),
        weight(for_one),
        weight(for_zero),
        signed(it.votes),
        it.margin,
    )?;
    writeln!(out, "{:>10} {:>10}  feature", "push", "sum")?;
    for step in it.steps.iter().take(most) {
        let feature = quoted(&ballot.voters[step.voter].shingle);
        writeln!(out, "{:>10} {:>10}  {feature}", signed(step.push), signed(step.sum))?;
    }
    let rest = &it.steps[it.steps.len().min(most)..];
    if !rest.is_empty() {
        let push = FixedWeight(rest.iter().map(|step| step.push.0).sum());
        let more = counted(rest.len() as u64, "lighter feature");
        writeln!(out, "{:>10} {:>10}  {more} together", signed(push), signed(it.votes))?;
    }
    let names = |voters: &[usize]| -> Vec<String> {
        voters.iter().map(|&voter| quoted(&ballot.voters[voter].shingle)).collect()
    };
    match &it.removal {
        Some(removal) => writeln!(
            out,
            "flips without {}, and no fewer: {}",
            counted(removal.len() as u64, "feature"),
            some_of(&names(removal), most),
        )?,
        None if it.steps.is_empty() => writeln!(out, "there are no features to take away")?,
        None => writeln!(out, "all features agree: no removal flips it")?,
    }
    if !it.inversion.is_empty() {
        writeln!(
            out,
            "flips if {} voted the other way, and no fewer: {}",
            counted(it.inversion.len() as u64, "feature"),
            some_of(&names(&it.inversion), most),
        )?;
    }
    Ok(())
}
