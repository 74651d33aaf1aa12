//! An explained pair as text and a picture of the bits: what its fingerprints and tables say. What its
//! texts say is in [`comparison`], and all of it as JSON in [`explanation_json`](super::explanation_json).

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{
    comparison::{self, Comparison},
    waterfall,
};
use crate::{
    evaluate::{angle, interval},
    explain::{
        BitExplanation, Overlap,
        figures::similarity,
        matched::matched,
        near_miss::{Remedy, remedies},
        pair::{PairExplanation, TableOutcome},
    },
    index::{Layout, TableLayout, chance, letter},
    number::counted,
    simhash::{Ballot, Fingerprint},
    text::visible::visible,
};

/// Columns a line of blocks may take.
const COLUMNS: usize = 80;
/// Tables listed before the rest are counted.
const LISTED: usize = 12;

/// A pair and what is known of it.
#[derive(Debug)]
pub(in crate::cli) struct Explained<'a> {
    /// The documents' ids.
    pub(in crate::cli) ids: [&'a str; 2],
    /// Their fingerprints.
    pub(in crate::cli) fingerprints: [Fingerprint; 2],
    /// The layout of the tables.
    pub(in crate::cli) layout: &'a Layout,
    /// What the layout makes of the pair.
    pub(in crate::cli) explanation: &'a PairExplanation,
    /// The distance that counts as near.
    pub(in crate::cli) k: u32,
    /// The texts, where the corpus has both.
    pub(in crate::cli) comparison: Option<Comparison<'a>>,
    /// A bit to explain in both texts.
    pub(in crate::cli) bits: Option<[BitExplanation; 2]>,
}

impl Explained<'_> {
    /// Each table with its outcome.
    pub(in crate::cli) fn tables(&self) -> impl Iterator<Item = (&TableLayout, &TableOutcome)> {
        self.layout.tables().iter().zip(&self.explanation.tables)
    }

    /// Tables that catch a pair at this distance on average.
    pub(super) fn expected_tables(&self) -> f64 {
        chance::expected_tables_hit(self.layout, self.explanation.distance)
    }

    /// The chance that one does; `None` for two levels.
    pub(super) fn candidate_chance(&self) -> Option<f64> {
        chance::candidate_chance(self.layout, self.explanation.distance)
    }

    /// The bit asked about in both documents, and the lines it may take.
    pub(super) fn explained(&self) -> Option<[(&Ballot, &BitExplanation, usize); 2]> {
        let (comparison, bits) = (self.comparison.as_ref()?, self.bits.as_ref()?);
        Some([0, 1].map(|side| (comparison.ballots[side], &bits[side], comparison.most)))
    }

    /// The cosine that stands behind the distance, at 95 %.
    pub(super) fn cosine_interval(&self) -> (f64, f64) {
        interval::cosine(self.explanation.distance, self.layout.width())
    }
}

/// The letters of blocks.
pub(in crate::cli) fn letters(blocks: &[usize]) -> Vec<String> {
    blocks.iter().map(|&block| letter(block)).collect()
}

/// Writes the pair as text, with a picture of its bits.
pub(in crate::cli) fn write_text(
    pair: &Explained<'_>,
    ascii: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Explained { explanation, layout, k, .. } = pair;
    let nearness = if explanation.distance <= *k { "near" } else { "not near" };
    for (name, (id, fingerprint)) in ["a", "b"].iter().zip(pair.ids.iter().zip(pair.fingerprints)) {
        writeln!(out, "{name}  {fingerprint}  {}", visible(id))?;
    }
    writeln!(
        out,
        "distance {} of {} bits: {nearness} at k = {k}",
        explanation.distance,
        layout.width(),
    )?;
    let (low, high) = pair.cosine_interval();
    let cosine = angle::estimate(explanation.distance, layout.width());
    if let Some(it) = &pair.comparison {
        let features = matched(it.ballots[0], it.ballots[1]);
        let cosine = Overlap::new(&features).cosine.map_or("-".to_owned(), similarity);
        writeln!(out, "exact cosine of the features: {cosine}")?;
    }
    writeln!(
        out,
        "cosine by the bits alone: {cosine:.2}, 95 %: {low:.2} to {high:.2} (if the pair was not picked by its bits)\n"
    )?;
    write_picture(pair, ascii, out)?;
    let n_hits = explanation.hits().count();
    writeln!(
        out,
        "tables of {} in which the pair is a candidate: {n_hits} of {}",
        layout,
        layout.tables().len()
    )?;
    write_tables(pair, true, out)?;
    write_tables(pair, false, out)?;
    writeln!(out, "\n{}", explanation.reason(layout, *k))?;
    write_chances(pair, out)?;
    if let Some(both) = pair.explained() {
        for (side, (ballot, bit, most)) in ["a", "b"].iter().zip(both) {
            write!(out, "\n{side}: ")?;
            waterfall::write(ballot, bit, most, out)?;
        }
        return Ok(());
    }
    match &pair.comparison {
        Some(comparison) => comparison::write_text(comparison, out),
        None => writeln!(out, "\nThe corpus has not both texts, so their features are not known."),
    }
}

