//! A document in words: the features that decided one of its bits, and the document as a whole.

use super::page::{PageBlock, PageLine, PageRow, PageTable, Section};
use crate::analysis::inspection::{Inspection, MOST_FEATURES};
use crate::evaluate::angle;
use crate::explain::bit_margins::{BitMargin, bit_numbers};
use crate::explain::figures::{signed, some_of, weight};
use crate::explain::triage::Finding;
use crate::explain::{BitExplanation, BitMargins};
use crate::feature::FixedWeight;
use crate::number::{counted, grouped};
use crate::simhash::{FeatureVotes, Recipe};

/// The largest number of bits that are listed for a feature.
const MOST_BITS: usize = 12;
/// Columns of a bar of votes on each side of 0.
const BAR: usize = 16;

/// The numbers of features to list.
#[derive(Clone, Copy, Debug)]
pub struct FeatureLimits {
    /// In the waterfall of a bit.
    pub waterfall: usize,
    /// In a smallest set, and among those that decide bits alone.
    pub names: usize,
}

/// The explanation of a bit of a document: its margin, and the features that decided it.
pub fn bit(
    open: &Inspection,
    margins: &BitMargin,
    cosine: f64,
    most: FeatureLimits,
) -> Vec<Section> {
    if let Some(feature_votes) = &open.feature_votes {
        let explanation = BitExplanation::new(feature_votes, margins.bit, open.recipe.tie);
        return bit_of(feature_votes, &explanation, cosine, most);
    }
    let mut section = Section::new(bit_title(margins, cosine));
    section.say(format!(
        "a document with more than {} features is shown without their names; `simscope explain ID --bit {}` lists them",
        grouped(MOST_FEATURES as u64),
        margins.bit,
    ));
    vec![section]
}

/// The explanation of a bit of feature votes: its margin, and the features that decided it.
pub fn bit_of(
    feature_votes: &FeatureVotes,
    it: &BitExplanation,
    cosine: f64,
    most: FeatureLimits,
) -> Vec<Section> {
    let mut section = Section::new(bit_title(&it.bit, cosine));
    if it.steps.is_empty() {
        section.say("there are no features");
        return vec![section];
    }
    let (for_one, for_zero) = it.sides();
    section.say(format!("{} for 1, {} for 0", weight(for_one), weight(for_zero)));
    let named = |line: &str, features: &[usize]| {
        let shingles =
            features.iter().map(|&feature| feature_votes.features[feature].shingle.as_str());
        PageLine::from(line).quotes(shingles, most.names)
    };
    let n_inverted = it.inversion.len();
    let fewest = |n| if n > 1 { " (fewer will not do)" } else { "" };
    // Both sets start with the heaviest features on the bit's side.
    if let Some(removal) = &it.removal {
        let (n, fewest) = (counted(removal.len() as u64, "feature"), fewest(removal.len()));
        section.say(named(&format!("flips without {n}{fewest}: "), removal));
        section.say(match n_inverted {
            1 => "flips if the first of them votes the other way".to_owned(),
            n => format!("flips if the first {n} of them vote the other way (fewer will not do)"),
        });
    } else {
        section.say("all features agree: no removal flips it");
        let n = counted(n_inverted as u64, "feature");
        let line = format!("flips if {n} voted the other way{}: ", fewest(n_inverted));
        section.say(named(&line, &it.inversion));
    }
    vec![section, waterfall(feature_votes, it, most.waterfall)]
}

fn bit_title(it: &BitMargin, cosine: f64) -> String {
    let flips = it.flips(cosine);
    let chance = if flips < 0.005 { "below 0.01".to_owned() } else { format!("{flips:.2}") };
    format!(
        "bit {} is {}: V = {}, margin {:.2}, flips with chance {chance} at cosine {cosine}",
        it.bit,
        u8::from(it.value),
        signed(it.votes),
        it.margin,
    )
}

/// The features that pushed the bit, heaviest first, with the sum so far.
fn waterfall(feature_votes: &FeatureVotes, it: &BitExplanation, most: usize) -> Section {
    let n = counted(it.steps.len() as u64, "feature");
    let mut section = Section::new(format!("{n}, heaviest first: push, sum so far"));
    let width = it.steps.iter().map(|step| signed(step.sum).len()).max().unwrap_or(0);
    let label = |push, sum| format!("{} {:>width$}", signed(push), signed(sum));
    for step in it.steps.iter().take(most) {
        let shingle = &feature_votes.features[step.feature].shingle;
        section.fact(label(step.push, step.sum), PageLine::default().quote(shingle));
    }
    let rest = &it.steps[it.steps.len().min(most)..];
    if !rest.is_empty() {
        let push = FixedWeight(rest.iter().map(|step| step.push.0).sum());
        let n = counted(rest.len() as u64, "lighter feature");
        section.fact(label(push, it.bit.votes), format!("{n} together"));
    }
    section
}

