//! Why two documents are found, or are not: everything that `simscope explain A B` prints, in sections.
//!
//! Both texts are read and taken apart again: up to a second for long ones, so a worker thread does it.

use crate::{
    analysis::Analysis,
    app::{
        query,
        resource::{JobNumber, Resource},
        sections::{Pane, Section},
    },
    explain::{
        Counterfactual, Overlap, PairExplanation, TextsExplanation,
        deciders::{Decider, DifferingBit},
        figures::{quoted, signed, similarity, weight},
        matched::matched,
        near_miss::remedies,
        sentence::SentenceEffects,
    },
    id::DocId,
    index::{Layout, chance, letter},
    number::counted,
    simhash::Fingerprint,
};

/// Lines of a list.
const MOST: usize = 20;
/// How the two are called, as beside their bits.
const SIDES: [&str; 2] = ["one", "two"];

/// A pair explained.
#[derive(Clone, Debug)]
pub struct Why {
    /// The query and the other.
    pub pair: [DocId; 2],
    /// What there is to say, the most telling first.
    pub sections: Vec<Section>,
    /// How alike the two are by their features; `None` where the corpus has not both texts.
    pub alike: Option<Alike>,
}

/// How alike two texts are by their features.
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    /// The exact cosine, 0 to 1.
    pub cosine: Option<f64>,
    /// Features of both over those of either, 0 to 1.
    pub jaccard: Option<f64>,
    /// Features of both over those of the one that has fewer, 0 to 1.
    pub containment: Option<f64>,
    /// How many features both have, the one that has fewer, and the two together.
    pub features: [usize; 3],
}

impl Alike {
    fn new(overlap: &Overlap<'_>) -> Self {
        let shared = overlap.shared.len();
        let [one, other] = [0, 1].map(|side| overlap.only[side].len());
        Self {
            cosine: overlap.cosine,
            jaccard: overlap.jaccard(),
            containment: overlap.containment(),
            features: [shared, shared + one.min(other), shared + one + other],
        }
    }
}

/// What the Why view remembers.
#[derive(Debug, Default)]
pub struct WhyState {
    /// The last pair explained; the selected one's is on its way while it is another.
    pub answer: Resource<query::Why>,
    /// The explanation laid out.
    pub pane: Pane,
    /// What the pane was made from: the explanation and the cells of a column.
    made: Option<(JobNumber, usize)>,
}

impl WhyState {
    /// Lays out what was found, unless that is what is there.
    pub(in crate::app) fn lay_out(&mut self, width: usize) {
        let Some(found) = self.answer.answer() else {
            (self.pane, self.made) = (Pane::default(), None);
            return;
        };
        let made = self.answer.number().map(|number| (number, width));
        if self.made != made {
            self.pane.lay_out(&found.sections, width);
            self.made = made;
        }
    }
}

impl Why {
    /// Explains a pair of an analysis at its k and under its tables.
    ///
    /// # Errors
    /// Why one of the two cannot be read, or has no fingerprint.
    pub fn new(analysis: &Analysis, pair: [DocId; 2]) -> Result<Self, String> {
        let shelf = analysis.shelf.as_deref().ok_or("the tables are not there yet")?;
        let fingerprint = |document| {
            let id = analysis.corpus.id(document);
            analysis
                .fingerprint(document)
                .ok_or_else(|| format!("{} has no fingerprint", quoted(id)))
        };
        let fingerprints = [fingerprint(pair[0])?, fingerprint(pair[1])?];
        let open = |document| analysis.open(document).map_err(|error| error.to_string());
        let opened = [open(pair[0])?, open(pair[1])?];
        let (layout, k) = (shelf.layout(), analysis.settings.k);
        let explanation = PairExplanation::new(fingerprints[0], fingerprints[1], layout);
        let mut sections =
            vec![how_near(&explanation, fingerprints, layout, k), tables(&explanation, layout, k)];
        let [(Some(one), Some(votes)), (Some(other), Some(other_votes))] = &opened else {
            sections[0].say("the corpus has not both texts, so their features are not known");
            return Ok(Self { pair, sections, alike: None });
        };
        let features = matched(votes, other_votes);
        let said = TextsExplanation::new(
            &analysis.fingerprinter,
            [one, other],
            [votes, other_votes],
            fingerprints,
            &features,
            k,
        );
        let alike = Alike::new(&said.overlap);
        sections[0].say(by_features(alike));
        if let Some(sameness) = said.sameness {
            sections[0].say(sameness.sentence());
        }
        sections.extend(said.counterfactual.as_ref().and_then(|found| edits(found, k)));
        sections.extend(bits(&said.bits));
        sections.extend([0, 1].into_iter().filter_map(|side| only(&said.overlap, side)));
        sections.extend(shared(&said.overlap));
        for (side, text) in [one, other].into_iter().enumerate() {
            let effects = &said.sentences[side];
            sections.extend(without(effects, text, side, explanation.distance));
        }
        Ok(Self { pair, sections, alike: Some(alike) })
    }
}

