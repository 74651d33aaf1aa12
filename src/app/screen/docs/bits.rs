//! The Bits view: how every bit of the selected document was decided, and who pushed one of them.
//!
//! Laying it out costs a sort of the document's features for each bit looked at.

use std::sync::Arc;

use crate::{
    app::{
        inspection::{Inspection, MOST_VOTERS},
        layout::{Shape, Size, bit_lines},
        sections::{Cut, Pane, Section},
    },
    evaluate::angle,
    explain::{
        BitExplanation, Standing,
        figures::{quoted, signed, some_of, weight},
        standing::bit_numbers,
        triage::Finding,
    },
    feature::FixedWeight,
    index::Block,
    number::{counted, grouped},
    simhash::{Ballot, Recipe},
};

/// Cosines that flip chances are told for.
pub const COSINES: [f64; 7] = [0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.5];
/// Features of a waterfall that are named.
const MOST_STEPS: usize = 200;
/// Features of a smallest set, and of those that hold bits alone, that are named.
const MOST_NAMED: usize = 12;

/// What the Bits view remembers.
#[derive(Clone, Debug)]
pub struct BitsState {
    /// The bit looked at, counted from the left of the screen.
    pub column: u32,
    /// Which of [`COSINES`] flip chances are told for.
    pub cosine: usize,
    /// What is said of the bit and the document.
    pub pane: Pane,
    /// What the pane was made from: the document laid open, bit, cosine, cells of a column, how many
    /// findings.
    pub(in crate::app) made: Option<(Arc<Inspection>, u32, usize, usize, usize)>,
}

impl Default for BitsState {
    fn default() -> Self {
        Self { column: 0, cosine: 2, pane: Pane::default(), made: None }
    }
}

impl BitsState {
    /// The bit looked at in fingerprints of `width` bits.
    pub fn bit(&self, width: u32) -> u32 {
        width - 1 - self.column.min(width - 1)
    }

    /// Looks at a bit `by` places to the right, and no farther than the edge.
    pub fn sideways(&mut self, by: isize, width: u32) {
        let column = self.column.min(width - 1) as usize;
        self.column = column.saturating_add_signed(by).min(width as usize - 1) as u32;
    }

    /// Looks at the next bit in the order of their margins, round the end; from any other than a weak one
    /// at the weakest.
    pub fn to_weak(&mut self, standing: &Standing) {
        let width = standing.bits.len() as u32;
        let order = standing.weakest_first();
        let n_weak = standing.weak().len().max(1);
        let here = order[..n_weak].iter().position(|bit| bit.bit == self.bit(width));
        let next = here.map_or(0, |at| (at + 1) % n_weak);
        self.column = width - 1 - order[next].bit;
    }

    /// The cosine that flip chances are told for.
    pub fn cosine(&self) -> f64 {
        COSINES[self.cosine]
    }

    /// Lays out what is to be said of the bit looked at and of its document in columns of `width` cells,
    /// unless that is what is there.
    pub(in crate::app) fn lay_out(
        &mut self,
        open: &Arc<Inspection>,
        findings: &[Finding],
        width: usize,
    ) {
        let bit = self.bit(open.recipe.bits);
        let n_findings = findings.len();
        if let Some((had, of, cosine, cells, n)) = &self.made
            && Arc::ptr_eq(had, open)
            && (*of, *cosine, *cells, *n) == (bit, self.cosine, width, n_findings)
        {
            return;
        }
        self.made = Some((Arc::clone(open), bit, self.cosine, width, n_findings));
        let cosine = self.cosine();
        let mut sections = Vec::new();
        if let Some(standing) = &open.standing {
            sections.extend(bit_sections(open, standing, bit, cosine));
        }
        sections.extend(document_section(open, findings, cosine));
        self.pane.lay_out(&sections, width);
        self.pane.top = 0;
    }
}

/// Rows and lines of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitsLayout {
    /// The blocks on each line that shows: among all lines those around the bit looked at.
    pub lines: Vec<std::ops::Range<usize>>,
    /// Rows of bars to each side of the line.
    pub bars: usize,
    /// What is said below.
    pub cut: Cut,
}

/// Cells of the label before a line of bars.
pub const LABEL: usize = 7;

impl BitsLayout {
    /// For `blocks` on a screen of this size, `bit` being looked at.
    pub fn new(size: Size, blocks: &[Block], bit: u32) -> Self {
        let (body, width) = (size.body(), size.width as usize);
        let (bars, frames) = match size.shape() {
            Shape::TooSmall | Shape::Small => (1, 0),
            Shape::Medium => (1, 1),
            Shape::Standard => (2, 1),
            Shape::Wide => (4, 3),
        };
        let inside = if size.shape() == Shape::Wide { width - 2 } else { width };
        let all = bit_lines(blocks, inside.saturating_sub(LABEL));
        let fits = (body * 3 / 5 / Self::rows_of(bars)).clamp(1, all.len().max(1));
        let holds = |range: &std::ops::Range<usize>| {
            blocks[range.clone()].iter().any(|block| block.mask() >> bit & 1 == 1)
        };
        let at = all.iter().position(holds).unwrap_or(0);
        let first = at.min(all.len().saturating_sub(fits));
        let lines = all.get(first..first + fits).unwrap_or_default().to_vec();
        // The title and the picture stand above.
        let above = 1 + lines.len() * Self::rows_of(bars) + frames;
        Self { lines, bars, cut: Cut::of(inside, body.saturating_sub(above)) }
    }