/// What to expect at this distance, and in which layouts the pair would be a candidate.
fn write_chances(pair: &Explained<'_>, out: &mut dyn Write) -> io::Result<()> {
    let distance = pair.explanation.distance;
    write!(
        out,
        "With d = {distance} anywhere, a pair is a candidate in {:.2} of {} tables on average",
        pair.expected_tables(),
        pair.layout.tables().len(),
    )?;
    match pair.candidate_chance() {
        Some(chance) => writeln!(out, "; at least one with chance {chance:.3}.")?,
        None => writeln!(out, ".")?,
    }
    if distance > pair.k {
        writeln!(out, "It would count as near from k = {distance} on.")?;
    }
    let remedies = remedies(pair.layout, pair.explanation.xor);
    if !remedies.is_empty() {
        writeln!(
            out,
            "Layouts in which it would be a candidate, beside the {} now:",
            pair.layout.tables().len()
        )?;
    }
    for remedy in &remedies {
        let (Remedy { way, layout, tables_hit }, key_bits) = (remedy, remedy.key_bits_min());
        let tables = counted(layout.tables().len() as u64, "table");
        writeln!(
            out,
            "  {layout:<10} {tables}, keys of {key_bits} bits; a candidate in {tables_hit} ({way})"
        )?;
    }
    Ok(())
}

/// The blocks side by side, in as many lines as they need.
fn write_picture(pair: &Explained<'_>, ascii: bool, out: &mut dyn Write) -> io::Result<()> {
    let mark = if ascii { '^' } else { '▲' };
    let blocks = pair.layout.block_list();
    let rows = |block: usize| {
        let bits = || (blocks[block].low..blocks[block].low + blocks[block].width).rev();
        let digits =
            |of: Fingerprint| bits().map(|bit| if of.bit(bit) { '1' } else { '0' }).collect();
        let is_off = |bit: u32| pair.explanation.xor >> bit & 1 == 1;
        let off = match pair.explanation.bits_off[block] {
            0 => String::new(),
            off => off.to_string(),
        };
        [
            letter(block),
            digits(pair.fingerprints[0]),
            digits(pair.fingerprints[1]),
            bits().map(|bit| if is_off(bit) { mark } else { '.' }).collect(),
            off,
        ]
    };
    let mut lines = ["block", "a", "b", "xor", "off"].map(|name| format!("{name:<6}"));
    let mut is_empty = true;
    for block in 0..blocks.len() {
        let rows = rows(block);
        let width = rows.iter().map(|row| row.width()).max().unwrap_or(0);
        if !is_empty && lines[1].width() + width > COLUMNS {
            flush(&mut lines, out)?;
        }
        for (line, row) in lines.iter_mut().zip(rows) {
            line.push_str(&row);
            line.extend(std::iter::repeat_n(' ', width + 1 - row.width()));
        }
        is_empty = false;
    }
    flush(&mut lines, out)
}

fn flush(lines: &mut [String; 5], out: &mut dyn Write) -> io::Result<()> {
    for line in lines {
        writeln!(out, "{}", line.trim_end())?;
        line.replace_range(6.., "");
    }
    writeln!(out)
}

/// The tables that hit, or those that miss with the reason.
fn write_tables(pair: &Explained<'_>, hits: bool, out: &mut dyn Write) -> io::Result<()> {
    let chosen = || pair.tables().enumerate().filter(|(_, (_, outcome))| outcome.hit == hits);
    for (number, (table, outcome)) in chosen().take(LISTED) {
        let key = table.letters();
        if hits {
            writeln!(out, "  hit   table {:02}   {key}", number + 1)?;
        } else {
            writeln!(
                out,
                "  miss  table {:02}   {key}  damaged: {}",
                number + 1,
                letters(&outcome.damaged).join(" ")
            )?;
        }
    }
    match chosen().count().saturating_sub(LISTED) {
        0 => Ok(()),
        rest => writeln!(out, "  {rest} more {}", if hits { "hit" } else { "miss" }),
    }
}