/// The distance, what follows from it, and whether the pair is found.
fn how_near(
    explanation: &PairExplanation,
    fingerprints: [Fingerprint; 2],
    layout: &Layout,
    k: u32,
) -> Section {
    let (distance, width) = (explanation.distance, fingerprints[0].width());
    let nearness = if distance <= k { "near" } else { "not near" };
    let mut section =
        Section::new(format!("distance {distance} of {width} bits: {nearness} at k = {k}"));
    section.say(explanation.reason(layout, k));
    if distance > k {
        section.say(format!("it would count as near from k = {distance} on"));
    }
    section
}

/// How alike the two are by their features.
fn by_features(alike: Alike) -> String {
    let figure = |figure: Option<f64>| figure.map_or("-".to_owned(), similarity);
    format!(
        "by features: exact cosine {}, Jaccard {}, containment {}",
        figure(alike.cosine),
        figure(alike.jaccard),
        figure(alike.containment),
    )
}

/// In which tables the pair is a candidate, in how many it is expected to be, and what would help if in none.
fn tables(explanation: &PairExplanation, layout: &Layout, k: u32) -> Section {
    let all = layout.tables();
    let hits: Vec<usize> = explanation.hits().collect();
    let mut section =
        Section::new(format!("a candidate in {} of {} tables", hits.len(), all.len()));
    if !hits.is_empty() {
        let names: Vec<String> = hits
            .iter()
            .take(MOST)
            .map(|&table| format!("{:02} ({})", table + 1, all[table].letters()))
            .collect();
        let rest = if hits.len() > MOST { " .." } else { "" };
        section.entry("keys whole", names.join("  ") + rest);
    }
    let off = |(block, off): (usize, &u32)| (*off > 0).then(|| format!("{} {off}", letter(block)));
    let damaged: Vec<String> = explanation.bits_off.iter().enumerate().filter_map(off).collect();
    if !damaged.is_empty() {
        section.entry("damaged", format!("{} (block, bits off)", damaged.join("  ")));
    }
    let whole: Vec<String> = (0..explanation.bits_off.len())
        .filter(|&block| explanation.bits_off[block] == 0)
        .map(letter)
        .collect();
    let whole = if whole.is_empty() { "no block".to_owned() } else { whole.join(" ") };
    section.entry("whole", whole);
    let distance = explanation.distance;
    let mut expected = format!(
        "{:.2} tables have a pair with d = {distance} anywhere as a candidate, on average",
        chance::expected_tables_hit(layout, distance)
    );
    if let Some(chance) = chance::candidate_chance(layout, distance) {
        expected += &format!("; at least one with chance {chance:.3}");
    }
    section.entry("expected", expected);
    for remedy in remedies(layout, explanation.xor) {
        section.entry(
            remedy.layout.to_string(),
            format!(
                "would have it as a candidate: {}, keys of {} bits, {} of them whole ({})",
                counted(remedy.layout.tables().len() as u64, "table"),
                remedy.key_bits_min(),
                remedy.tables_hit,
                remedy.way,
            ),
        );
    }
    if distance <= k && hits.is_empty() {
        section.say("the tables miss a pair within k: the layout does not guarantee it");
    }
    section
}

