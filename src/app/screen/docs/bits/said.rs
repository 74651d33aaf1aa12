//! What the Bits view says: of the bit looked at and those who pushed it, and of the document.

use crate::{
    analysis::{inspection::Inspection, inspection::MOST_VOTERS},
    app::sections::Section,
    evaluate::angle,
    explain::{
        BitExplanation, Standing,
        figures::{quoted, signed, some_of, weight},
        standing::bit_numbers,
        triage::Finding,
    },
    feature::FixedWeight,
    number::{counted, grouped},
    simhash::{Ballot, Recipe},
};

/// Features of a waterfall that are named.
const MOST_STEPS: usize = 200;
/// Features of a smallest set, and of those that hold bits alone, that are named.
const MOST_NAMED: usize = 12;

/// How a bit was decided, and by whom.
pub(super) fn bit_sections(
    open: &Inspection,
    standing: &Standing,
    bit: u32,
    cosine: f64,
) -> Vec<Section> {
    let it = &standing.bits[bit as usize];
    let title = format!(
        "bit {bit} is {}: V = {}, margin {:.2}, flips with chance {} at cosine {cosine}",
        u8::from(it.value),
        signed(it.votes),
        it.margin,
        chance(it.flips(cosine)),
    );
    let mut section = Section::new(title);
    let Some(ballot) = &open.ballot else {
        let most = grouped(MOST_VOTERS as u64);
        section.say(format!(
            "more than {most} features are not kept by name here; `simscope explain ID --bit {bit}` names them"
        ));
        return vec![section];
    };
    let explanation = BitExplanation::new(ballot, bit, open.recipe.tie);
    let (for_one, for_zero) = explanation.sides();
    section.say(format!("{} for 1, {} for 0", weight(for_one), weight(for_zero)));
    let named = |voters: &[usize]| {
        let names: Vec<String> =
            voters.iter().map(|&voter| quoted(&ballot.voters[voter].shingle)).collect();
        some_of(&names, MOST_NAMED)
    };
    // Both sets begin with the heaviest features on the bit's side.
    let others = if let Some(removal) = &explanation.removal {
        let n = counted(removal.len() as u64, "feature");
        section.say(format!("flips without {n}, and no fewer: {}", named(removal)));
        match explanation.inversion.len() {
            1 => "the first of them".to_owned(),
            n => format!("the first {n} of them"),
        }
    } else {
        section.say("all features agree: no removal flips it");
        named(&explanation.inversion)
    };
    section.say(format!("flips if {others} voted the other way, and no fewer"));
    vec![section, waterfall(ballot, &explanation)]
}

/// A chance with the digits that matter.
fn chance(chance: f64) -> String {
    if chance < 0.005 { "below 0.01".to_owned() } else { format!("{chance:.2}") }
}

/// Who pushed the bit, heaviest first, with the sum so far.
fn waterfall(ballot: &Ballot, explanation: &BitExplanation) -> Section {
    let steps = &explanation.steps;
    let n = counted(steps.len() as u64, "feature");
    let mut section = Section::new(format!("{n}, heaviest first: push, sum so far"));
    let width = steps.iter().map(|step| signed(step.sum).len()).max().unwrap_or(0);
    for step in steps.iter().take(MOST_STEPS) {
        let label = format!("{} {:>width$}", signed(step.push), signed(step.sum));
        section.entry(label, quoted(&ballot.voters[step.voter].shingle));
    }
    let rest = &steps[steps.len().min(MOST_STEPS)..];
    if !rest.is_empty() {
        let push = FixedWeight(rest.iter().map(|step| step.push.0).sum());
        let label = format!("{} {:>width$}", signed(push), signed(explanation.votes));
        section.entry(label, format!("{} together", counted(rest.len() as u64, "lighter feature")));
    }
    section
}

/// The document as a whole; none where it has no text.
pub(super) fn document_section(
    open: &Inspection,
    findings: &[Finding],
    cosine: f64,
) -> Option<Section> {
    let mut section = Section::new("the document");
    for finding in findings {
        section.say(format!("! {}: {}", finding.flag, finding.sentence));
    }
    let Some(standing) = &open.standing else {
        return (!section.entries.is_empty()).then_some(section);
    };
    let Recipe { features, tie, .. } = &open.recipe;
    let n_features = open.facts.map_or(0, |facts| facts.n_features);
    section.say(format!(
        "{} of {} {}, ||w|| = {:.2}",
        counted(u64::from(n_features), "feature"),
        grouped(u64::from(open.n_tokens)),
        features.tokens_name(),
        open.norm(),
    ));
    if let Some((ballot, heaviest)) = open.ballot.as_ref().zip(standing.heaviest) {
        section.say(format!(
            "heaviest {} weighs {}: {:.1} % of ||w||^2",
            quoted(&ballot.voters[heaviest].shingle),
            weight(ballot.voters[heaviest].weight),
            100.0 * standing.dominance,
        ));
    }
    let weak: Vec<String> = standing.weak().iter().map(|bit| bit.bit.to_string()).collect();
    section.say(format!(
        "{}{}; {} won by less than a tenth of ||w||{}{}",
        counted(u64::from(standing.n_ties()), "tie"),
        if standing.n_ties() > 0 { format!(", made {tie}") } else { String::new() },
        counted(weak.len() as u64, "weak bit"),
        if weak.is_empty() { "" } else { ": " },
        weak.join(" "),
    ));
    section.say(format!(
        "at cosine {cosine}: {:.1} bits are expected to flip, {:.1} in a document of average margins",
        standing.expected_flips(cosine),
        angle::expected_distance(cosine, open.recipe.bits),
    ));
    if let Some(ballot) = &open.ballot {
        alone(open, ballot, &mut section);
    }
    Some(section)
}

/// The features that hold bits by themselves.
fn alone(open: &Inspection, ballot: &Ballot, section: &mut Section) {
    if open.alone.is_empty() {
        section.say("no single feature holds a bit: each could go and none would flip");
        return;
    }
    let held = open.alone.iter().fold(0, |held, (_, bits)| held | bits).count_ones();
    section.say(format!(
        "{} would flip without some one of {}:",
        counted(u64::from(held), "bit"),
        counted(open.alone.len() as u64, "feature"),
    ));
    for (voter, bits) in open.alone.iter().take(MOST_NAMED) {
        let numbers: Vec<String> = bit_numbers(*bits).iter().map(u32::to_string).collect();
        let feature = quoted(&ballot.voters[*voter].shingle);
        section.say(format!("  {feature} holds {}", some_of(&numbers, MOST_NAMED)));
    }
    section.more(open.alone.len(), MOST_NAMED);
}
