//! A pair in words: the reason why it is found or not, and the common features of its texts.

use unicode_width::UnicodeWidthStr;

use super::document::{self, FeatureLimits};
use super::page::{PageBlock, PageLine, Section};
use crate::analysis::explained_pair::ExplainedPair;
use crate::evaluate::{angle, interval};
use crate::explain::figures::{signed, similarity, weight};
use crate::explain::near_miss::{Remedy, remedies};
use crate::explain::overlap::{AlignedFeature, DifferingBit};
use crate::explain::sentence::{SentenceEffect, SentenceEffects};
use crate::explain::{BitExplanation, Counterfactual, Overlap, PairExplanation, TextsExplanation};
use crate::feature::FixedWeight;
use crate::index::{Layout, letter, load};
use crate::number::{counted, grouped};
use crate::simhash::FeatureVotes;

/// The names of the two documents beside their bits.
const SIDES: [&str; 2] = ["one", "two"];
/// The largest number of tables that are listed.
const MOST_TABLES: usize = 20;
/// Columns of the picture of the bits.
const COLUMNS: usize = 79;

/// The names and bits of a pair, and the cosine estimated from the bits alone, for readers who see nothing else
/// of it.
pub fn beginning(it: &ExplainedPair, ids: [&str; 2]) -> Section {
    let mut names = Section::new("");
    for (side, (id, fingerprint)) in SIDES.iter().zip(ids.into_iter().zip(it.fingerprints)) {
        names.fact(*side, PageLine::from(format!("{fingerprint}  ")).name(id));
    }
    let (distance, width) = (it.bits.distance, it.layout.width());
    let (low, high) = interval::cosine(distance, width);
    names.fact(
        "cosine",
        format!(
            "{:.2} by the bits alone, 95 %: {low:.2} to {high:.2} (only for a pair that was not chosen by its distance)",
            angle::estimate(distance, width),
        ),
    );
    names.blocks.push(PageBlock::Lines(picture(it)));
    names
}

/// The blocks side by side, in as many lines as needed.
fn picture(it: &ExplainedPair) -> Vec<String> {
    let mut lines = Vec::new();
    let empty = ["block", "one", "two", "xor", "off"].map(|name| format!("{name:<6}"));
    let mut last = empty.clone();
    for (at, block) in it.layout.block_list().iter().enumerate() {
        let bits = || (block.low..block.low + block.width).rev();
        let digits = |side: usize| {
            bits().map(|bit| if it.fingerprints[side].bit(bit) { '1' } else { '0' }).collect()
        };
        let mark = |bit: u32| if it.bits.xor >> bit & 1 == 1 { '▲' } else { '.' };
        let n_off = it.bits.bits_off[at];
        let off = if n_off == 0 { String::new() } else { n_off.to_string() };
        let rows = [letter(at), digits(0), digits(1), bits().map(mark).collect(), off];
        let width = rows.iter().map(|row: &String| row.width()).max().unwrap_or(0);
        if last != empty && last[1].width() + width > COLUMNS {
            lines.extend(std::mem::replace(&mut last, empty.clone()));
            lines.push(String::new());
        }
        for (line, row) in last.iter_mut().zip(rows) {
            line.push_str(&row);
            line.extend(std::iter::repeat_n(' ', width + 1 - row.width()));
        }
    }
    [vec![String::new()], lines, last.into()].concat()
}