    /// Rows of one line of bits: ruler, bars, the bits between them, marks.
    fn rows_of(bars: usize) -> usize {
        3 + 2 * bars
    }

    /// Rows of one line of bits.
    pub fn line_rows(&self) -> usize {
        Self::rows_of(self.bars)
    }
}

/// How a bit was decided, and by whom.
fn bit_sections(open: &Inspection, standing: &Standing, bit: u32, cosine: f64) -> Vec<Section> {
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
fn document_section(open: &Inspection, findings: &[Finding], cosine: f64) -> Option<Section> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        id::DocId,
        index::{Cut as BlockCut, Layout},
        simhash::Fingerprinter,
        text::StopWords,
    };

    fn open(text: &str, recipe: &str) -> Arc<Inspection> {
        let recipe: Recipe = recipe.parse().unwrap();
        let fingerprinter = Fingerprinter::new(&recipe, StopWords::none(), None).unwrap();
        let ballot = fingerprinter.ballot(text);
        Arc::new(Inspection::new(DocId(0), recipe, Some(text), Some(ballot)))
    }

    #[test]
    fn the_line_of_the_bit_looked_at_always_shows() {
        for (width, height) in [(40, 12), (60, 16), (80, 24), (140, 40), (200, 60)] {
            let size = Size { width, height };
            for bits in [8, 17, 64, 128] {
                let tables = Layout::for_distance(bits, 4, 3, BlockCut::default()).unwrap();
                let blocks = tables.block_list();
                for bit in 0..bits {
                    let layout = BitsLayout::new(size, blocks, bit);
                    let shown = layout.lines.iter().flat_map(|range| &blocks[range.clone()]);
                    let n_shown = shown.filter(|block| block.mask() >> bit & 1 == 1).count();
                    assert_eq!(n_shown, 1, "bit {bit} of {bits} at {width}x{height}");
                    let rows = 1 + layout.lines.len() * layout.line_rows() + layout.cut.height;
                    assert!(rows <= size.body() && layout.cut.height > 1, "{layout:?}");
                }
            }
        }
    }

    #[test]
    fn weak_bits_come_one_after_another() {
        let open = open("the tide came in and the pool was gone by nine o'clock", "bits=64");
        let standing = open.standing.as_ref().unwrap();
        let weak: Vec<u32> = standing.weak().iter().map(|bit| bit.bit).collect();
        assert!(weak.len() > 1, "{weak:?}");
        let mut state = BitsState::default();
        let looked_at: Vec<u32> = (0..=weak.len())
            .map(|_| {
                state.to_weak(standing);
                state.bit(64)
            })
            .collect();
        assert_eq!(looked_at[..weak.len()], weak);
        assert_eq!(looked_at[weak.len()], weak[0]);
    }

    #[test]
    fn a_short_fingerprint_keeps_the_cursor_inside() {
        let mut state = BitsState { column: 120, ..BitsState::default() };
        assert_eq!((state.bit(128), state.bit(8)), (7, 0));
        state.sideways(-1, 8);
        assert_eq!(state.bit(8), 1);
        state.sideways(isize::MAX, 8);
        assert_eq!(state.bit(8), 0);
    }

    #[test]
    fn what_is_said_is_what_the_explanation_finds() {
        let open = open("tide tide tide pool crab crab", "words:1 bits=8");
        let mut state = BitsState::default();
        state.lay_out(&open, &open.findings(None), 70);
        let said: String = state.pane.rows.iter().map(|row| row.text.clone() + "\n").collect();
        let explanation = BitExplanation::new(open.ballot.as_ref().unwrap(), 7, open.recipe.tie);
        assert!(said.starts_with(&format!("bit 7 is {}", u8::from(explanation.value))), "{said}");
        let removal = explanation.removal.unwrap();
        let needed = counted(removal.len() as u64, "feature");
        let first = &open.ballot.as_ref().unwrap().voters[removal[0]].shingle;
        let words = format!("flips without {needed}, and no fewer: \"{first}\"");
        assert!(said.contains(&words), "{said}");
        assert!(said.contains("heaviest \"tide\" weighs 3: 64.3 % of ||w||^2"), "{said}");
        assert!(said.contains("! short: only 3 features"), "{said}");
    }
}
