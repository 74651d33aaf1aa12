//! The Health view: a corpus's fingerprints as a whole, and how many of its documents mislead.

use crate::{
    analysis::{
        Flags,
        health::{CorpusHealth, FeatureCounts},
    },
    app::{
        layout::{Shape, Size},
        query,
        resource::{JobNumber, Resource},
        sections::{Cut, GAP, Pane, Section},
    },
    corpus::Corpus,
    explain::{Health, triage::Flag},
    number::{counted, grouped},
    text::visible,
};

/// Bits and pairs of bits that are named.
const MOST: usize = 8;
/// Rows of the histogram of bits set.
const BINS: usize = 12;

/// What the Health view remembers.
#[derive(Debug, Default)]
pub struct HealthState {
    /// The figures.
    pub found: Resource<query::Health>,
    /// What is said of them.
    pub pane: Pane,
    /// What the pane was made from: the figures, whether flags were known, the cells of a column.
    made: Option<(JobNumber, bool, usize)>,
}

impl HealthState {
    /// Lays out what is known, unless that is what is there.
    pub(in crate::app) fn lay_out(
        &mut self,
        flags: Option<&Flags>,
        corpus: &Corpus,
        width: usize,
        ascii: bool,
    ) {
        let Some(found) = self.found.answer() else { return };
        let made = self.found.number().map(|number| (number, flags.is_some(), width));
        if self.made == made {
            return;
        }
        self.made = made;
        let bar = if ascii { "#" } else { "█" };
        let mut sections = vec![flagged(flags, corpus.len())];
        if found.health.n > 0 {
            sections.push(prefixes(found, corpus));
            sections.push(popcounts(&found.health, bar, width));
            sections.push(balance(&found.health));
            sections.push(correlations(&found.health));
        }
        if found.features.bins.iter().any(|n| *n > 0) {
            sections.push(features(&found.features, bar, width));
        }
        self.pane.lay_out(&sections, width);
    }
}

/// Where the picture and what is said stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HealthLayout {
    /// Bits in a cell of the map, to each side.
    pub step: usize,
    /// Rows of the map; a cell is two columns wide. None where there is no room for it.
    pub rows: usize,
    /// What is said, at the right of the map.
    pub cut: Cut,
}

impl HealthLayout {
    /// For fingerprints of `bits` bits on a screen of this size.
    pub fn new(size: Size, bits: u32) -> Self {
        let (body, width) = (size.body(), size.width as usize);
        // A rule or a frame, and the legend.
        let (above, frame) = match size.shape() {
            Shape::TooSmall | Shape::Small => {
                return Self { step: 1, rows: 0, cut: Cut { columns: 1, width, height: body } };
            }
            Shape::Wide => (2, 2),
            _ => (1, 0),
        };
        let height = body.saturating_sub(above);
        // Half of the columns at most; a legend stands below.
        let room = height.saturating_sub(2).min(width / 4).max(1);
        let step = (bits as usize).div_ceil(room);
        let rows = (bits as usize).div_ceil(step);
        let map = Self { step, rows, cut: Cut::default() }.map_width();
        let left = width.saturating_sub(map + GAP + 2 * frame);
        Self { step, rows, cut: Cut { columns: 1, width: left, height } }
    }

    /// Cells of the map, with its legend: none without a map.
    pub fn map_width(&self) -> usize {
        if self.rows == 0 { 0 } else { (2 * self.rows).max(LEGEND) + 1 }
    }
}

/// Cells of the map's legend.
pub const LEGEND: usize = 30;

/// How many documents bear each flag.
fn flagged(flags: Option<&Flags>, n_documents: usize) -> Section {
    let Some(flags) = flags else {
        let mut section = Section::new("documents whose distances can mislead");
        section.say("not counted yet: two passes over the texts find them");
        return section;
    };
    let mut section = Section::new(format!(
        "distances of {} of {} can mislead",
        grouped(flags.n_flagged()),
        counted(n_documents as u64, "document")
    ));
    let (some, none): (Vec<Flag>, Vec<Flag>) =
        Flag::ALL.iter().partition(|flag| flags.count(**flag) > 0);
    for flag in some {
        section.entry(grouped(flags.count(flag)), format!("{flag}: {}", meaning(flag)));
    }
    if !none.is_empty() {
        let names: Vec<&str> = none.into_iter().map(Flag::name).collect();
        section.say(format!("none is {}", names.join(" or ")));
    }
    if flags.n_flagged() == 0 {
        return section;
    }
    section.say("f is:flagged lists them, f is:tied and so on those of a kind");
    section
}

/// What a flag means, in a few words.
fn meaning(flag: Flag) -> &'static str {
    match flag {
        Flag::Empty => "no features, no fingerprint",
        Flag::Short => "few features, so one changed word moves many bits",
        Flag::Tied => "the tie rule decided many bits, not the text",
        Flag::Dominated => "one feature has over half of the squared weight, or is the only one",
        Flag::Boilerplate => "made of what many documents say",
    }
}