/// The distance, and whether the tables find the pair.
pub fn candidacy(it: &ExplainedPair) -> Vec<Section> {
    let (distance, k) = (it.bits.distance, it.k);
    let nearness = if distance <= k { "near" } else { "not near" };
    let width = it.layout.width();
    let mut near =
        Section::new(format!("distance {distance} of {width} bits: {nearness} at k = {k}"));
    near.say(verdict(&it.bits, &it.layout, k));
    if distance > k {
        near.say(format!("It counts as near from k = {distance} on."));
    }
    match &it.texts {
        Some(TextsExplanation { overlap, sameness, .. }) => {
            let figure = |figure: Option<f64>| figure.map_or("-".to_owned(), similarity);
            near.say(format!(
                "By features ({}): exact cosine {}, Jaccard {}, containment {}.",
                it.recipe.short(),
                figure(overlap.cosine),
                figure(overlap.jaccard()),
                figure(overlap.containment()),
            ));
            if let Some(sameness) = sameness {
                near.say(sameness.sentence());
            }
        }
        None => near.say("The corpus does not hold both texts, so their features are not known."),
    }
    let mut sections = vec![near, tables(it)];
    sections.extend(layouts(it));
    sections
}

/// A sentence on whether the pair is found, and whether the layout guarantees that.
pub fn verdict(it: &PairExplanation, layout: &Layout, k: u32) -> String {
    let distance = it.distance;
    let is_hit = it.hits().next().is_some();
    let guarantee = layout.guarantee();
    let bits = if distance == 1 { "bit lies" } else { "bits lie" };
    let (n_off, n_blocks) = (it.differing_blocks().len(), layout.block_list().len());
    let where_bits_lie = format!("{distance} differing {bits} in {n_off} of {n_blocks} blocks");
    let reason = if distance == 0 {
        "Equal fingerprints have equal keys in every table".to_owned()
    } else if layout.guarantees(distance) {
        format!(
            "{where_bits_lie}; up to {guarantee} always leave a key intact, so the pair had to be a candidate"
        )
    } else if is_hit {
        format!(
            "{where_bits_lie}; beyond the guarantee of {guarantee} a key stays intact only by luck"
        )
    } else {
        format!("{where_bits_lie}, and no key is intact; the guarantee ends at {guarantee}")
    };
    match (is_hit, distance <= k) {
        (true, true) => format!("Found. {reason}."),
        (true, false) => format!("A candidate, but rejected: d = {distance} > {k}. {reason}."),
        (false, true) => format!("Missed: not a candidate. {reason}."),
        (false, false) => format!("Not a candidate, and not near: d = {distance} > {k}. {reason}."),
    }
}

/// The tables in which the pair is a candidate, and the mean number of such tables for a pair at this distance.
fn tables(it: &ExplainedPair) -> Section {
    let all = it.layout.tables();
    let n_hits = it.bits.hits().count();
    let mut section = Section::new(format!(
        "a candidate in {n_hits} of {} ({})",
        counted(all.len() as u64, "table"),
        it.layout,
    ));
    for (label, is_hit) in [("equal keys", true), ("differing keys", false)] {
        if let Some(keys) = keys(&it.bits, &it.layout, is_hit, MOST_TABLES) {
            section.fact(label, keys);
        }
    }
    section.fact("blocks", blocks(&it.bits));
    let distance = it.bits.distance;
    let mut expected = format!(
        "with d = {distance} anywhere, a pair is a candidate in {:.2} of {} on average",
        load::expected_tables_hit(&it.layout, distance),
        counted(all.len() as u64, "table"),
    );
    if let Some(chance) = load::candidate_chance(&it.layout, distance) {
        expected += &format!(", in at least one with chance {chance:.3}");
    }
    section.fact("expected", expected);
    section
}

/// The tables with equal or with differing keys: `01 (A)  04 (D)`; `None` if there are none.
pub fn keys(it: &PairExplanation, layout: &Layout, is_hit: bool, most: usize) -> Option<String> {
    let tables = layout.tables().iter().zip(&it.tables).enumerate();
    let chosen = tables.filter(|(_, (_, outcome))| outcome.hit == is_hit);
    let mut names: Vec<String> = chosen
        .map(|(number, (table, _))| format!("{:02} ({})", number + 1, table.letters()))
        .collect();
    let n_more = names.len().saturating_sub(most);
    names.truncate(most);
    if n_more > 0 {
        names.push(format!("and {n_more} more"));
    }
    (!names.is_empty()).then(|| names.join("  "))
}