/// The cheapest edits; none where the pair is near.
fn edits(found: &Counterfactual<'_>, k: u32) -> Option<Section> {
    if found.edits.is_empty() {
        return None;
    }
    let mut section = Section::new(found.headline(SIDES, k));
    for edit in found.edits.iter().take(MOST) {
        let feature = quoted(&edit.feature.voter().shingle);
        match (edit.from.0, edit.to.0) {
            (_, 0) => section.entry("drop", feature),
            (0, _) => section.entry("copy", feature),
            _ => {
                let (from, to) = (weight(edit.from), weight(edit.to));
                section.entry("reweigh", format!("{feature} from {from} to {to}"));
            }
        }
    }
    section.more(found.edits.len(), MOST);
    Some(section)
}

/// The features both have.
fn shared(overlap: &Overlap<'_>) -> Option<Section> {
    let n = overlap.shared.len();
    let title = format!("{} shared, by what each adds to the cosine", counted(n as u64, "feature"));
    let mut section = Section::new(title);
    for shared in overlap.shared.iter().take(MOST) {
        let [here, there] = [0, 1].map(|side| weight(shared.feature.weight(side)));
        let feature = quoted(&shared.feature.voter().shingle);
        section.entry(format!("{:.4}", shared.contribution), format!("{feature} {here} x {there}"));
    }
    section.more(n, MOST);
    (n > 0).then_some(section)
}

/// The features only one has.
fn only(overlap: &Overlap<'_>, side: usize) -> Option<Section> {
    let only = &overlap.only[side];
    let mut section = Section::new(format!(
        "{} in {} only, by their share of its ||w||^2",
        counted(only.len() as u64, "feature"),
        SIDES[side],
    ));
    for only in only.iter().take(MOST) {
        let feature = quoted(&only.feature.voter().shingle);
        let weight = weight(only.feature.weight(side));
        section.entry(format!("{:.4}", only.share), format!("{feature} {weight}"));
    }
    section.more(only.len(), MOST);
    (!only.is_empty()).then_some(section)
}

/// Each differing bit with those who decided it.
fn bits(bits: &[DifferingBit<'_>]) -> Option<Section> {
    let mut section = Section::new("differing bits, and the features that pushed the two apart");
    let named = |deciders: &[Decider<'_>]| {
        let names: Vec<String> = deciders
            .iter()
            .map(|it| format!("{} {}", quoted(&it.feature.voter().shingle), weight(it.push)))
            .collect();
        if names.is_empty() { "nothing of its own".to_owned() } else { names.join(", ") }
    };
    for bit in bits {
        for (side, name) in SIDES.iter().enumerate() {
            let number = if side == 0 { format!("bit {} ", bit.bit) } else { String::new() };
            let value = u8::from(bit.values[side]);
            let (votes, margin) = (signed(bit.votes[side]), bit.margins[side]);
            let text = format!("V = {votes}, margin {margin:.2}: {}", named(&bit.deciders[side]));
            section.entry(format!("{number}{name} {value}"), text);
        }
    }
    (!bits.is_empty()).then_some(section)
}

/// What leaving a sentence out does; none where there is but one.
fn without(found: &SentenceEffects, text: &str, side: usize, before: u32) -> Option<Section> {
    let moved = found.moving(before);
    let mut section = Section::new(found.headline(SIDES[side], before));
    for effect in moved.iter().take(MOST) {
        let label = effect.distance.map_or("nothing left".to_owned(), |it| format!("d = {it}"));
        section.entry(label, quoted(text[effect.place.clone()].trim()));
    }
    section.more(moved.len(), MOST);
    (found.n_sentences > 1).then_some(section)
}