/// The document as a whole under a title: its misleading properties, and how clearly its bits were decided.
pub fn document(
    title: impl Into<PageLine>,
    open: &Inspection,
    findings: &[Finding],
    cosine: f64,
    most: FeatureLimits,
) -> Section {
    let mut section = Section::new(title);
    for finding in findings {
        section.say(format!("! {}: {}", finding.flag, finding.sentence));
    }
    let Some(margins) = &open.margins else { return section };
    let Recipe { features, tie, .. } = &open.recipe;
    section.say(format!(
        "{} of {} {}, ||w|| = {:.2} ({})",
        counted(open.facts.map_or(0, |facts| facts.n_features).into(), "feature"),
        grouped(u64::from(open.n_tokens)),
        features.tokens_name(),
        open.norm(),
        open.recipe.short(),
    ));
    if let Some((feature_votes, heaviest)) = open.feature_votes.as_ref().zip(margins.heaviest) {
        let heaviest = &feature_votes.features[heaviest];
        let (weight, share) = (weight(heaviest.weight), 100.0 * margins.dominance);
        let line = PageLine::from("heaviest ").quote(&heaviest.shingle);
        section.say(line.text(format!(" weighs {weight}: {share:.1} % of ||w||^2")));
    }
    let weak: Vec<String> = margins.weak().iter().map(|bit| bit.bit.to_string()).collect();
    section.say(format!(
        "{}{}; {} won by less than a tenth of ||w||{}{}",
        counted(u64::from(margins.n_ties()), "tie"),
        if margins.n_ties() > 0 { format!(" (tie={tie})") } else { String::new() },
        counted(weak.len() as u64, "weak bit"),
        if weak.is_empty() { "" } else { ": " },
        weak.join(" "),
    ));
    section.say(format!(
        "at cosine {cosine}: {:.1} bits are expected to flip, {:.1} in a document of average margins",
        margins.expected_flips(cosine),
        angle::expected_distance(cosine, open.recipe.bits),
    ));
    if let Some(feature_votes) = &open.feature_votes {
        deciding_alone(open, feature_votes, most.names, &mut section);
    }
    section
}

/// The features that decide bits alone.
fn deciding_alone(
    open: &Inspection,
    feature_votes: &FeatureVotes,
    most: usize,
    section: &mut Section,
) {
    if open.alone.is_empty() {
        section.say("no single feature holds a bit: without any one of them no bit flips");
        return;
    }
    let held = open.alone.iter().fold(0, |held, (_, bits)| held | bits).count_ones();
    section.say(format!(
        "{} would flip without one of {}:",
        counted(u64::from(held), "bit"),
        counted(open.alone.len() as u64, "feature"),
    ));
    for (feature, bits) in open.alone.iter().take(most) {
        let numbers: Vec<String> = bit_numbers(*bits).iter().map(u32::to_string).collect();
        let line = PageLine::from("without ").quote(&feature_votes.features[*feature].shingle);
        section.say(line.text(format!(" flip {}", some_of(&numbers, MOST_BITS))));
    }
    section.more(open.alone.len(), most);
}

/// Every bit with its votes, as numbers and as a bar.
pub fn votes(margins: &BitMargins, cosine: f64) -> Section {
    let most = margins.bits.iter().map(|bit| bit.votes.0.abs()).max().unwrap_or(0).max(1);
    let row = |bit: &BitMargin| PageRow {
        cells: vec![
            bit.bit.to_string(),
            u8::from(bit.value).to_string(),
            signed(bit.votes),
            format!("{:.2}", bit.margin),
            format!("{:.2}", bit.flips(cosine)),
            bar(bit.votes.0, most),
        ],
        ..PageRow::default()
    };
    let mut section = Section::new("");
    section.blocks.push(PageBlock::Table(PageTable {
        caption: "Votes on each bit".to_owned(),
        columns: vec!["bit", "value", "V", "margin", "flips", "0                | 1"],
        n_words: 1,
        rows: margins.bits.iter().rev().map(row).collect(),
    }));
    section
}

/// Votes as a bar from the middle: to the right for 1, to the left for 0.
fn bar(votes: i64, most: i64) -> String {
    let length = (votes.unsigned_abs() as f64 / most as f64 * BAR as f64).round() as usize;
    let run = "█".repeat(length);
    if votes < 0 { format!("{run:>BAR$}│") } else { format!("{:BAR$}│{run}", "") }
}