/// The blocks that differ, with their numbers of differing bits, and the equal blocks: `3 bits of A, 1 of B
/// differ; equal: C D`.
pub fn blocks(it: &PairExplanation) -> String {
    let (mut differ, mut equal) = (Vec::new(), Vec::new());
    for (block, &n_off) in it.bits_off.iter().enumerate() {
        match n_off {
            0 => equal.push(letter(block)),
            n if differ.is_empty() => {
                differ.push(format!("{} of {}", counted(n.into(), "bit"), letter(block)));
            }
            n => differ.push(format!("{n} of {}", letter(block))),
        }
    }
    let verb = if it.distance == 1 { "differs" } else { "differ" };
    match (differ.is_empty(), equal.is_empty()) {
        (true, _) => "all are equal".to_owned(),
        (_, true) => format!("{} {verb}; no block is equal", differ.join(", ")),
        _ => format!("{} {verb}; equal: {}", differ.join(", "), equal.join(" ")),
    }
}

/// Layouts in which a pair that is not a candidate would be one.
fn layouts(it: &ExplainedPair) -> Option<Section> {
    let mut section =
        Section::new(format!("layouts in which it would be a candidate, instead of {}", it.layout));
    for remedy in remedies(&it.layout, it.bits.xor) {
        let (key_bits, Remedy { way, layout, tables_hit }) = (remedy.key_bits_min(), remedy);
        section.fact(
            layout.to_string(),
            format!(
                "{}, keys of {}: a candidate in {tables_hit} of them ({way})",
                counted(layout.tables().len() as u64, "table"),
                counted(u64::from(key_bits), "bit"),
            ),
        );
    }
    (!section.blocks.is_empty()).then_some(section)
}

/// The explanation of a bit in each document.
pub fn bits_of(
    feature_votes: [&FeatureVotes; 2],
    bits: &[BitExplanation; 2],
    cosine: f64,
    most: FeatureLimits,
) -> Vec<Section> {
    let of = |side: usize| {
        let mut sections = document::bit_of(feature_votes[side], &bits[side], cosine, most);
        let title = sections[0].title.plain();
        sections[0].title = format!("document {}: {title}", SIDES[side]).into();
        sections
    };
    [0, 1].map(of).concat()
}

/// The texts of a pair, the most important facts first, with up to `most` features, edits or sentences in a
/// list.
pub fn texts(it: &ExplainedPair, most: usize) -> Vec<Section> {
    let Some(texts) = &it.texts else { return Vec::new() };
    let mut sections = Vec::new();
    sections.extend(texts.counterfactual.as_ref().and_then(|found| edits(found, it.k, most)));
    sections.extend(bits(&texts.bits));
    sections.extend([0, 1].into_iter().filter_map(|side| only(&texts.overlap, side, most)));
    sections.extend(shared(&texts.overlap, most));
    let distance = it.bits.distance;
    let without = |side: usize| without(&texts.sentences[side], side, distance, most);
    sections.extend([0, 1].into_iter().filter_map(without));
    sections
}

/// Few edits that bring the pair within k; `None` if it is near.
fn edits(found: &Counterfactual, k: u32, most: usize) -> Option<Section> {
    let n = found.edits.len();
    let (features, side) = (counted(n as u64, "feature"), SIDES[found.side]);
    let mut section = Section::new(format!(
        "to get within k = {k}, change at most {features} of document {side}; then d = {}",
        found.distance
    ));
    for edit in found.edits.iter().take(most) {
        let feature = PageLine::default().quote(&*edit.shingle);
        match [found.side, 1 - found.side].map(|side| edit.weight(side)) {
            [_, FixedWeight(0)] => section.fact("drop", feature),
            [FixedWeight(0), _] => section.fact("copy", feature),
            [from, to] => {
                let (from, to) = (weight(from), weight(to));
                section.fact("reweigh", feature.text(format!(" from {from} to {to}")));
            }
        }
    }
    section.more(n, most);
    (n > 0).then_some(section)
}

