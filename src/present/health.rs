//! The health of a corpus in words: its fingerprints as a whole, and the number of misleading documents.
//!
//! The flags of settings: an error of the library names a setting, such as `` `bits` ``, and the program shows the flag
//! that sets it, `--bits`.

use super::page::{PageBlock, Section};
use crate::analysis::health::{CorpusHealth, FeatureCounts};
use crate::corpus::Corpus;
use crate::explain::Health;
use crate::explain::triage::Flag;
use crate::number::counted;

/// The meaning of a flag, in a few words.
pub fn meaning(flag: Flag) -> &'static str {
    match flag {
        Flag::Empty => "no words to compare, so no fingerprint",
        Flag::Short => "so few words that one changed word moves many bits",
        Flag::Tied => "a rule decided many bits, not the text",
        Flag::Dominated => "one word or run of words outweighs the rest",
        Flag::Boilerplate => "most of it is text that many documents have (boilerplate)",
    }
}

/// The fingerprints of a corpus as a whole. Lists `most` bits and pairs of bits.
pub fn health(found: &CorpusHealth, corpus: &Corpus, most: usize) -> Vec<Section> {
    let mut sections = Vec::new();
    if found.health.n > 0 {
        sections.extend([
            prefixes(found, corpus),
            popcounts(&found.health),
            balance(&found.health, most),
            correlations(&found.health, most),
        ]);
    }
    let bins = &found.features.bins;
    if bins.iter().any(|n| *n > 0) {
        let mut section = Section::new("features a document has");
        let bars = (0..bins.len()).map(|bin| (FeatureCounts::range_name(bin), bins[bin]));
        section.blocks.push(PageBlock::Bars(bars.collect()));
        sections.push(section);
    }
    sections
}

/// The sizes of the buckets of leading bits, with the contents of hot prefixes.
fn prefixes(it: &CorpusHealth, corpus: &Corpus) -> Section {
    let prefixes = &it.health.prefixes;
    let n_empty = prefixes.iter().filter(|n| **n == 0).count();
    let mean = match it.health.n as f64 / prefixes.len() as f64 {
        ..0.1 => "fewer than 0.1".to_owned(),
        mean => format!("{mean:.1}"),
    };
    let mut section = Section::new(format!(
        "leading {} bits: {} buckets of {mean} documents on average, {n_empty} empty, {} crowded",
        prefixes.len().ilog2(),
        prefixes.len(),
        it.n_hot_prefixes,
    ));
    for hot_prefix in &it.hot_prefixes {
        section.fact(it.health.leading_bits(hot_prefix.bucket), hot_prefix.sentence(corpus));
    }
    section.more(it.n_hot_prefixes, it.hot_prefixes.len());
    section
}

/// The histogram of the number of set bits.
fn popcounts(health: &Health) -> Section {
    let bits = f64::from(health.width);
    let (mean, deviation) = health.popcount();
    let mut section = Section::new(format!(
        "bits set: {mean:.1} on average, deviation {deviation:.1}; random bits: {:.1} and {:.1}",
        bits / 2.0,
        bits.sqrt() / 2.0,
    ));
    let there = |bits: &usize| health.popcounts[*bits] > 0;
    let from = (0..health.popcounts.len()).find(there).unwrap_or(0);
    let to = (0..health.popcounts.len()).rev().find(there).unwrap_or(0);
    let bar = |bits: usize| (bits.to_string(), health.popcounts[bits]);
    section.blocks.push(PageBlock::Bars((from..=to).map(bar).collect()));
    section
}

/// The bits farthest from 1 in half of the documents.
fn balance(health: &Health, most: usize) -> Section {
    let mut bits: Vec<(u32, f64)> =
        (0..health.width).filter_map(|bit| Some((bit, health.balance(bit)?))).collect();
    bits.sort_by(|x, y| (y.1 - 0.5).abs().total_cmp(&(x.1 - 0.5).abs()));
    let margin = health.balance_margin();
    let by_chance = if margin < 50.0 {
        format!("with random bits 1 in 20 would be off by {margin:.1} % or more")
    } else {
        "with so few documents any share can be chance".to_owned()
    };
    let mut section = Section::new(format!(
        "balance: bits farthest from 1 in half of the documents; {by_chance}"
    ));
    for (bit, share) in bits.iter().take(most) {
        section.fact(format!("bit {bit}"), format!("is 1 in {:.1} %", 100.0 * share));
    }
    section
}

/// The bits with the strongest correlation.
fn correlations(health: &Health, most: usize) -> Section {
    let all = health.correlations();
    let (mean, n_pairs) = health.mean_correlation();
    let mut section = Section::new(format!(
        "correlation of {} of bits: root mean square {:.3}; random bits: {:.3}",
        counted(n_pairs as u64, "pair"),
        mean,
        1.0 / (health.n as f64).sqrt(),
    ));
    for (high, low, phi) in all.iter().take(most) {
        section.fact(format!("bits {high} and {low}"), format!("{phi:+.3}"));
    }
    section
}

/// The settings that errors name. Each has a flag of the same name; the flag of k is short.
pub(crate) const SETTINGS: &[&str] = &[
    "bands",
    "bits",
    "blocks",
    "delimiter",
    "encoding",
    "fingerprint-field",
    "fp-type",
    "glob",
    "hashes-field",
    "id-field",
    "input-format",
    "k",
    "labels",
    "max-document",
    "max-expansion",
    "max-spool",
    "no-header",
    "norm",
    "pairs",
    "recipe",
    "reference",
    "seed",
    "stop-words",
    "table-field",
    "tau",
    "text-field",
    "truth",
];

/// A message with a flag for each setting that it names in backticks.
pub fn with_flags(message: &str) -> String {
    SETTINGS.iter().fold(message.to_owned(), |message, setting| {
        let dashes = if setting.len() == 1 { "-" } else { "--" };
        message.replace(&format!("`{setting}`"), &format!("{dashes}{setting}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Settings;

    #[test]
    fn bins_hold_every_fingerprint() {
        let all: Vec<u128> =
            (0..500u128).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & 0xffff_ffff).collect();
        let health = Health::new(&all, 32);
        let section = popcounts(&health);
        let PageBlock::Bars(bars) = &section.blocks[0] else { panic!("{section:?}") };
        assert!(bars.len() <= 33);
        assert_eq!(bars.iter().map(|(_, n)| n).sum::<u64>(), 500);
    }

    #[test]
    fn a_command_names_the_flags_and_leaves_other_code_alone() {
        let settings = Settings { k: 65, ..Settings::default() };
        let error = settings.check().unwrap_err().to_string();
        assert!(error.ends_with("use a smaller `k` or more `bits`"), "{error}");
        assert!(with_flags(&error).ends_with("use a smaller -k or more --bits"));
        assert_eq!(with_flags("use `simscope groups`"), "use `simscope groups`");
    }
}
