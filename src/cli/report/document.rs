//! One document explained: how firmly each of its bits was decided, and whether its distances mislead.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    figures::{quoted, rounded, signed, some_of, weight},
    waterfall::{self, JsonBit},
};
use crate::{
    evaluate::angle,
    explain::{
        BitExplanation, Standing,
        standing::{BitStanding, alone, bit_numbers},
        triage::Finding,
    },
    number::counted,
    simhash::{Ballot, Fingerprint, Recipe},
    text::visible::visible,
};

/// Columns of a bar to each side of 0.
const BAR: usize = 16;

/// A document taken apart.
#[derive(Debug)]
pub(in crate::cli) struct Document<'a> {
    /// Its id.
    pub(in crate::cli) id: &'a str,
    /// Its fingerprint; `None` where it has no features.
    pub(in crate::cli) fingerprint: Option<Fingerprint>,
    /// What decided it.
    pub(in crate::cli) recipe: &'a Recipe,
    /// Its features; `None` where the corpus holds fingerprints instead of text.
    pub(in crate::cli) ballot: Option<&'a Ballot>,
    /// Reasons to mistrust it.
    pub(in crate::cli) findings: &'a [Finding],
    /// The cosine that flip chances are told for.
    pub(in crate::cli) cosine: f64,
    /// The bit asked about.
    pub(in crate::cli) bit: Option<u32>,
    /// Lines of a list.
    pub(in crate::cli) most: usize,
}

#[derive(Serialize)]
struct Json<'a> {
    id: &'a str,
    fingerprint: Option<String>,
    width: u32,
    flags: Vec<JsonFlag<'a>>,
    #[serde(flatten)]
    text: Option<JsonText<'a>>,
}

#[derive(Serialize)]
struct JsonFlag<'a> {
    flag: &'static str,
    value: f64,
    sentence: &'a str,
}

#[derive(Serialize)]
struct JsonText<'a> {
    tokens: u32,
    features: usize,
    norm: f64,
    heaviest: Option<&'a str>,
    heaviest_weight: Option<f64>,
    dominance: f64,
    dominated: bool,
    ties: u32,
    weak: Vec<u32>,
    cosine: f64,
    expected_flips: f64,
    bits: Vec<JsonStanding>,
    alone: Vec<JsonAlone<'a>>,
    n_alone: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<JsonBit>,
}

/// A bit and how it was decided, for rows.
#[derive(Serialize)]
struct JsonStanding {
    bit: u32,
    value: u8,
    votes: f64,
    margin: f64,
    flips: f64,
}

/// A feature without which bits would flip.
#[derive(Serialize)]
struct JsonAlone<'a> {
    feature: &'a str,
    flips: Vec<u32>,
}

impl Document<'_> {
    /// How its bits were decided; `None` without text.
    pub(in crate::cli) fn standing(&self) -> Option<Standing> {
        self.ballot.map(|ballot| Standing::new(ballot, self.recipe.tie))
    }

    fn explained(&self, ballot: &Ballot) -> Option<BitExplanation> {
        self.bit.map(|bit| BitExplanation::new(ballot, bit, self.recipe.tie))
    }
}

/// Writes the document as one JSON object on one line.
pub(in crate::cli) fn write_json(it: &Document<'_>, out: &mut dyn Write) -> io::Result<()> {
    let text = it.ballot.zip(it.standing()).map(|(ballot, standing)| {
        let alone = alone(ballot, it.recipe.tie);
        JsonText {
            tokens: ballot.n_tokens,
            features: ballot.voters.len(),
            norm: rounded(ballot.votes.norm()),
            heaviest: standing.heaviest.map(|at| ballot.voters[at].shingle.as_str()),
            heaviest_weight: standing.heaviest.map(|at| weight(ballot.voters[at].weight)),
            dominance: rounded(standing.dominance),
            dominated: standing.is_dominated,
            ties: standing.n_ties(),
            weak: standing.weak().iter().map(|bit| bit.bit).collect(),
            cosine: it.cosine,
            expected_flips: rounded(standing.expected_flips(it.cosine)),
            bits: standing.bits.iter().rev().map(|bit| json_standing(bit, it.cosine)).collect(),
            n_alone: alone.len(),
            alone: alone
                .into_iter()
                .take(it.most)
                .map(|(voter, bits)| JsonAlone {
                    feature: &ballot.voters[voter].shingle,
                    flips: bit_numbers(bits),
                })
                .collect(),
            explained: it.explained(ballot).map(|bit| waterfall::json(ballot, &bit, it.most)),
        }
    });
    let flags = it.findings.iter().map(|finding| JsonFlag {
        flag: finding.flag.name(),
        value: rounded(finding.value),
        sentence: &finding.sentence,
    });
    let json = Json {
        id: it.id,
        fingerprint: it.fingerprint.map(|fingerprint| fingerprint.to_string()),
        width: it.recipe.bits,
        flags: flags.collect(),
        text,
    };
    serde_json::to_writer(&mut *out, &json)?;
    out.write_all(b"\n")
}