/// Each differing bit with the features that decided it.
fn bits(bits: &[DifferingBit]) -> Option<Section> {
    let mut section = Section::new("differing bits, and the features that pushed the two apart");
    let named = |line: PageLine, contributors: &[(AlignedFeature, FixedWeight)]| {
        let contributor = |line: PageLine, (at, (feature, push)): (usize, &(AlignedFeature, _))| {
            let line = if at == 0 { line } else { line.text(", ") };
            line.quote(&*feature.shingle).text(format!(" {}", weight(*push)))
        };
        match contributors {
            [] => line.text("no feature that weighs more here"),
            _ => contributors.iter().enumerate().fold(line, contributor),
        }
    };
    for DifferingBit { sides, contributors } in bits {
        for (side, it) in sides.iter().enumerate() {
            let number = if side == 0 { format!("bit {} ", it.bit) } else { String::new() };
            let label = format!("{number}{} {}", SIDES[side], u8::from(it.value));
            let line = format!("V = {}, margin {:.2}: ", signed(it.votes), it.margin);
            section.fact(label, named(line.into(), &contributors[side]));
        }
    }
    (!bits.is_empty()).then_some(section)
}

/// The features of one document alone.
fn only(overlap: &Overlap, side: usize, most: usize) -> Option<Section> {
    let n = overlap.n_only[side];
    let mut section = Section::new(format!(
        "{} in document {} only, by their share of its ||w||^2",
        counted(n as u64, "feature"),
        SIDES[side],
    ));
    for only in overlap.only[side].iter().take(most) {
        section.fact(format!("{:.4}", only.share), weighed(&only.feature, &[side]));
    }
    section.more(n, most);
    (n > 0).then_some(section)
}

/// The features of both documents.
fn shared(overlap: &Overlap, most: usize) -> Option<Section> {
    let n = overlap.n_shared;
    let features = counted(n as u64, "feature");
    let mut section = Section::new(format!("{features} shared, by what each adds to the cosine"));
    for shared in overlap.shared.iter().take(most) {
        section.fact(format!("{:.4}", shared.contribution), weighed(&shared.feature, &[0, 1]));
    }
    section.more(n, most);
    (n > 0).then_some(section)
}

/// A feature with its weight in some of the documents: `"the tide" 2 x 1`.
fn weighed(feature: &AlignedFeature, sides: &[usize]) -> PageLine {
    let weights: Vec<String> =
        sides.iter().map(|&side| weight(feature.weight(side)).to_string()).collect();
    PageLine::default().quote(&*feature.shingle).text(format!(" {}", weights.join(" x ")))
}

/// The distance without each sentence of a document; `None` if there is only one.
fn without(found: &SentenceEffects, side: usize, before: u32, most: usize) -> Option<Section> {
    let (n_tried, n_all) = (found.effects.len(), found.n_sentences);
    let moves = |effect: &&SentenceEffect| effect.distance != Some(before);
    let moving: Vec<&SentenceEffect> = found.effects.iter().filter(moves).collect();
    let sentence = if n_tried < n_all {
        format!(
            "one of the first {} of {} sentences",
            grouped(n_tried as u64),
            grouped(n_all as u64)
        )
    } else {
        "one sentence".to_owned()
    };
    let mut section = Section::new(format!(
        "leaving out {sentence} of document {} changes d = {before} in {} of {}",
        SIDES[side],
        grouped(moving.len() as u64),
        counted(n_tried as u64, "case"),
    ));
    for effect in moving.iter().take(most) {
        let label = effect.distance.map_or("nothing left".to_owned(), |it| format!("d = {it}"));
        section.fact(label, PageLine::default().quote(&effect.sentence));
    }
    section.more(moving.len(), most);
    (n_all > 1).then_some(section)
}