/// How full the buckets of leading bits are, the crowded ones opened.
fn prefixes(it: &CorpusHealth, corpus: &Corpus) -> Section {
    let prefixes = &it.health.prefixes;
    let n_empty = prefixes.iter().filter(|n| **n == 0).count();
    let digits = prefixes.len().ilog2() as usize;
    let mut section = Section::new(format!(
        "leading {digits} bits: {} buckets of {:.1} documents on average, {n_empty} empty, {} crowded",
        prefixes.len(),
        it.health.n as f64 / prefixes.len() as f64,
        it.n_spikes,
    ));
    for spike in &it.spikes {
        let ids = spike.documents.iter().take(3);
        let ids: Vec<String> = ids.map(|&document| corpus.id(document).to_owned()).collect();
        section.entry(format!("{:0digits$b}", spike.bucket), spike.sentence(&ids));
    }
    section.more(it.n_spikes, it.spikes.len());
    section
}

/// How many fingerprints have how many bits set.
fn popcounts(health: &Health, bar: &str, width: usize) -> Section {
    let bits = f64::from(health.width);
    let (mean, deviation) = health.popcount();
    let mut section = Section::new(format!(
        "bits set: {mean:.1} on average, deviation {deviation:.1}; coins have {:.1} and {:.1}",
        bits / 2.0,
        bits.sqrt() / 2.0,
    ));
    let there = |bits: &usize| health.popcounts[*bits] > 0;
    let from = (0..health.popcounts.len()).find(there).unwrap_or(0);
    let to = (0..health.popcounts.len()).rev().find(there).unwrap_or(0);
    let step = (to - from + 1).div_ceil(BINS);
    let bins: Vec<(String, u64)> = (from..=to)
        .step_by(step)
        .map(|first| {
            let last = (first + step - 1).min(to);
            let name = if first == last { first.to_string() } else { format!("{first}-{last}") };
            (name, health.popcounts[first..=last].iter().sum())
        })
        .collect();
    bars(&mut section, &bins, bar, width);
    section
}

/// The bits farthest from 1 in half of the documents.
fn balance(health: &Health) -> Section {
    let mut bits: Vec<(u32, f64)> =
        (0..health.width).filter_map(|bit| Some((bit, health.balance(bit)?))).collect();
    bits.sort_by(|x, y| (y.1 - 0.5).abs().total_cmp(&(x.1 - 0.5).abs()));
    let mut section = Section::new(format!(
        "balance, farthest from half first; of coins one in twenty is off by {:.1} % or more",
        98.0 / (health.n as f64).sqrt(),
    ));
    for (bit, share) in bits.iter().take(MOST) {
        section.entry(format!("bit {bit}"), format!("is 1 in {:.1} %", 100.0 * share));
    }
    section
}

/// The bits that move together most.
fn correlations(health: &Health) -> Section {
    let all = health.correlations();
    let squares: f64 = all.iter().map(|(_, _, phi)| phi * phi).sum();
    let mut section = Section::new(format!(
        "correlation of {} of bits: root mean square {:.3}; coins have {:.3}",
        counted(all.len() as u64, "pair"),
        (squares / all.len().max(1) as f64).sqrt(),
        1.0 / (health.n as f64).sqrt(),
    ));
    for (high, low, phi) in all.iter().take(MOST) {
        section.entry(format!("bits {high} and {low}"), format!("{phi:+.3}"));
    }
    section
}

/// How many features documents have.
fn features(counts: &FeatureCounts, bar: &str, width: usize) -> Section {
    let mut section = Section::new("features a document has");
    let range = |bin| {
        let (fewest, most) = FeatureCounts::range(bin);
        if fewest == most { fewest.to_string() } else { format!("{fewest}-{most}") }
    };
    let bins: Vec<(String, u64)> =
        counts.bins.iter().enumerate().map(|(bin, &n)| (range(bin), n)).collect();
    bars(&mut section, &bins, bar, width);
    section
}

/// A bar a bin, the longest as long as there is room for.
fn bars(section: &mut Section, bins: &[(String, u64)], bar: &str, width: usize) {
    let most = bins.iter().map(|(_, n)| *n).max().unwrap_or(0).max(1);
    let digits = grouped(most).len();
    let names = bins.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let room = width.saturating_sub(names + digits + 6).clamp(1, 40) as u64;
    for (name, n) in bins {
        let length = (n * room).div_ceil(most) as usize;
        section.entry(visible(name), format!("{:>digits$} {}", grouped(*n), bar.repeat(length)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_and_the_words_share_the_screen() {
        for (width, height) in [(60, 16), (80, 24), (140, 40), (200, 60)] {
            let size = Size { width, height };
            for bits in [1, 8, 17, 64, 90, 128] {
                let layout = HealthLayout::new(size, bits);
                assert!(layout.step * layout.rows >= bits as usize, "{layout:?}");
                assert!(layout.rows + 3 <= size.body(), "{layout:?} at {size:?}");
                assert!(layout.map_width() + layout.cut.width < width as usize, "{layout:?}");
                assert!(layout.cut.width >= 24, "{layout:?} at {size:?}");
            }
        }
        let small = HealthLayout::new(Size { width: 40, height: 12 }, 64);
        assert_eq!((small.map_width(), small.cut.width), (0, 40));
    }

    #[test]
    fn bins_hold_every_fingerprint_and_bars_fit() {
        let all: Vec<u128> =
            (0..500u128).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & 0xffff_ffff).collect();
        let health = Health::new(&all, 32);
        for width in [20, 44, 100] {
            let section = popcounts(&health, "#", width);
            assert!(section.entries.len() <= BINS);
            let count =
                |text: &str| text.split_whitespace().next().unwrap().parse::<u64>().unwrap();
            let sum: u64 = section.entries.iter().map(|entry| count(&entry.text)).sum();
            assert_eq!(sum, 500);
        }
    }
}