fn json_standing(bit: &BitStanding, cosine: f64) -> JsonStanding {
    JsonStanding {
        bit: bit.bit,
        value: u8::from(bit.value),
        votes: weight(bit.votes),
        margin: rounded(bit.margin),
        flips: rounded(bit.flips(cosine)),
    }
}

/// Writes the document as text, a bar a bit.
pub(in crate::cli) fn write_text(
    it: &Document<'_>,
    ascii: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match it.fingerprint {
        Some(fingerprint) => writeln!(out, "{fingerprint}  {}", visible(it.id))?,
        None => writeln!(out, "no fingerprint  {}", visible(it.id))?,
    }
    for finding in it.findings {
        writeln!(out, "! {}: {}", finding.flag, finding.sentence)?;
    }
    let (Some(ballot), Some(standing)) = (it.ballot, it.standing()) else {
        return writeln!(
            out,
            "the corpus holds its fingerprint and no text, so no votes to explain"
        );
    };
    let Some(heaviest) = standing.heaviest else { return Ok(()) };
    let tokens = it.recipe.features.tokens_name();
    writeln!(
        out,
        "{} of {} {tokens}, ||w|| = {:.2} ({})",
        counted(ballot.voters.len() as u64, "feature"),
        ballot.n_tokens,
        ballot.votes.norm(),
        it.recipe.short(),
    )?;
    writeln!(
        out,
        "heaviest {} weighs {}: {:.1} % of ||w||^2",
        quoted(&ballot.voters[heaviest].shingle),
        weight(ballot.voters[heaviest].weight),
        100.0 * standing.dominance,
    )?;
    let weak: Vec<String> = standing.weak().iter().map(|bit| bit.bit.to_string()).collect();
    writeln!(
        out,
        "{}; {} won by less than a tenth of ||w||{}{}",
        counted(u64::from(standing.n_ties()), "tie"),
        counted(weak.len() as u64, "weak bit"),
        if weak.is_empty() { "" } else { ": " },
        weak.join(" "),
    )?;
    writeln!(
        out,
        "at cosine {}: {:.1} bits are expected to flip, {:.1} in a document of average margins",
        it.cosine,
        standing.expected_flips(it.cosine),
        angle::expected_distance(it.cosine, it.recipe.bits),
    )?;
    write_alone(it, ballot, out)?;
    if let Some(bit) = it.explained(ballot) {
        writeln!(out)?;
        return waterfall::write(ballot, &bit, it.most, out);
    }
    writeln!(out, "\nbit  value          V  margin  flips  0 {:>1$} 1", "|", BAR)?;
    let most = standing.bits.iter().map(|bit| bit.votes.0.abs()).max().unwrap_or(0).max(1);
    for bit in standing.bits.iter().rev() {
        writeln!(
            out,
            "{:>3}  {:>5} {:>10}  {:>6.2}  {:>5.2}  {}",
            bit.bit,
            u8::from(bit.value),
            signed(bit.votes),
            bit.margin,
            bit.flips(it.cosine),
            bar(bit.votes.0, most, ascii).trim_end(),
        )?;
    }
    Ok(())
}

/// The features that hold bits by themselves.
fn write_alone(it: &Document<'_>, ballot: &Ballot, out: &mut dyn Write) -> io::Result<()> {
    let alone = alone(ballot, it.recipe.tie);
    if alone.is_empty() {
        return writeln!(out, "no single feature holds a bit: each could go and none would flip");
    }
    let held = alone.iter().fold(0, |held, (_, bits)| held | bits).count_ones();
    writeln!(
        out,
        "{} would flip without some one of {}; the most:",
        counted(u64::from(held), "bit"),
        counted(alone.len() as u64, "feature"),
    )?;
    for (voter, bits) in alone.iter().take(it.most.min(3)) {
        let numbers: Vec<String> = bit_numbers(*bits).iter().map(u32::to_string).collect();
        let feature = quoted(&ballot.voters[*voter].shingle);
        writeln!(out, "  without {feature} flip {}", some_of(&numbers, 12))?;
    }
    Ok(())
}

/// Votes as a bar from the middle: to the right for 1, to the left for 0.
fn bar(votes: i64, most: i64, ascii: bool) -> String {
    let length = (votes.unsigned_abs() as f64 / most as f64 * BAR as f64).round() as usize;
    let run = if ascii { "#" } else { "█" }.repeat(length);
    let (left, right) = if votes < 0 { (run, String::new()) } else { (String::new(), run) };
    let middle = if ascii { "|" } else { "│" };
    let gap = " ".repeat(BAR - if votes < 0 { length } else { 0 });
    format!("{gap}{left}{middle}{right}")
}
