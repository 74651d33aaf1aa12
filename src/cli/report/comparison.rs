//! What the texts of a pair say: features shared and not, who decided the differing bits, and what would
//! make the two match; here as text, in [`comparison_json`](super::comparison_json) as fields.

use std::io::{self, Write};

use super::figures::{quoted, signed, similarity, weight};
use crate::{
    explain::{
        Counterfactual, TextsExplanation,
        deciders::DifferingBit,
        matched::{Matched, matched},
        sentence::SentenceEffects,
    },
    number::counted,
    simhash::{Ballot, Fingerprint, Fingerprinter},
};

/// The names of the two documents.
pub(super) const SIDES: [&str; 2] = ["a", "b"];

/// A pair with its texts.
#[derive(Debug)]
pub(in crate::cli) struct Comparison<'a> {
    /// The recipe at work.
    pub(in crate::cli) fingerprinter: &'a Fingerprinter,
    /// The texts.
    pub(in crate::cli) texts: [&'a str; 2],
    /// Their features.
    pub(in crate::cli) ballots: [&'a Ballot; 2],
    /// Their fingerprints.
    pub(in crate::cli) fingerprints: [Fingerprint; 2],
    /// The distance that counts as near.
    pub(in crate::cli) k: u32,
    /// Lines of a list.
    pub(in crate::cli) most: usize,
}

impl<'a> Comparison<'a> {
    /// All that the texts say.
    pub(super) fn explain(&self, features: &[Matched<'a>]) -> TextsExplanation<'a> {
        let Self { fingerprinter, texts, ballots, fingerprints, k, .. } = *self;
        TextsExplanation::new(fingerprinter, texts, ballots, fingerprints, features, k)
    }
}

/// Writes the comparison as text.
pub(in crate::cli) fn write_text(it: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let features = matched(it.ballots[0], it.ballots[1]);
    let findings = it.explain(&features);
    write_overlap(it, &findings, out)?;
    write_bits(&findings.bits, out)?;
    if let Some(found) = &findings.counterfactual {
        write_counterfactual(it, found, out)?;
    }
    let before = it.fingerprints[0].distance(it.fingerprints[1]);
    for side in [0, 1] {
        write_sentences(it, side, &findings.sentences[side], before, out)?;
    }
    Ok(())
}

fn write_overlap(
    it: &Comparison<'_>,
    TextsExplanation { overlap, sameness, .. }: &TextsExplanation<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let figure = |figure: Option<f64>| figure.map_or("-".to_owned(), similarity);
    writeln!(
        out,
        "\nby features ({}): exact cosine {}, Jaccard {}, containment {}",
        it.fingerprinter.recipe().short(),
        figure(overlap.cosine),
        figure(overlap.jaccard()),
        figure(overlap.containment()),
    )?;
    if let Some(sameness) = sameness {
        writeln!(out, "{}", sameness.sentence())?;
    }
    let n_shared = overlap.shared.len();
    let part = |name: &str, n_all: usize| format!("{} {name}", counted(n_all as u64, "feature"));
    if n_shared > 0 {
        writeln!(out, "{}, by what each adds to the cosine", part("shared", n_shared))?;
        for shared in overlap.shared.iter().take(it.most) {
            let weights = [0, 1].map(|side| weight(shared.feature.weight(side)));
            let feature = quoted(&shared.feature.voter().shingle);
            writeln!(
                out,
                "{:>9.4}  {feature} {} x {}",
                shared.contribution, weights[0], weights[1]
            )?;
        }
        more(n_shared, it.most, out)?;
    }
    for (side, only) in overlap.only.iter().enumerate().filter(|(_, only)| !only.is_empty()) {
        let name = format!("in {} only, by their share of its ||w||^2", SIDES[side]);
        writeln!(out, "{}", part(&name, only.len()))?;
        for only in only.iter().take(it.most) {
            writeln!(
                out,
                "{:>9.4}  {} {}",
                only.share,
                quoted(&only.feature.voter().shingle),
                weight(only.feature.weight(side)),
            )?;
        }
        more(only.len(), it.most, out)?;
    }
    Ok(())
}

fn more(n_all: usize, most: usize, out: &mut dyn Write) -> io::Result<()> {
    match n_all.saturating_sub(most) {
        0 => Ok(()),
        rest => writeln!(out, "{:>9}  {rest} more", ""),
    }
}

fn write_bits(bits: &[DifferingBit<'_>], out: &mut dyn Write) -> io::Result<()> {
    if bits.is_empty() {
        return Ok(());
    }
    writeln!(out, "\ndiffering bits, and the features that pushed the two apart")?;
    for bit in bits {
        for side in [0, 1] {
            let label = if side == 0 { format!("bit {}", bit.bit) } else { String::new() };
            let deciders: Vec<String> = bit.deciders[side]
                .iter()
                .map(|it| format!("{} {}", quoted(&it.feature.voter().shingle), weight(it.push)))
                .collect();
            let deciders =
                if deciders.is_empty() { "nothing of its own".into() } else { deciders.join(", ") };
            writeln!(
                out,
                "  {label:<7} {} {}  V = {:<8} margin {:.2}  {deciders}",
                SIDES[side],
                u8::from(bit.values[side]),
                signed(bit.votes[side]),
                bit.margins[side],
            )?;
        }
    }
    Ok(())
}

fn write_counterfactual(
    it: &Comparison<'_>,
    found: &Counterfactual<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if found.edits.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", found.headline(SIDES, it.k))?;
    for edit in found.edits.iter().take(it.most) {
        let feature = quoted(&edit.feature.voter().shingle);
        match (edit.from.0, edit.to.0) {
            (_, 0) => writeln!(out, "  drop    {feature}")?,
            (0, _) => writeln!(out, "  copy    {feature}")?,
            _ => writeln!(
                out,
                "  reweigh {feature} from {} to {}",
                weight(edit.from),
                weight(edit.to)
            )?,
        }
    }
    match found.edits.len().saturating_sub(it.most) {
        0 => Ok(()),
        rest => writeln!(out, "  {rest} more"),
    }
}

fn write_sentences(
    it: &Comparison<'_>,
    side: usize,
    found: &SentenceEffects,
    before: u32,
    out: &mut dyn Write,
) -> io::Result<()> {
    if found.n_sentences < 2 {
        return Ok(());
    }
    let moved = found.moving(before);
    writeln!(out, "\n{}", found.headline(SIDES[side], before))?;
    for effect in moved.iter().take(it.most) {
        let sentence = quoted(it.texts[side][effect.place.clone()].trim());
        match effect.distance {
            Some(distance) => writeln!(out, "  d = {distance:<3} without {sentence}")?,
            None => writeln!(out, "  nothing left without {sentence}")?,
        }
    }
    match moved.len().saturating_sub(it.most) {
        0 => Ok(()),
        rest => writeln!(out, "  {rest} more"),
    }
}
